"""The design lab: editor, charts of Hits by range and armor and of heat, exact chances of a Mek's dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from systems.design_editor import Chart, DesignEditor, EditorChoice, EditorGroup, chart_series
from systems.legality import pluralize
from systems.meks_and_mercs.build.legality import mounts_used, slots_used
from systems.meks_and_mercs.build.spec import MAX_ENTRIES, MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE, RETIRED, SIZES, Catalogue, Chassis, Family, System, Weapon
from systems.meks_and_mercs.options import BY_THE_BOOK

MOUNTS = (("huge", "Huge mounts"), ("massive", "Massive mounts"), ("small", "Small mounts"))


def lab_editor(spec: MekSpec) -> DesignEditor:
    """Return everything in the catalogue that a Mek can have, with this Mek's counts."""
    frame = spec.frame
    has = {"huge": frame.huge_mounts, "massive": frame.massive_mounts, "small": frame.small_mounts}
    used = mounts_used(spec, BY_THE_BOOK)
    weapons, systems = Counter(spec.weapons), Counter(spec.systems)
    groups = [
        EditorGroup(
            slug=size,
            title=title,
            used=used[size],
            available=has[size],
            choices=tuple(
                _weapon_choice(weapon, weapons[weapon.slug], has[size], frame)
                for weapon in spec.catalogue.weapons.values()
                if weapon.size == size and _is_offered(spec, "weapons", weapon.slug)
            ),
        )
        for size, title in MOUNTS
    ]
    slots = EditorGroup(
        slug="systems",
        title="System slots",
        used=slots_used(spec),
        available=frame.system_slots,
        choices=tuple(
            _system_choice(system, systems[system.slug], spec)
            for system in spec.catalogue.systems.values()
            if _is_offered(spec, "systems", system.slug)
        ),
    )
    return DesignEditor(
        frames=tuple(
            _frame_choice(chassis)
            for chassis in spec.catalogue.chassis.values()
            if _is_offered(spec, "chassis", chassis.slug)
        ),
        frame=frame.slug,
        groups=(*groups, slots),
    )


def _is_offered(spec: MekSpec, table: str, slug: str) -> bool:
    """Return whether to show an entry; retired ones are only shown if the build has them."""
    return slug in (spec.chassis, *spec.weapons, *spec.systems) or (table, slug) not in RETIRED[spec.release]


def editor_spec(
    frame: str, counts: Mapping[str, int], before: Mapping[str, object], catalogue: Catalogue
) -> dict[str, object]:
    """Return a spec as unchecked JSON values; unknown slugs are left for the spec reader to refuse."""
    systems = {slug: count for slug, count in counts.items() if slug in catalogue.systems}
    weapons = {slug: count for slug, count in counts.items() if slug not in systems}
    return {
        "chassis": frame,
        "weapons": _ordered_slugs(weapons, before.get("weapons"), catalogue.weapons),
        "systems": _ordered_slugs(systems, before.get("systems"), catalogue.systems),
    }


def _ordered_slugs(counts: Mapping[str, int], before: object, catalogue: Iterable[str]) -> list[str]:
    """Return each slug as often as `counts` says, first in the spec's previous order, then in the catalogue's."""
    left = {slug: min(count, MAX_ENTRIES + 1) for slug, count in counts.items()}
    arranged = []
    for slug in before if isinstance(before, list) else ():
        if isinstance(slug, str) and left.get(slug, 0) > 0:
            left[slug] -= 1
            arranged.append(slug)
    order = [*catalogue]
    for slug in sorted(left, key=lambda slug: (order.index(slug) if slug in order else len(order), slug)):
        arranged += [slug] * left[slug]
    return arranged


def _frame_choice(chassis: Chassis) -> EditorChoice:
    mounts = [
        f"{number} {size}"
        for number, size in (
            (chassis.massive_mounts, "massive"),
            (chassis.huge_mounts, "huge"),
            (chassis.small_mounts, "small"),
        )
        if number
    ]
    detail = (
        f"{chassis.hits} Hits, AR {chassis.armor}, heat {chassis.heat_rating}, {chassis.movement}; "
        f"{', '.join(mounts)}; {pluralize(chassis.system_slots, 'slot')}"
    )
    return EditorChoice(slug=chassis.slug, name=chassis.name, detail=detail, points=chassis.points)


def _weapon_choice(weapon: Weapon, count: int, mounts: int, frame: Chassis) -> EditorChoice:
    if weapon.kills:
        text = f"{weapon.kills}d6 infantry kills"
    else:
        numbers = "/".join("–" if number is None else f"{number}+" for number in weapon.numbers)
        text = f"{numbers}{f', {weapon.dice} dice' if weapon.dice > 1 else ''}"
    return EditorChoice(
        slug=weapon.slug,
        name=weapon.name,
        detail=f"{text}, heat {weapon.heat}{f'; {weapon.special}' if weapon.special else ''}",
        points=weapon.points,
        pack=weapon.pack,
        count=count,
        most=max(mounts, 1) * weapon.pack,
        refusal="" if mounts else f"no {weapon.size} mount",
    )


def _system_choice(system: System, count: int, spec: MekSpec) -> EditorChoice:
    refusal, frame = "", spec.frame
    if frame.slug not in system.sizes:
        first, last = system.sizes[0], system.sizes[-1]
        is_too_small = SIZES.index(frame.slug) < SIZES.index(first)
        refusal = (
            f"{spec.catalogue.chassis[first].name} or bigger"
            if is_too_small
            else f"{spec.catalogue.chassis[last].name} or smaller"
        )
    return EditorChoice(
        slug=system.slug,
        name=system.name,
        detail=f"{system.brief}{'; 2 slots' if system.slots == 2 else ''}",
        points=system.points_on(frame),
        count=count,
        most=frame.system_slots if system.is_repeatable else 1,
        refusal=refusal,
    )


FACES = range(1, 7)
ARRAY = "targeting-array"


def hit_chance(weapon: Weapon, band: int, to_hit: int, natural_rolls: bool = False) -> Fraction | None:
    """Return the chance of one to-hit die with that modifier, with any re-roll; None out of range. MM-043, MM-048."""
    number = weapon.numbers[band]
    if number is None:
        return None
    bounds = (1, 5) if natural_rolls else (0, 6)
    chance = Fraction(min(max(7 - (number - to_hit), bounds[0]), bounds[1]), 6)
    return 1 - (1 - chance) ** 2 if weapon.rerolls_miss else chance


def array_to_hit(systems: Iterable[System]) -> int:
    """Return working systems' modifier against the primary target. MM-044."""
    return int(any(system.slug == ARRAY for system in systems))


def save_chance(armor: int, family: Family | None = None, systems: Iterable[System] = (), penalty: int = 0) -> Fraction:
    """Return the chance that armor stops a hit by a weapon family. MM-051, MM-052.

    Without a family, no system helps the target.
    """
    systems = list(systems)
    failed = Fraction(min(max(save_number(armor, family, systems, penalty) - 1, 0), 6), 6)
    if any(family is not None and system.rerolls_save_against == family for system in systems):
        failed **= 2
    return 1 - failed


def critical_chance(hits_left: int) -> Fraction:
    """Return the chance that a Hit is critical if it leaves this many Hits. MM-054."""
    return Fraction(max(0, 6 - hits_left), 6)


def expected_hits(weapon: Weapon, band: int, to_hit: int, armor: int, natural_rolls: bool = False) -> Fraction:
    """Return the expected unsaved Hits of one firing at a target without systems. MM-A24."""
    chance = hit_chance(weapon, band, to_hit, natural_rolls)
    if chance is None:
        return Fraction(0)
    return weapon.dice * chance * (1 - save_chance(armor, penalty=weapon.save_penalty))


def best_sum(worth_and_heat: Iterable[tuple[Fraction, int]], limit: int) -> Fraction:
    """Return the largest total worth of a set within the heat limit; heat 0 is always allowed. MM-A25."""
    best = {0: Fraction(0)}  # heat used -> largest worth
    for worth, heat in worth_and_heat:
        if worth <= 0:
            continue
        for used, total in list(best.items()):
            now = used + heat
            if heat == 0:
                best[used] = total + worth
            elif now <= limit and total + worth > best.get(now, Fraction(-1)):
                best[now] = total + worth
    return max(best.values())


def best_volley(worth_and_heat: Sequence[tuple[Fraction, int]], limit: int) -> tuple[int, ...]:
    """Return the indexes, in order, of the set with the sum from `best_sum`. MM-A25.

    Ties go to the coolest set, then to the earliest indexes.
    """
    best: dict[int, tuple[Fraction, tuple[int, ...]]] = {0: (Fraction(0), ())}  # heat used -> worth, places
    for at in reversed(range(len(worth_and_heat))):
        worth, heat = worth_and_heat[at]
        if worth <= 0:
            continue
        for used, (total, places) in list(best.items()):
            now, made = used + heat, (total + worth, (at, *places))
            if heat and now > limit:
                continue
            known = best.get(now)
            if known is None or (-made[0], made[1]) < (-known[0], known[1]):
                best[now] = made
    coolest = min(best.items(), key=lambda found: (-found[1][0], found[0], found[1][1]))
    return coolest[1][1]


def save_number(armor: int, family: Family | None = None, systems: Iterable[System] = (), penalty: int = 0) -> int:
    """Return the die number needed to save against a hit by that family. MM-051."""
    bonus = sum(family is not None and system.save_bonus_against == family for system in systems)
    return armor + penalty - bonus


def mean_infantry_kills(weapon: Weapon) -> Fraction:
    """Return the expected kills of one firing at Short on Plain. MM-064."""
    row = CATALOGUE.infantry_kills[weapon.family]
    if row.is_total:
        return Fraction(weapon.kills * sum(FACES), 6)
    kills = [row.kills(face) for face in FACES]
    mean = Fraction(sum(kills), 6)
    if weapon.rerolls_miss:
        mean += Fraction(kills.count(0), 6) * mean
    return weapon.dice * mean


def movement_span(dice: int, modifier: int) -> tuple[int, Fraction, int]:
    """Return the smallest, average and largest movement total, none below 0. MM-028."""
    totals = [max(0, sum(faces) + modifier) for faces in product(FACES, repeat=dice)]
    return min(totals), Fraction(sum(totals), len(totals)), max(totals)


BANDS = ("Short", "Medium", "Long")


def lab_charts(spec: MekSpec) -> Iterator[Chart]:
    """Yield the charts, for a Regular pilot's best fire within the heat rating. MM-058, MM-A24, MM-A25."""
    armors = sorted({chassis.armor for chassis in CATALOGUE.chassis.values()}, reverse=True)
    yield Chart(
        slug="hits",
        title="Average Hits per turn",
        across="Range",
        at=BANDS,
        series=tuple(
            chart_series(f"AR {armor}", [_best(spec, band, armor) for band in range(len(BANDS))]) for armor in armors
        ),
        note="The best a Regular pilot can do without overheating, against one target in the open with no armor systems.",
    )
    jump = max((system.jump_heat for system in spec.fittings), default=0)
    fire = sum(weapon.heat for weapon in spec.armament)
    jumping = [("firing everything and jumping", fire + jump)] if jump else []
    figures = [("heat rating", spec.heat_rating), ("firing everything", fire), *jumping]
    yield Chart(
        slug="heat",
        title="Heat",
        across="What",
        at=tuple(name for name, _ in figures),
        series=(chart_series("heat", [heat for _, heat in figures]),),
    )


def _best(spec: MekSpec, band: int, armor: int) -> Fraction:
    to_hit = array_to_hit(spec.fittings)
    return best_sum(
        ((expected_hits(weapon, band, to_hit, armor), weapon.heat) for weapon in spec.armament), spec.heat_rating
    )
