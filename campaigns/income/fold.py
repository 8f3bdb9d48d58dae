"""What territories owe their holders for each closed round. Pure: matches in, points out.

Companies are enrolment IDs, territories their own IDs, rounds their numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

IncomeDue = Mapping[tuple[int, int], tuple[tuple[str, int], ...]]  # (round, company): territories and their points


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A territory, in the order of the map."""

    id: int
    name: str
    income: int
    home: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagCorrection:
    """A correction that left the ledgers unchanged, and the winner before it."""

    at: datetime
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TerritoryMatch:
    """A match for a territory, in order of play.

    `left` are the corrections since the last that changed ledgers, newest first.
    """

    match: int
    round: int
    place: int
    winner: int | None  # None: a draw, or it doesn't count
    left: tuple[FlagCorrection, ...] = ()

    def winner_at(self, closed: datetime) -> int | None:
        """Return the winner that counted when the round was closed.

        Later corrections that only flagged the match change nothing.
        """
        winner = self.winner
        for each in self.left:
            if each.at <= closed:
                break
            winner = each.winner
        return winner


def calculate_due(
    places: Sequence[Place],
    fights: Iterable[TerritoryMatch],
    rounds: Mapping[int, datetime],
    there: Collection[tuple[int, int]],
) -> IncomeDue:
    """Return what each closed round owes. `rounds` are the rounds that pay, with the time of their close.

    `there` are the pairs of round and company that took part; others are owed nothing.
    """
    known = list(fights)
    found: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for number, closed in sorted(rounds.items()):
        held = holders_at(places, known, number, closed)
        for place in places:
            company = held.get(place.id)
            if company is not None and place.income and (number, company) in there:
                found.setdefault((number, company), []).append((place.name, place.income))
    return {key: tuple(lines) for key, lines in found.items()}


def holders_at(
    places: Iterable[Place], fights: Iterable[TerritoryMatch], number: int, closed: datetime
) -> dict[int, int]:
    """Return the holder of each territory when that round was closed."""
    held = {place.id: place.home for place in places if place.home is not None}
    for fight in fights:
        if fight.round <= number and (winner := fight.winner_at(closed)) is not None:
            held[fight.place] = winner
    return held


def total_points(lines: Iterable[tuple[str, int]]) -> int:
    """Return the total points of these territories."""
    return sum(points for _, points in lines)
