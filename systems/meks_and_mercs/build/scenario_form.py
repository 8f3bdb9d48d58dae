"""The form of a scenario: a spec's fields, and the spec from a filled-in form.

Every part of a spec has a field, so an unchanged form gives the same spec.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from systems.meks_and_mercs.catalogue import CATALOGUE, SIZES

from .scenario import SIDES, ZONES, ScenarioSpec, SideFields
from .scenario_check import EDGES, MAX_MEKS, MAX_POINTS, MAX_ROLLS, MAX_TURNS
from .scenario_sheet import GROUPS, OBJECTIVES

EXTRA_LINES = 2  # empty lines for support units in the form
GIVEN_UNITS = tuple(unit for unit in CATALOGUE.support_units.values() if unit.slug != "apc")
NEW_LEVELS = tuple(level for level in CATALOGUE.levels.values() if level.hire_points is not None)
ZONE_MARKS = {
    "a1": "Attacker sets up",
    "a2": "Attacker's rest",
    "d1": "Defender sets up",
    "d2": "Defender's rest",
    "exit": "Exit",
}
TERRAIN_BRUSH = "t:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    label: str
    detail: str = ""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField:
    name: str
    label: str
    value: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagField:
    name: str
    label: str
    is_set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneForm:
    number: int
    terrain: tuple[Choice, ...]
    flags: tuple[FlagField, ...]
    is_key: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraForm:
    prefix: str
    number: int
    units: tuple[Choice, ...]
    count: NumberField
    zones: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideForm:
    side: str
    title: str
    limits: tuple[NumberField, ...]
    who: tuple[Choice, ...]
    flags: tuple[FlagField, ...]
    composition: tuple[NumberField, ...]
    pilots: tuple[NumberField, ...]
    extra: tuple[ExtraForm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    brief: str
    objectives: tuple[Choice, ...]
    edges: tuple[Choice, ...]
    sizes: tuple[Choice, ...]
    turn_limit: NumberField
    has_open_terrain: bool
    has_key: bool
    zones: tuple[ZoneForm, ...]
    sides: tuple[SideForm, ...]
    terrain_brushes: tuple[Choice, ...]
    mark_brushes: tuple[Choice, ...]


def scenario_form(spec: ScenarioSpec, brush: str = "") -> ScenarioForm:
    """Return the form for a spec; `brush` is the map tool chosen for painting."""
    objective = spec.objective
    brush = brush or "a1"
    return ScenarioForm(
        brief=spec.brief,
        objectives=tuple(
            Choice(value=slug, label=title, detail=text, is_chosen=slug == objective.kind)
            for slug, (title, text) in OBJECTIVES.items()
        ),
        edges=_choices({"": "none", **{edge: f"{edge} edge" for edge in EDGES}}, objective.exit_edge or ""),
        sizes=_choices({size: CATALOGUE.chassis[size].name for size in SIZES}, spec.max_size),
        turn_limit=NumberField(name="turn_limit", label="Turn limit", value=spec.turn_limit, most=MAX_TURNS),
        has_open_terrain=spec.terrain is None,
        has_key=objective.key_zone in ZONES,
        zones=tuple(_zone(spec, zone) for zone in ZONES),
        sides=tuple(_side(side, terms) for side, terms in spec.sides()),
        terrain_brushes=_choices(
            {f"{TERRAIN_BRUSH}{terrain.slug}": terrain.name for terrain in CATALOGUE.terrain.values()}, brush
        ),
        mark_brushes=_choices({**ZONE_MARKS, "key": "Key zone"}, brush),
    )


def form_spec(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the spec, as JSON values, of a filled-in form; `paint` is the zone to use `brush` on."""
    given = dict(fields)
    _paint(given)
    is_open = "open" in given
    key = _parse_number(given.get("key", ""))
    return {
        "brief": " ".join(given.get("brief", "").split())[:400],
        "max_size": _choice_or_default(given.get("max_size", ""), SIZES, "titan"),
        "turn_limit": _parse_number(given.get("turn_limit", "")),
        "terrain": None
        if is_open
        else [_choice_or_default(given.get(f"t-{zone}", ""), tuple(CATALOGUE.terrain), "plain") for zone in ZONES],
        "objective": {
            "kind": _choice_or_default(given.get("objective", ""), tuple(OBJECTIVES), None),
            "key_zone": key if key in ZONES else None,
            "exit_zones": _zones(given, "exit"),
            "exit_edge": _choice_or_default(given.get("exit_edge", ""), tuple(EDGES), None),
        },
        **{side: _side_spec(side, given) for side in SIDES},
    }


def _paint(given: dict[str, str]) -> None:
    zone, brush = given.pop("paint", ""), given.get("brush", "")
    if zone not in {str(number) for number in ZONES}:
        return
    if brush.startswith(TERRAIN_BRUSH):
        given[f"t-{zone}"] = brush.removeprefix(TERRAIN_BRUSH)
        given.pop("open", None)
    elif brush == "key":
        given["key"] = "" if given.get("key") == zone else zone
    elif brush in ZONE_MARKS and given.pop(f"{brush}-{zone}", None) is None:
        given[f"{brush}-{zone}"] = "on"


def _side_spec(side: str, given: Mapping[str, str]) -> dict[str, object]:
    letter = side[0]
    arrives = f"{side}-arrives" in given
    who = _choice_or_default(given.get(f"{side}-who", ""), tuple(GROUPS), "all")
    first, rest = _zones(given, f"{letter}1"), _zones(given, f"{letter}2")
    setup: list[dict[str, object]] = []
    if not arrives and (first or rest):
        setup.append({"who": who, "zones": first, "is_one_zone": f"{side}-one" in given})
        if rest or who != "all":
            setup.append({"who": "rest", "zones": rest, "is_one_zone": False})
    extra = []
    lines = sorted({int(name.split("-")[2]) for name in given if _is_extra(name, side)})
    for line in lines[:12]:
        unit, count = (
            given.get(f"{side}-extra-{line}-unit", ""),
            _parse_number(given.get(f"{side}-extra-{line}-count", "")),
        )
        if unit in CATALOGUE.support_units and count:
            extra.append(
                {
                    "unit": unit,
                    "count": count,
                    "zone": min(99, _parse_number(given.get(f"{side}-extra-{line}-zone", ""))),
                }
            )
    return {
        "points": _parse_number(given.get(f"{side}-points", "")),
        "support_rolls": _parse_number(given.get(f"{side}-support_rolls", "")),
        "setup": setup,
        "arrival": {"zones": first} if arrives else None,
        "composition": _counts(given, f"{side}-size-", SIZES),
        "free_pilots": _counts(given, f"{side}-level-", tuple(CATALOGUE.levels)),
        "extra": extra,
    }


def _is_extra(name: str, side: str) -> bool:
    parts = name.split("-")
    return len(parts) == 4 and parts[:2] == [side, "extra"] and parts[2].isdecimal() and len(parts[2]) < 3


def _counts(given: Mapping[str, str], prefix: str, known: tuple[str, ...]) -> dict[str, int]:
    counts = {slug: _parse_number(given.get(f"{prefix}{slug}", "")) for slug in known}
    return {slug: count for slug, count in counts.items() if count}


def _zones(given: Mapping[str, str], mark: str) -> list[int]:
    return [zone for zone in ZONES if f"{mark}-{zone}" in given]


def _parse_number(text: str) -> int:
    """Return the number in a field, 0 if there is none; check_scenario refuses 0 where it isn't allowed."""
    text = text.strip()
    return min(int(text), 9999) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


def _choice_or_default(value: str, known: tuple[str, ...], default: str | None) -> str | None:
    return value if value in known else default


def _choices(titles: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value=slug, label=title, is_chosen=slug == chosen) for slug, title in titles.items())


def _zone(spec: ScenarioSpec, zone: int) -> ZoneForm:
    terrain = spec.terrain[zone - 1] if spec.terrain else "plain"
    flags = {"exit": zone in spec.objective.exit_zones}
    for letter, terms in (("a", spec.attacker), ("d", spec.defender)):
        first = terms.arrival.zones if terms.arrival else terms.setup[0].zones if terms.setup else ()
        flags[f"{letter}1"] = zone in first
        flags[f"{letter}2"] = any(zone in step.zones for step in terms.setup[1:])
    return ZoneForm(
        number=zone,
        terrain=_choices({entry.slug: entry.name for entry in CATALOGUE.terrain.values()}, terrain),
        flags=tuple(
            FlagField(name=f"{mark}-{zone}", label=label, is_set=flags[mark]) for mark, label in ZONE_MARKS.items()
        ),
        is_key=spec.objective.key_zone == zone,
    )


def _side(side: str, terms: SideFields) -> SideForm:
    groups = {slug: title[:1].upper() + title[1:] for slug, title in GROUPS.items() if slug != "rest"}
    chosen = terms.setup[0].who if terms.setup else "all"
    flags = [
        FlagField(
            name=f"{side}-one",
            label="The whole group sets up in one of its zones",
            is_set=bool(terms.setup and terms.setup[0].is_one_zone),
        )
    ]
    if side == "attacker":
        label = "Arrives during the game by two zones: the lower on 1-3, the higher on 4-6"
        flags.append(FlagField(name=f"{side}-arrives", label=label, is_set=terms.arrival is not None))
    return SideForm(
        side=side,
        title=side.capitalize(),
        limits=(
            NumberField(name=f"{side}-points", label="Points", value=terms.points, most=MAX_POINTS),
            NumberField(name=f"{side}-support_rolls", label="Support rolls", value=terms.support_rolls, most=MAX_ROLLS),
        ),
        who=_choices(groups, chosen),
        flags=tuple(flags),
        composition=tuple(
            NumberField(
                name=f"{side}-size-{size}",
                label=CATALOGUE.chassis[size].name,
                value=terms.composition.get(size, 0),
                most=MAX_MEKS,
            )
            for size in SIZES
        ),
        pilots=tuple(
            NumberField(
                name=f"{side}-level-{level.slug}",
                label=level.name,
                value=terms.free_pilots.get(level.slug, 0),
                most=MAX_MEKS,
            )
            for level in NEW_LEVELS
        ),
        extra=tuple(_extra(side, terms, line) for line in range(len(terms.extra) + EXTRA_LINES)),
    )


def _extra(side: str, terms: SideFields, line: int) -> ExtraForm:
    given = terms.extra[line] if line < len(terms.extra) else None
    prefix = f"{side}-extra-{line}"
    units = {"": "none", **{unit.slug: unit.name for unit in GIVEN_UNITS}}
    return ExtraForm(
        prefix=prefix,
        number=line + 1,
        units=_choices(units, given.unit if given else ""),
        count=NumberField(name=f"{prefix}-count", label="How many", value=given.count if given else 1, most=6),
        zones=_choices({str(zone): f"zone {zone}" for zone in ZONES}, str(given.zone) if given else "1"),
    )
