"""The page of a club's hall of fame, for everybody who may see the club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.hall_of_fame import selectors as reads
from campaigns.hall_of_fame.medals import MEDALS
from campaigns.shortcuts import club_or_404


@require_GET
def club_hall_of_fame(request: HttpRequest, slug: str) -> HttpResponse:
    """Show heroes, records, fallen pilots, and each medal with its latest awards.

    All awards of the medal in the query string.
    """
    club = club_or_404(request, slug)
    history, asked = reads.club_match_history(club, request.user), request.GET.get("medal", "")
    context = {
        "club": club,
        "role": policy.role_in(request.user, club),
        "hall": reads.club_hall_of_fame(history),
        "fallen": reads.club_fallen(history, request.GET),
        "lines": reads.club_medals(history, whole=asked if asked in MEDALS else ""),
    }
    return render(request, "campaigns/hall_of_fame.html", context)


@require_GET
def club_medals(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the medals in the hall of fame."""
    return _redirect_to_part(request, slug, "medals")


@require_GET
def club_fallen(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the fallen pilots in the hall of fame."""
    return _redirect_to_part(request, slug, "fallen")


def _redirect_to_part(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    club_or_404(request, slug)
    return redirect(reverse("campaigns:club_hall_of_fame", args=[slug], query=request.GET, fragment=part))
