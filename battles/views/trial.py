"""A lab build against the published designs: ask for the trial, its progress, its table."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from battles.models import Matrix
from battles.selectors.matrix import trial_page, trial_readable
from battles.services.clearing import count_kept_until
from battles.services.matrices import trial_ask
from battles.view_helpers import asker_of, count_or_404, flash_refusal, refusal_of
from rosters.designs.lab import lab_of
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError


@require_POST
def ask_for_trial(request: HttpRequest) -> HttpResponse:
    """Start a trial of the build in the lab's form, a small one if the lab asks by itself.

    A refusal leads back to the lab.
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
    return render(request, "battles/trial.html", _trial_answer(count_or_404(trial_readable(key))))


@require_GET
@never_cache
def trial_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the cells so far, for the page to poll."""
    return render(request, "battles/_trial.html", _trial_answer(count_or_404(trial_readable(key))))


@require_POST
def repeat_trial(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed trial; by the current rules, if they have changed."""
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
        "page": trial_page(row),
        "system": roster_rules(row.system),
        "words": battle_rules(row.system).words,
        "kept_until": count_kept_until(row),
    }
