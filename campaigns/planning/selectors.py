"""Rounds and their fixtures as pages show them, and the status of a match in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet
from django.db.models.functions import Cast

from campaigns.models import Campaign, DecidedBy, FairDraw, Match, MatchState, Outcome, Round, RoundState
from campaigns.policy import Reader
from rosters.database.queries import PreparedQuery, columns
from rosters.models import Visibility, player_display_name
from systems import battle_rules
from systems.scenarios import SIDES

DEFERRED_PLAYER_FIELDS = (
    "password",
    "last_login",
    "date_joined",
    "email",
    "first_name",
    "last_name",
    "time_zone",
    "paper",
)
EXPANDED_ROUNDS = 2  # rounds with their fixtures in the list of all rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureSide:
    """One side of a fixture."""

    enrolment: int
    company: int
    name: str
    colour: str
    emblem: str
    player: str
    has_won: bool
    is_yours: bool
    is_open: bool  # whether the reader may open the company's page: it is their own, or public


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureRow:
    """A match as lists show it."""

    key: UUID
    number: int
    attacker: FixtureSide
    defender: FixtureSide | None
    scenario: str
    ground: str
    territory: str
    state: str
    state_name: str
    outcome: str
    outcome_name: str
    is_open: bool
    flag: str
    has_battle: bool

    def __str__(self) -> str:
        return f"{self.attacker.name} against {self.defender.name if self.defender else 'nobody'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSheet:
    """A round with its fixtures."""

    number: int
    state: str
    state_name: str
    opens_at: datetime | None
    deadline: datetime | None
    closed_at: datetime | None
    fixtures: tuple[FixtureRow, ...]
    is_folded: bool = False  # an older round, listed without its fixtures

    @property
    def open_count(self) -> int:
        """The number of undecided matches."""
        return sum(fixture.is_open for fixture in self.fixtures)


def round_sheets(campaign: Campaign, reader: Reader, *, with_planned: bool) -> tuple[RoundSheet, ...]:
    """Return all rounds, newest first, with the fixtures of the latest and of those with open matches; two queries."""
    rows = ROUNDS.rows(campaign=campaign.pk)
    found = [each for each in rows if with_planned or each.state != RoundState.PLANNED]
    expanded = {each.pk for at, each in enumerate(found) if at < EXPANDED_ROUNDS or each.has_open}  # type: ignore[attr-defined]
    by_round: dict[int, list[_Fixture]] = {}
    for fixture in SINCE.rows(campaign=campaign.pk, since=min(expanded)) if expanded else ():
        by_round.setdefault(fixture.match.round, []).append(fixture)
    return tuple(
        _sheet(each, by_round.get(each.pk, []), campaign, reader, is_folded=each.pk not in expanded) for each in found
    )


def round_sheet(campaign: Campaign, row: Round, reader: Reader) -> RoundSheet:
    """Return one round of the campaign; one query."""
    return _sheet(row, IN_ROUND.rows(campaign=campaign.pk, round=row.pk), campaign, reader)


def open_fixture_rows(campaign: Campaign, reader: Reader) -> tuple[FixtureRow, ...]:
    """Return the matches of the campaign's open rounds, in playing order; one query."""
    return tuple(_row(match, campaign, reader) for match in OPEN_FIXTURE_ROWS.rows(campaign=campaign.pk))


def contested_territories(fixtures: Iterable[FixtureRow]) -> dict[str, FixtureRow]:
    """Return the undecided fixtures that are played for a territory, by its name."""
    return {each.territory: each for each in fixtures if each.territory and each.defender and each.is_open}


def fixtures_of(campaign: Campaign, **where: object) -> list[Match]:
    """Return matches of a campaign with both sides, in playing order; one query."""
    return _of(campaign, _fixtures(campaign.pk).filter(**where))


def open_matches(campaign: Campaign) -> list[Match]:
    """Return the matches of the campaign's open rounds, without byes; one query."""
    return _of(campaign, IN_OPEN.rows(campaign=campaign.pk))


def round_numbers(campaign: Campaign) -> list[int]:
    """Return the numbers of the rounds that everybody may see."""
    return [number for (number,) in NUMBERS.rows(campaign=campaign.pk)]


def round_of(campaign: Campaign, number: int) -> Round | None:
    """Return the campaign's round with this number; None if there is none."""
    row = ROUND.row(campaign=campaign.pk, number=number)
    if row is not None:
        row.campaign = campaign
    return row


def _of(campaign: Campaign, matches: Iterable[Match]) -> list[Match]:
    found = list(matches)
    for match in found:
        match.round.campaign = campaign
    return found


def _fixtures(campaign: int) -> QuerySet[Match]:
    rows = Match.objects.filter(round__campaign=campaign)
    rows = rows.select_related("attacker__company__owner", "defender__company__owner", "territory", "round")
    # `setup` and `forces` are larger than the rest of the row; a player's own data is never shown.
    rows = rows.defer(
        "setup", "forces", *(f"{side}__company__owner__{name}" for side in SIDES for name in DEFERRED_PLAYER_FIELDS)
    )
    return rows.order_by("round__number", "number")


class _Side(NamedTuple):
    """The columns read of one side of a match."""

    enrolment: int
    company: int
    name: str
    colour: str
    emblem: str
    owner: int
    visibility: str
    player: str


class _Match(NamedTuple):
    """The columns read of a match for a list, without its sides."""

    round: int
    key: UUID
    number: int
    scenario: str
    terrain: str
    territory: str | None
    state: str
    outcome: str
    flag: str
    battle: int | None


class _Fixture(NamedTuple):
    match: _Match
    attacker: _Side
    defender: _Side | None  # None: a bye


def _list_rows(campaign: int) -> QuerySet[Match, object]:
    """Return the matches of a campaign with the columns that lists need, in playing order."""
    rows = Match.objects.filter(round__campaign=campaign).order_by("round__number", "number")
    rows = rows.annotate(**{f"{side}_player": player_display_name(f"{side}__company__owner") for side in SIDES})
    return rows.values_list(
        *columns(_Match, scenario="scenario_name", territory="territory__name"),
        *columns(_Side, **_side_columns("attacker")),
        *columns(_Side, **_side_columns("defender")),
    )


def _side_columns(side: str) -> dict[str, str]:
    return {
        "enrolment": side,
        "company": f"{side}__company",
        "name": f"{side}__company__name",
        "colour": f"{side}__company__colour",
        "emblem": f"{side}__company__emblem",
        "owner": f"{side}__company__owner",
        "visibility": f"{side}__company__visibility",
        "player": f"{side}_player",
    }


def _read(*row: Any) -> _Fixture:
    match, sides = row[: len(_Match._fields)], row[len(_Match._fields) :]
    attacker, defender = _Side(*sides[: len(_Side._fields)]), _Side(*sides[len(_Side._fields) :])
    return _Fixture(_Match(*match), attacker, None if defender.enrolment is None else defender)


def _rounds(campaign: int) -> QuerySet[Round]:
    is_open = Exists(Match.objects.filter(round=OuterRef("pk"), state__in=MatchState.undecided()))
    return Round.objects.filter(campaign=campaign).annotate(has_open=is_open).order_by("-number")


def _round(campaign: int, number: int) -> QuerySet[Round]:
    wide = Cast("number", BigIntegerField())  # as wide as its placeholder in a compiled query
    return Round.objects.annotate(wide=wide).filter(campaign=campaign, wide=number)


ROUNDS = PreparedQuery(_rounds, campaign=int)
NUMBERS = PreparedQuery(
    lambda campaign: Round.objects.filter(campaign=campaign).exclude(state=RoundState.PLANNED).values_list("number"),
    campaign=int,
)
SINCE = PreparedQuery(
    lambda campaign, since: _list_rows(campaign).filter(round__gte=since), _read, campaign=int, since=int
)
IN_OPEN = PreparedQuery(
    lambda campaign: _fixtures(campaign).filter(round__state=RoundState.OPEN, defender__isnull=False), campaign=int
)
OPEN_FIXTURE_ROWS = PreparedQuery(
    lambda campaign: _list_rows(campaign).filter(round__state=RoundState.OPEN), _read, campaign=int
)
DRAW = PreparedQuery(lambda round: FairDraw.objects.filter(round=round), round=int)
MATCHES = PreparedQuery(
    lambda round: Match.objects.filter(round=round).select_related("round__campaign").order_by("number"), round=int
)
ROUND = PreparedQuery(_round, campaign=int, number=int)
IN_ROUND = PreparedQuery(
    lambda campaign, round: _list_rows(campaign).filter(round=round), _read, campaign=int, round=int
)


def _sheet(
    row: Round, matches: Sequence[_Fixture], campaign: Campaign, reader: Reader, *, is_folded: bool = False
) -> RoundSheet:
    return RoundSheet(
        number=row.number,
        state=row.state,
        state_name=str(row.get_state_display()),
        opens_at=row.opens_at,
        deadline=row.deadline,
        closed_at=row.closed_at,
        fixtures=tuple(_row(match, campaign, reader) for match in matches),
        is_folded=is_folded,
    )


def _row(fixture: _Fixture, campaign: Campaign, reader: Reader) -> FixtureRow:
    match, attacker, defender = fixture
    return FixtureRow(
        key=match.key,
        number=match.number,
        attacker=_side(attacker, match.outcome == Outcome.ATTACKER, reader),
        defender=_side(defender, match.outcome == Outcome.DEFENDER, reader) if defender else None,
        scenario=match.scenario,
        ground=battle_rules(campaign.system).ground_name(match.terrain),
        territory=match.territory or "",
        state=match.state,
        state_name=str(MatchState(match.state).label),
        outcome=match.outcome,
        outcome_name=str(Outcome(match.outcome).label),
        is_open=match.state in MatchState.undecided(),
        flag=match.flag,
        has_battle=match.battle is not None,
    )


def _side(side: _Side, has_won: bool, reader: Reader) -> FixtureSide:
    is_yours = bool(reader.is_authenticated and side.owner == reader.pk)
    return FixtureSide(
        enrolment=side.enrolment,
        company=side.company,
        name=side.name,
        colour=side.colour,
        emblem=side.emblem,
        player=side.player,
        has_won=has_won,
        is_yours=is_yours,
        is_open=is_yours or side.visibility == Visibility.PUBLIC,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStatus:
    """The status of a match.

    `look` is one of won, draw, forfeit, refused, void, bye, disputed, reported, unknown; `mark` is a sign for it.
    """

    look: str
    mark: str
    word: str
    sentence: str


MARKS = {
    "won": "★",
    "draw": "=",
    "forfeit": "⚑",
    "refused": "⊘",
    "void": "∅",
    "bye": "–",
    "disputed": "≠",
    "reported": "½",
    "unknown": "?",
}
DECIDED_BY_TEXTS = {
    DecidedBy.AGREEMENT: "Both reports agree.",
    DecidedBy.OTHER_SIDE: "The other side confirmed the report.",
    DecidedBy.DEADLINE: "Only one side had reported by the deadline, so that report counted.",
    DecidedBy.RULING: "Decided by an arbiter's ruling.",
    DecidedBy.ORDERS: "Simulated with both sides' autoplay orders.",
    DecidedBy.ORGANISER: "Decided by the organiser.",
    DecidedBy.IMPORT: "Imported from before the club used Muster.",
}


def match_status(match: Match, reported: tuple[int, ...] = ()) -> MatchStatus:
    """Return the status of the match; `reported` are the sides with a report of their own."""
    sides = (match.attacker.company.name, match.defender.company.name if match.defender else "")
    return describe_status(sides, match.state, match.outcome, match.decided_by, match.refusing_side, reported)


def describe_status(
    sides: tuple[str, str],
    state: str,
    outcome: str,
    decided_by: str,
    refusing_side: int | None,
    reported: tuple[int, ...] = (),
) -> MatchStatus:
    """Return the status from a match's columns; `sides` are the names of its companies."""
    how = DECIDED_BY_TEXTS.get(DecidedBy(decided_by), "") if decided_by else ""
    winner = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}.get(Outcome(outcome))
    match state:
        case MatchState.SCHEDULED | MatchState.REPORTED if refusing_side is not None:
            return _status("unknown", "No result yet", f"{sides[refusing_side]} can't play. An arbiter decides.")
        case MatchState.SCHEDULED:
            return _status("unknown", "No result yet", "Neither side has reported.")
        case MatchState.REPORTED:
            who = " and ".join(sides[side] for side in reported) or "One side"
            return _status("reported", "No result yet", f"{who} has reported. Waiting for the other report.")
        case MatchState.DISPUTED:
            return _status("disputed", "In dispute", "The reports differ. An arbiter has to rule.")
        case MatchState.BYE:
            return _status("bye", "Bye", f"{sides[0]} has no opponent in this round.")
        case MatchState.VOID:
            return _status("void", "Void", f"This match doesn't count. {how}")
        case MatchState.REFUSED:
            return _status("refused", "Refused", f"One side refused to play, so the match doesn't count. {how}")
        case MatchState.FORFEITED if winner is not None:
            gone = sides[1 - winner]
            return _status("forfeit", f"{sides[winner]} wins by forfeit", f"{gone} did not play. {how}")
        case MatchState.FORFEITED:
            return _status("draw", "Draw, not played", f"Nobody played, so it counts as a draw. {how}")
    if winner is None:
        return _status("draw", "Draw", how)
    return _status("won", f"{sides[winner]} won", how)


def _status(look: str, word: str, sentence: str) -> MatchStatus:
    return MatchStatus(look=look, mark=MARKS[look], word=word, sentence=sentence.strip())
