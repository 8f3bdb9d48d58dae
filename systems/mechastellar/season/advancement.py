"""Advancement of crews: experience, and the level it brings. ST-403, ST-404."""

from __future__ import annotations

from systems.mechastellar.build.hand import LEADERS
from systems.mechastellar.build.legality import LEVELS, is_own_pilot
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.catalogue.types import LEVEL_AT
from systems.season import Career, Flight, Result


def level_of(experience: int) -> str:
    """Return the highest level for this experience."""
    return [level for level, at in LEVEL_AT.items() if experience >= at][-1]


def experience_before(flight: Flight[UnitSpec]) -> int:
    """Return the experience before the battle: at least the printed level's for a Kaiju, else that of the crew."""
    asked = LEVEL_AT[LEVELS[flight.spec.level]] if is_own_pilot(flight.spec) else 0
    return max(flight.before.points, asked)


def experience_of(flight: Flight[UnitSpec], result: Result) -> int:
    """Return the experience gained by a crew that survives a battle."""
    return 1 + flight.fate.kills + flight.fate.number(LEADERS.name) + (result == "won")


def career_after(flight: Flight[UnitSpec], result: Result, *, is_dead: bool) -> Career:
    """Return the record after the battle; the dead gain neither experience nor level."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_dead:
        return Career(level=before.level, kills=kills, games=before.games + 1, points=before.points)
    points = experience_before(flight) + experience_of(flight, result)
    return Career(level=level_of(points), kills=kills, games=before.games + 1, points=points)
