"""The tables and the cup of a season, calculated from its pairings. Pure.

Entrants are named by id. In a pairing `one` counts as attacker and `two` as defender, no matter who attacks in the
match, so that tables and bracket work as in campaigns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from uuid import UUID

from campaigns.cups import bracket
from campaigns.cups.bracket import VOID
from campaigns.scoring import Scoring
from campaigns.standings.table import WINNERS, Score, TableRow, Winner, table
from campaigns.states import MatchState

RESULTS: Mapping[str, Winner] = {"attacker": "attacker", "defender": "defender", "draw": "draw"}
OPPOSITE_OUTCOME = {"attacker": "defender", "defender": "attacker"}
TEAM_TIE_BREAKERS = ("score", "direct")  # points of the boards first
WHOLE_POINT, HALF_POINT = 100, 50  # hundredths of a board's point


class Pairing(Protocol):
    """The part of a pairing that tables and bracket need."""

    @property
    def id(self) -> int: ...
    @property
    def key(self) -> UUID: ...
    @property
    def round(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def one(self) -> int: ...
    @property
    def two(self) -> int | None: ...
    @property
    def place(self) -> int | None: ...
    @property
    def tie(self) -> int | None: ...
    @property
    def state(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def refusing(self) -> int | None: ...


class PairingStatus(NamedTuple):
    """How far a pairing is, in the terms of a match: state, outcome and refusing side."""

    state: str
    outcome: str
    refusing: int | None = None


class PairingFacts(NamedTuple):
    """Columns of a pairing's row; the last four describe its match."""

    state: str  # of the pairing
    is_open: bool  # its round is open
    awarded: int | None
    one_attacks: bool
    match_state: str | None
    match_outcome: str | None
    refusing: int | None


def pairing_status(fact: PairingFacts) -> PairingStatus:
    """Return the pairing as a match of `one` against `two`."""
    if fact.match_state is not None:
        outcome, refusing = fact.match_outcome or "", fact.refusing
        if not fact.one_attacks:
            outcome = OPPOSITE_OUTCOME.get(outcome, outcome)
            refusing = 1 - refusing if refusing is not None else None
        return PairingStatus(fact.match_state, outcome, refusing)
    if fact.state == "bye":
        return PairingStatus("bye", "attacker") if fact.is_open else PairingStatus("scheduled", "")
    if fact.state == "awarded" and fact.awarded is not None:
        return PairingStatus("forfeited", WINNERS[fact.awarded])
    return PairingStatus(VOID if fact.state == "called-off" else "scheduled", "")


def is_undecided(pairing: Pairing) -> bool:
    """Return whether it is still undecided."""
    return pairing.state in MatchState.undecided()


def score_of(pairing: Pairing) -> Score | None:
    """Return the pairing's score for the table; None if it counts for nobody."""
    won = RESULTS.get(pairing.outcome) if pairing.state in MatchState.counting() else None
    if won is None:
        return None
    return Score(attacker=pairing.one, defender=pairing.two, won=won, is_forfeit=pairing.state == "forfeited")


def players_table(
    names: Mapping[int, str], pairings: Iterable[Pairing], worth: Scoring, tie_breakers: Sequence[str]
) -> tuple[TableRow, ...]:
    """Return the table of the players, best first, without the cup's pairings."""
    scores = []
    for each in pairings:
        if each.place is None and (score := score_of(each)):
            scores.append(score)
        elif each.place is None and (each.state, each.outcome) == ("forfeited", "none"):
            scores.append(Score(each.one, each.two, "nobody", is_forfeit=True))
    return table(names, scores, worth, tie_breakers)


# --- teams ------------------------------------------------------------------------------------------------------------


class TeamTie(NamedTuple):
    """Team against team; without a second team it is a bye."""

    id: int
    number: int
    round: int
    is_open: bool  # its round is open
    one: int
    two: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TieResult:
    """A match of teams: hundredths of points from its boards, and whether all of them are decided."""

    tie: TeamTie
    points: tuple[int, int]
    is_over: bool
    has_results: bool

    @property
    def won(self) -> Winner:
        one, two = self.points
        return "draw" if one == two else WINNERS[one < two]

    @property
    def score(self) -> Score | None:
        """Return the score for the teams' table; None if it doesn't count yet."""
        if self.tie.two is None:
            return Score(self.tie.one, None, "attacker") if self.tie.is_open else None
        if not self.is_over or not self.has_results:
            return None
        return Score(self.tie.one, self.tie.two, self.won, scored=self.points)


def tie_results(ties: Sequence[TeamTie], pairings: Iterable[Pairing]) -> tuple[TieResult, ...]:
    """Return the results of the matches of teams: a won board is a point, a drawn one half a point for each side."""
    boards: dict[int, list[Pairing]] = {tie.id: [] for tie in ties}
    for each in pairings:
        if each.tie in boards:
            boards[each.tie].append(each)
    found = []
    for tie in ties:
        scores = [score for each in boards[tie.id] if (score := score_of(each)) is not None]
        found.append(
            TieResult(
                tie=tie,
                points=(sum(_board(score, 0) for score in scores), sum(_board(score, 1) for score in scores)),
                is_over=not any(is_undecided(each) for each in boards[tie.id]),
                has_results=bool(scores),
            )
        )
    return tuple(found)


def team_table(names: Mapping[int, str], results: Iterable[TieResult], worth: Scoring) -> tuple[TableRow, ...]:
    """Return the table of the teams, best first: the season's points for matches of teams, then board points."""
    scores = [result.score for result in results if result.score is not None]
    return table(names, scores, worth, TEAM_TIE_BREAKERS)


def _board(score: Score, side: int) -> int:
    if score.won == "draw":
        return HALF_POINT
    return WHOLE_POINT if score.won == WINNERS[side] else 0


# --- the cup ----------------------------------------------------------------------------------------------------------


def build_cup(draw: bracket.Draw, pairings: Sequence[Pairing]) -> bracket.CupState:
    """Return the cup after these pairings; of two for one place of the bracket the later one counts."""
    places = {each.id: each.place for each in pairings if each.place is not None}
    return bracket.build_cup_state(draw, [cup_line(each) for each in pairings], places)


def cup_line(each: Pairing) -> bracket.CupMatch:
    """Return the pairing as a line of the cup."""
    return bracket.CupMatch(
        match=each.id,
        key=each.key,
        round=each.round,
        table=each.number,
        state=each.state,
        outcome=each.outcome,
        attacker=each.one,
        defender=each.two,
        score=score_of(each),
        refusing=each.refusing,
    )
