"""The best answer: which force for some points does best against the enemy of a forecast, asked for and shown."""

from collections.abc import Mapping
from typing import TypedDict
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.forms.best_answer import BestAnswerForm
from battles.models import BestAnswer, Forecast
from battles.odds.rivals import points_of_side
from battles.selectors.best_answer import best_answer_page, best_answer_readable, best_answers_of
from battles.selectors.odds import forecast_readable
from battles.services.best_answers import BEST_ANSWER_BATTLES, ENEMY, PUBLISHED_FORCES, best_answer_ask
from battles.services.clearing import count_kept_until
from battles.view_helpers import asker_of, count_or_404, flash_refusal, refusal_of
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.reading import spec_of, stored_setup


class _BestAnswerContext(TypedDict):
    forecast: Forecast
    form: BestAnswerForm
    asked: list[BestAnswer]
    battles: int
    forces: list[tuple[str, tuple[Mapping[str, object], ...]]]  # the name of each side, and the specs of its units


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_best_answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Choose the side and the points; POST starts the search."""
    row = count_or_404(forecast_readable(key))
    context = _best_answer_context(row, request.POST or None)
    form = context["form"]
    if request.method == "POST" and form.is_valid():
        try:
            found, _ = best_answer_ask(forecast=row, **form.cleaned_data, **asker_of(request))
            return redirect("battles:best-answer", key=found.key)
        except (RefusedError, DocumentError) as error:
            field, reason = refusal_of(error)
            form.add_error(field if field in form.fields else None, reason)
    return render(request, "battles/best_answer.html", context, status=422 if form.errors else 200)


@require_GET
@never_cache
def show_best_answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the forces so far, best first."""
    row = count_or_404(best_answer_readable(key))
    return render(request, "battles/best_answer.html", {**_best_answer_context(row.forecast), **_best_answer_answer(row)})


@require_GET
@never_cache
def best_answer_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the forces so far, for the page to poll."""
    return render(request, "battles/_best_answer.html", _best_answer_answer(count_or_404(best_answer_readable(key))))


@require_POST
def repeat_best_answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed search; by the current rules, if they have changed."""
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
    return redirect("battles:best-answer", key=row.key)


def _best_answer_answer(row: BestAnswer) -> dict[str, object]:
    return {"answer": row, "page": best_answer_page(row), "kept_until": count_kept_until(row)}


def _best_answer_context(row: Forecast, data: QueryDict | None = None) -> _BestAnswerContext:
    setup = stored_setup(row.setup)
    sides = [(side.name, points_of_side(setup, at)) for at, side in enumerate(setup.sides)]
    return {
        "forecast": row,
        "form": BestAnswerForm(data, sides=sides),
        "asked": best_answers_of(row.pk),
        "battles": BEST_ANSWER_BATTLES,
        "forces": [
            (side.name, tuple(spec for unit in side.units if (spec := spec_of(setup, unit.design))))
            for side in setup.sides
        ],
    }
