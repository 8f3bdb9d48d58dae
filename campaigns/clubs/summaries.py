"""Summaries of a club's campaigns and seasons for its page.

Each part is one query for all campaigns of the club.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber

from campaigns.models import (
    CampaignState,
    Club,
    Enrolment,
    EnrolmentState,
    Gazette,
    Role,
    Round,
    RoundState,
    Season,
    SeasonEntrant,
    SeasonState,
)
from rosters.database.queries import PreparedQuery, columns
from rosters.site.pagination import count_query
from systems import roster_rules

MAX_PAGE_CRESTS, MAX_LIST_CRESTS = 12, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Crest:
    """The name and emblem of a company in a campaign."""

    name: str
    emblem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRound:
    number: int
    deadline: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The headline of a campaign's newest gazette."""

    round: int
    at: datetime
    headline: str
    lead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The summaries by campaign id. Campaigns without anything to show are left out."""

    crests: Mapping[int, tuple[Crest, ...]]
    rounds: Mapping[int, OpenRound]  # the first open one
    headlines: Mapping[int, Headline]


def campaign_board(club: Club) -> Board:
    """Return the summaries of the club's current campaigns; three queries."""
    crests: dict[int, list[Crest]] = {}
    for campaign, name, emblem in CRESTS.rows(club=club.pk):
        crests.setdefault(campaign, []).append(Crest(name=name, emblem=emblem))
    rounds: dict[int, OpenRound] = {}
    for campaign, number, deadline in ROUNDS.rows(club=club.pk):
        rounds.setdefault(campaign, OpenRound(number=number, deadline=deadline))
    headlines = dict(HEADLINES.rows(club=club.pk))
    return Board(
        crests={campaign: tuple(found) for campaign, found in crests.items()}, rounds=rounds, headlines=headlines
    )


def crests_of(clubs: Iterable[str], *, public: bool) -> dict[str, tuple[Crest, ...]]:
    """Return the first few companies in current campaigns of each club, by slug. One query.

    With `public`, only of campaigns that everybody may see.
    """
    rows = Enrolment.objects.filter(campaign__club__slug__in=list(clubs), state=EnrolmentState.ACCEPTED)
    rows = rows.exclude(campaign__state=CampaignState.FINISHED)
    if public:
        rows = rows.filter(campaign__is_public=True)
    entry = Window(RowNumber(), partition_by=["campaign__club", "company"], order_by="pk")
    once = rows.annotate(entry=entry).filter(entry=1)
    numbered = Enrolment.objects.filter(pk__in=once.values("pk")).annotate(
        number=Window(RowNumber(), partition_by="campaign__club", order_by="pk")
    )
    found: dict[str, list[Crest]] = {}
    first_companies = numbered.filter(number__lte=MAX_LIST_CRESTS).order_by("pk")
    for slug, name, emblem in first_companies.values_list("campaign__club__slug", "company__name", "company__emblem"):
        found.setdefault(slug, []).append(Crest(name=name, emblem=emblem))
    return {slug: tuple(crests) for slug, crests in found.items()}


def _crests(club: int) -> QuerySet[Enrolment, tuple[int, str, str]]:
    rows = Enrolment.objects.filter(campaign__club=club, state=EnrolmentState.ACCEPTED)
    rows = rows.exclude(campaign__state=CampaignState.FINISHED).order_by("pk")
    return rows.values_list("campaign", "company__name", "company__emblem")


def _rounds(club: int) -> QuerySet[Round, tuple[int, int, datetime | None]]:
    rows = Round.objects.filter(campaign__club=club, state=RoundState.OPEN).order_by("campaign", "number")
    return rows.values_list("campaign", "number", "deadline")


def _headlines(club: int) -> QuerySet[Gazette, object]:
    of_it = Gazette.objects.filter(round__campaign=OuterRef("round__campaign"))
    newest = of_it.order_by("-round__number", "-edition").values("pk")[:1]
    rows = Gazette.objects.filter(round__campaign__club=club, pk=Subquery(newest))
    rows = rows.exclude(round__campaign__state=CampaignState.FINISHED)
    rows = rows.annotate(campaign=F("round__campaign"), number=F("round__number"))
    return rows.values_list(*columns(_headline, at="published_at"))


def _headline(campaign: int, number: int, at: datetime, headline: str, lead: str) -> tuple[int, Headline]:
    return campaign, Headline(round=number, at=at, headline=headline, lead=lead)


CRESTS = PreparedQuery(_crests, club=int)
ROUNDS = PreparedQuery(_rounds, club=int)
HEADLINES = PreparedQuery(_headlines, _headline, club=int)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonListRow:
    """A season in its club's list."""

    id: int
    name: str
    state: str
    state_name: str
    games: tuple[str, ...]
    players: int
    since: datetime


def seasons_of(club: Club, role: Role | None) -> tuple[SeasonListRow, ...]:
    """Return the seasons of a club that this role may see, newest first. One query."""
    found: dict[int, SeasonListRow] = {}
    rows = SEASON_LIST.rows(club=club.pk)
    hidden = {row.pk for row in rows if row.is_public is not None and not row.is_public and role is None}
    for row in rows:
        if row.pk in hidden:
            continue
        games = found[row.pk].games if row.pk in found else ()
        found[row.pk] = SeasonListRow(
            id=row.pk,
            name=row.name,
            state=row.state,
            state_name=str(SeasonState(row.state).label),
            games=(*games, roster_rules(row.system).name) if row.system else games,
            players=row.players,
            since=row.created_at,
        )
    return tuple(found.values())


class _Row(NamedTuple):
    """The columns read of a season, joined with one of its games, if it has any."""

    pk: int
    name: str
    state: str
    created_at: datetime
    system: str | None
    players: int
    is_public: bool | None


def _season_list(club: int) -> QuerySet[Season, object]:
    players = count_query(SeasonEntrant.objects.filter(season=OuterRef("pk"), is_in=True))
    rows = Season.objects.filter(club=club).annotate(players=Coalesce(Subquery(players), 0))
    return rows.order_by("-pk", "games__position").values_list(
        *columns(_Row, system="games__campaign__system", is_public="games__campaign__is_public")
    )


SEASON_LIST = PreparedQuery(_season_list, _Row, club=int)
