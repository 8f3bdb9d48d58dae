"""Pages of a club's hall of fame, for everybody who may see the club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.hall_of_fame import selectors as reads
from campaigns.hall_of_fame.medals import MEDALS
from campaigns.shortcuts import club_or_404


@require_GET
def club_hall_of_fame(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hall of fame with the record book."""
    club = club_or_404(request, slug)
    hall = reads.club_hall_of_fame(reads.club_match_history(club, request.user))
    context = {"club": club, "role": policy.role_in(request.user, club), "hall": hall}
    return render(request, "campaigns/hall_of_fame.html", context)


@require_GET
def club_medals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every medal with its rule and latest awards; all awards of the medal in the query string."""
    club = club_or_404(request, slug)
    asked = request.GET.get("medal", "")
    whole = asked if asked in MEDALS else ""
    context = {
        "club": club,
        "role": policy.role_in(request.user, club),
        "lines": reads.club_medals(reads.club_match_history(club, request.user), whole=whole),
        "whole": whole,
    }
    return render(request, "campaigns/hall_of_fame_medals.html", context)


@require_GET
def club_fallen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the fallen pilots."""
    club = club_or_404(request, slug)
    context = {
        "club": club,
        "role": policy.role_in(request.user, club),
        "slice": reads.club_fallen(reads.club_match_history(club, request.user), request.GET),
    }
    return render(request, "campaigns/hall_of_fame_fallen.html", context)
