"""Pages of matchups: the matrix, and trials of a build from the lab."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.choices import doctrine_choices, systems_offered, terrain_choices
from battles.models import Matrix
from battles.odds.matrices import (
    CELL_BATTLES,
    designs_of,
    matrices_done,
    matrix_ask,
    matrix_page,
    matrix_published,
    matrix_readable,
    trial_ask,
    trial_page,
    trial_readable,
)
from battles.services.retention import count_kept_until
from battles.view_helpers import asker_of, count_or_404, flash_refusal, refusal_of, system_of
from rosters.designs.lab import lab_of
from rosters.services import RefusedError
from systems import BATTLES, battle_rules, roster_rules
from systems.documents import DocumentError


@require_http_methods(["GET", "POST"])
def ask_for_matrix(request: HttpRequest) -> HttpResponse:
    """Show the published matrix and the form for another one; POST asks for it."""
    errors = []
    system = _system(request)
    if request.method == "POST":
        doctrines = (request.POST.get("a", ""), request.POST.get("b", ""))
        try:
            row, _ = matrix_ask(
                system=system_of(request),
                terrain=request.POST.get("terrain", ""),
                doctrines=doctrines,
                **asker_of(request),
            )
            return redirect("battles:matrix", key=row.key)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    context = _matchups(system, matrix_published(system)) | {"errors": errors}
    return render(request, "battles/matchups.html", context, status=422 if errors else 200)


@require_GET
@never_cache
def show_matrix(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show that matrix, while it is calculated too, and the form for another one."""
    row = count_or_404(matrix_readable(key))
    context = _matchups(row.system, row) | {"job": row, "kept_until": count_kept_until(row)}
    return render(request, "battles/matchups.html", context)


@require_GET
@never_cache
def matrix_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the cells so far, for the page to poll."""
    row = count_or_404(matrix_readable(key))
    context = {"matrix": row, "page": matrix_page(row), "kept_until": count_kept_until(row)}
    return render(request, "battles/_matrix.html", context)


@require_POST
def repeat_matrix(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed matrix, by the current rules if they have changed."""
    row = count_or_404(matrix_readable(key))
    with flash_refusal(request):
        row, _ = matrix_ask(
            system=row.system,
            terrain=row.terrain,
            doctrines=(row.doctrines[0], row.doctrines[1]),
            battles=row.battles,
            seed=row.seed,
            **asker_of(request),
        )
    return redirect("battles:matrix", key=row.key)


def _system(request: HttpRequest) -> str:
    """Return the requested system, or the first one with a matrix."""
    system = system_of(request)
    if battle_rules(system).duel:
        return system
    found = next((slug for slug, rules in BATTLES.items() if rules.duel), None)
    if found is None:
        raise Http404("No game has matchups")
    return found


def _matchups(system: str, row: Matrix | None) -> dict[str, object]:
    """Return the matrix, the form's choices, their current values, and other results."""
    rules, rosters = battle_rules(system), roster_rules(system)
    terrains = terrain_choices(system, rules.duel)
    first = next(iter(rules.doctrines))
    return {
        "matrix": row,
        "page": matrix_page(row) if row else None,
        "done": [each for each in matrices_done(system) if each != row],
        "systems": systems_offered(system, lambda each: each.duel),
        "system": rosters,
        "words": rules.words,
        "terrains": terrains,
        "doctrines": doctrine_choices(system),
        "chosen": {
            "terrain": row.terrain if row else terrains[0][0] if terrains else "",
            "a": row.doctrines[0] if row else first,
            "b": row.doctrines[1] if row else first,
        },
        "designs": len(designs_of(system)),
        "battles": row.battles if row else CELL_BATTLES,
    }


@require_POST
def ask_for_trial(request: HttpRequest) -> HttpResponse:
    """Start a trial of the build in the lab's form, a smaller one if the lab itself asks.

    A refusal redirects to the lab.
    """
    lab = lab_of(request.POST)
    is_glance = bool(request.POST.get("glance"))
    try:
        if lab.refusal:
            raise RefusedError("build", lab.refusal)
        row, _ = trial_ask(system=lab.system, name=lab.name, spec=lab.spec, is_glance=is_glance, **asker_of(request))
    except (RefusedError, DocumentError) as error:
        messages.error(request, refusal_of(error)[1])
        return redirect(f"{reverse('rosters:lab')}?{lab.query}")
    return redirect("battles:trial", key=row.key)


@require_GET
@never_cache
def show_trial(request: HttpRequest, key: UUID) -> HttpResponse:
    return render(request, "battles/matchups.html", _trial_answer(count_or_404(trial_readable(key))))


@require_GET
@never_cache
def trial_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the cells so far, for the page to poll."""
    return render(request, "battles/_trial.html", _trial_answer(count_or_404(trial_readable(key))))


@require_POST
def repeat_trial(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed trial, by the current rules if they have changed."""
    row = count_or_404(trial_readable(key))
    build = row.counts["build"]
    with flash_refusal(request):
        row, _ = trial_ask(
            system=row.system,
            name=build["name"],
            spec=build["spec"],
            battles=row.battles,
            is_glance=row.is_glance,
            **asker_of(request),
        )
    return redirect("battles:trial", key=row.key)


def _trial_answer(row: Matrix) -> dict[str, object]:
    return {
        "trial": row,
        "job": row,
        "page": trial_page(row),
        "system": roster_rules(row.system),
        "words": battle_rules(row.system).words,
        "kept_until": count_kept_until(row),
    }
