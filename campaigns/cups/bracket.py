"""Calculate a cup's bracket, groups, tables and next pairings from its draw and results. Pure functions.

Places are numbered as in a heap: 1 is the final, 2 and 3 are the semi-finals that lead to it, and so on; 0 is the match
for third place between the losers of the semi-finals. Entrants are enrolment IDs in the order of their seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple
from uuid import UUID

from campaigns.pairing import Pair
from campaigns.scoring import Scoring
from campaigns.standings.table import ORDER, Score, TableRow, table
from campaigns.states import MatchState

FINAL, THIRD = 1, 0
STAGE_NAMES = {1: "Final", 2: "Semi-final", 4: "Quarter-final"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A match at a place of the bracket, actual or assumed. If it is over and `winner` is None, nobody advances."""

    sides: tuple[int, int | None]
    is_over: bool
    winner: int | None = None
    how: str = ""  # why the winner advances, if the result alone doesn't explain it


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A place of the bracket. `due` are the entrants that earlier ties send here; None where no entrant is known."""

    place: int
    due: tuple[int | None, int | None]
    known: tuple[bool, bool]  # whether each side of `due` is final
    played: Played | None = None

    @property
    def sides(self) -> tuple[int | None, int | None]:
        """The entrants of this tie, in the order of `due`.

        An existing match stands, even if other entrants were due.
        """
        if self.played is None:
            return self.due
        one, two = self.played.sides
        turned = (two, one)
        return turned if one == self.due[1] or (two is not None and two == self.due[0]) else (one, two)

    @property
    def is_over(self) -> bool:
        """Whether the tie is decided, even if no entrant came."""
        if self.played is not None:
            return self.played.is_over
        return self.known == (True, True) and self._lacks_entrants

    @property
    def winner(self) -> int | None:
        return self.played.winner if self.played is not None and self.played.is_over else None

    @property
    def loser(self) -> int | None:
        if self.winner is None or self.played is None:
            return None
        return next((side for side in self.played.sides if side != self.winner), None)

    @property
    def can_be_played(self) -> bool:
        """Whether every tie that leads here is decided and there is somebody to play."""
        return self.played is None and self.known == (True, True) and not self._lacks_entrants

    @property
    def _lacks_entrants(self) -> bool:
        """Whether too few entrants are due for a match or a bye. The match for third place has no byes."""
        return self.due == (None, None) or (self.place == THIRD and None in self.due)

    @property
    def strays(self) -> tuple[int, ...]:
        """The entrants who play here although the ties before it, as they are now, send others."""
        if self.played is None or self.known != (True, True):
            return ()
        return tuple(side for side in self.played.sides if side is not None and side not in self.due)


def bracket_size(count: int) -> int:
    """Return the number of seats in the first round, byes included: a power of two."""
    size = 2
    while size < count:
        size *= 2
    return size


def seed_order(size: int) -> tuple[int, ...]:
    """Return the seeds in seat order of the first round.

    Seeds 1 and 2 can meet only in the final, 1 to 4 in the semi-finals.
    """
    order = [1]
    while len(order) < size:
        order = [seat for seed in order for seat in (seed, 2 * len(order) + 1 - seed)]
    return tuple(order)


def stage_name(place: int, *, size: int = 0) -> str:
    """Return the name of a place's stage, such as "Semi-final"."""
    if place == THIRD:
        return "Third place"
    ties = 1 << (place.bit_length() - 1)
    return STAGE_NAMES.get(ties, f"Last {ties * 2}")


def build_bracket(
    seeds: Sequence[int | None], played: Mapping[int, Played], *, has_third_place: bool
) -> dict[int, Tie]:
    """Return all ties by place, calculated from the first round to the final.

    `seeds` are the entrants, best first; None where the entrant isn't known yet. An entrant without an opponent in the
    first round has a bye there.
    """
    size = bracket_size(len(seeds))
    drawn = dict(enumerate(seeds, start=1))
    order = seed_order(size)
    ties: dict[int, Tie] = {}

    def feeds(place: int) -> tuple[int | None, bool]:
        if place >= size:  # a seat of the first round
            seed = order[place - size]
            return drawn.get(seed), seed not in drawn or drawn[seed] is not None
        return ties[place].winner, ties[place].is_over

    for place in range(size - 1, 0, -1):
        (one, is_one), (two, is_two) = feeds(2 * place), feeds(2 * place + 1)
        ties[place] = Tie(place=place, due=(one, two), known=(is_one, is_two), played=played.get(place))
    if has_third_place and size >= 4:
        first, second = ties[2], ties[3]
        due, known = (first.loser, second.loser), (first.is_over, second.is_over)
        ties[THIRD] = Tie(place=THIRD, due=due, known=known, played=played.get(THIRD))
    return ties


def distance_to_final(place: int) -> int:
    """Return the distance from the final: 0 for the final and the match for third place, 1 for the semi-finals."""
    return max(place, 1).bit_length() - 1


def next_ties(ties: Mapping[int, Tie]) -> tuple[Tie, ...]:
    """Return the ties of the earliest level that isn't decided, including those already played or in play."""
    waiting = [tie for tie in ties.values() if not tie.is_over]
    deepest = max((distance_to_final(tie.place) for tie in waiting), default=-1)
    return tuple(
        sorted((tie for tie in waiting if distance_to_final(tie.place) == deepest), key=lambda tie: tie.place or 99)
    )


def assign_groups(seeds: Sequence[int], count: int) -> dict[int, int]:
    """Return the group of each entrant, from 1.

    They are dealt back and forth, so that the groups are about equally strong.
    """
    found = {}
    for at, entrant in enumerate(seeds):
        turn, place = divmod(at, count)
        found[entrant] = (place if turn % 2 == 0 else count - 1 - place) + 1
    return found


def group_letter(group: int) -> str:
    return chr(ord("A") + group - 1)


def round_robin(entrants: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the pairs of each round of a round robin. With an odd number one entrant rests each round."""
    seated: list[int | None] = [*entrants] if len(entrants) % 2 == 0 else [*entrants, None]
    for turn in range(len(seated) - 1):
        fixed, *others = seated
        ring = [fixed, *others[len(others) - turn :], *others[: len(others) - turn]]
        pairs = [(ring[at], ring[-1 - at]) for at in range(len(ring) // 2)]
        yield tuple((one, two) for one, two in pairs if one is not None and two is not None)


def play_off_places(groups: int, advance: int) -> tuple[tuple[int, int], ...]:
    """Return the group and the place in it of each seed of the play-offs, best first.

    All group winners come first, then all runners-up, and so on. Each of these sets is rotated so that as few entrants
    as possible meet one of their own group in the first round.
    """
    found = [(group, 1) for group in range(1, groups + 1)]
    total = groups * advance
    size = bracket_size(total)
    for place in range(2, advance + 1):
        turns = []
        for turn, way in product(range(groups), (1, -1)):
            lot = [((turn + way * at) % groups + 1, place) for at in range(groups)]
            turns.append((_count_same_group_pairs([*found, *lot], size, total), lot))
        found += min(turns, key=lambda each: each[0])[1]
    return tuple(found)


def _count_same_group_pairs(seeds: Sequence[tuple[int, int]], size: int, total: int) -> int:
    """Return how many first-round matches of these seeds pair two entrants of the same group."""
    group_of = {seed: group for seed, (group, _) in enumerate(seeds, start=1)}
    again = 0
    for seed, group in group_of.items():
        other = size + 1 - seed
        again += seed < other <= total and group_of.get(other) == group
    return again


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
    worth: Scoring = field(default=Scoring(win=3, draw=1, loss=0))
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
    """The state of a cup after its matches. Not stored, so a correction shows at once who should have advanced."""

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


def next_group_pairs(state: CupState) -> tuple[tuple[int, int], ...]:
    """Return the next round of each group that has one: pairs that haven't met yet, without entrants who have left."""
    found: list[tuple[int, int]] = []
    for group in state.groups:
        met = {line.pair for line in group.lines}
        entrants = [entrant for entrant in state.draw.seeds if state.draw.group_of[entrant] == group.number]
        for turn in round_robin(entrants):
            due = [pair for pair in turn if frozenset(pair) not in met and not state.draw.gone & set(pair)]
            if due:
                found += due
                break
    return tuple(found)


def open_group_matches(state: CupState) -> tuple[CupMatch, ...]:
    """Return the group matches that aren't decided yet."""
    return tuple(line for group in state.groups for line in group.lines if line.is_open)


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
            sides=sides, is_over=True, winner=sides[1 - line.refusing], how="because the other side couldn't play"
        )
    return Played(sides=sides, is_over=True, how="nobody advances: neither side played")


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
