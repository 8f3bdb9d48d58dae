"""Cups for pages, gazettes and the API: groups, bracket and next pairings, calculated for each reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from campaigns.cups.bracket import (
    THIRD,
    CupMatch,
    CupState,
    Draw,
    Group,
    Tie,
    bracket_size,
    build_cup_state,
    distance_to_final,
    seed_order,
    stage_name,
)
from campaigns.cups.drawing import BracketDrawing, Entry, Spot, draw_bracket
from campaigns.models import Campaign, Cup, CupEntrant, CupTie, EnrolmentState, Match, MatchState, Outcome, RoundState
from campaigns.scoring import campaign_scoring
from campaigns.standings.selectors import DecidedMatch, Entrant, enrolments_of, score_of
from campaigns.standings.table import TIE_BREAKERS, Score
from rosters.database.queries import PreparedQuery, columns

NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSide:
    """One side of a tie. Without an enrolment, `name` is a placeholder such as "Winner of semi-final 1" or "nobody"."""

    enrolment: int | None
    name: str
    seed: int | None
    colour: str
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CupTieRow:
    """A tie of the knock-out."""

    place: int
    stage: str
    sides: tuple[CupSide, CupSide]
    key: UUID | None  # of its match, if it exists and the reader may see it
    round: int | None
    state_name: str
    how: str  # why the winner advances, if the result doesn't explain it
    strays: str  # companies that play although the results, as they are now, send others
    winner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CupGroupRow:
    """A company in its group's table."""

    place: int
    name: str
    colour: str
    played: int
    won: int
    drawn: int
    lost: int
    points: int
    advances: bool  # whether it is in a place that advances


@dataclass(frozen=True, slots=True, kw_only=True)
class CupGroupTable:
    """The table of a group."""

    letter: str
    rows: tuple[CupGroupRow, ...]
    is_over: bool
    to_play: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSheet:
    """A drawn cup."""

    groups: tuple[CupGroupTable, ...]
    advance: int
    ties: tuple[CupTieRow, ...]  # from the first round to the final, third place last
    drawing: BracketDrawing
    winner: str
    second: str
    third: str
    draws_description: str  # how a drawn match is decided
    left_out: tuple[str, ...]  # companies of the campaign without a place in the cup


def cup_of(campaign: Campaign) -> Cup | None:
    """Return the campaign's cup, or None. One query."""
    return CUP.row(campaign=campaign.pk)


def cup_draw(cup: Cup, campaign: Campaign, enrolments: Mapping[int, Entrant]) -> Draw | None:
    """Return the draw; None if the cup isn't drawn yet. One query."""
    rows = PLACES.rows(cup=cup.pk)
    if not rows:
        return None
    return Draw(
        seeds=tuple(row.enrolment_id for row in rows),
        group_of={row.enrolment_id: row.group for row in rows if row.group},
        advance=cup.advance,
        has_third_place=cup.has_third_place,
        since=cup.since,
        tie_breakers=tuple(campaign.tie_breakers),
        words=TIE_BREAKERS,
        worth=campaign_scoring(campaign),
        names={pk: each.name for pk, each in enrolments.items()},
        gone=frozenset(pk for pk, each in enrolments.items() if each.state != EnrolmentState.ACCEPTED),
    )


def cup_matches(campaign: Campaign, *, with_planned: bool, up_to: int | None = None) -> list[CupMatch]:
    """Return the campaign's matches as a cup needs them, in the order they were played. One query."""
    found = LINES.rows(campaign=campaign.pk)
    return [
        line
        for line, state in found
        if (with_planned or state != RoundState.PLANNED) and (up_to is None or line.round <= up_to)
    ]


def tie_places(cup: Cup) -> dict[int, int]:
    """Return the places in the knock-out, by match. One query."""
    return dict(TIES.rows(cup=cup.pk))


def cup_sheet(
    campaign: Campaign,
    cup: Cup,
    *,
    with_planned: bool,
    up_to: int | None = None,
    enrolments: Mapping[int, Entrant] | None = None,
) -> CupSheet | None:
    """Return the cup as readers see it; None before it is drawn. Four queries, three with `enrolments`."""
    enrolments = enrolments_of(campaign) if enrolments is None else enrolments
    draw = cup_draw(cup, campaign, enrolments)
    if draw is None:
        return None
    lines = cup_matches(campaign, with_planned=with_planned, up_to=up_to)
    return build_cup_sheet(build_cup_state(draw, lines, tie_places(cup)), enrolments)


def build_cup_sheet(found: CupState, enrolments: Mapping[int, Entrant]) -> CupSheet:
    """Build the page content of a cup."""
    draw = found.draw
    places = sorted(found.ties, key=lambda place: (-distance_to_final(place), place == THIRD, place))
    ties = tuple(_tie(found, found.ties[place], enrolments) for place in places)
    final = next(tie for tie in ties if tie.place == 1)
    third = next((tie.winner for tie in ties if tie.place == THIRD), "")
    inside = set(draw.seeds)
    return CupSheet(
        groups=tuple(_group(group, draw, enrolments) for group in found.groups),
        advance=draw.advance,
        ties=ties,
        drawing=draw_ties(ties),
        winner=final.winner,
        second=next((side.name for side in final.sides if final.winner and not side.has_won), ""),
        third=third,
        draws_description=describe_draws(draw.tie_breakers),
        left_out=tuple(
            each.name for pk, each in enrolments.items() if pk not in inside and each.state == EnrolmentState.ACCEPTED
        ),
    )


def draw_ties(ties: Sequence[CupTieRow]) -> BracketDrawing:
    """Return the drawing of the bracket."""
    return draw_bracket(
        [
            Spot(
                place=tie.place,
                stage=tie.stage,
                entries=tuple(
                    Entry(name=side.name, colour=side.colour, has_won=side.has_won, is_known=side.enrolment is not None)
                    for side in tie.sides
                ),
            )
            for tie in ties
        ]
    )


def describe_draws(tie_breakers: Sequence[str]) -> str:
    """Return a sentence on how a drawn tie is decided."""
    words = [TIE_BREAKERS[slug] for slug in tie_breakers]
    order = ", then ".join([*words, "the better seed"])
    return f"A drawn knock-out match is decided by the standings after its round: {order}."


# --- parts ------------------------------------------------------------------------------------------------------------


def _tie(found: CupState, tie: Tie, enrolments: Mapping[int, Entrant]) -> CupTieRow:
    line = found.lines.get(tie.place)
    sides = tuple(_side(found, tie, at, enrolments) for at in (0, 1))
    strays = [enrolments[pk].name for pk in tie.strays]
    is_bye = line is not None and line.defender is None
    return CupTieRow(
        place=tie.place,
        stage=stage_name(tie.place),
        sides=(sides[0], sides[1]),
        key=line.key if line and not is_bye else None,
        round=line.round if line else None,
        state_name=_state(line),
        how=tie.played.how if tie.played else "",
        strays=", ".join(strays),
        winner=enrolments[tie.winner].name if tie.winner is not None else "",
    )


def _state(line: CupMatch | None) -> str:
    if line is None:
        return "to come"
    if line.state in MatchState.counting() and line.outcome in Outcome.results():
        return "drawn" if line.outcome == Outcome.DRAW else str(MatchState(line.state).label)
    return str(MatchState(line.state).label)


def _side(found: CupState, tie: Tie, at: int, enrolments: Mapping[int, Entrant]) -> CupSide:
    pk = tie.sides[at]
    if pk is None:
        return CupSide(enrolment=None, name=_placeholder(found, tie, at), seed=None, colour="", has_won=False)
    each = enrolments[pk]
    seed = found.seeds.index(pk) + 1 if pk in found.seeds else None
    return CupSide(enrolment=pk, name=each.name, seed=seed, colour=each.colour, has_won=tie.winner == pk)


def _placeholder(found: CupState, tie: Tie, at: int) -> str:
    """Return the placeholder for a side that isn't known yet."""
    if tie.known[at] or tie.played is not None:
        return "a bye" if tie.played is not None and distance_to_final(tie.place) == _first_level(found) else NOBODY
    if tie.place == THIRD:
        return f"Loser of {stage_name(2).lower()} {at + 1}"
    before = 2 * tie.place + at
    if before in found.ties:
        return f"Winner of {stage_name(before).lower()} {before - (1 << distance_to_final(before)) + 1}"
    return found.labels[_seed_at(found, before)]


def _first_level(found: CupState) -> int:
    return max(distance_to_final(place) for place in found.ties)


def _seed_at(found: CupState, seat: int) -> int:
    size = bracket_size(len(found.seeds))
    return seed_order(size)[seat - size] - 1


def _group(group: Group, draw: Draw, enrolments: Mapping[int, Entrant]) -> CupGroupTable:
    met = {line.pair for line in group.lines if not line.is_open}
    size = len(group.rows)
    return CupGroupTable(
        letter=group.letter,
        rows=tuple(
            CupGroupRow(
                place=row.place,
                name=enrolments[row.entrant].name,
                colour=enrolments[row.entrant].colour,
                played=row.played,
                won=row.won,
                drawn=row.drawn,
                lost=row.lost,
                points=row.points,
                advances=row.place <= draw.advance,
            )
            for row in group.rows
        ),
        is_over=group.is_over,
        to_play=size * (size - 1) // 2 - len(met),
    )


def _line(
    pk: int,
    key: UUID,
    round_: int,
    number: int,
    state: str,
    outcome: str,
    attacker: int,
    defender: int | None,
    figures: Mapping[str, Sequence[int]],
    refusing: int | None,
    round_state: str,
) -> tuple[CupMatch, str]:
    score: Score | None = None
    if state in MatchState.counting() and outcome:
        score = score_of(DecidedMatch(round_, attacker, defender, None, outcome, figures, state))
    line = CupMatch(
        match=pk,
        key=key,
        round=round_,
        table=number,
        state=state,
        outcome=outcome,
        attacker=attacker,
        defender=defender,
        score=score,
        refusing=refusing,
    )
    return line, round_state


def _lines(campaign: int) -> QuerySet[Match, object]:
    rows = Match.objects.filter(round__campaign=campaign).order_by("round__number", "number")
    return rows.values_list(
        *columns(
            _line,
            round_="round__number",
            attacker="attacker_id",
            defender="defender_id",
            refusing="refusing_side",
            round_state="round__state",
        )
    )


CUP = PreparedQuery(lambda campaign: Cup.objects.filter(campaign=campaign), campaign=int)
PLACES = PreparedQuery(lambda cup: CupEntrant.objects.filter(cup=cup).order_by("seed"), cup=int)
TIES = PreparedQuery(lambda cup: CupTie.objects.filter(cup=cup).values_list("match", "place"), cup=int)
LINES = PreparedQuery(_lines, _line, campaign=int)
