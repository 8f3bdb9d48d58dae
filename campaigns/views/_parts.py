"""What the views of campaigns share: rows or a 404, rights or a 403."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from campaigns import policy
from campaigns.models import Campaign, Club, Match


def club_or_404(request: HttpRequest, slug: str) -> Club:
    """The club if the reader may see it."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not policy.can_see_club(request.user, club):
        raise Http404("No such club")
    return club


def campaign_or_404(request: HttpRequest, pk: int) -> Campaign:
    """The campaign, with its club, if the reader may see it."""
    campaign = Campaign.objects.select_related("club").filter(pk=pk).first()
    if campaign is None or not policy.can_see_campaign(request.user, campaign):
        raise Http404("No such campaign")
    return campaign


def match_or_404(request: HttpRequest, key: UUID) -> Match:
    """The match, with sides, round and campaign, if the reader may see it; pairings not yet open are the organisers'."""
    rows = Match.objects.select_related(
        "round__campaign__club",
        "attacker__company__owner",
        "defender__company__owner",
        "territory",
        "battle",
        "dice",
        "forecast",
    )
    match = rows.filter(key=key).first()
    if match is None or not policy.can_see_match(request.user, match):
        raise Http404("No such match")
    return match


def need(allowed: bool) -> None:
    """403 for who sees a thing but may not do that."""
    if not allowed:
        raise PermissionDenied
