"""The page of all questions about odds, and the forms of the searches for the best force, change and build."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.choices import GroupedChoices
from battles.models import BestAnswer, BestBuild, BestChange, Forecast, Fork, WhatIf
from battles.odds.changes import MAX_CHANGES
from battles.odds.forks import fork_readable
from battles.odds.selectors import forecast_readable, what_if_readable
from battles.odds.views import fork_page, what_if_page
from battles.searches.builds import (
    ALL_PUBLISHED,
    MAX_BATTLES_PER_SEARCH,
    MAX_BUILD_POINTS,
    Opponent,
    best_build_again,
    best_build_ask,
    best_build_of_unit_ask,
    published_opponents,
    replaceable_units,
)
from battles.searches.forces import points_of_side
from battles.searches.selectors import (
    BestBuildPage,
    BestChangePage,
    best_answer_page,
    best_answer_readable,
    best_answers_of,
    best_build_readable,
    best_builds_of,
    best_change_readable,
    best_changes_of,
)
from battles.searches.services import (
    BEST_ANSWER_BATTLES,
    ENEMY,
    MAX_FORCE_POINTS,
    PUBLISHED_FORCES,
    best_answer_ask,
    best_change_again,
    best_change_ask,
)
from battles.services.retention import count_kept_until
from battles.view_helpers import asker_of, battle_or_404, count_or_404, flash_refusal, refusal_of
from rosters.designs.lab import Lab, lab_of
from rosters.designs.selectors import OWN_DESIGNS
from rosters.selectors import companies_to_buy_for
from rosters.services import RefusedError
from rosters.view_helpers import player
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.engine.dice import MAX_SEED
from systems.lab.random_builds import LockablePart, lockable_parts
from systems.reading import spec_of, stored_setup

Question = WhatIf | BestChange | BestAnswer | BestBuild | Fork


class ForceSearchForm(forms.Form):
    """The side to replace, the points, and the enemy."""

    side = forms.TypedChoiceField(label="Replace", coerce=int)
    points = forms.IntegerField(min_value=1, max_value=MAX_FORCE_POINTS)
    against = forms.ChoiceField(
        required=False,
        choices=((ENEMY, "current opponent"), (PUBLISHED_FORCES, "published forces")),
        help_text="Against published forces: the average over all of them.",
    )

    def __init__(self, data: Mapping[str, Any] | None, *, sides: Sequence[tuple[str, int]]) -> None:
        """Set up the fields. `sides`: name and cost of each."""
        super().__init__(data, initial={"side": 1, "points": sides[1][1], "against": ENEMY})
        choices = [(at, f"{name}, now {points} points") for at, (name, points) in enumerate(sides)]
        self.fields["side"].choices = choices  # type: ignore[attr-defined]

    def clean_against(self) -> str:
        """Default to the enemy in the set-up."""
        return str(self.cleaned_data["against"] or ENEMY)


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_best_answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the form for side and points; POST starts the search."""
    row = count_or_404(forecast_readable(key))
    form = _force_search_form(row, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            found, _ = best_answer_ask(forecast=row, **form.cleaned_data, **asker_of(request))
            return redirect("battles:explore", key=found.key)
        except (RefusedError, DocumentError) as error:
            field, reason = refusal_of(error)
            form.add_error(field if field in form.fields else None, reason)
    return render(request, "battles/explore.html", _best_answer_context(row, form), status=422 if form.errors else 200)


def _best_answer_page(request: HttpRequest, row: BestAnswer) -> HttpResponse:
    """Show the forces so far, best first."""
    context = {
        **_best_answer_context(row.forecast, _force_search_form(row.forecast)),
        **_best_answer_answer(row),
        "job": row,
    }
    return render(request, "battles/explore.html", context)


@require_GET
@never_cache
def best_answer_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the forces so far, for the page to poll."""
    return render(request, "battles/_best_answer.html", _best_answer_answer(count_or_404(best_answer_readable(key))))


@require_POST
def repeat_best_answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed search, by the current rules if they have changed."""
    row = count_or_404(best_answer_readable(key))
    with flash_refusal(request):
        row, _ = best_answer_ask(
            forecast=row.forecast,
            side=row.side,
            points=row.points,
            against=PUBLISHED_FORCES if row.foes else ENEMY,
            battles=row.runs_asked,
            seed=row.seed,
            **asker_of(request),
        )
    return redirect("battles:explore", key=row.key)


def _best_answer_answer(row: BestAnswer) -> dict[str, object]:
    return {"answer": row, "page": best_answer_page(row), "kept_until": count_kept_until(row)}


def _force_search_form(row: Forecast, data: QueryDict | None = None) -> ForceSearchForm:
    setup = stored_setup(row.setup)
    return ForceSearchForm(data, sides=[(side.name, points_of_side(setup, at)) for at, side in enumerate(setup.sides)])


def _best_answer_context(row: Forecast, form: ForceSearchForm) -> dict[str, object]:
    setup = stored_setup(row.setup)
    return _forecast_context(row, "best-list", "Best list") | {
        "form": form,
        "asked": best_answers_of(row.pk),
        "battles": BEST_ANSWER_BATTLES,
        "forces": [
            (side.name, tuple(spec for unit in side.units if (spec := spec_of(setup, unit.design))))
            for side in setup.sides
        ],
    }


def _forecast_context(row: Forecast, question: str, heading: str) -> dict[str, object]:
    """Return what the page needs for each question about odds."""
    return {
        "question": question,
        "heading": heading,
        "about": row.title,
        "system": row.system,
        "forecast": row,
    }


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_best_change(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the form for the side, 0 or 1; POST starts a search over every change for it."""
    row = count_or_404(forecast_readable(key))
    errors = []
    if request.method == "POST":
        side = {"0": 0, "1": 1}.get(request.POST.get("side", ""), -1)
        try:
            found, _ = best_change_ask(forecast=row, side=side, **asker_of(request))
            return redirect("battles:explore", key=found.key)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    context = _best_change_context(row) | {"errors": errors}
    return render(request, "battles/explore.html", context, status=422 if errors else 200)


def _best_change_page(request: HttpRequest, row: BestChange) -> HttpResponse:
    """Show the changes so far, best first."""
    context = _best_change_context(row.forecast) | _best_change_answer(row) | {"job": row}
    return render(request, "battles/explore.html", context)


def _best_change_context(row: Forecast) -> dict[str, object]:
    return _forecast_context(row, "best-change", "Best single change") | {
        "sides": [side["name"] for side in row.setup["sides"]],
        "most_changes": MAX_CHANGES,
        "asked": best_changes_of(row.pk),
    }


@require_GET
@never_cache
def best_change_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the changes so far, for the page to poll."""
    row = count_or_404(best_change_readable(key))
    return render(request, "battles/_best_change.html", {**_best_change_answer(row), "forecast": row.forecast})


@require_POST
def repeat_best_change(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed search, by the current rules if they have changed."""
    row = count_or_404(best_change_readable(key))
    with flash_refusal(request):
        row, _ = best_change_again(row=row, **asker_of(request))
    return redirect("battles:explore", key=row.key)


def _best_change_answer(row: BestChange) -> dict[str, object]:
    return {"answer": row, "page": BestChangePage(row), "kept_until": count_kept_until(row)}


class BestBuildQuestionForm(forms.Form):
    """The enemies, the points, and the parts of the build that must stay."""

    against = forms.ChoiceField(label="Against", choices=())
    points = forms.IntegerField(label="Max points", min_value=1, max_value=MAX_BUILD_POINTS)
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=MAX_SEED, help_text="The same seed gives the same result."
    )
    keep = forms.MultipleChoiceField(label="Keep", required=False, widget=forms.CheckboxSelectMultiple, choices=())

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        points: int,
        lockable: Sequence[LockablePart],
        against: GroupedChoices | None = None,
    ) -> None:
        """Set up the fields. Without `against` there is no choice of enemy: it is the one in the set-up."""
        super().__init__(data, initial={"points": points, "seed": 0}, prefix="best")
        keep = self.fields["keep"]
        assert isinstance(keep, forms.MultipleChoiceField)
        keep.choices = [(each.key, each.label) for each in lockable]
        if not against:
            del self.fields["against"]
            return
        field = self.fields["against"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = against


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_best_build(request: HttpRequest) -> HttpResponse:
    """Show the form for the build in the URL: enemies and points; POST starts the search."""
    lab = lab_of(request.POST if request.method == "POST" else request.GET)
    if lab.check is None or not lab.check.legal:
        return render(request, "battles/explore.html", _lab_context(lab))
    foes = _chosen_opponents(request, lab.system)
    choices: GroupedChoices = [(ALL_PUBLISHED, _describe_opponents(lab.system))]
    choices += [("Published", [(key, foe["name"]) for key, foe in foes.items() if not key.startswith("own:")])]
    own = [(key, foe["name"]) for key, foe in foes.items() if key.startswith("own:")]
    choices += [("Yours", own)] if own else []
    rules = roster_rules(lab.system)
    form = BestBuildQuestionForm(
        request.POST or None, points=lab.check.points, lockable=lockable_parts(rules, lab.editor), against=choices
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        answers = form.cleaned_data
        published = [foe for key, foe in foes.items() if not key.startswith("own:")]
        chosen = published if answers["against"] == ALL_PUBLISHED else [foes[answers["against"]]]
        try:
            found, _ = best_build_ask(
                system=lab.system, name=lab.name, spec=lab.spec, foes=chosen, points=answers["points"], kept=answers["keep"],
                seed=answers["seed"], **asker_of(request),
            )  # fmt: skip
            return redirect("battles:explore", key=found.key)
        except (RefusedError, DocumentError) as error:
            _add_refusal(form, error)
    context = {**_lab_context(lab), "form": form}
    return render(request, "battles/explore.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_unit_build(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the form for the unit in the URL, or the forecast's units to choose from; POST starts the search."""
    row = count_or_404(forecast_readable(key))
    setup = stored_setup(row.setup)
    places, names = replaceable_units(setup), battle_rules(setup.system).unit_names(setup)
    unit = request.GET.get("unit", "")
    context = _forecast_context(row, "best-build", "Best build") | {
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
        return render(request, "battles/explore.html", context)
    rules = roster_rules(row.system, setup.catalogue_release)
    spec = rules.parse_spec(places[unit][1])
    form = BestBuildQuestionForm(
        request.POST or None, points=rules.check_design(spec).points, lockable=lockable_parts(rules, rules.editor(spec))
    )
    if request.method == "POST" and form.is_valid():
        answers = form.cleaned_data
        try:
            found, _ = best_build_of_unit_ask(
                forecast=row, unit=unit, points=answers["points"], kept=answers["keep"], seed=answers["seed"],
                **asker_of(request),
            )  # fmt: skip
            return redirect("battles:explore", key=found.key)
        except (RefusedError, DocumentError) as error:
            _add_refusal(form, error)
    context |= {"heading": f"A better {names[unit]}", "form": form, "unit_name": names[unit], "spec": places[unit][1]}
    return render(request, "battles/explore.html", context, status=422 if form.errors else 200)


def _best_build_page(request: HttpRequest, row: BestBuild) -> HttpResponse:
    """Show the builds so far, best first."""
    context: dict[str, object] = {"question": "best-build", "system": row.system}
    if row.forecast:
        context = _forecast_context(row.forecast, "best-build", "Best build")
        context["asked"] = best_builds_of(row.forecast.pk)
    return render(request, "battles/explore.html", {**context, **_best_build_answer(request, row), "job": row})


@require_GET
@never_cache
def best_build_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the builds so far, for the page to poll."""
    return render(
        request, "battles/_best_build.html", _best_build_answer(request, count_or_404(best_build_readable(key)))
    )


@require_POST
def repeat_best_build(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed search, by the current rules if they have changed."""
    row = count_or_404(best_build_readable(key))
    with flash_refusal(request):
        row, _ = best_build_again(row=row, **asker_of(request))
    return redirect("battles:explore", key=row.key)


def _lab_context(lab: Lab) -> dict[str, object]:
    return {
        "question": "best-build",
        "heading": f"A better {lab.name}" if lab.name else "Best build",
        "lab": lab,
        "system": lab.system,
        "spec": lab.spec,
        "unit_name": lab.name,
        "battles": MAX_BATTLES_PER_SEARCH,
    }


def _describe_opponents(system: str) -> str:
    return f"all published {'designs' if battle_rules(system).duel else 'forces'}"


def _chosen_opponents(request: HttpRequest, system: str) -> Mapping[str, Opponent]:
    """Return the enemies to choose from, by key; with the reader's designs if units fight one on one."""
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


def _question_or_404(key: UUID) -> Question:
    kinds: tuple[Callable[[UUID], Question | None], ...] = (
        what_if_readable,
        best_change_readable,
        best_answer_readable,
        best_build_readable,
        fork_readable,
    )
    for readable in kinds:
        if row := readable(key):
            return row
    return count_or_404(None)


@require_GET
@never_cache
def show_explore(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a question about odds, of any kind, with what is known of its answer so far."""
    row = _question_or_404(key)
    if isinstance(row, WhatIf):
        return what_if_page(request, row.forecast, row)
    if isinstance(row, BestChange):
        return _best_change_page(request, row)
    if isinstance(row, BestAnswer):
        return _best_answer_page(request, row)
    if isinstance(row, BestBuild):
        return _best_build_page(request, row)
    return fork_page(request, row)


@require_GET
def explore_moved(request: HttpRequest, key: UUID) -> HttpResponse:
    """Redirect from the address that each kind of question had."""
    row = _question_or_404(key)
    if isinstance(row, Fork):
        battle_or_404(request, row.battle.key)
    return redirect("battles:explore", key=key)
