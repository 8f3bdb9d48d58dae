"""The home page: what Muster is, a battle to try at once, and other players' latest battles."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from battles.choices import systems_offered
from battles.forms.setups import LETTERS
from battles.forms.trying import TryForm
from battles.published_forces import published_forces
from battles.selectors.home import latest_public, trial_companies
from battles.services.battles import battle_queue
from battles.services.forecasts import forecast_ask
from battles.services.setups import SideChoice, company_choices, force_side, setup_document
from battles.view_helpers import asker_of, system_of
from battles.views.battle import ODDS_RUNS
from rosters.models import Company
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError

MAX_UNITS = 6


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    system = system_of(request)
    return _home(request, TryForm(system=system, companies=trial_companies(system)))


@require_http_methods(["GET", "POST"])
def try_battle(request: HttpRequest) -> HttpResponse:
    """Show the page to try a battle on; POST simulates it or its odds (`do` = fight or odds)."""
    if request.method == "GET":
        return home(request)
    system = system_of(request)
    rules = battle_rules(system)
    form = TryForm(request.POST, system=system, companies=trial_companies(system))
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            sides = [_side(system, chosen[letter], chosen[f"{letter}_doctrine"]) for letter in LETTERS]
            if sides[0].name == sides[1].name:
                sides = [
                    replace(side, name=f"{side.name} ({mark})"[:60]) for side, mark in zip(sides, "AB", strict=True)
                ]
            terrain = chosen.get("terrain") or rules.match_terrains(rules.plain_scenario)[0]
            setup, forces = setup_document(system=system, terrain=terrain, sides=sides)
            if request.POST.get("do") == "odds":
                forecast, _ = forecast_ask(setup=setup, runs=ODDS_RUNS, **asker_of(request))
                return redirect("battles:forecast", key=forecast.key)
            battle = battle_queue(setup=setup, forces=forces, **asker_of(request))
            return redirect("battles:battle", key=battle.key)
        except (RefusedError, DocumentError) as error:
            form.add_error(None, error.reason)
    return _home(request, form, status=422)


def _home(request: HttpRequest, form: TryForm, status: int = 200) -> HttpResponse:
    rules, rosters = battle_rules(form.system), roster_rules(form.system)
    context = {
        "form": form,
        "latest": latest_public(),
        "systems": systems_offered(form.system),
        "system": rosters,
        "words": rules.words,
        "first_game": {"slug": rules.first_game, "name": rules.scenarios.get(rules.first_game, "")},
    }
    return render(request, "home.html", context, status=status)


def _side(system: str, value: str, doctrine: str) -> SideChoice:
    kind, _, ref = value.partition(":")
    if kind == "company":
        company = Company.objects.get(pk=int(ref))
        units = company_choices(company)[:MAX_UNITS]
        if not units:
            raise RefusedError("units", f"{company.name} has no unit that is ready to fight.")
        return SideChoice(name=company.name, doctrine=doctrine, units=units, company=company)
    return force_side(published_forces(system)[ref], doctrine)
