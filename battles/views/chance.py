"""Random forces for a scenario: a page that stores nothing and leads to the form of a battle."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from battles.chance import SIDE_LETTERS, RandomForcesForm, random_forces
from battles.choices import systems_offered
from battles.view_helpers import system_of
from rosters.scenarios.selectors import playable_scenarios, scenario_value
from systems import roster_rules


@require_GET
def random_forces_page(request: HttpRequest) -> HttpResponse:
    """Show the form for scenario, points and seed, and the draw. Ticked units stay in the next draw."""
    system = system_of(request)
    scenarios = playable_scenarios(request.user, system=system)
    data, wanted = request.GET if "f-seed" in request.GET else None, request.GET.get("f-scenario", "")
    form = RandomForcesForm(data, system=system, scenarios=scenarios, scenario=wanted)
    context: dict[str, object] = {
        "form": form,
        "system": roster_rules(system),
        "systems": systems_offered(system, lambda rules: bool(rules.forces)),
    }
    if form.is_valid():
        asked = form.cleaned_data
        scenario = scenario_value(asked["scenario"], request.user, system=system)
        kept = [request.GET.getlist(f"{letter}-keep") for letter in SIDE_LETTERS]
        context["sides"] = random_forces(system, scenario, points=asked["points"], seed=asked["seed"], kept=kept)
        context["scenario"] = asked["scenario"]
    return render(request, "battles/chance.html", context)
