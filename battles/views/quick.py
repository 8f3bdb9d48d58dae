"""The quick battle: choose two sides and a field, then fight it, count its odds, or log it from the table."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.choices import DEFAULT_SYSTEM
from battles.forms import BattleForms
from battles.models import Battle
from battles.selectors import battle_readable
from battles.services.battles import battle_queue
from battles.services.forecasts import forecast_ask
from battles.services.setups import SideForce, setup_document
from battles.views.parts import actor_of, asker_of, refusal_of, runs_asked, runs_choices
from rosters.documents import DocumentError
from rosters.services import RefusedError


def kept_battle(request: HttpRequest) -> Battle | None:
    """The battle whose set-up the form starts from: `?from=`, if the reader may see it."""
    try:
        key = UUID(request.POST.get("from") or request.GET.get("from") or "")
    except ValueError:
        return None
    return battle_readable(key, actor_of(request))


def chosen_setup(forms: BattleForms) -> tuple[dict[str, Any], tuple[SideForce | None, ...]]:
    """The set-up of valid forms, and the company forces in it."""
    return setup_document(system=DEFAULT_SYSTEM, terrain=forms.field.cleaned_data["terrain"], sides=forms.choices())


@require_http_methods(["GET", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """The form; POST with `do` = fight or odds."""
    actor, kept = actor_of(request), kept_battle(request)
    forms = BattleForms(request.POST if request.method == "POST" else None, player=actor, kept=kept, is_filled=True)
    if request.method == "POST" and forms.is_valid():
        try:
            setup, forces = chosen_setup(forms)
            seed = forms.field.cleaned_data["seed"]
            if request.POST.get("do") == "odds":
                runs, half_width = runs_asked(request)
                forecast, _ = forecast_ask(
                    setup=setup, runs=runs, seed=seed, half_width=half_width, **asker_of(request)
                )
                return redirect("battles:forecast", key=forecast.key)
            visibility = forms.field.cleaned_data["visibility"] or "public"
            battle = battle_queue(setup=setup, seed=seed, forces=forces, visibility=visibility, **asker_of(request))
            return redirect("battles:battle", key=battle.key)
        except (RefusedError, DocumentError) as error:
            forms.errors.append(refusal_of(error))
    context = {
        "forms": forms,
        "kept": kept,
        "runs": runs_choices(request),
        "errors": forms.all_errors() if request.method == "POST" else [],
    }
    return render(request, "battles/quick.html", context, status=422 if context["errors"] else 200)
