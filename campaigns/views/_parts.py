"""What the views of campaigns share: rows or a 404, rights or a 403."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from campaigns import policy
from campaigns.models import Campaign, Club, Match
from rosters.site.compiled import Compiled

BESIDE_MATCHES = (
    "round__campaign__club",
    "attacker__company__owner",
    "defender__company__owner",
    "territory",
    "battle",
    "dice",
    "forecast",
)
CLUB = Compiled(lambda slug: Club.objects.filter(slug=slug), slug=str)
CAMPAIGN = Compiled(lambda pk: Campaign.objects.filter(pk=pk).select_related("club"), pk=int)
MATCH = Compiled(lambda key: Match.objects.filter(key=key).select_related(*BESIDE_MATCHES), key=UUID)


def club_or_404(request: HttpRequest, slug: str) -> Club:
    """The club if the reader may see it."""
    club = CLUB.row(slug=slug)
    if club is None or not policy.can_see_club(request.user, club):
        raise Http404("No such club")
    return club


def campaign_or_404(request: HttpRequest, pk: int) -> Campaign:
    """The campaign, with its club, if the reader may see it."""
    campaign = CAMPAIGN.row(pk=pk)
    if campaign is None or not policy.can_see_campaign(request.user, campaign):
        raise Http404("No such campaign")
    return campaign


def match_or_404(request: HttpRequest, key: UUID) -> Match:
    """The match, with sides, round and campaign, if the reader may see it; pairings not yet open are the organisers'."""
    match = MATCH.row(key=key)
    if match is None or not policy.can_see_match(request.user, match):
        raise Http404("No such match")
    return match


def need(allowed: bool) -> None:
    """403 for who sees a thing but may not do that."""
    if not allowed:
        raise PermissionDenied
