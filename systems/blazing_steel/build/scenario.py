"""The one scenario of Blazing Steel, and players' own: a skirmish on a map, of a length and for zones of their choice
(ledger 2.14, 2.17). What they leave open is as the house rules and the battle have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pydantic

from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import TABLE_IN, ZONE_IN, ScenarioItem, TableMap, TerrainKind
from systems.blazing_steel.options import HOUSE_RULES
from systems.documents import Document, Name, object_of, parse_document, refuse_unknown
from systems.legality import Check, Problem
from systems.paper.small_map import SmallMap, disc, small_table

from .table_map import contents_told, draw_map, map_told

SKIRMISH = CATALOGUE.scenarios["skirmish"]
BRIEF_MOST = 400
ROUNDS_MOST = HOUSE_RULES["rounds"].maximum or 0
POINTS_MOST = HOUSE_RULES["points-limit"].maximum or 0
ZONE_LEAST, ZONE_MOST = 4, 20  # room for the largest base; short of the hill

Count = Annotated[int, pydantic.Field(ge=0, le=9999)]


class ScenarioSpec(Document):
    """A skirmish as its author has it; it may have problems."""

    brief: Annotated[str, pydantic.Field(max_length=BRIEF_MOST)] = ""
    map: str = ""  # slug; empty: chosen with the battle
    rounds: Count = 0  # 0: as the house rules have it
    points: Count = 0  # of a side; 0: as the house rules have it
    zone_in: Count = ZONE_IN  # how deep the zones are that bring points

    @property
    def maps(self) -> tuple[TableMap, ...]:
        """Those that it may be played on."""
        return (CATALOGUE.maps[self.map],) if self.map else tuple(CATALOGUE.maps.values())


class ScenarioGiven(Document):
    """A scenario where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    """What the page of a scenario shows."""

    brief: str
    objective: str
    victory: str
    victory_rule: str
    turn_limit: int  # rounds
    forces: str
    points: int  # of a side at most; 0: none are said
    zone_in: int
    items: tuple[ScenarioItem, ...]
    maps: tuple[TableMap, ...]
    terrain: tuple[TerrainKind, ...]

    @property
    def drawings(self) -> tuple[tuple[TableMap, str, str], ...]:
        """Each map, drawn for the screen and in words."""
        return tuple((table, draw_map(table, zone_in=self.zone_in), map_told(table)) for table in self.maps)


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """The first of its maps: hill, blocks and woods."""
    table = sheet.maps[0]
    looks = (("small-map__hill", table.hills), ("small-map__woods", table.woods), ("small-map__block", table.blocks))
    discs = (disc(look, x, TABLE_IN - y, radius) for look, found in looks for x, y, radius in found)
    return small_table(TABLE_IN, sheet.zone_in, discs)


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """The spec; raises DocumentError."""
    spec = parse_document(ScenarioSpec, object_of(data, path), path)
    if spec.map:
        refuse_unknown(f"{path}.map", "map", spec.map, CATALOGUE.maps)
    return spec


def scenario_json(spec: ScenarioSpec) -> dict[str, Any]:
    """The spec as JSON values, without what it leaves open; parsing them gives an equal spec."""
    return {"brief": spec.brief, **spec.model_dump(mode="json", exclude_defaults=True)}


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def spec_given(given: str | Mapping[str, object]) -> ScenarioSpec:
    """The spec of what stands in a set-up document as its scenario; a slug is the published one's."""
    return ScenarioSpec(brief=SKIRMISH.brief) if isinstance(given, str) else parse_given(given)[1]


def check_scenario(spec: ScenarioSpec) -> Check:
    """All problems of a scenario. BS-C02, BS-187, BS-193."""
    problems = []
    if spec.rounds > ROUNDS_MOST:
        problems.append(Problem("BS-187", f"A battle lasts 1 to {ROUNDS_MOST} rounds, not {spec.rounds}.", "rounds"))
    if spec.points > POINTS_MOST:
        message = f"Ten Warmechs are worth {POINTS_MOST} points at most; {spec.points} is no limit."
        problems.append(Problem("BS-C02", message, "points"))
    if not ZONE_LEAST <= spec.zone_in <= ZONE_MOST:
        message = f"A zone is {ZONE_LEAST} to {ZONE_MOST} in deep, not {spec.zone_in}."
        problems.append(Problem("BS-193", message, "zone_in"))
    return Check(0, tuple(problems))


def items_with(spec: ScenarioSpec, items: Iterable[ScenarioItem]) -> tuple[ScenarioItem, ...]:
    """What brings points, with the zones of that scenario. BS-193."""
    return tuple(
        replace(each, text=each.text.replace(f"{ZONE_IN} in deep", f"{spec.zone_in} in deep")) for each in items
    )


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """The scenario as a page shows it; problems leave gaps, never errors."""
    limits: Mapping[str, int] = {slug: limit.value for slug, limit in CATALOGUE.limits.items()}
    return ScenarioSheet(
        brief=spec.brief,
        objective=SKIRMISH.objective,
        victory=SKIRMISH.victory,
        victory_rule=SKIRMISH.victory_rule,
        turn_limit=spec.rounds or SKIRMISH.rounds,
        forces=f"{limits['force-min']} to {limits['force-max']} Warmechs",
        points=spec.points,
        zone_in=spec.zone_in,
        items=items_with(spec, CATALOGUE.scenario_items.values()),
        maps=spec.maps,
        terrain=tuple(CATALOGUE.terrain.values()),
    )


# --- the form ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChoice:
    value: str
    label: str
    detail: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    """The fields of a scenario; a number that is not chosen is empty."""

    brief: str
    brief_most: int
    rounds: str
    rounds_most: int
    points: str
    points_most: int
    zone_in: int
    zone_least: int
    zone_most: int
    maps: tuple[MapChoice, ...]


def scenario_form(spec: ScenarioSpec) -> ScenarioForm:
    """The fields of that spec."""
    chosen_later = MapChoice(value="", label="Any map", detail="It is chosen with each battle.", is_chosen=not spec.map)
    return ScenarioForm(
        brief=spec.brief,
        brief_most=BRIEF_MOST,
        rounds=str(spec.rounds or ""),
        rounds_most=ROUNDS_MOST,
        points=str(spec.points or ""),
        points_most=POINTS_MOST,
        zone_in=spec.zone_in,
        zone_least=ZONE_LEAST,
        zone_most=ZONE_MOST,
        maps=(
            chosen_later,
            *(
                MapChoice(value=slug, label=table.name, detail=contents_told(table), is_chosen=slug == spec.map)
                for slug, table in CATALOGUE.maps.items()
            ),
        ),
    )


def form_spec(fields: Mapping[str, str]) -> dict[str, object]:
    """The spec as JSON values that the fields of a form make; a number that is none is one that the check refuses."""
    table = fields.get("map", "")
    spec = ScenarioSpec(
        brief=" ".join(fields.get("brief", "").split())[:BRIEF_MOST],
        map=table if table in CATALOGUE.maps else "",
        rounds=_number(fields.get("rounds", ""), 0),
        points=_number(fields.get("points", ""), 0),
        zone_in=_number(fields.get("zone_in", ""), ZONE_IN),
    )
    return scenario_json(spec)


def _number(text: str, empty: int) -> int:
    text = text.strip()
    if not text:
        return empty
    return min(int(text), 9999) if text.isascii() and text.isdecimal() and len(text) < 9 else 9999
