"""Handicaps in the task of a side in a scenario of Mech Campaign: turns at the drill, distance of the beacons.

A claim is the same for both sides (MC-123).
"""

from collections.abc import Iterator, Mapping, Sequence

from systems.legality import pluralize
from systems.mech_campaign.build.scenario import (
    ScenarioSpec,
    check_scenario,
    objective_places,
    parse_scenario,
    published_spec,
    scenario_json,
)
from systems.mech_campaign.catalogue import CATALOGUE
from systems.season import Concession

FARTHER_IN = (2, 4, 6)


def concessions(given: str | Mapping[str, object], side: int) -> Sequence[Concession]:
    """Return the variants of the scenario with a harder task for side A (0) or B (1). MC-122, MC-124, MC-125."""
    if isinstance(given, str):
        name, spec = CATALOGUE.scenarios[given].name, published_spec(CATALOGUE.scenarios[given])
    else:
        name, spec = str(given["name"]), parse_scenario(given["spec"])
    made = {"drill": _turn_concessions, "beacons": _distance_concessions}.get(spec.goal)
    if made is None:
        return ()
    return tuple(
        Concession(value=value, told=told, scenario={"name": name, "spec": scenario_json(changed)})
        for value, told, changed in made(spec, side)
        if not check_scenario(changed).problems
    )


def _turn_concessions(spec: ScenarioSpec, side: int) -> Iterator[tuple[int, str, ScenarioSpec]]:
    """Yield fewer game turns if the attacker gives them up, more if the defender of the drill does."""
    for turns in range(1, spec.turn_limit // 2 + 1):
        limit = spec.turn_limit + (turns if side else -turns)
        more = f"has to last {pluralize(turns, 'turn')} more" if side else f"has {pluralize(turns, 'turn')} fewer"
        yield turns, f"{more}, {limit} in all", spec.model_copy(update={"turn_limit": limit})


def _distance_concessions(spec: ScenarioSpec, side: int) -> Iterator[tuple[int, str, ScenarioSpec]]:
    """Yield all beacons moved towards the other side's edge, as long as none ends up in a zone."""
    for inches in FARTHER_IN:
        places = [(x, y - inches if side else y + inches) for x, y in objective_places(spec)]
        if all(spec.depth < y < spec.size - spec.depth for _, y in places):
            told = f"has the beacons {inches} in farther away"
            yield inches, told, spec.model_copy(update={"places": places})
