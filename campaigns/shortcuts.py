"""Rows for a page or an endpoint, or a 404 if there is none for this visitor; permission checks with a 403."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from campaigns import policy
from campaigns.models import Campaign, Club, Match, Season, SeasonPairing, SeasonRound
from rosters.database.queries import PreparedQuery
from systems.scenarios import SIDES

MATCH_RELATED = (
    "round__campaign__club",
    "attacker__company__owner",
    "defender__company__owner",
    "territory",
    "battle",
    "dice",
    "forecast",
    "tie",
    "handicap",
    "watch_party",
    "season_pairing__round__season",
    "date",
)
CLUB = PreparedQuery(lambda slug: Club.objects.filter(slug=slug), slug=str)
CAMPAIGN = PreparedQuery(lambda pk: Campaign.objects.filter(pk=pk).select_related("club", "cup"), pk=int)
MATCH = PreparedQuery(lambda key: Match.objects.filter(key=key).select_related(*MATCH_RELATED), key=UUID)

SEASON = PreparedQuery(lambda pk: Season.objects.filter(pk=pk).select_related("club"), pk=int)
SEASON_PAIRING = PreparedQuery(
    lambda key: SeasonPairing.objects.filter(key=key).select_related(
        "round__season__club", "one__player", "two__player"
    ),
    key=UUID,
)


def club_or_404(request: HttpRequest, slug: str) -> Club:
    """Return the club if the reader may see it."""
    club = CLUB.row(slug=slug)
    if club is None or not policy.can_see_club(request.user, club):
        raise Http404("No such club")
    return club


def campaign_or_404(request: HttpRequest, pk: int) -> Campaign:
    """Return the campaign, with its club, if the reader may see it."""
    campaign = CAMPAIGN.row(pk=pk)
    if campaign is None or not policy.can_see_campaign(request.user, campaign):
        raise Http404("No such campaign")
    return campaign


def match_or_404(request: HttpRequest, key: UUID) -> Match:
    """Return the match, with sides, round and campaign, if the reader may see it; only organisers see planned ones."""
    match = MATCH.row(key=key)
    if match is None or not policy.can_see_match(request.user, match):
        raise Http404("No such match")
    return match


def season_or_404(request: HttpRequest, pk: int) -> Season:
    """Return the season, with its club, if the reader may see it."""
    season = SEASON.row(pk=pk)
    if season is None or not policy.can_see_season(request.user, season):
        raise Http404("No such season")
    return season


def season_round_or_404(request: HttpRequest, pk: int, number: int) -> SeasonRound:
    """Return the round of a season; only organisers see a planned one."""
    season = season_or_404(request, pk)
    row = season.rounds.filter(number=number).first()
    if row is None or (row.state == "planned" and not policy.can_run_club(request.user, season.club)):
        raise Http404("No such round")
    row.season = season
    return row


def season_pairing_or_404(request: HttpRequest, key: UUID) -> SeasonPairing:
    """Return the pairing of a season, with its round and sides, if the reader may see it."""
    row = SEASON_PAIRING.row(key=key)
    if row is None or not policy.can_see_season(request.user, row.round.season):
        raise Http404("No such pairing")
    if row.round.state == "planned" and not policy.can_run_club(request.user, row.round.season.club):
        raise Http404("No such pairing")
    return row


def require_permission(allowed: bool) -> None:
    """Raise PermissionDenied (403) unless allowed."""
    if not allowed:
        raise PermissionDenied


def own_side(request: HttpRequest, match: Match, *, done: Collection[int] = ()) -> int:
    """Return the side that the reader plays; 403 if they play none.

    A reader who plays both says which (`side`), or acts for the one that isn't `done`.
    """
    own, asked = policy.sides_of(request.user, match), request.POST.get("side") or request.GET.get("side")
    if asked:
        require_permission(asked in SIDES and SIDES.index(asked) in own)
        return SIDES.index(asked)
    side = policy.side_of(request.user, match, done=done)
    require_permission(side is not None)
    assert side is not None
    return side
