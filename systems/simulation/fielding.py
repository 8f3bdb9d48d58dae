"""A check that a battle's state has all units of its set-up: simulations with missing units would be wrong."""

from __future__ import annotations

from systems import battle_rules
from systems.documents import DocumentError
from systems.engine.twin import State
from systems.setups import Setup


def check_fielded(setup: Setup, template: State) -> None:
    """Raise DocumentError if the state does not hold exactly the units of the set-up, with their points."""
    system = battle_rules(setup.system)
    named = system.fielded(setup)
    worths = system.worths(setup)
    for at in range(2):
        fielded = [unit for unit in template.units if unit.side == at]
        keys = [key for key, side in named if side == at]
        if len(fielded) != len(keys):
            raise DocumentError(f"sides[{at}].units", f"{len(keys)} units are named, {len(fielded)} take the field")
        expected, points = sum(worths[key] for key in keys), sum(unit.cost for unit in fielded)
        if points != expected:
            raise DocumentError(f"sides[{at}].units", f"worth {expected} points, {points} points take the field")
