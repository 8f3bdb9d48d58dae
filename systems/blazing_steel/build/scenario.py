"""The one scenario of Blazing Steel, as players may also give it a name and a story of their own (ledger 2.14, 2.17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic

from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import ScenarioItem, TableMap, TerrainKind
from systems.documents import Document, Name, object_of, parse_document
from systems.legality import Check

from .table_map import draw_map, map_told

SKIRMISH = CATALOGUE.scenarios["skirmish"]
BRIEF_MOST = 400


class ScenarioSpec(Document):
    """A skirmish as its author tells it; map and length are chosen with the battle."""

    brief: Annotated[str, pydantic.Field(max_length=BRIEF_MOST)] = ""


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
    items: tuple[ScenarioItem, ...]
    maps: tuple[TableMap, ...]
    terrain: tuple[TerrainKind, ...]

    @property
    def drawings(self) -> tuple[tuple[TableMap, str, str], ...]:
        """Each map, drawn for the screen and in words."""
        return tuple((table, draw_map(table), map_told(table)) for table in self.maps)


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """The spec; raises DocumentError."""
    return parse_document(ScenarioSpec, object_of(data, path), path)


def scenario_json(spec: ScenarioSpec) -> dict[str, Any]:
    """The spec as JSON values; parsing them gives an equal spec."""
    return spec.model_dump(mode="json")


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def check_scenario(spec: ScenarioSpec) -> Check:
    """Nothing that can be read has a problem."""
    return Check(0)


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    limits: Mapping[str, int] = {slug: limit.value for slug, limit in CATALOGUE.limits.items()}
    return ScenarioSheet(
        brief=spec.brief,
        objective=SKIRMISH.objective,
        victory=SKIRMISH.victory,
        victory_rule=SKIRMISH.victory_rule,
        turn_limit=SKIRMISH.rounds,
        forces=f"{limits['force-min']} to {limits['force-max']} Warmechs",
        items=tuple(CATALOGUE.scenario_items.values()),
        maps=tuple(CATALOGUE.maps.values()),
        terrain=tuple(CATALOGUE.terrain.values()),
    )
