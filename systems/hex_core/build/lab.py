"""The design lab: editor of a machine, and charts of its damage by distance and evasion and of its DP by area."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from systems.design_editor import Chart, DesignEditor, EditorChoice, EditorGroup, EditorPick, chart_series
from systems.hex_core.build.datasheet import Datasheet, WeaponLine, attack_count, mean_damage
from systems.hex_core.build.legality import LIMITS, is_allowed
from systems.hex_core.build.spec import AREAS_OF, ROYROY, MachineSpec, spec_json
from systems.hex_core.catalogue import (
    AREAS,
    BOTH,
    CARRIED,
    CATALOGUE,
    LEFT,
    RIGHT,
    VITAL,
    Core,
    Mod,
    Shield,
    System,
    Trait,
    Weapon,
)
from systems.text import format_signed, pluralize

FRAME = "core"
MOUNTS = ("head", "vital", "vital2", "arm_l", "arm_r", "leg_l", "leg_r")  # fields; both types' areas go by index
MOUNTED_ON = (0, VITAL, VITAL, 2, 3, 4, 5)
STOWED = tuple(f"carried{number}" for number in range(1, LIMITS["carried"] + 1))
LISTS = ("systems", "mods", "traits", "drones")
LAB_FIELDS = (FRAME, RIGHT, LEFT, *MOUNTS, *STOWED, "more", "primary", "srm", "armour", *LISTS, "royroy")
IN_ONE_HAND = ".one-hand"  # suffix for a two-handed weapon in one hand
SRM = ("srm-acc", "srm-asl", "srm-eva")
MAX_DRONES = 12  # maximum drones in the editor


def editor(spec: MachineSpec) -> DesignEditor:
    """Return every core type and part, marking those in this build."""
    return DesignEditor(
        frames=tuple(_frame(core) for core in CATALOGUE.cores.values()),
        frame=spec.core,
        groups=tuple(_groups(spec)),
        picks=tuple(_picks(spec)),
    )


# --- the address -----------------------------------------------------------------------------------------------------


def lab_address(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the lab's form fields for a spec. Parts without a field go into `more`, where they can be removed."""
    areas = {area.slug: area.index for area in AREAS_OF[CATALOGUE.cores[data[FRAME]].of]}
    fields: dict[str, str] = {FRAME: data[FRAME]}
    more: list[str] = []
    at_hand: dict[int, str] = {}
    for at, armed in enumerate(data.get("weapons", [])):
        field, value = _free_field(fields, armed["weapon"], armed["place"], areas)
        if field:
            fields[field] = value
            if field not in STOWED:
                at_hand[at] = field
        else:
            more.append(f"{armed['weapon']}@{armed['place']}")
    for held in data.get("shields", []):
        if held["place"] in fields:
            more.append(f"{held['shield']}@{held['place']}")
        else:
            fields[held["place"]] = held["shield"]
    primary = at_hand.get(data.get("primary", min(at_hand, default=-1)), "")
    in_order = (RIGHT, LEFT, *(field for field, _ in _mounts_in_order()))
    if primary == next((field for field in in_order if field in at_hand.values()), ""):
        primary = ""  # it is the primary weapon anyway
    others = {
        "more": "~".join(more),
        "primary": primary,
        "srm": ".".join(map(str, data.get("srm", ()))),
        "armour": "~".join(f"{areas[slug]}.{dp}" for slug, dp in data.get("armour", {}).items()),
        "royroy": str(data.get("royroy") or ""),
        **{name: "~".join(data.get(name, ())) for name in LISTS},
    }
    return fields | {name: text for name, text in others.items() if text}


def _free_field(taken: Mapping[str, str], slug: str, place: str, areas: Mapping[str, int]) -> tuple[str, str]:
    """Return a free field for a weapon in that place, and its value; an empty field if there is none."""
    weapon = CATALOGUE.weapons[slug]
    if place == BOTH:
        is_free = weapon.is_two_handed and RIGHT not in taken
        return (RIGHT, slug) if is_free else ("", "")
    if place in (RIGHT, LEFT):
        value = f"{slug}{IN_ONE_HAND}" if weapon.is_two_handed else slug
        return ("", "") if place in taken else (place, value)
    fields = STOWED if place == CARRIED else _mounts_on(areas[place])
    return next((field for field in fields if field not in taken), ""), slug


def _mounts_on(index: int) -> tuple[str, ...]:
    return tuple(field for field, at in zip(MOUNTS, MOUNTED_ON, strict=True) if at == index)


def lab_spec(fields: Mapping[str, str], first: str) -> dict[str, Any]:
    """Return the fields' spec as JSON values; the primary weapon goes first, so it needn't be named."""
    core = fields.get(FRAME) or first
    areas = AREAS_OF[CATALOGUE.cores[core].of] if core in CATALOGUE.cores else AREAS_OF["mech"]
    weapons, shields = _weapons_and_shields(fields, [area.slug for area in areas])
    named = next((at for at, (field, _) in enumerate(weapons) if field == fields.get("primary")), None)
    if named:
        weapons.insert(0, weapons.pop(named))
    spec: dict[str, Any] = {
        FRAME: core,
        "srm": [_number(text) for text in fields.get("srm", "").split(".")][:3] if fields.get("srm") else [],
        "armour": {areas[at].slug: dp for at, dp in _armour(fields.get("armour", ""))},
        "weapons": [armed for _, armed in weapons],
        "shields": shields,
        **{name: _split(fields.get(name, "")) for name in LISTS},
        "royroy": _number(fields.get("royroy", "")),
    }
    return {name: value for name, value in spec.items() if value}


def _weapons_and_shields(
    fields: Mapping[str, str], areas: list[str]
) -> tuple[list[tuple[str, dict[str, str]]], list[dict[str, str]]]:
    """Return weapons with their fields, and shields, in the order of the editor."""
    weapons: list[tuple[str, dict[str, str]]] = []
    shields: list[dict[str, str]] = []
    places = [
        *((field, fields.get(field, ""), field) for field in (RIGHT, LEFT)),
        *((field, fields.get(field, ""), areas[at]) for field, at in _mounts_in_order()),
        *((field, fields.get(field, ""), CARRIED) for field in STOWED),
        *(("more", *each.partition("@")[::2]) for each in _split(fields.get("more", ""))),
    ]
    for field, value, where in places:
        slug = value.removesuffix(IN_ONE_HAND)
        if slug in CATALOGUE.shields:
            shields.append({"shield": slug, "place": where})
        elif slug:
            weapon = CATALOGUE.weapons.get(slug)
            fills_both = field in (RIGHT, LEFT) and weapon is not None and weapon.is_two_handed and slug == value
            weapons.append((field, {"weapon": slug, "place": BOTH if fills_both else where}))
    return weapons, shields


def _mounts_in_order() -> list[tuple[str, int]]:
    """Return arms and legs, then head, then torso, which is the order of printed units."""
    order = (*range(2, AREAS), 0, VITAL)
    return sorted(zip(MOUNTS, MOUNTED_ON, strict=True), key=lambda each: order.index(each[1]))


def editor_spec(frame: str, counts: Mapping[str, int], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spec with that core and these counts; weapons and shields stay."""
    areas = AREAS_OF[CATALOGUE.cores[frame].of] if frame in CATALOGUE.cores else AREAS_OF["mech"]
    spec: dict[str, Any] = {
        **before,
        FRAME: frame,
        "srm": [counts.get(slug, 0) for slug in SRM],
        "armour": {area.slug: counts[f"armour-{area.index}"] for area in areas if counts.get(f"armour-{area.index}")},
        "royroy": counts.get(ROYROY.slug, 0),
    }
    for name, known in _known().items():
        kept = [slug for slug in before.get(name, ()) if slug in known]
        spec[name] = list(_list_by_counts(kept, {slug: counts.get(slug, 0) for slug in known}))
    if not any(spec["srm"]):
        del spec["srm"]
    return {name: value for name, value in spec.items() if value}


def _known() -> Mapping[str, Iterable[str]]:
    return {name: getattr(CATALOGUE, name) for name in LISTS}


def _list_by_counts(kept: Iterable[str], counts: dict[str, int]) -> Iterator[str]:
    """Yield each slug `counts` times: first the kept ones, in their order, then the others."""
    for slug in kept:
        if counts[slug] > 0:
            counts[slug] -= 1
            yield slug
    for slug, count in counts.items():
        yield from [slug] * count


def _split(text: str) -> list[str]:
    return [part for part in text.split("~") if part]


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _armour(text: str) -> Iterator[tuple[int, int]]:
    for part in _split(text):
        at, _, dp = part.partition(".")
        if _number(dp) and _number(at) < AREAS:
            yield _number(at), _number(dp)


# --- choices on the page ----------------------------------------------------------------------------------------------


def _frame(core: Core) -> EditorChoice:
    detail = (
        f"{CATALOGUE.unit_types[core.of].name}; ACC {core.accuracy}+, ASL {core.assault}+, EVA {core.evasion}+, "
        f"CTR {core.counter}+, AP {core.base_ap}, SM {core.movement}, DP {sum(core.dp)}. {core.line}"
    )
    return EditorChoice(slug=core.slug, name=core.name, detail=detail, points=core.cost)


def _picks(spec: MachineSpec) -> Iterator[EditorPick]:
    fields = lab_address(spec_json(spec))
    names = {
        **{RIGHT: "Right hand", LEFT: "Left hand"},
        **{field: spec.areas[at].name for field, at in zip(MOUNTS, MOUNTED_ON, strict=True)},
        **{field: f"Carried {number}" for number, field in enumerate(STOWED, start=1)},
    }
    no_hands = "a vehicle has no hands" if spec.is_vehicle else ""
    for hand in (RIGHT, LEFT):
        other = fields.get(LEFT if hand == RIGHT else RIGHT, "")
        in_both = CATALOGUE.weapons.get(other)
        yield EditorPick(
            slug=hand,
            label=names[hand],
            value=fields.get(hand, ""),
            empty="nothing",
            note=f"holds the {in_both.tagged} too" if in_both and in_both.is_two_handed else "",
            refusal=no_hands,
            choices=tuple(_in_hand(fields.get(hand, ""), is_right=hand == RIGHT)),
        )
    for field in MOUNTS:
        yield EditorPick(
            slug=field,
            label=f"On the {names[field].lower()}{', second' if field == 'vital2' else ''}",
            value=fields.get(field, ""),
            empty="nothing",
            choices=tuple(_weapons(fields.get(field, ""), (w for w in CATALOGUE.weapons.values() if w.mountable))),
        )
    for field in STOWED:
        yield EditorPick(
            slug=field,
            label=names[field],
            value=fields.get(field, ""),
            empty="nothing",
            refusal="a vehicle carries nothing" if spec.is_vehicle else "",
            choices=tuple(_weapons(fields.get(field, ""), (w for w in CATALOGUE.weapons.values() if w.hands))),
        )
    if more := fields.get("more"):
        name = ", ".join(" on ".join(each.split("@")) for each in _split(more))
        kept = EditorChoice(slug=more, name=name, detail="", points=0)
        yield EditorPick(slug="more", label="Too many", value=more, empty="leave it out", choices=(kept,))
    at_hand = [field for field in (RIGHT, LEFT, *MOUNTS) if _weapon(fields.get(field, ""))]
    yield EditorPick(
        slug="primary",
        label="Primary weapon",
        value=fields.get("primary", ""),
        empty="the first on the list",
        note="fires back after an evasion",
        choices=tuple(
            EditorChoice(slug=field, name=f"{_tagged(fields[field])}, {names[field].lower()}", detail="", points=0)
            for field in at_hand
        ),
    )


def _weapon(value: str) -> Weapon | None:
    return CATALOGUE.weapons.get(value.removesuffix(IN_ONE_HAND))


def _tagged(value: str) -> str:
    weapon = _weapon(value)
    assert weapon is not None
    return weapon.tagged


def _in_hand(value: str, *, is_right: bool) -> Iterator[EditorChoice]:
    """Yield one-handed weapons and shields, and two-handed weapons in both hands (right only) or in this hand."""
    yield from _weapons(value, (weapon for weapon in CATALOGUE.weapons.values() if weapon.hands == 1))
    two_handed = [weapon for weapon in CATALOGUE.weapons.values() if weapon.is_two_handed]
    if is_right:
        for weapon in two_handed:
            yield _choice(weapon, name=f"{weapon.tagged}, both hands")
    for shield in CATALOGUE.shields.values():
        yield _shield(shield)
    for weapon in two_handed:
        slug = f"{weapon.slug}{IN_ONE_HAND}"
        yield EditorChoice(slug=slug, name=f"{weapon.tagged}, one hand", detail="half its damage", points=weapon.cost)


def _weapons(value: str, known: Iterable[Weapon]) -> Iterator[EditorChoice]:
    """Yield these weapons; first a present one that doesn't belong, until it is moved."""
    found = list(known)
    stranger = CATALOGUE.weapons.get(value)
    if stranger is not None and stranger not in found:
        yield _choice(stranger)
    for weapon in found:
        yield _choice(weapon)


def _choice(weapon: Weapon, name: str = "") -> EditorChoice:
    detail = f"{weapon.kind}, {weapon.type}, {weapon.damage} ({weapon.critical}), range {weapon.range}, AP {weapon.ap}, DP {weapon.dp}"
    return EditorChoice(slug=weapon.slug, name=name or weapon.tagged, detail=detail, points=weapon.cost)


def _shield(shield: Shield) -> EditorChoice:
    return EditorChoice(slug=shield.slug, name=shield.name, detail=f"DP {shield.dp}", points=shield.cost)


def _groups(spec: MachineSpec) -> Iterator[EditorGroup]:
    yield _reductions(spec)
    yield _plates(spec)
    yield _drones(spec)
    systems = (
        _option(each, spec.systems, refusal="" if is_allowed(each, spec) else f"not for the core {spec.frame.name}")
        for each in CATALOGUE.systems.values()
    )
    yield _group("systems", "Systems", len(spec.systems), len(CATALOGUE.systems), systems)
    mods = (
        _option(each, spec.mods, most=each.limit, refusal="for mechs" if each.mech_only and spec.is_vehicle else "")
        for each in CATALOGUE.mods.values()
    )
    places = sum(each.limit for each in CATALOGUE.mods.values())
    yield _group("mods", "Mods", len(spec.mods), places, mods)
    traits = (_option(each, spec.traits) for each in CATALOGUE.traits.values())
    yield _group("traits", "Traits", len(spec.traits), LIMITS["traits"], traits)


def _group(slug: str, title: str, used: int, available: int, choices: Iterable[EditorChoice]) -> EditorGroup:
    return EditorGroup(slug=slug, title=title, used=used, available=available, choices=tuple(choices))


def _option(each: System | Mod | Trait, bought: tuple[str, ...], most: int = 1, refusal: str = "") -> EditorChoice:
    detail = f"{each.effect} Twice at most." if most > 1 else each.effect
    count = bought.count(each.slug)
    return EditorChoice(
        slug=each.slug, name=each.name, detail=detail, points=each.cost, count=count, most=most, refusal=refusal
    )


def _reductions(spec: MachineSpec) -> EditorGroup:
    most = LIMITS["srm-steps"]
    choices = (
        EditorChoice(
            slug=each.slug,
            name=CATALOGUE.stats[each.stat].name,
            detail=f"{pluralize(each.one, 'points')} for one step, {each.two} for two",
            points=each.one,
            count=steps,
            most=most,
        )
        for each, steps in zip(CATALOGUE.reductions.values(), spec.srm, strict=True)
    )
    return _group("srm", "S.R.M.", sum(spec.srm), most * len(SRM), choices)


def _plates(spec: MachineSpec) -> EditorGroup:
    choices = (
        EditorChoice(
            slug=f"armour-{area.index}",
            name=area.name,
            detail=f"{spec.frame.dp[area.index]} DP of its own, up to {format_signed(spec.frame.dp[area.index] // 2)}",
            points=CATALOGUE.armour["armour"].cost,
            count=spec.armour[area.index],
            most=spec.frame.dp[area.index] // 2,
        )
        for area in spec.areas
    )
    return _group("armour", "Armour", sum(spec.armour), sum(base // 2 for base in spec.frame.dp), choices)


def _drones(spec: MachineSpec) -> EditorGroup:
    kinds = tuple(
        EditorChoice(
            slug=each.slug,
            name=each.name,
            detail=(
                f"{each.kind}, {each.type}, {each.damage} ({each.critical}), range {each.range}, AP {each.ap}; "
                f"hits on {each.accuracy or each.assault}+, EVA {each.evasion}+, DP {each.dp}, moves {each.move}"
            ),
            points=each.cost,
            count=spec.drones.count(each.slug),
            most=MAX_DRONES,
        )
        for each in CATALOGUE.drones.values()
    )
    head = EditorChoice(
        slug=ROYROY.slug,
        name=ROYROY.name,
        detail=f"{ROYROY.effect} The first drones on the list have them.",
        points=ROYROY.cost,
        count=spec.royroy,
        most=MAX_DRONES,
    )
    return _group("drones", "Drones", len(spec.drones), MAX_DRONES, (*kinds, head))


# --- charts -----------------------------------------------------------------------------------------------------------

DISTANCES = (1, 2, 3, 4, 6, 8, 10, 12)  # hexes


def list_charts(spec: MachineSpec, sheet: Datasheet) -> Iterator[Chart]:
    """Yield the charts of the best ready weapon's attacks in a turn. HX-061, HX-078, HX-082 to HX-089."""
    values = sorted({core.evasion for core in CATALOGUE.cores.values()})
    targets = [*((f"EVA {value}+", value) for value in values), ("can’t evade", None)]
    yield Chart(
        slug="damage",
        title="Average damage per turn",
        across="Distance",
        at=tuple(f"{distance} {'hex' if distance == 1 else 'hexes'}" for distance in DISTANCES),
        series=tuple(
            chart_series(name, [_best(spec, sheet, distance, evasion) for distance in DISTANCES])
            for name, evasion in targets
        ),
        note="As many attacks as average AP allow with the best weapon, not from the flank, without drones.",
    )
    yield Chart(
        slug="dp",
        title="DP by area",
        across="Area",
        at=tuple(area.name for area in spec.areas),
        series=(chart_series("DP", [spec.dp[area.index] for area in spec.areas]),),
    )


def _best(spec: MachineSpec, sheet: Datasheet, distance: int, evasion: int | None) -> Fraction:
    lines = (line for line in sheet.lines if not line.is_carried and line.range >= distance)
    return max((_damage(spec, line, evasion) for line in lines), default=Fraction(0))


def _damage(spec: MachineSpec, line: WeaponLine, evasion: int | None) -> Fraction:
    number = spec.assault if line.kind == "melee" else spec.accuracy
    return attack_count(spec.base_ap, line.ap)[1] * mean_damage(number, evasion, line.damage, line.critical)
