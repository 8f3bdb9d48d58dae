"""Pages of a club's statistics and of the balance of a game, also as spreadsheets."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.models import Club
from campaigns.shortcuts import club_or_404
from campaigns.statistics import ratings as statistics_ratings
from campaigns.statistics import selectors as reads
from campaigns.statistics.balance import BalancePage, balance_page, residual_csv_rows
from campaigns.statistics.glicko import START_RATING
from campaigns.statistics.tables import table_csv_rows
from rosters.site.spreadsheets import csv_download
from systems import ROSTERS


@require_GET
def club_statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show ratings, results by weapon, level, ground and AI style, luck, and matches beside their odds.

    With a game in the query string, only its; with a player, their rating with its history, and only their results and
    luck.
    """
    club = club_or_404(request, slug)
    role = policy.role_in(request.user, club)
    found = statistics_ratings.club_ratings(club.pk, request.GET.get("system", ""))
    page, rows = _requested_statistics(request, club), found.rows()
    systems = dict(found.systems) | dict(page.systems)
    rating = found.of(request.GET.get("player", ""), by_member=role is not None)
    players = {row.player: row.name for row in rows} | (dict(page.players) if page.has_enough else {})
    context = {
        "club": club,
        "role": role,
        "rating": rating,
        "player": rating.row.player if rating else page.player,
        "players": sorted(players.items(), key=lambda each: each[1].casefold()),
        "page": page,
        "rows": rows,
        "scale": statistics_ratings.rating_range(rows) if rows else None,
        "start": round(START_RATING),
        "systems": list(systems.items()),
        "system": found.system,
        "system_name": systems.get(found.system, ""),
    }
    return render(request, "campaigns/statistics.html", context)


@require_GET
def club_statistics_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the tables of that page as CSV."""
    club = club_or_404(request, slug)
    page = _requested_statistics(request, club)
    return csv_download(table_csv_rows([page.odds, *page.tables]), f"{club.slug}-{page.system or 'insights'}.csv")


def _requested_statistics(request: HttpRequest, club: Club) -> reads.StatisticsTables:
    return reads.club_statistics(
        club, request.user, system=request.GET.get("system", ""), player=request.GET.get("player", "")
    )


@require_GET
def balance(request: HttpRequest, system: str = "") -> HttpResponse:
    """Show residuals by side, scenario, design and weapon, and how accurate the odds were."""
    return render(request, "campaigns/balance.html", {"page": _page_or_404(system)})


@require_GET
def balance_csv(request: HttpRequest, system: str) -> HttpResponse:
    """Send the tables of that page as CSV."""
    page = _page_or_404(system)
    table = residual_csv_rows(page.odds, page.tables) if page.odds is not None else ()
    return csv_download(table, f"balance-{page.system}.csv")


def _page_or_404(system: str) -> BalancePage:
    if system and system not in ROSTERS:
        raise Http404("No such rule system")
    return balance_page(system)


@require_GET
def club_ratings(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the ratings among the statistics."""
    club_or_404(request, slug)
    return redirect(reverse("campaigns:club_statistics", args=[slug], query=request.GET, fragment="ratings"))


@require_GET
def player_rating(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """Redirect to the player's rating among the statistics."""
    club_or_404(request, slug)
    query = {**request.GET.dict(), "player": username}
    return redirect(reverse("campaigns:club_statistics", args=[slug], query=query, fragment="rating"))
