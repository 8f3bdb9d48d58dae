"""The design lab's bench: chassis, weapons by mount, systems by slot, with the counts of one build."""

from collections import Counter
from collections.abc import Iterable, Mapping

from systems.legality import pluralize
from systems.meks_and_mercs.catalogue import RETIRED
from systems.meks_and_mercs.catalogue.types import SIZES, Catalogue, Chassis, System, Weapon
from systems.meks_and_mercs.options import BY_THE_BOOK
from systems.roster import Bench, BenchChoice, BenchGroup

from .legality import mounts_used, slots_used
from .spec import MAX_ENTRIES, MekSpec

MOUNTS = (("huge", "Huge mounts"), ("massive", "Massive mounts"), ("small", "Small mounts"))


def lab_bench(spec: MekSpec) -> Bench:
    """Return everything in the catalogue that a Mek can be built of, with the counts of this one."""
    frame = spec.frame
    has = {"huge": frame.huge_mounts, "massive": frame.massive_mounts, "small": frame.small_mounts}
    used = mounts_used(spec, BY_THE_BOOK)
    weapons, systems = Counter(spec.weapons), Counter(spec.systems)
    groups = [
        BenchGroup(
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
    slots = BenchGroup(
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
    return Bench(
        frames=tuple(
            _frame_choice(chassis)
            for chassis in spec.catalogue.chassis.values()
            if _is_offered(spec, "chassis", chassis.slug)
        ),
        frame=frame.slug,
        groups=(*groups, slots),
    )


def _is_offered(spec: MekSpec, table: str, slug: str) -> bool:
    """Return whether to show an entry: one that a release has retired only to a build that has it."""
    return slug in (spec.chassis, *spec.weapons, *spec.systems) or (table, slug) not in RETIRED[spec.release]


def bench_spec(
    frame: str, counts: Mapping[str, int], before: Mapping[str, object], catalogue: Catalogue
) -> dict[str, object]:
    """Return a spec as JSON values, not checked: unknown slugs are kept for the reader of specs to refuse."""
    systems = {slug: count for slug, count in counts.items() if slug in catalogue.systems}
    weapons = {slug: count for slug, count in counts.items() if slug not in systems}
    return {
        "chassis": frame,
        "weapons": _ordered_slugs(weapons, before.get("weapons"), catalogue.weapons),
        "systems": _ordered_slugs(systems, before.get("systems"), catalogue.systems),
    }


def _ordered_slugs(counts: Mapping[str, int], before: object, catalogue: Iterable[str]) -> list[str]:
    """Return each slug as often as given in `counts`: first in the order they had, then in the catalogue's."""
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


def _frame_choice(chassis: Chassis) -> BenchChoice:
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
    return BenchChoice(slug=chassis.slug, name=chassis.name, detail=detail, points=chassis.points)


def _weapon_choice(weapon: Weapon, count: int, mounts: int, frame: Chassis) -> BenchChoice:
    if weapon.kills:
        text = f"{weapon.kills}d6 infantry kills"
    else:
        numbers = "/".join("–" if number is None else f"{number}+" for number in weapon.numbers)
        text = f"{numbers}{f', {weapon.dice} dice' if weapon.dice > 1 else ''}"
    return BenchChoice(
        slug=weapon.slug,
        name=weapon.name,
        detail=f"{text}, heat {weapon.heat}{f'; {weapon.special}' if weapon.special else ''}",
        points=weapon.points,
        pack=weapon.pack,
        count=count,
        most=max(mounts, 1) * weapon.pack,
        refusal="" if mounts else f"no {weapon.size} mount",
    )


def _system_choice(system: System, count: int, spec: MekSpec) -> BenchChoice:
    refusal, frame = "", spec.frame
    if frame.slug not in system.sizes:
        first, last = system.sizes[0], system.sizes[-1]
        is_too_small = SIZES.index(frame.slug) < SIZES.index(first)
        refusal = (
            f"{spec.catalogue.chassis[first].name} or bigger"
            if is_too_small
            else f"{spec.catalogue.chassis[last].name} or smaller"
        )
    return BenchChoice(
        slug=system.slug,
        name=system.name,
        detail=f"{system.brief}{'; 2 slots' if system.slots == 2 else ''}",
        points=system.points_on(frame),
        count=count,
        most=frame.system_slots if system.is_repeatable else 1,
        refusal=refusal,
    )
