"""The change that helps most: asked for beside a forecast, its progress, its answer."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from battles.changes.selectors import BestChangePage, best_change_readable
from battles.changes.services import best_change_again, best_change_ask
from battles.models import BestChange
from battles.selectors.odds import forecast_readable
from battles.services.clearing import count_kept_until
from battles.view_helpers import asker_of, count_or_404, flash_refusal


@require_POST
def ask_for_best_change(request: HttpRequest, key: UUID) -> HttpResponse:
    """Start trying every change for the side that is sent, 0 or 1."""
    row = count_or_404(forecast_readable(key))
    side = {"0": 0, "1": 1}.get(request.POST.get("side", ""), -1)
    with flash_refusal(request):
        found, _ = best_change_ask(forecast=row, side=side, **asker_of(request))
        return redirect("battles:best-change", key=found.key)
    return redirect("battles:what-if", key=row.key)


@require_GET
@never_cache
def show_best_change(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the changes so far, best first."""
    row = count_or_404(best_change_readable(key))
    return render(request, "battles/best_change.html", {**_best_change_answer(row), "forecast": row.forecast})


@require_GET
@never_cache
def best_change_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the changes so far, for the page to poll."""
    row = count_or_404(best_change_readable(key))
    return render(request, "battles/_best_change.html", {**_best_change_answer(row), "forecast": row.forecast})


@require_POST
def repeat_best_change(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a search that failed, by the current rules if they have changed."""
    row = count_or_404(best_change_readable(key))
    with flash_refusal(request):
        row, _ = best_change_again(row=row, **asker_of(request))
    return redirect("battles:best-change", key=row.key)


def _best_change_answer(row: BestChange) -> dict[str, object]:
    return {"answer": row, "page": BestChangePage(row), "kept_until": count_kept_until(row)}
