"""Campaigns as pages show them: settings in words, companies, rounds, and the overview's top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from campaigns.enrolments.selectors import EnrolmentCheck, LedgerPosition, enrolment_checks
from campaigns.models import (
    Campaign,
    CampaignState,
    Enrolment,
    EnrolmentState,
    Match,
    MatchState,
    Round,
    RoundState,
    TerritoryMap,
)
from campaigns.planning.selectors import FixtureRow, contested_territories, open_fixture_rows
from campaigns.policy import TAKES_COMPANIES, Reader
from campaigns.standings.selectors import (
    DecidedMatch,
    Entrant,
    Form,
    form_of,
    rank_entrants,
    ranked_names,
    scored_matches,
    territories,
)
from campaigns.standings.table import TIE_BREAKERS
from campaigns.territories.drawing import MapDrawing, map_drawing
from campaigns.waiting_list import places_in_line
from rosters.database.queries import PreparedQuery, columns
from rosters.documents.origins import OriginRow, describe_origin
from rosters.models import Company, LedgerEntry, Player, Visibility, player_display_name
from systems import battle_rules

ORDER = tuple(CampaignState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One state in the life of a campaign."""

    slug: str
    name: str
    at: datetime | None
    is_past: bool
    is_now: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolmentRow:
    """A company in a campaign, with anything that keeps it from being battle-ready."""

    id: int
    company: int
    name: str
    colour: str
    emblem: str
    player: str
    state: str
    state_name: str
    doctrine: str  # its name
    orders: str  # its slug
    standing: Mapping[str, Mapping[str, object]] = field(
        hash=False
    )  # what comes before the AI style, see `campaigns.autoplay_orders`
    check: EnrolmentCheck
    is_excused: bool
    exception_reason: str
    is_own: bool
    decision: str
    visibility: str  # of the company
    origin: OriginRow | None = None  # where the company comes from, if it was not founded here
    waits: int | None = None  # its place on the waiting list; None: the campaign has room, or the company isn't asking

    @property
    def state_label(self) -> str:
        """Its state in words, or its place on the waiting list."""
        return self.state_name if self.waits is None else f"waiting list, number {self.waits}"

    @property
    def is_fit(self) -> bool:
        """Whether it is battle-ready: it has no problems, or is excused from them."""
        return not self.check.problems or self.is_excused

    @property
    def can_be_accepted(self) -> bool:
        """Whether an organiser could accept it now."""
        return self.state == EnrolmentState.ASKED and self.is_fit and self.waits is None

    @property
    def look(self) -> str:
        """The CSS class of its row."""
        if self.state not in EnrolmentState.in_play():
            return "is-lost"
        return "" if self.is_fit else "is-problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSummaryRow:
    """A round on the overview page."""

    number: int
    state: str
    state_name: str
    opens_at: datetime | None
    deadline: datetime | None
    matches: int
    decided: int


def steps_of(campaign: Campaign) -> tuple[Step, ...]:
    """Return the states of a campaign, from draft to finished."""
    at = ORDER.index(CampaignState(campaign.state))
    stamps = (campaign.created_at, campaign.mustering_at, campaign.running_at, campaign.finished_at)
    return tuple(
        Step(slug=state.value, name=str(state.label), at=stamp, is_past=place < at, is_now=place == at)
        for place, (state, stamp) in enumerate(zip(ORDER, stamps, strict=True))
    )


def next_state(campaign: Campaign) -> CampaignState | None:
    """Return the state after the current one; None if the campaign is finished."""
    at = ORDER.index(CampaignState(campaign.state))
    return ORDER[at + 1] if at + 1 < len(ORDER) else None


def enrolment_rows(campaign: Campaign, reader: Reader, pk: int | None = None) -> tuple[EnrolmentRow, ...]:
    """Return every company that has asked to take part, in the order of asking, or just one of them.

    One query once their companies have been checked, two more for one that is still asking.
    """
    if pk is None:
        asked = ENROLMENTS.rows(campaign=campaign.pk)
        waits = _in_line(asked, campaign.seats)
    else:
        asked = ENROLMENT.rows(campaign=campaign.pk, pk=pk)
        waits = places_in_line(campaign) if any(each.state == EnrolmentState.ASKED for each in asked) else {}
    checks = enrolment_checks([each.stand for each in asked], campaign)
    return tuple(
        replace(_row(each, checks[each.company], campaign, reader), waits=waits.get(each.id)) for each in asked
    )


def _in_line(asked: Sequence[EnrolmentRecord], seats: int) -> dict[int, int]:
    """Return the place on the waiting list of each enrolment that is asking, by ID."""
    if sum(each.state == EnrolmentState.ACCEPTED for each in asked) < seats:
        return {}
    asking = [each.id for each in asked if each.state == EnrolmentState.ASKED]
    return {pk: at for at, pk in enumerate(asking, start=1)}


class EnrolmentRecord(NamedTuple):
    """The columns read of an enrolment, its company and its player."""

    id: int
    state: str
    orders: dict[str, Any]
    exception_hash: str
    exception_reason: str
    decision: str
    company: int
    name: str
    colour: str
    emblem: str
    owner: int
    player: str
    release: str
    last_entry: int
    last_act: UUID
    visibility: str
    origin_kind: str | None
    origin_at: datetime | None
    origin_stood_at: datetime | None
    origin_claims: dict[str, Any] | None
    origin_by: str | None

    @property
    def origin(self) -> OriginRow | None:
        if self.origin_kind is None or self.origin_at is None:
            return None
        return describe_origin(
            kind=self.origin_kind,
            by=self.origin_by or "",
            at=self.origin_at,
            stood_at=self.origin_stood_at,
            claims=self.origin_claims or {},
        )

    @property
    def stand(self) -> LedgerPosition:
        return LedgerPosition(self.company, self.release, self.last_entry, self.last_act)


def _enrolments(campaign: int) -> QuerySet[Enrolment, object]:
    rows = Enrolment.objects.filter(campaign=campaign)
    entries = LedgerEntry.objects.filter(company=OuterRef("company")).order_by("-pk")
    rows = rows.annotate(
        player=player_display_name("company__owner"),
        origin_by=player_display_name("company__origin__imported_by"),
        last_entry=Subquery(entries.values("pk")[:1]),
        last_act=Subquery(entries.values("act")[:1]),
    )
    return rows.order_by("asked_at", "pk").values_list(
        *columns(
            EnrolmentRecord,
            id="pk",
            name="company__name",
            colour="company__colour",
            emblem="company__emblem",
            owner="company__owner",
            release="company__catalogue_release",
            visibility="company__visibility",
            origin_kind="company__origin__kind",
            origin_at="company__origin__imported_at",
            origin_stood_at="company__origin__stood_at",
            origin_claims="company__origin__claims",
        )
    )


ENROLMENTS = PreparedQuery(_enrolments, EnrolmentRecord, campaign=int)
ENROLMENT = PreparedQuery(
    lambda campaign, pk: _enrolments(campaign).filter(pk=pk), EnrolmentRecord, campaign=int, pk=int
)


def _row(asked: EnrolmentRecord, check: EnrolmentCheck, campaign: Campaign, reader: Reader) -> EnrolmentRow:
    orders = asked.orders.get("doctrine", "")
    return EnrolmentRow(
        id=asked.id,
        company=asked.company,
        name=asked.name,
        colour=asked.colour,
        emblem=asked.emblem,
        player=asked.player,
        state=asked.state,
        state_name=str(EnrolmentState(asked.state).label),
        doctrine=battle_rules(campaign.system).doctrines.get(orders, ""),
        orders=orders,
        standing=asked.orders.get("standing", {}),
        check=check,
        is_excused=bool(check.problems) and asked.exception_hash == check.hash,
        exception_reason=asked.exception_reason,
        is_own=isinstance(reader, Player) and asked.owner == reader.pk,
        decision=asked.decision,
        visibility=asked.visibility,
        origin=asked.origin,
    )


def enrollable_companies(campaign: Campaign, player: Reader) -> list[Company]:
    """Return the player's companies that could ask to enrol now."""
    if not isinstance(player, Player) or campaign.state not in TAKES_COMPANIES:
        return []
    return FREE_COMPANIES.rows(player=player.pk, system=campaign.system)


def _free_companies(player: int, system: str) -> QuerySet[Company]:
    taken = Enrolment.objects.filter(company__owner=player, state__in=EnrolmentState.in_play()).exclude(
        campaign__state=CampaignState.FINISHED
    )
    own = Company.objects.filter(owner=player, system=system, disbanded_at=None)
    return own.exclude(pk__in=taken.values("company")).order_by("name")


FREE_COMPANIES = PreparedQuery(_free_companies, player=int, system=str)


def round_lines(campaign: Campaign, *, with_planned: bool) -> tuple[RoundSummaryRow, ...]:
    """Return the rounds, newest first; planned ones only for organisers."""
    matches = {pk: numbers for pk, *numbers in MATCHES.rows(campaign=campaign.pk)}
    return tuple(
        RoundSummaryRow(
            number=each.number,
            state=each.state,
            state_name=str(each.get_state_display()),
            opens_at=each.opens_at,
            deadline=each.deadline,
            matches=matches.get(each.pk, NONE)[0],
            decided=matches.get(each.pk, NONE)[1],
        )
        for each in ROUNDS.rows(campaign=campaign.pk)
        if with_planned or each.state != RoundState.PLANNED
    )


ROUNDS = PreparedQuery(lambda campaign: Round.objects.filter(campaign=campaign).order_by("-number"), campaign=int)
NONE = (0, 0)  # matches, and how many of them are decided
MATCHES = PreparedQuery(
    lambda campaign: (
        Match.objects.filter(round__campaign=campaign)
        .order_by()
        .values("round")
        .annotate(matches=Count("*"), decided=Count("pk", filter=~Q(state__in=MatchState.undecided())))
        .values_list("round", "matches", "decided")
    ),
    campaign=int,
)


def tie_breaker_names(campaign: Campaign) -> tuple[str, ...]:
    """Return the names of the tie-breakers, in the organiser's order."""
    return tuple(TIE_BREAKERS[slug] for slug in campaign.tie_breakers)


TABLE_SHOWN, FIXTURES_SHOWN = 8, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderRow:
    """A company in the table."""

    place: int
    moved: int  # places gained (positive) or lost since the round before
    company: int
    name: str
    colour: str
    emblem: str
    player: str
    points: int
    form: tuple[Form, ...]  # newest last
    is_open: bool  # whether its page is public


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage:
    """The top of the overview page."""

    table: tuple[LeaderRow, ...]
    companies: int  # in the whole table
    fixtures: tuple[FixtureRow, ...]  # of the open rounds
    more_fixtures: int
    drawing: MapDrawing | None
    contested: Mapping[str, FixtureRow]  # by the name of the territory that an open match is played for

    @property
    def contested_names(self) -> tuple[str, ...]:
        return tuple(self.contested)

    @property
    def contests(self) -> tuple[tuple[str, FixtureRow], ...]:
        return tuple(self.contested.items())


def leading(campaign: Campaign, reader: Reader, asked: Sequence[EnrolmentRow]) -> OverviewPage:
    """Return the top of the overview; `asked` are all companies that ever asked to take part. Three queries."""
    enrolments = {each.id: _entrant(each) for each in asked}
    matches = scored_matches(campaign)
    fixtures = open_fixture_rows(campaign, reader)
    names = ranked_names(enrolments, matches)
    places = (
        territories(campaign, matches=matches, enrolments=enrolments) if campaign.map_kind != TerritoryMap.NONE else ()
    )
    return OverviewPage(
        table=_table(campaign, enrolments, names, matches),
        companies=len(names),
        fixtures=fixtures[:FIXTURES_SHOWN],
        more_fixtures=max(0, len(fixtures) - FIXTURES_SHOWN),
        drawing=map_drawing(campaign.map_kind, places) if places else None,
        contested=contested_territories(fixtures),
    )


def _entrant(row: EnrolmentRow) -> Entrant:
    return Entrant(
        id=row.id,
        state=row.state,
        company=row.company,
        name=row.name,
        colour=row.colour,
        emblem=row.emblem,
        player=row.player,
        visibility=row.visibility,
    )


def _table(
    campaign: Campaign, enrolments: Mapping[int, Entrant], names: Mapping[int, str], matches: Sequence[DecidedMatch]
) -> tuple[LeaderRow, ...]:
    """Return the top rows of the table."""
    rows, was = rank_entrants(campaign, names, matches)
    return tuple(
        LeaderRow(
            place=row.place,
            moved=was[row.entrant] - row.place if was else 0,
            company=enrolments[row.entrant].company,
            name=row.name,
            colour=enrolments[row.entrant].colour,
            emblem=enrolments[row.entrant].emblem,
            player=enrolments[row.entrant].player,
            points=row.points,
            form=form_of(row.entrant, matches),
            is_open=enrolments[row.entrant].visibility == Visibility.PUBLIC,
        )
        for row in rows[:TABLE_SHOWN]
    )
