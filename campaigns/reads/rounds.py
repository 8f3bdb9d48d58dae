"""Rounds and their fixtures as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from battles.systems import get_system
from campaigns.models import Campaign, Match, Outcome, Round, RoundState
from campaigns.policy import UNDECIDED

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
    is_open = Exists(Match.objects.filter(round=OuterRef("pk"), state__in=UNDECIDED))
    rows = campaign.rounds.annotate(has_open=is_open).order_by("-number")
    if not with_planned:
        rows = rows.exclude(state=RoundState.PLANNED)
    found = list(rows)
    shown = {each.pk for at, each in enumerate(found) if at < SHOWN or each.has_open}
    by_round: dict[int, list[Match]] = {}
    for match in fixtures_of(campaign, round__in=shown):
        by_round.setdefault(match.round_id, []).append(match)
    sheets = [round_sheet(each, by_round.get(each.pk, []), reader) for each in found]
    return tuple(replace(sheet, is_folded=each.pk not in shown) for sheet, each in zip(sheets, found, strict=True))


def fixtures_of(campaign: Campaign, **where: Any) -> list[Match]:
    """Matches of a campaign with both sides, in playing order; one query."""
    rows = Match.objects.filter(round__campaign=campaign, **where).select_related(
        "attacker__company__owner", "defender__company__owner", "territory", "round__campaign"
    )
    rows = rows.defer("setup", "forces", "past")  # of each match more than all the rest of its row
    return list(rows.order_by("round__number", "number"))


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
        ground=get_system(match.round.campaign.system).ground_name(match.terrain),
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
