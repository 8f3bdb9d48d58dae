"""The best build: asked for from the lab or for a unit of a forecast, its progress, its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.builds.fights import ALL_PUBLISHED, Opponent, published_opponents, replaceable_units
from battles.builds.forms import BestBuildQuestionForm
from battles.builds.selectors import BestBuildPage, best_build_readable, best_builds_of
from battles.builds.services import MAX_BATTLES_PER_SEARCH, best_build_again, best_build_ask, best_build_of_unit_ask
from battles.choices import GroupedChoices
from battles.models import BestBuild
from battles.selectors.odds import forecast_readable
from battles.services.clearing import count_kept_until
from battles.view_helpers import asker_of, count_or_404, flash_refusal, refusal_of
from rosters.designs.lab import Lab, lab_of
from rosters.designs.selectors import OWN_DESIGNS
from rosters.selectors import companies_to_buy_for
from rosters.services import RefusedError
from rosters.view_helpers import player
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.lab.fill import lockable_parts
from systems.reading import stored_setup


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_best_build(request: HttpRequest) -> HttpResponse:
    """Show the form for the build in the lab's address: which enemies, how many points; on POST, start the search."""
    lab = lab_of(request.POST if request.method == "POST" else request.GET)
    if lab.check is None or not lab.check.legal:
        return render(request, "battles/best_build.html", _lab_context(lab))
    foes = _chosen_opponents(request, lab.system)
    choices: GroupedChoices = [(ALL_PUBLISHED, _describe_opponents(lab.system))]
    choices += [("Published", [(key, foe["name"]) for key, foe in foes.items() if not key.startswith("own:")])]
    own = [(key, foe["name"]) for key, foe in foes.items() if key.startswith("own:")]
    choices += [("Yours", own)] if own else []
    rules = roster_rules(lab.system)
    form = BestBuildQuestionForm(
        request.POST or None, points=lab.check.points, held=lockable_parts(rules, lab.bench), against=choices
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        published = [foe for key, foe in foes.items() if not key.startswith("own:")]
        chosen = published if said["against"] == ALL_PUBLISHED else [foes[said["against"]]]
        try:
            found, _ = best_build_ask(
                system=lab.system, name=lab.name, spec=lab.spec, foes=chosen, points=said["points"], kept=said["keep"],
                seed=said["seed"], **asker_of(request),
            )  # fmt: skip
            return redirect("battles:best-build", key=found.key)
        except (RefusedError, DocumentError) as error:
            _add_refusal(form, error)
    context = {**_lab_context(lab), "form": form}
    return render(request, "battles/best_build.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_unit_build(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the form for the unit in the address, or the forecast's units to choose from; on POST, start the search."""
    row = count_or_404(forecast_readable(key))
    setup = stored_setup(row.setup)
    places, names = replaceable_units(setup), battle_rules(setup.system).unit_names(setup)
    unit = request.GET.get("unit", "")
    context: dict[str, object] = {
        "forecast": row,
        "system": row.system,
        "battles": MAX_BATTLES_PER_SEARCH,
        "asked": best_builds_of(row.pk),
        "sides": [
            (side.name, [(each.key, names[each.key], places[each.key][1]) for each in side.units if each.key in places])
            for side in setup.sides
        ],
    }
    if unit and unit not in places:
        raise Http404
    if not unit:
        return render(request, "battles/best_build.html", context)
    rules = roster_rules(row.system, setup.catalogue_release)
    spec = rules.parse_spec(places[unit][1])
    form = BestBuildQuestionForm(
        request.POST or None, points=rules.check_design(spec).points, held=lockable_parts(rules, rules.bench(spec))
    )
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            found, _ = best_build_of_unit_ask(
                forecast=row, unit=unit, points=said["points"], kept=said["keep"], seed=said["seed"],
                **asker_of(request),
            )  # fmt: skip
            return redirect("battles:best-build", key=found.key)
        except (RefusedError, DocumentError) as error:
            _add_refusal(form, error)
    context |= {"form": form, "unit": unit, "unit_name": names[unit], "spec": places[unit][1]}
    return render(request, "battles/best_build.html", context, status=422 if form.errors else 200)


@require_GET
@never_cache
def show_best_build(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the builds so far, best first."""
    row = count_or_404(best_build_readable(key))
    context = {**_best_build_answer(request, row), "forecast": row.forecast, "system": row.system}
    return render(request, "battles/best_build.html", context)


@require_GET
@never_cache
def best_build_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the builds so far, for the page to poll."""
    return render(request, "battles/_best_build.html", _best_build_answer(request, count_or_404(best_build_readable(key))))


@require_POST
def repeat_best_build(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a search that failed, by the current rules if they have changed."""
    row = count_or_404(best_build_readable(key))
    with flash_refusal(request):
        row, _ = best_build_again(row=row, **asker_of(request))
    return redirect("battles:best-build", key=row.key)


def _lab_context(lab: Lab) -> dict[str, object]:
    return {
        "lab": lab,
        "system": lab.system,
        "spec": lab.spec,
        "unit_name": lab.name,
        "battles": MAX_BATTLES_PER_SEARCH,
    }


def _describe_opponents(system: str) -> str:
    return f"all published {'designs' if battle_rules(system).duel else 'forces'}"


def _chosen_opponents(request: HttpRequest, system: str) -> Mapping[str, Opponent]:
    """Return the enemies the reader can choose, by key; with their own designs if units fight one against one."""
    found = {f"published:{slug}": foe for slug, foe in published_opponents(system).items()}
    if request.user.is_authenticated and battle_rules(system).duel:
        rules = roster_rules(system)
        for design in OWN_DESIGNS.rows(author=player(request).pk, system=system):
            if rules.check_design(rules.parse_spec(design.spec)).legal:
                found[f"own:{design.pk}"] = {"name": design.name, "design": dict(design.spec)}
    return found


def _add_refusal(form: BestBuildQuestionForm, error: RefusedError | DocumentError) -> None:
    field, reason = refusal_of(error)
    form.add_error(field if field in form.fields else None, reason)


def _best_build_answer(request: HttpRequest, row: BestBuild) -> dict[str, Any]:
    page = BestBuildPage(row)
    return {
        "answer": row,
        "page": page,
        "kept_until": count_kept_until(row),
        "buyers": companies_to_buy_for(request.user, row.system) if row.is_over and page.best else (),
    }
