"""Rows for a page or an endpoint, or a 404 where there is none for this visitor; rights, or a 403."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from campaigns import policy
from campaigns.models import Campaign, Club, Match
from campaigns.results.report import SIDES
from rosters.site.compiled import Compiled

BESIDE_MATCHES = (
    "round__campaign__club",
    "attacker__company__owner",
    "defender__company__owner",
    "territory",
    "battle",
    "dice",
    "forecast",
    "tie",
    "handicap",
    "date",
)
CLUB = Compiled(lambda slug: Club.objects.filter(slug=slug), slug=str)
CAMPAIGN = Compiled(lambda pk: Campaign.objects.filter(pk=pk).select_related("club", "cup"), pk=int)
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


def own_side(request: HttpRequest, match: Match, *, done: Collection[int] = ()) -> int:
    """The side that the reader plays; 403 if he plays none.

    Who plays both says which (`side`), or acts for the one that is not `done`.
    """
    own, asked = policy.sides_of(request.user, match), request.POST.get("side") or request.GET.get("side")
    if asked:
        need(asked in SIDES and SIDES.index(asked) in own)
        return SIDES.index(asked)
    side = policy.side_of(request.user, match, done=done)
    need(side is not None)
    assert side is not None
    return side
