"""The turns that a side can give up: the attacker has fewer turns for the objective, the defender must last for more.

Where the last side standing wins, neither has an objective of its own (MM-096).
"""

from collections.abc import Iterator, Mapping, Sequence

from systems.legality import pluralize
from systems.meks_and_mercs.build.scenario import scenario_json
from systems.meks_and_mercs.build.scenario_check import check_scenario
from systems.season import Concession

from .arc import name_and_spec

SHARED_OBJECTIVE = "last-standing"


def concessions(given: str | Mapping[str, object], side: int) -> Sequence[Concession]:
    """Return what a side can give up: turns, up to half of the scenario's. MM-091.

    The attacker has that many fewer, the defender has to last for that many more.
    """
    return tuple(_concessions(given, side))


def _concessions(given: str | Mapping[str, object], side: int) -> Iterator[Concession]:
    name, spec = name_and_spec(given)
    if spec.objective.kind in (None, SHARED_OBJECTIVE):
        return
    known = len(check_scenario(spec).warnings)
    for turns in range(1, spec.turn_limit // 2 + 1):
        limit = spec.turn_limit + (turns if side else -turns)
        changed = spec.model_copy(update={"turn_limit": limit})
        check = check_scenario(changed)
        if check.problems or len(check.warnings) > known:
            return  # with so few or so many turns it would be another scenario
        more = f"has to last {pluralize(turns, 'turn')} more" if side else f"has {pluralize(turns, 'turn')} fewer"
        yield Concession(
            value=turns,
            told=f"{more}, {limit} in all",
            scenario={"name": name, "spec": scenario_json(changed)},
        )
