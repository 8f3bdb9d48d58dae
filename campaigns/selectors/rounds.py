"""Rounds and their fixtures as pages show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet
from django.db.models.functions import Cast

from campaigns.models import Campaign, FairDraw, Match, Outcome, Round, RoundState
from campaigns.policy import UNDECIDED
from campaigns.results.report import SIDES
from rosters.site.compiled import Compiled
from systems import battle_rules

UNSEEN = ("password", "last_login", "date_joined", "email", "first_name", "last_name", "time_zone", "paper")
SHOWN = 2  # rounds whose fixtures are on the page of all rounds; older ones are a line each


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureSide:
    """One side of a fixture."""

    enrolment: int
    company: int
    name: str
    colour: str
    player: str
    has_won: bool
    is_yours: bool


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
    is_folded: bool = False  # an older round, whose fixtures are on its own page

    @property
    def open_count(self) -> int:
        """How many matches are undecided."""
        return sum(fixture.is_open for fixture in self.fixtures)


def round_sheets(campaign: Campaign, reader: Any, *, with_planned: bool) -> tuple[RoundSheet, ...]:
    """All rounds, newest first, with the fixtures of the latest and of those with open matches; two queries."""
    rows = ROUNDS.rows(campaign=campaign.pk)
    found = [each for each in rows if with_planned or each.state != RoundState.PLANNED]
    shown = {each.pk for at, each in enumerate(found) if at < SHOWN or each.has_open}  # type: ignore[attr-defined]
    by_round: dict[int, list[Match]] = {}
    for match in _of(campaign, SINCE.rows(campaign=campaign.pk, since=min(shown))) if shown else ():
        by_round.setdefault(match.round_id, []).append(match)
    sheets = [round_sheet(each, by_round.get(each.pk, []), reader) for each in found]
    return tuple(replace(sheet, is_folded=each.pk not in shown) for sheet, each in zip(sheets, found, strict=True))


def fixtures_of(campaign: Campaign, **where: Any) -> list[Match]:
    """Matches of a campaign with both sides, in playing order; one query."""
    return _of(campaign, _fixtures(campaign.pk).filter(**where))


def fixtures_open(campaign: Campaign) -> list[Match]:
    """Those of its open rounds, without byes; one query."""
    return _of(campaign, IN_OPEN.rows(campaign=campaign.pk))


def round_of(campaign: Campaign, number: int) -> Round | None:
    """The round of that number."""
    row = ROUND.row(campaign=campaign.pk, number=number)
    if row is not None:
        row.campaign = campaign
    return row


def fixtures_in(campaign: Campaign, row: Round) -> list[Match]:
    """Those of one of its rounds; one query."""
    return _of(campaign, IN_ROUND.rows(campaign=campaign.pk, round=row.pk))


def _of(campaign: Campaign, matches: Iterable[Match]) -> list[Match]:
    found = list(matches)
    for match in found:
        match.round.campaign = campaign
    return found


def _fixtures(campaign: int) -> QuerySet[Match]:
    rows = Match.objects.filter(round__campaign=campaign)
    rows = rows.select_related("attacker__company__owner", "defender__company__owner", "territory", "round")
    # Of each match more than all the rest of its row; and of its players what nobody is shown.
    rows = rows.defer(
        "setup", "forces", "past", *(f"{side}__company__owner__{name}" for side in SIDES for name in UNSEEN)
    )
    return rows.order_by("round__number", "number")


def _rounds(campaign: int) -> QuerySet[Round]:
    is_open = Exists(Match.objects.filter(round=OuterRef("pk"), state__in=UNDECIDED))
    return Round.objects.filter(campaign=campaign).annotate(has_open=is_open).order_by("-number")


def _round(campaign: int, number: int) -> QuerySet[Round]:
    wide = Cast("number", BigIntegerField())  # as wide as what stands for it in a compiled question
    return Round.objects.annotate(wide=wide).filter(campaign=campaign, wide=number)


ROUNDS = Compiled(_rounds, campaign=int)
SINCE = Compiled(lambda campaign, since: _fixtures(campaign).filter(round__gte=since), campaign=int, since=int)
IN_OPEN = Compiled(
    lambda campaign: _fixtures(campaign).filter(round__state=RoundState.OPEN, defender__isnull=False), campaign=int
)
DRAW = Compiled(lambda round: FairDraw.objects.filter(round=round), round=int)
ROUND = Compiled(_round, campaign=int, number=int)
IN_ROUND = Compiled(lambda campaign, round: _fixtures(campaign).filter(round=round), campaign=int, round=int)


def round_sheet(row: Round, matches: Sequence[Match], reader: Any) -> RoundSheet:
    """A round with these matches."""
    return RoundSheet(
        number=row.number,
        state=row.state,
        state_name=str(row.get_state_display()),
        opens_at=row.opens_at,
        deadline=row.deadline,
        closed_at=row.closed_at,
        fixtures=tuple(fixture_row(match, reader) for match in matches),
    )


def fixture_row(match: Match, reader: Any) -> FixtureRow:
    """One match as lists show it."""
    defender = match.defender
    return FixtureRow(
        key=match.key,
        number=match.number,
        attacker=_side(match.attacker, match.outcome == Outcome.ATTACKER, reader),
        defender=_side(defender, match.outcome == Outcome.DEFENDER, reader) if defender else None,
        scenario=match.scenario_name,
        ground=battle_rules(match.round.campaign.system).ground_name(match.terrain),
        territory=match.territory.name if match.territory else "",
        state=match.state,
        state_name=str(match.get_state_display()),
        outcome=match.outcome,
        outcome_name=str(match.get_outcome_display()),
        is_open=match.state in UNDECIDED,
        flag=match.flag,
        has_battle=match.battle_id is not None,
    )


def _side(enrolment: Any, has_won: bool, reader: Any) -> FixtureSide:
    company = enrolment.company
    return FixtureSide(
        enrolment=enrolment.pk,
        company=company.pk,
        name=company.name,
        colour=company.colour,
        player=str(company.owner),
        has_won=has_won,
        is_yours=bool(reader.is_authenticated and company.owner_id == reader.pk),
    )
