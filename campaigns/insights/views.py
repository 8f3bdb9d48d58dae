"""The page of a club's statistics, and the same tables for spreadsheets."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.insights import selectors as reads
from campaigns.insights.tables import table_csv_rows
from campaigns.models import Club
from campaigns.rows import club_or_404
from rosters.site.spreadsheets import csv_download


@require_GET
def club_insights(request: HttpRequest, slug: str) -> HttpResponse:
    """Show results by weapon, level, ground and AI style, luck, and matches beside their odds.

    With a player in the query string, only theirs.
    """
    club = club_or_404(request, slug)
    context = {"club": club, "role": policy.role_in(request.user, club), "page": _requested_insights(request, club)}
    return render(request, "campaigns/insights.html", context)


@require_GET
def club_insights_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the tables of that page as CSV."""
    club = club_or_404(request, slug)
    page = _requested_insights(request, club)
    return csv_download(table_csv_rows([page.odds, *page.tables]), f"{club.slug}-{page.system or 'insights'}.csv")


def _requested_insights(request: HttpRequest, club: Club) -> reads.Insights:
    return reads.club_insights(
        club, request.user, system=request.GET.get("system", ""), player=request.GET.get("player", "")
    )
