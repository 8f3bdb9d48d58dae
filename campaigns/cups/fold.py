"""A cup calculated from its draw and the campaign's matches: group tables, who advances and the next pairings. Pure.

Nothing of it is stored, so after a correction it shows at once who should have advanced. An existing match stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from campaigns.cups.bracket import Played, Tie, build_bracket, group_letter, play_off_places, round_robin
from campaigns.pairing import Pair
from campaigns.standings.table import ORDER, PointsScheme, Score, TableRow, table
from campaigns.states import MatchState

VOID = "void"
SEED_DIGITS = 4  # digits of a seed that replaces the name as the last tie-breaker


class CupMatch(NamedTuple):
    """The facts of a match that a cup needs."""

    match: int
    key: UUID
    round: int
    table: int
    state: str
    outcome: str
    attacker: int
    defender: int | None
    score: Score | None  # as it counts in the table; None if it doesn't count
    refusing: int | None  # the side that refused to play

    @property
    def is_open(self) -> bool:
        return self.state in MatchState.undecided()

    @property
    def pair(self) -> Pair:
        return frozenset(side for side in (self.attacker, self.defender) if side is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """How a cup was drawn. Entrants are in the order of their seeds."""

    seeds: tuple[int, ...]
    group_of: Mapping[int, int] = field(default_factory=dict)
    advance: int = 0
    has_third_place: bool = False
    since: int | None = None
    tie_breakers: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)  # names of the tie-breakers
    worth: PointsScheme = field(default=PointsScheme(win=3, draw=1, loss=0))
    names: Mapping[int, str] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()  # entrants who have left the campaign

    @property
    def groups(self) -> int:
        return max(self.group_of.values(), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group with its table and its matches. The first `Draw.advance` rows advance."""

    number: int
    rows: tuple[TableRow, ...]
    lines: tuple[CupMatch, ...]
    is_over: bool

    @property
    def letter(self) -> str:
        return group_letter(self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class CupState:
    """The state of a cup after its matches."""

    draw: Draw
    groups: tuple[Group, ...]
    labels: tuple[str, ...]  # of the seeds of the knock-out: "winner of group A"; empty without groups
    seeds: tuple[int | None, ...]  # of the knock-out
    ties: Mapping[int, Tie]
    lines: Mapping[int, CupMatch]  # by place

    @property
    def groups_are_over(self) -> bool:
        return all(group.is_over for group in self.groups)


def build_cup_state(draw: Draw, lines: Sequence[CupMatch], places: Mapping[int, int]) -> CupState:
    """Calculate the state of a cup. `places` are the places in the knock-out, by match."""
    of_ties = {places[line.match]: line for line in lines if line.match in places and line.state != VOID}
    groups = tuple(_groups(draw, [line for line in lines if line.match not in places]))
    slots = play_off_places(draw.groups, draw.advance) if draw.groups else ()
    if slots:
        over = all(group.is_over for group in groups) or bool(of_ties)
        rows = {group.number: group.rows for group in groups}
        seeds = tuple(_entrant_at(rows.get(group, ()), at) if over else None for group, at in slots)
    else:
        seeds = draw.seeds
    order = {entrant: at for at, entrant in enumerate(seeds) if entrant is not None}
    played = {place: _played(draw, line, lines, order) for place, line in of_ties.items()}
    return CupState(
        draw=draw,
        groups=groups,
        labels=tuple(f"{PLACES.get(at, f'No. {at}')} of group {group_letter(group)}" for group, at in slots),
        seeds=seeds,
        ties=build_bracket(seeds, played, has_third_place=draw.has_third_place),
        lines=of_ties,
    )


def _entrant_at(rows: Sequence[TableRow], at: int) -> int | None:
    """Return the entrant at that place of the table; None if the group is smaller."""
    return rows[at - 1].entrant if at <= len(rows) else None


PLACES = {1: "Winner", 2: "Second", 3: "Third", 4: "Fourth"}


def next_group_pairs(fold: CupState) -> tuple[tuple[int, int], ...]:
    """Return the next round of each group that has one: pairs that haven't met yet, without entrants who have left."""
    found: list[tuple[int, int]] = []
    for group in fold.groups:
        met = {line.pair for line in group.lines}
        entrants = [entrant for entrant in fold.draw.seeds if fold.draw.group_of[entrant] == group.number]
        for turn in round_robin(entrants):
            due = [pair for pair in turn if frozenset(pair) not in met and not fold.draw.gone & set(pair)]
            if due:
                found += due
                break
    return tuple(found)


def open_group_matches(fold: CupState) -> tuple[CupMatch, ...]:
    """Return the group matches that aren't decided yet."""
    return tuple(line for group in fold.groups for line in group.lines if line.is_open)


def _groups(draw: Draw, lines: Sequence[CupMatch]) -> Iterator[Group]:
    """Yield the groups.

    A pair's match is their first non-void one since the cup began; any other doesn't count in the group.
    """
    known = [line for line in lines if draw.since is not None and line.round >= draw.since and line.state != VOID]
    for number in range(1, draw.groups + 1):
        entrants = [entrant for entrant in draw.seeds if draw.group_of[entrant] == number]
        first: dict[Pair, CupMatch] = {}
        for line in known:
            if line.defender is not None and line.pair <= set(entrants):
                first.setdefault(line.pair, line)
        own = tuple(first.values())
        rows = _table(draw, entrants, [line.score for line in own if line.score is not None])
        wanted = [frozenset(pair) for turn in round_robin(entrants) for pair in turn if not draw.gone & set(pair)]
        is_over = all(pair in first and not first[pair].is_open for pair in wanted)
        yield Group(number=number, rows=rows, lines=own, is_over=is_over)


def _table(draw: Draw, entrants: Sequence[int], scores: Sequence[Score]) -> tuple[TableRow, ...]:
    """Return the table of a group: by points, then the campaign's tie-breakers, then the better seed."""
    seeds = {entrant: f"{draw.seeds.index(entrant):0{SEED_DIGITS}}" for entrant in entrants}
    return table(seeds, scores, draw.worth, draw.tie_breakers)


def _played(draw: Draw, line: CupMatch, lines: Sequence[CupMatch], order: Mapping[int, int]) -> Played:
    sides = (line.attacker, line.defender)
    if line.is_open:
        return Played(sides=sides, is_over=False)
    if line.defender is None:
        return Played(sides=sides, is_over=True, winner=line.attacker)
    if line.outcome in ("attacker", "defender"):
        return Played(sides=sides, is_over=True, winner=sides[line.outcome == "defender"])
    if line.outcome == "draw":
        winner, how = _by_tie_breakers(draw, line, lines, order)
        return Played(sides=sides, is_over=True, winner=winner, how=how)
    if line.refusing is not None:
        return Played(
            sides=sides, is_over=True, winner=sides[1 - line.refusing], how="because the other side would not play"
        )
    return Played(sides=sides, is_over=True, how="nobody goes on: neither played")


def _by_tie_breakers(
    draw: Draw, line: CupMatch, lines: Sequence[CupMatch], order: Mapping[int, int]
) -> tuple[int, str]:
    """Return who advances after a draw, and why.

    The campaign's tie-breakers as they stand after that round decide, then the better seed.
    """
    assert line.defender is not None
    scores = [each.score for each in lines if each.score is not None and each.round <= line.round]
    entrants = {side for score in scores for side in (score.attacker, score.defender) if side is not None}
    rows = {row.entrant: row for row in table({each: str(each) for each in entrants}, scores, draw.worth, ())}
    for slug in draw.tie_breakers:
        one, two = (ORDER[slug](rows[side]) for side in (line.attacker, line.defender))
        if one != two:
            return (line.attacker if one > two else line.defender), f"by {draw.words.get(slug, slug)}"
    late = len(order)
    return min((line.attacker, line.defender), key=lambda side: (order.get(side, late), side)), "by the better seed"
