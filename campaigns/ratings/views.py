"""Pages of ratings, for everybody who may see the club: all players, and one player's history."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.ratings import selectors as reads
from campaigns.ratings.rule import START_RATING
from campaigns.rows import club_or_404


@require_GET
def club_ratings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all ratings: in the game that the address names, else over all."""
    club = club_or_404(request, slug)
    found = reads.club_ratings(club.pk, request.GET.get("system", ""))
    rows = found.rows()
    context = {
        "club": club,
        "role": policy.role_in(request.user, club),
        "rows": rows,
        "scale": reads.rating_range(rows) if rows else None,
        "start": round(START_RATING),
        "systems": found.systems,
        "system": found.system,
    }
    return render(request, "campaigns/ratings.html", context)


@require_GET
def player_rating(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """Show one player's rating with its history."""
    club = club_or_404(request, slug)
    role = policy.role_in(request.user, club)
    found = reads.club_ratings(club.pk, request.GET.get("system", ""))
    page = found.of(username, by_member=role is not None)
    if page is None:
        raise Http404("No such rating")
    context = {"club": club, "role": role, "page": page, "systems": found.systems, "system": found.system}
    return render(request, "campaigns/rating.html", context)
