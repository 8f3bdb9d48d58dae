"""Win chance over time: the chances of a battle from roll to roll, as far as they are simulated."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from battles.models import Battle
from battles.selectors.curve import CurveView, curve_of
from battles.selectors.records import replayed
from battles.selectors.stage_curve import stage_curve
from battles.services.clearing import count_kept_until
from battles.services.curves import curve_ask, curve_refusal
from battles.view_helpers import asker_of, battle_or_404, flash_refusal
from battles.views.battle import render_curve
from rosters.services import RefusedError
from systems import roster_rules


@require_http_methods(["GET", "POST"])
@never_cache
def show_curve(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the curve of a battle; POST starts or continues its simulation."""
    row = battle_or_404(request, key)
    if request.method == "POST" and is_for_stage(request):
        return HttpResponse(render_curve(stage_curve(row, _ask_for_curve(request, row))))
    if request.method == "POST":
        with flash_refusal(request):
            curve_ask(battle=row, **asker_of(request))
            return redirect("battles:curve", key=key)
        return redirect("battles:battle", key=key)
    return render(request, "battles/curve.html", _curve_context(row))


@require_GET
@never_cache
def curve_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the curve so far, for the page to poll."""
    row = battle_or_404(request, key)
    if is_for_stage(request):
        return HttpResponse(render_curve(stage_curve(row)))
    return render(request, "battles/_curve.html", _curve_context(row))


def is_for_stage(request: HttpRequest) -> bool:
    """Return whether the request comes from under the scrubber of a replay, where the answer goes."""
    return bool(request.htmx) and request.htmx.target == "stage-curve"  # type: ignore[attr-defined]


def _ask_for_curve(request: HttpRequest, battle: Battle) -> str:
    """Start or continue the simulation of the curve; return the reason if it is refused."""
    try:
        curve_ask(battle=battle, **asker_of(request))
    except RefusedError as error:
        return error.reason
    return ""


def _curve_context(battle: Battle) -> dict[str, object]:
    row, told = curve_of(battle), replayed(battle)
    return {
        "battle": battle,
        "told": told,
        "refusal": curve_refusal(battle),
        "count": row,
        "curve": CurveView(row, told) if row and told else None,
        "kept_until": count_kept_until(row) if row else None,
        "rulebook": roster_rules(battle.system).rulebook,
    }
