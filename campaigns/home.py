"""The first page: for a visitor, or the reader's own with their clubs, campaigns and next match.

Each part is one query, however many clubs, matches and companies the player has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from battles.selectors.battle import MIN_BATTLES_FOR_LUCK
from battles.views.home import home as strangers
from campaigns.models import (
    ActivityLogEntry,
    Campaign,
    CampaignState,
    Enrolment,
    EnrolmentState,
    Gazette,
    Match,
    MatchState,
    Membership,
    Role,
    RoundState,
)
from rosters.database.queries import PreparedQuery, columns
from rosters.galleries import CompanyRow, list_newest_companies
from rosters.models import Player, player_display_name
from systems import battle_rules, roster_rules
from systems.text import pluralize

MATCHES_SHOWN, COMPANIES_SHOWN, GAZETTES_SHOWN, HAPPENED_SHOWN, CAMPAIGNS_SHOWN = 4, 6, 2, 8, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """One side of a match of the reader's."""

    name: str
    emblem: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMatch:
    """An undecided match that the reader plays; the odds give their own side first."""

    key: UUID
    own: Opponent
    other: Opponent
    attacks: bool
    is_reported: bool
    campaign: int
    campaign_name: str
    round: int
    scenario: str
    ground: str
    territory: str
    deadline: datetime | None
    chances: tuple[float, float, float] | None  # win, draw, loss; None: no odds are published

    @property
    def countdown(self) -> str:
        """The time left, in its two largest units of days, hours and minutes."""
        return "" if self.deadline is None else format_time_left(self.deadline - timezone.now())

    @property
    def is_late(self) -> bool:
        return self.deadline is not None and self.deadline <= timezone.now()


@dataclass(frozen=True, slots=True)
class LatestGazette:
    """The headline and lead of a campaign's newest gazette."""

    campaign: int
    campaign_name: str
    club: str
    round: int
    at: datetime
    headline: str
    lead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRow:
    """Something that somebody else did in one of the reader's campaigns, or for organisers in the club."""

    at: datetime
    text: str
    by: str
    where: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCampaign:
    """A campaign that is mustering or running in one of the reader's clubs."""

    id: int
    name: str
    club: str
    system: str
    state: str
    state_name: str
    is_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """Everything on a player's home page except what is waiting for them."""

    matches: tuple[NextMatch, ...]  # the next one first
    companies: tuple[CompanyRow, ...]
    has_more_companies: bool
    gazettes: tuple[LatestGazette, ...]
    campaigns: tuple[OwnCampaign, ...]
    happened: tuple[ActivityRow, ...]
    since: datetime
    since_visit: bool  # whether the player has been here before


def home_page(player: Player, since: datetime, *, since_visit: bool = True) -> HomePage:
    """Return the player's home page, with what happened from `since` on."""
    companies = list_newest_companies(player, most=COMPANIES_SHOWN + 1)
    return HomePage(
        matches=tuple(_match(row, player.pk) for row in MATCHES.rows(player=player.pk)),
        companies=companies[:COMPANIES_SHOWN],
        has_more_companies=len(companies) > COMPANIES_SHOWN,
        gazettes=tuple(GAZETTES.rows(player=player.pk)),
        campaigns=tuple(CAMPAIGNS.rows(player=player.pk)),
        happened=tuple(HAPPENED.rows(player=player.pk, since=since)),
        since=since,
        since_visit=since_visit,
    )


def format_time_left(left: timedelta) -> str:
    """Format a time left, such as "3 days and 4 hours"; empty once it has passed."""
    minutes = int(left.total_seconds() // 60)
    if minutes < 0:
        return ""
    parts = [(minutes // 1440, "days"), (minutes // 60 % 24, "hours"), (minutes % 60, "minutes")]
    first = next((at for at, (number, _) in enumerate(parts) if number), 2)
    units = [pluralize(number, word) for number, word in parts[first : first + 2] if number]
    return " and ".join(units) or "less than a minute"


class _Row(NamedTuple):
    """The columns read of a match, its round, its campaign and its odds."""

    key: UUID
    state: str
    scenario: str
    terrain: str
    territory: str | None
    round: int
    deadline: datetime | None
    campaign: int
    campaign_name: str
    system: str
    owner: int
    other_owner: int
    name: str
    emblem: str
    player: str
    other_name: str
    other_emblem: str
    other_player: str
    counts: Mapping[str, Mapping[str, int]] | None
    runs: int | None


def _matches(player: int) -> QuerySet[Match, object]:
    own = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    rows = Match.objects.filter(
        own,
        state__in=MatchState.undecided(),
        defender__isnull=False,
        round__state=RoundState.OPEN,
        round__campaign__state=CampaignState.RUNNING,
    )
    rows = rows.annotate(
        attacker_player=player_display_name("attacker__company__owner"),
        defender_player=player_display_name("defender__company__owner"),
    )
    return rows.order_by(F("round__deadline").asc(nulls_last=True), "pk").values_list(
        *columns(
            _Row,
            scenario="scenario_name",
            territory="territory__name",
            round="round__number",
            deadline="round__deadline",
            campaign="round__campaign",
            campaign_name="round__campaign__name",
            system="round__campaign__system",
            owner="attacker__company__owner",
            other_owner="defender__company__owner",
            name="attacker__company__name",
            emblem="attacker__company__emblem",
            player="attacker_player",
            other_name="defender__company__name",
            other_emblem="defender__company__emblem",
            other_player="defender_player",
            counts="forecast__counts",
            runs="forecast__runs_done",
        )
    )[:MATCHES_SHOWN]


def _match(row: _Row, player: int) -> NextMatch:
    sides = (
        Opponent(name=row.name, emblem=row.emblem, player=row.player),
        Opponent(name=row.other_name, emblem=row.other_emblem, player=row.other_player),
    )
    attacks = row.owner == player
    return NextMatch(
        key=row.key,
        own=sides[not attacks],
        other=sides[attacks],
        attacks=attacks,
        is_reported=row.state != "scheduled",
        campaign=row.campaign,
        campaign_name=row.campaign_name,
        round=row.round,
        scenario=row.scenario,
        ground=battle_rules(row.system).ground_name(row.terrain),
        territory=row.territory or "",
        deadline=row.deadline,
        chances=_chances(row, attacks=attacks),
    )


def _chances(row: _Row, *, attacks: bool) -> tuple[float, float, float] | None:
    if not row.counts or not row.runs or row.runs < MIN_BATTLES_FOR_LUCK:
        return None
    battle = row.counts["battle"]
    won, lost = battle["attacker_wins"] / row.runs, battle["defender_wins"] / row.runs
    draws = (row.runs - battle["attacker_wins"] - battle["defender_wins"]) / row.runs
    return (won, draws, lost) if attacks else (lost, draws, won)


def _of_clubs(player: int, path: str) -> Q:
    """Return the condition for rows in clubs the player is a member of; `path` leads from a row to its club."""
    mine = Membership.objects.filter(player=player, club=OuterRef(path))
    return Q(Exists(mine))


def _gazettes(player: int) -> QuerySet[Gazette, object]:
    later = Gazette.objects.filter(round__campaign=OuterRef("round__campaign"))
    later = later.filter(
        Q(round__number__gt=OuterRef("round__number"))
        | Q(round__number=OuterRef("round__number"), edition__gt=OuterRef("edition"))
    )
    rows = Gazette.objects.filter(_of_clubs(player, "round__campaign__club"), ~Exists(later))
    return rows.order_by("-published_at", "-pk").values_list(
        *columns(
            LatestGazette,
            at="published_at",
            campaign="round__campaign",
            campaign_name="round__campaign__name",
            club="round__campaign__club__name",
            round="round__number",
        )
    )[:GAZETTES_SHOWN]


def _campaigns(player: int) -> QuerySet[Campaign, object]:
    on = (CampaignState.MUSTERING, CampaignState.RUNNING)
    rows = Campaign.objects.filter(_of_clubs(player, "club"), state__in=on)
    mine = Enrolment.objects.filter(campaign=OuterRef("pk"), company__owner=player, state=EnrolmentState.ACCEPTED)
    rows = rows.annotate(is_in=Exists(mine))
    return rows.order_by("-is_in", "-pk").values_list(*columns(_campaign, club="club__name"))[:CAMPAIGNS_SHOWN]


def _campaign(pk: int, name: str, club: str, system: str, state: str, is_in: bool) -> OwnCampaign:
    return OwnCampaign(
        id=pk,
        name=name,
        club=club,
        system=roster_rules(system).name,
        state=state,
        state_name=str(CampaignState(state).label),
        is_in=is_in,
    )


def _happened(player: int, since: datetime) -> QuerySet[ActivityLogEntry, object]:
    runs = Membership.objects.filter(player=player, role=Role.ORGANISER, club=OuterRef("club"))
    drafts = Q(campaign__isnull=False, campaign__state="draft") | Q(match__isnull=False, match__round__state="planned")
    by_others = Q(created_by__isnull=True) | ~Q(created_by=player)
    rows = ActivityLogEntry.objects.filter(_of_clubs(player, "club"), by_others, created_at__gt=since)
    rows = rows.filter(Q(campaign__isnull=False) & ~drafts | Q(Exists(runs))).annotate(
        who=player_display_name("created_by")
    )
    return rows.order_by("-pk").values_list(
        *columns(
            _happened_row,
            at="created_at",
            by="created_by",
            club="club__name",
            slug="club__slug",
            campaign_name="campaign__name",
            match="match__key",
        )
    )[:HAPPENED_SHOWN]


def _happened_row(
    at: datetime,
    text: str,
    who: str,
    by: int | None,
    club: str,
    slug: str,
    campaign: int | None,
    campaign_name: str | None,
    match: UUID | None,
) -> ActivityRow:
    if match is not None:
        url = reverse("campaigns:match", args=[match])
    elif campaign is not None:
        url = reverse("campaigns:campaign", args=[campaign])
    else:
        url = reverse("campaigns:club", args=[slug])
    return ActivityRow(at=at, text=text, by=who if by else "", where=campaign_name or club, url=url)


MATCHES = PreparedQuery(_matches, _Row, player=int)
GAZETTES = PreparedQuery(_gazettes, LatestGazette, player=int)
CAMPAIGNS = PreparedQuery(_campaigns, _campaign, player=int)
HAPPENED = PreparedQuery(_happened, _happened_row, player=int, since=datetime)


VISITS_COOKIE = "seen"  # the cookie: player, time of this visit, time of the one before; in seconds
MIN_ABSENCE = timedelta(minutes=30)  # a shorter absence doesn't begin a new visit
DEFAULT_LOOK_BACK, MAX_LOOK_BACK = timedelta(days=7), timedelta(days=60)
COOKIE_MAX_AGE = timedelta(days=400)


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the player's home page; visitors, and anybody naming a game in the address, get the page to try a battle."""
    if not isinstance(request.user, Player) or "system" in request.GET:
        return strangers(request)
    now, before, is_first = _visits(request, request.user)
    page = home_page(request.user, before, since_visit=not is_first)
    response = render(request, "campaigns/home.html", {"page": page})
    _remember(response, request.user, now, before)
    return response


def _visits(request: HttpRequest, player: Player) -> tuple[datetime, datetime, bool]:
    """Return the times of this visit, which is now, and of the one before it, and whether this browser saw none before.

    A guest's first visit begins with nothing: organisers made the guest earlier. Nobody sees what was before their account.
    """
    now = timezone.now()
    cookie = [
        int(part) for part in request.COOKIES.get(VISITS_COOKIE, "").split(".") if part.isdecimal() and len(part) < 12
    ]
    if len(cookie) != 3 or cookie[0] != player.pk or not cookie[2] <= cookie[1] <= now.timestamp():
        return now, now if player.is_guest else max(now - DEFAULT_LOOK_BACK, player.date_joined), True
    last, before = (datetime.fromtimestamp(each, UTC) for each in cookie[1:])
    if now - last > MIN_ABSENCE:
        before = last
    return now, max(before, now - MAX_LOOK_BACK, player.date_joined), False


def _remember(response: HttpResponse, player: Player, now: datetime, before: datetime) -> None:
    value = f"{player.pk}.{int(now.timestamp())}.{int(before.timestamp())}"
    response.set_cookie(
        VISITS_COOKIE,
        value,
        max_age=COOKIE_MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
