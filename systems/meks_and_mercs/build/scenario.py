"""A player-made scenario's spec: read from JSON values, and converted to the type of published scenarios."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import pydantic

from systems.documents import Document, DocumentError, Name, kind_of, object_of, parse_document, refuse_unknown
from systems.meks_and_mercs.catalogue import (
    CATALOGUE,
    Arrival,
    Edge,
    ExtraUnits,
    Group,
    Objective,
    Scenario,
    ScenarioSide,
    SetupStep,
)

SIDES: Final = ("attacker", "defender")
ZONES: Final = range(1, 10)
CUSTOM_SLUG = "own"  # slug of every scenario that isn't in a rulebook
DEFAULT_KEY_ZONE = 5  # key zone for objectives that have none of their own
UNIT_DIE = (4, 3, 2, 1)  # MM-098
RANDOM_TERRAIN = (("plain", "1–2"), ("wood", "3"), ("urban", "4"), ("highlands", "5"), ("moors", "6"))  # MM-D72
VICTORY_RULES: Mapping[Objective, str] = {
    scenario.objective: scenario.victory_rule for scenario in CATALOGUE.scenarios.values()
}
WITH_KEY_ZONE: Final = ("occupy", "breach", "stronghold")
WITH_EXITS: Final = ("break-out", "clear-and-leave")

Count = Annotated[int, pydantic.Field(ge=0, le=9999)]
ZoneNumber = Annotated[int, pydantic.Field(ge=-99, le=99)]  # check_scenario refuses zones off the map
ZoneNumbers = Annotated[tuple[ZoneNumber, ...], pydantic.Field(max_length=24)]


class SetupFields(Document):
    """A group of a side's Meks and the zones in which it starts."""

    who: Group
    zones: ZoneNumbers = ()
    is_one_zone: bool = False


class ArrivalFields(Document):
    """The arrival zones for a roll of 1 to 3 and of 4 to 6. MM-098."""

    zones: ZoneNumbers = ()


class ExtraFields(Document):
    """Units that the scenario gives to a side."""

    unit: str
    count: Count
    zone: ZoneNumber


class SideFields(Document):
    points: Count = 0
    support_rolls: Count = 0
    setup: Annotated[tuple[SetupFields, ...], pydantic.Field(max_length=6)] = ()
    arrival: ArrivalFields | None = None
    composition: dict[str, Count] = {}
    free_pilots: dict[str, Count] = {}
    extra: Annotated[tuple[ExtraFields, ...], pydantic.Field(max_length=12)] = ()


class ObjectiveFields(Document):
    """The objective of a scenario; AI defenders also guard `key_zone`."""

    kind: Objective | None = None
    key_zone: ZoneNumber | None = None
    exit_zones: ZoneNumbers = ()
    exit_edge: Edge | None = None


class ScenarioSpec(Document):
    """A scenario as its author wrote it; it may have problems."""

    brief: Annotated[str, pydantic.Field(max_length=400)] = ""
    max_size: str = "titan"
    turn_limit: Count = 12
    terrain: Annotated[tuple[str, ...], pydantic.Field(min_length=9, max_length=9)] | None = None
    objective: ObjectiveFields = ObjectiveFields()
    attacker: SideFields = SideFields()
    defender: SideFields = SideFields()

    def sides(self) -> tuple[tuple[str, SideFields], ...]:
        """Return name and terms of the attacker, then the defender."""
        return (("attacker", self.attacker), ("defender", self.defender))


class NamedScenario(Document):
    """A scenario in full, where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """Read a spec, checking every slug. Raises DocumentError with the path of the first fault."""
    if not isinstance(data, Mapping):
        raise DocumentError(path, f"must be an object, not {kind_of(data)}")
    spec = parse_document(ScenarioSpec, data, path)
    refuse_unknown(f"{path}.max_size", "chassis", spec.max_size, CATALOGUE.chassis)
    for at, terrain in enumerate(spec.terrain or ()):
        refuse_unknown(f"{path}.terrain[{at}]", "terrain", terrain, CATALOGUE.terrain)
    for side, terms in spec.sides():
        for size in terms.composition:
            refuse_unknown(f"{path}.{side}.composition", "chassis", size, CATALOGUE.chassis)
        for level in terms.free_pilots:
            refuse_unknown(f"{path}.{side}.free_pilots", "experience", level, CATALOGUE.levels)
        for at, extra in enumerate(terms.extra):
            refuse_unknown(f"{path}.{side}.extra[{at}].unit", "support unit", extra.unit, CATALOGUE.support_units)
    return spec


def scenario_json(spec: ScenarioSpec) -> dict[str, object]:
    """Return the spec as JSON values; parsing them gives an equal spec."""
    return spec.model_dump(mode="json")


def parse_named_scenario(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Read name and spec of a scenario given in place of a slug. Raises DocumentError."""
    given = parse_document(NamedScenario, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def build_scenario(name: str, spec: ScenarioSpec) -> Scenario:
    """Return the scenario to play. The spec must have no problems."""
    objective = spec.objective
    assert objective.kind is not None
    has_exits = objective.kind in WITH_EXITS
    terrain: Any = spec.terrain or ("plain",) * len(ZONES)
    return Scenario(
        slug=CUSTOM_SLUG,
        name=name,
        brief=spec.brief,
        objective=objective.kind,
        victory_rule=VICTORY_RULES[objective.kind],
        max_size=spec.max_size,
        attacker=_side(spec.attacker),
        defender=_side(spec.defender),
        terrain=terrain,
        turn_limit=spec.turn_limit,
        key_zone=key_zone_of(spec),
        exit_zones=objective.exit_zones if has_exits else (),
        exit_edge=objective.exit_edge if has_exits else None,
        ours=() if spec.terrain else ("terrain",),
    )


def key_zone_of(spec: ScenarioSpec) -> int:
    """Return the zone that the objective is about."""
    objective = spec.objective
    if objective.key_zone is not None:
        return objective.key_zone
    return objective.exit_zones[0] if objective.kind == "break-out" and objective.exit_zones else DEFAULT_KEY_ZONE


def published_spec(scenario: Scenario) -> ScenarioSpec:
    """Return the spec that plays the same as a published scenario."""
    return ScenarioSpec(
        brief=scenario.brief,
        max_size=scenario.max_size,
        turn_limit=scenario.turn_limit,
        terrain=None if "terrain" in scenario.ours else scenario.terrain,
        objective=ObjectiveFields(
            kind=scenario.objective,
            key_zone=scenario.key_zone,
            exit_zones=scenario.exit_zones,
            exit_edge=scenario.exit_edge,
        ),
        attacker=_published_side(scenario.attacker),
        defender=_published_side(scenario.defender),
    )


def _published_side(side: ScenarioSide) -> SideFields:
    return SideFields(
        points=side.points,
        support_rolls=side.support_rolls,
        setup=tuple(SetupFields(who=step.who, zones=step.zones, is_one_zone=step.is_one_zone) for step in side.setup),
        arrival=ArrivalFields(zones=side.arrival.zones) if side.arrival else None,
        composition=dict(side.composition),
        free_pilots=dict(side.free_pilots),
        extra=tuple(ExtraFields(unit=extra.unit, count=extra.count, zone=extra.zone) for extra in side.extra),
    )


def _side(terms: SideFields) -> ScenarioSide:
    return ScenarioSide(
        points=terms.points,
        support_rolls=terms.support_rolls,
        setup=tuple(SetupStep(who=step.who, zones=step.zones, is_one_zone=step.is_one_zone) for step in terms.setup),
        arrival=Arrival(zones=terms.arrival.zones, unit_die=UNIT_DIE) if terms.arrival else None,
        composition={size: count for size, count in terms.composition.items() if count},
        free_pilots={level: count for level, count in terms.free_pilots.items() if count},
        extra=tuple(ExtraUnits(unit=extra.unit, count=extra.count, zone=extra.zone) for extra in terms.extra),
    )
