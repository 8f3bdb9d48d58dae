"""How crews grow: experience, and the level that it comes to. ST-403, ST-404."""

from __future__ import annotations

from systems.mechastellar.build.hand import LEADERS
from systems.mechastellar.build.legality import LEVELS
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.catalogue.types import LEVEL_AT
from systems.season import Career, Flight, Result


def level_of(experience: int) -> str:
    """The highest level that so much experience comes to."""
    return [level for level, at in LEVEL_AT.items() if experience >= at][-1]


def began_with(flight: Flight[UnitSpec]) -> int:
    """Experience before the battle: whoever flies a profile that was built for a level has what the level asks."""
    return max(flight.before.points, LEVEL_AT[LEVELS[flight.spec.level]])


def experience_of(flight: Flight[UnitSpec], result: Result) -> int:
    """What a battle brings those who live through it."""
    return 1 + flight.fate.kills + flight.fate.number(LEADERS.name) + (result == "won")


def career_after(flight: Flight[UnitSpec], result: Result, *, is_dead: bool) -> Career:
    """The record with the battle in it; the dead gain neither experience nor level."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_dead:
        return Career(level=before.level, kills=kills, games=before.games, points=before.points)
    points = began_with(flight) + experience_of(flight, result)
    return Career(level=level_of(points), kills=kills, games=before.games + 1, points=points)
