"""The tie-breakers of the standings, in the words of the page. `standings.table` calculates them."""

from collections.abc import Collection, Sequence

from rosters.services import RefusedError
from systems import SEASONS

TIE_BREAKERS = {
    "direct": "the match they played against each other",
    "buchholz": "points of the opponents met (Buchholz)",
    "destroyed": "units destroyed less units lost",
    "destroyed-count": "units destroyed",
    "destroyed-points": "points of the units destroyed",
    "wins": "matches won",
    "played": "matches played",
    "away": "matches won as attacker",
    "fewest-lost": "units lost, the fewer the better",
    "fewest-points-lost": "points of the units lost, the fewer the better",
    "score-difference": "victory points scored less those of the enemy",
    "score": "victory points scored",
}
SCORE_TIE_BREAKERS = ("score-difference", "score")  # for games that these points decide
SEASON_TIE_BREAKERS = ("direct", "buchholz", "wins", "played")  # those that mean the same in every game
SEASON_ONLY = ("played",)  # in a campaign all companies play equally often
GAME_SPECIFIC = (*SCORE_TIE_BREAKERS, "fewest-points-lost")  # only for games whose rules name them


def tie_breakers_of(system: str) -> dict[str, str]:
    """Return the tie-breakers for campaigns of that rule system."""
    named = SEASONS[system].tie_breakers if system in SEASONS else ()
    known = (slug for slug in TIE_BREAKERS if slug not in SEASON_ONLY)
    return {slug: TIE_BREAKERS[slug] for slug in known if slug not in GAME_SPECIFIC or slug in named}


def parse_tie_breakers(given: Sequence[str], known: Collection[str]) -> list[str]:
    """Return these tie-breakers; raise RefusedError if one is unknown or named twice."""
    if unknown := [str(slug)[:40] for slug in given if slug not in known]:
        raise RefusedError(
            "tie_breakers", f"There is no tie-breaker “{unknown[0]}” here. Choose from: {', '.join(known)}."
        )
    if len(set(given)) != len(given):
        raise RefusedError("tie_breakers", "Name each tie-breaker only once.")
    return list(given)
