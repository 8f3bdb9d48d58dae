"""Odds: their progress and their answer."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from battles.models import Forecast
from battles.selectors.odds import forecast_odds, forecast_readable
from battles.selectors.sides import sides_of, support_names
from battles.services.battles import battle_queue
from battles.services.clearing import count_kept_until
from battles.services.forecasts import forecast_ask, forecast_call_off
from battles.view_helpers import actor_of, asker_of, count_or_404, flash_refusal, runs_asked, runs_choices
from rosters.policy import asked_by
from systems import battle_rules, roster_rules
from systems.reading import describe_house_rules, stored_setup
from systems.simulation.odds import Odds


@require_GET
@never_cache
def show_forecast(request: HttpRequest, key: UUID) -> HttpResponse:
    row = count_or_404(forecast_readable(key))
    setup, odds = stored_setup(row.setup), forecast_odds(row)
    context = _forecast_context(request, row, odds) | {
        "sides": sides_of(setup),
        "place": battle_rules(setup.system).place_title(setup),
        "ground": battle_rules(setup.system).describe_ground(setup),
        "terms": battle_rules(setup.system).terms(setup.scenario),
        "house_rules": describe_house_rules(setup.system, setup.options),
        "supports": support_names(setup),
        "system": setup.system,
        "system_name": roster_rules(setup.system, setup.catalogue_release).name,
        "more_runs": _more_runs(request, row, odds),
    }
    return render(request, "battles/forecast.html", context)


@require_GET
@never_cache
def forecast_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the figures so far, for the page to poll until all battles are simulated."""
    row = count_or_404(forecast_readable(key))
    return render(request, "battles/_forecast.html", _forecast_context(request, row, forecast_odds(row)))


def _forecast_context(request: HttpRequest, row: Forecast, odds: Odds | None) -> dict[str, object]:
    visitor, system = asker_of(request)["visitor"], battle_rules(row.system)
    return {
        "forecast": row,
        "counted": f"{system.round_word(row.setup['scenario']).capitalize()}s",
        "repair_note": system.words.repair,
        "hits": system.hand.hits,
        "said": system.hand.fields,
        "odds": odds,
        "kept_until": count_kept_until(row),
        "may_call_off": not row.is_over and asked_by(row, actor_of(request), visitor),
    }


def _more_runs(request: HttpRequest, row: Forecast, odds: Odds | None) -> list[tuple[str, str]]:
    """Return larger numbers of battles, and narrower intervals, than this row was asked for."""
    more = []
    for value, label in runs_choices(request):
        if value[0] == "~":
            narrow = float(value[1:]) / 100
            wanted = narrow < (row.half_width or 1) and (odds is None or narrow < odds.half_width)
        else:
            wanted = int(value) > max(row.runs_asked, 10_000)
        if wanted:
            more.append((value, label))
    return more


@require_POST
def simulate_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Simulate one battle of the set-up, or more battles for the odds (`battles=`)."""
    row = count_or_404(forecast_readable(key))
    with flash_refusal(request):
        if request.POST.get("battles", ""):
            runs, half_width = runs_asked(request)
            more, _ = forecast_ask(
                setup=row.setup, runs=runs, seed=row.seed, half_width=half_width, **asker_of(request)
            )
            return redirect("battles:forecast", key=more.key)
        battle = battle_queue(setup=row.setup, visibility="link", **asker_of(request))
        return redirect("battles:battle", key=battle.key)
    return redirect("battles:forecast", key=key)


@require_POST
def repeat_forecast(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue odds that failed or were called off; by the current rules, if they have changed."""
    row = count_or_404(forecast_readable(key))
    with flash_refusal(request):
        row, _ = forecast_ask(
            setup=row.setup, runs=row.runs_asked, seed=row.seed, half_width=row.half_width, **asker_of(request)
        )
    return redirect("battles:forecast", key=row.key)


@require_POST
def call_off_forecast(request: HttpRequest, key: UUID) -> HttpResponse:
    row = count_or_404(forecast_readable(key))
    with flash_refusal(request):
        forecast_call_off(forecast=row, **asker_of(request))
    return redirect("battles:forecast", key=key)
