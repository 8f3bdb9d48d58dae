"""The table of a campaign: season points, and the tie-breakers in the organiser's order. Pure.

Only decided matches count; a refused or void match counts for nobody. `Scoring` says what each result is worth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from campaigns.scoring import Scoring
from rosters.services import RefusedError
from systems import SEASONS

TIE_BREAKERS = {
    "direct": "head-to-head result",
    "buchholz": "opponents' points (Buchholz)",
    "destroyed": "units destroyed minus units lost",
    "destroyed-count": "units destroyed",
    "destroyed-points": "points destroyed",
    "wins": "matches won",
    "played": "matches played",
    "away": "matches won as attacker",
    "fewest-lost": "fewest units lost",
    "fewest-points-lost": "fewest points lost",
    "score-difference": "victory points scored minus conceded",
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
        raise RefusedError("tie_breakers", "Use each tie-breaker only once.")
    return list(given)


Winner = Literal["attacker", "defender", "draw", "nobody"]  # nobody: neither side came, so both forfeit
WINNERS: tuple[Winner, Winner] = ("attacker", "defender")


class Score(NamedTuple):
    """A decided match as the table counts it; figures are of attacker and defender. Without a defender it is a bye."""

    attacker: int
    defender: int | None
    won: Winner
    destroyed: tuple[int, int] = (0, 0)  # units of the other side
    lost: tuple[int, int] = (0, 0)
    destroyed_points: tuple[int, int] = (0, 0)
    scored: tuple[int, int] = (0, 0)  # hundredths of victory points, in games that these decide
    is_forfeit: bool = False  # the loser did not play


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One company's row."""

    entrant: int
    name: str
    place: int = 0
    points: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    forfeits: int = 0  # matches lost without playing them
    destroyed: int = 0
    units_lost: int = 0
    destroyed_points: int = 0
    lost_points: int = 0
    scored: int = 0
    conceded: int = 0  # the opponents' score
    attacks_won: int = 0
    buchholz: int = 0
    direct: int = 0  # points in matches against entrants level on points
    opponents: tuple[int, ...] = ()

    @property
    def victory_points(self) -> float:
        return self.scored / 100

    @property
    def enemies_victory_points(self) -> float:
        return self.conceded / 100


ORDER: Mapping[str, Callable[[TableRow], int]] = {
    "direct": lambda row: row.direct,
    "buchholz": lambda row: row.buchholz,
    "destroyed": lambda row: row.destroyed - row.units_lost,
    "destroyed-count": lambda row: row.destroyed,
    "destroyed-points": lambda row: row.destroyed_points,
    "wins": lambda row: row.won,
    "played": lambda row: row.played,
    "away": lambda row: row.attacks_won,
    "fewest-lost": lambda row: -row.units_lost,
    "fewest-points-lost": lambda row: -row.lost_points,
    "score-difference": lambda row: row.scored - row.conceded,
    "score": lambda row: row.scored,
}


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Return the sort key of a name, so that "Company 2" comes before "Company 10"."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def table(
    names: Mapping[int, str],
    scores: Sequence[Score],
    worth: Scoring,
    tie_breakers: Sequence[str],
    *,
    shares_places: bool = False,
) -> tuple[TableRow, ...]:
    """Return the table of these entrants, best first: season points, fewer forfeits, these tie-breakers, then name.

    Forfeits come first among level entrants, so that nobody gains by staying away: a side that lost units in a match it
    played would otherwise stand below. The name decides the place too, or only the order of entrants who share a place.
    """
    tally = Tally(names, worth)
    tally.count(scores)
    return tally.table(tie_breakers, shares_places=shares_places)


def points_of(score: Score, side: int, worth: Scoring) -> int:
    """Return the season points of attacker (0) or defender (1)."""
    if score.won == "draw":
        return worth.draw
    if score.won != WINNERS[side]:
        return worth.loss
    points = worth.bye if score.defender is None else worth.walkover if score.is_forfeit else None
    return worth.win if points is None else points


TALLY_FIELDS = (
    "points", "played", "won", "drawn", "lost", "byes", "forfeits", "destroyed", "units_lost", "destroyed_points", "lost_points", "scored",
    "conceded", "attacks_won",
)  # fmt: skip


class Tally:
    """A sum of matches, added one by one; its table is available at any time."""

    def __init__(self, names: Mapping[int, str], worth: Scoring) -> None:
        self._names, self._worth = names, worth
        self._counts = {entrant: dict.fromkeys(TALLY_FIELDS, 0) for entrant in names}
        self._opponents: dict[int, list[int]] = {entrant: [] for entrant in names}
        self._scores: list[Score] = []

    def count(self, scores: Iterable[Score]) -> None:
        """Add these matches."""
        for score in scores:
            if score.won == "nobody":
                for entrant in (score.attacker, score.defender):
                    if entrant in self._counts:
                        self._counts[entrant]["forfeits"] += 1
                continue
            self._scores.append(score)
            for side in (0, 1):
                self._count(score, side)

    def table(self, tie_breakers: Sequence[str], *, shares_places: bool = False) -> tuple[TableRow, ...]:
        """Return the table, as the function `table` does."""
        points = {entrant: count["points"] for entrant, count in self._counts.items()}
        direct = _direct(points, self._scores, self._worth)
        rows = [
            TableRow(
                entrant=entrant,
                name=name,
                buchholz=sum(points[other] for other in self._opponents[entrant]),
                direct=direct[entrant],
                opponents=tuple(self._opponents[entrant]),
                **self._counts[entrant],
            )
            for entrant, name in self._names.items()
        ]

        def rank(row: TableRow) -> tuple[int, ...]:
            return (-row.points, row.forfeits, *(-ORDER[slug](row) for slug in tie_breakers))

        ordered = sorted(rows, key=lambda row: (rank(row), natural_key(row.name), row.entrant))
        if not shares_places:
            return tuple(replace(row, place=place) for place, row in enumerate(ordered, start=1))
        ranks = [rank(row) for row in ordered]
        return tuple(replace(row, place=ranks.index(own) + 1) for row, own in zip(ordered, ranks, strict=True))

    def _count(self, score: Score, side: int) -> None:
        entrant, other = (score.defender, score.attacker) if side else (score.attacker, score.defender)
        if entrant is None or entrant not in self._counts:
            return
        count = self._counts[entrant]
        won, drawn = score.won == WINNERS[side], score.won == "draw"
        enemy = 1 - side
        count["points"] += points_of(score, side, self._worth)
        if drawn:
            count["drawn"] += 1
        elif not won:
            count["lost"] += 1
            count["forfeits"] += score.is_forfeit
        count["destroyed"] += score.destroyed[side]
        count["units_lost"] += score.lost[side]
        count["destroyed_points"] += score.destroyed_points[side]
        count["lost_points"] += score.destroyed_points[enemy]
        count["scored"] += score.scored[side]
        count["conceded"] += score.scored[enemy]
        if other is None:
            count["byes"] += 1
            return
        count["played"] += 1
        if won:
            count["won"] += 1
            count["attacks_won"] += enemy  # the attacker is side 0
        if other in self._counts:
            self._opponents[entrant].append(other)


def _direct(points: Mapping[int, int], scores: Sequence[Score], worth: Scoring) -> Counter[int]:
    """Return each entrant's points in matches against those level on points."""
    found: Counter[int] = Counter()
    for score in scores:
        if score.defender is None or not points.keys() >= {score.attacker, score.defender}:
            continue
        if points[score.attacker] == points[score.defender]:
            found[score.attacker] += points_of(score, 0, worth)
            found[score.defender] += points_of(score, 1, worth)
    return found
