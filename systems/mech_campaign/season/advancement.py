"""Advancement of pilots in Mech Campaign: experience, and the rank it brings."""

from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE
from systems.season import Career, Flight


def rank_of(experience: int) -> str:
    """Return the highest rank for this experience. MC-210."""
    return [rank.slug for rank in CATALOGUE.ranks.values() if experience >= rank.experience][-1]


def experience_of(flight: Flight[UnitSpec]) -> int:
    """Return the experience that a pilot gains from a battle they survived. MC-209."""
    return 1 + flight.fate.kills + flight.fate.number("specials")


def career_after(flight: Flight[UnitSpec], *, is_dead: bool) -> Career:
    """Return the pilot's record after the battle; a killed pilot gains neither experience nor rank. MC-209, MC-210."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_dead:
        return Career(level=before.level, kills=kills, games=before.games + 1, points=before.points)
    points = before.points + experience_of(flight)
    return Career(level=rank_of(points), kills=kills, games=before.games + 1, points=points)
