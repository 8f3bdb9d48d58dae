"""Pages of the balance: real matches of all clubs compared with their odds, also as a spreadsheet."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.balance.counting import residual_csv_rows
from campaigns.balance.selectors import BalancePage, balance_page
from rosters.site.spreadsheets import csv_download
from systems import ROSTERS


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
