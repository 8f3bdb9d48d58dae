"""What territories owe their holders for each round that was closed. Pure: matches in, points out.

Companies are named by their enrolment's id, territories by theirs, rounds by number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

Due = Mapping[tuple[int, int], tuple[tuple[str, int], ...]]  # by round and company: territories and what each pays


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A territory, in the order of the map."""

    id: int
    name: str
    income: int
    home: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A correction that left the ledgers as they were, and who had won by what it corrected."""

    at: datetime
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight:
    """A match for a territory, in order of play; `left` are the corrections since the last that changed ledgers, newest
    first."""

    match: int
    round: int
    place: int
    winner: int | None  # nobody: a draw, or it does not count
    left: tuple[Left, ...] = ()

    def winner_at(self, closed: datetime) -> int | None:
        """Who had won it for what was paid as a round was closed: what only flagged it later changed nothing there."""
        winner = self.winner
        for each in self.left:
            if each.at <= closed:
                break
            winner = each.winner
        return winner


def due(
    places: Sequence[Place],
    fights: Iterable[Fight],
    rounds: Mapping[int, datetime],
    there: Collection[tuple[int, int]],
) -> Due:
    """What each closed round owes; `rounds` are those that pay, with the moment of their close. Who did not take part then
    (`there`: round and company) is owed nothing."""
    known = list(fights)
    found: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for number, closed in sorted(rounds.items()):
        held = holders(places, known, number, closed)
        for place in places:
            company = held.get(place.id)
            if company is not None and place.income and (number, company) in there:
                found.setdefault((number, company), []).append((place.name, place.income))
    return {key: tuple(lines) for key, lines in found.items()}


def holders(places: Iterable[Place], fights: Iterable[Fight], number: int, closed: datetime) -> dict[int, int]:
    """Who held each territory as that round was closed."""
    held = {place.id: place.home for place in places if place.home is not None}
    for fight in fights:
        if fight.round <= number and (winner := fight.winner_at(closed)) is not None:
            held[fight.place] = winner
    return held


def total(lines: Iterable[tuple[str, int]]) -> int:
    """The points of these territories together."""
    return sum(points for _, points in lines)
