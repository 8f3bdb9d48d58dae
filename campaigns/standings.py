"""The table of a campaign: season points, and what breaks ties in the organiser's order. Pure.

Only decided matches count. A bye is worth a win; a refused or void match counts for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Won = Literal["attacker", "defender", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A decided match as the table sees it; figures of attacker and defender. Without a defender it is a bye."""

    attacker: int
    defender: int | None
    won: Won
    destroyed: tuple[int, int] = (0, 0)  # units of the other side
    lost: tuple[int, int] = (0, 0)
    destroyed_points: tuple[int, int] = (0, 0)
    scored: tuple[int, int] = (0, 0)  # hundredths of victory points, where games are won by them


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One company's line."""

    entrant: int
    name: str
    place: int = 0
    points: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    destroyed: int = 0
    units_lost: int = 0
    destroyed_points: int = 0
    lost_points: int = 0
    scored: int = 0
    conceded: int = 0  # what the enemies scored
    attacks_won: int = 0
    buchholz: int = 0
    direct: int = 0  # points in the matches against those of like points
    opponents: tuple[int, ...] = ()

    @property
    def victory_points(self) -> float:
        return self.scored / 100

    @property
    def enemies_victory_points(self) -> float:
        return self.conceded / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """Season points of a result."""

    win: int
    draw: int
    loss: int


ORDER: Mapping[str, Callable[[TableRow], int]] = {
    "direct": lambda row: row.direct,
    "buchholz": lambda row: row.buchholz,
    "destroyed": lambda row: row.destroyed - row.units_lost,
    "destroyed-count": lambda row: row.destroyed,
    "destroyed-points": lambda row: row.destroyed_points,
    "wins": lambda row: row.won,
    "away": lambda row: row.attacks_won,
    "fewest-lost": lambda row: -row.units_lost,
    "fewest-points-lost": lambda row: -row.lost_points,
    "score-difference": lambda row: row.scored - row.conceded,
    "score": lambda row: row.scored,
}


def table(
    names: Mapping[int, str],
    scores: Sequence[Score],
    worth: Worth,
    tie_breakers: Sequence[str],
    *,
    shares_places: bool = False,
) -> tuple[TableRow, ...]:
    """The table of these entrants, best first: season points, these tie-breakers, then name.

    The name decides the place too, or only the order in which those are listed who share one.
    """
    rows = {entrant: TableRow(entrant=entrant, name=name) for entrant, name in names.items()}
    for score in scores:
        _count(rows, score, worth)
    rows = {
        each.entrant: replace(
            each,
            buchholz=sum(rows[other].points for other in each.opponents),
            direct=_direct(each, rows, scores, worth),
        )
        for each in rows.values()
    }

    def rank(row: TableRow) -> tuple[int, ...]:
        return (-row.points, *(-ORDER[slug](row) for slug in tie_breakers))

    ordered = sorted(rows.values(), key=lambda row: (rank(row), row.name.casefold(), row.entrant))
    if not shares_places:
        return tuple(replace(row, place=place) for place, row in enumerate(ordered, start=1))
    ranks = [rank(row) for row in ordered]
    return tuple(replace(row, place=ranks.index(own) + 1) for row, own in zip(ordered, ranks, strict=True))


def points_of(score: Score, side: int, worth: Worth) -> int:
    """Season points of attacker (0) or defender (1)."""
    if score.won == "draw":
        return worth.draw
    return worth.win if score.won == ("attacker", "defender")[side] else worth.loss


def _count(rows: dict[int, TableRow], score: Score, worth: Worth) -> None:
    for side, entrant in enumerate((score.attacker, score.defender)):
        if entrant is None or entrant not in rows:
            continue
        row = rows[entrant]
        other = (score.defender, score.attacker)[side]
        won = score.won == ("attacker", "defender")[side]
        drawn = score.won == "draw"
        rows[entrant] = replace(
            row,
            points=row.points + points_of(score, side, worth),
            played=row.played + (other is not None),
            won=row.won + (won and other is not None),
            drawn=row.drawn + drawn,
            lost=row.lost + (not won and not drawn),
            byes=row.byes + (other is None),
            destroyed=row.destroyed + score.destroyed[side],
            units_lost=row.units_lost + score.lost[side],
            destroyed_points=row.destroyed_points + score.destroyed_points[side],
            lost_points=row.lost_points + score.destroyed_points[1 - side],
            scored=row.scored + score.scored[side],
            conceded=row.conceded + score.scored[1 - side],
            attacks_won=row.attacks_won + (won and side == 0 and other is not None),
            opponents=(*row.opponents, other) if other is not None and other in rows else row.opponents,
        )


def _direct(row: TableRow, rows: Mapping[int, TableRow], scores: Sequence[Score], worth: Worth) -> int:
    equals = {each.entrant for each in rows.values() if each.points == row.points and each.entrant != row.entrant}
    total = 0
    for score in scores:
        sides = (score.attacker, score.defender)
        if row.entrant in sides and equals.intersection(side for side in sides if side is not None):
            total += points_of(score, sides.index(row.entrant), worth)
    return total
