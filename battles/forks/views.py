"""Pages of forks: asked for beside a battle, its progress, its answer."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.forks.forms import ForkForm
from battles.forks.selectors import fork_row, fork_readable, forks_of, round_of_step, step_of_round
from battles.forks.services import FORK_BATTLES, describe_fork_refusal, fork_ask
from battles.models import Battle, Fork
from battles.selectors.records import replayed
from battles.services.clearing import count_kept_until
from battles.view_helpers import asker_of, battle_or_404, count_or_404, flash_refusal, refusal_of
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import stored_setup


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_fork(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the form for the round and AI styles; on POST, start the simulation."""
    row = battle_or_404(request, key)
    form = _fork_form(request, row)
    if form is not None and request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            fork, _ = fork_ask(
                battle=row,
                round=said["round"],
                doctrines=[said["a"], said["b"]],
                seed=said["seed"],
                **asker_of(request),
            )
            return redirect("battles:fork", key=fork.key)
        except (RefusedError, DocumentError) as error:
            field, reason = refusal_of(error)
            form.add_error(field if field in form.fields else None, reason.capitalize())
    status = 422 if form is not None and form.errors else 200
    return render(request, "battles/fork.html", _fork_context(row, form), status=status)


@require_GET
@never_cache
def show_fork(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the chances before and after."""
    fork, battle = _fork_or_404(request, key)
    return render(request, "battles/fork.html", {**_fork_context(battle, _fork_form(request, battle, fork)), **_fork_answer(fork)})


@require_GET
@never_cache
def fork_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the chances so far, for the page to poll."""
    fork, _battle = _fork_or_404(request, key)
    return render(request, "battles/_fork.html", _fork_answer(fork))


@require_POST
def repeat_fork(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a simulation that failed."""
    fork, battle = _fork_or_404(request, key)
    with flash_refusal(request):
        fork, _ = fork_ask(
            battle=battle,
            round=fork.round,
            doctrines=fork.doctrines,
            battles=fork.runs_asked,
            seed=fork.seed,
            **asker_of(request),
        )
    return redirect("battles:fork", key=fork.key)


def _fork_or_404(request: HttpRequest, key: UUID) -> tuple[Fork, Battle]:
    """Return the fork, for readers who may see its battle."""
    fork = count_or_404(fork_readable(key))
    return fork, battle_or_404(request, fork.battle.key)


def _fork_form(request: HttpRequest, battle: Battle, fork: Fork | None = None) -> ForkForm | None:
    """Return the form, at the round that the address gives by number or by a step of the drawing.

    None if the battle can't be forked.
    """
    told = replayed(battle)
    if told is None or describe_fork_refusal(battle):
        return None
    setup = stored_setup(battle.setup)
    rounds = [(view.number, view.title) for view in told.rounds if view.number]
    step, number = request.GET.get("step", ""), request.GET.get("round", "")
    start = fork.round if fork else rounds[0][0]
    if step.isdecimal() and len(step) < 6:
        start = round_of_step(told, int(step))
    elif number.isdecimal() and len(number) < 6:
        start = int(number)
    sides = [(side.name, side.doctrine) for side in setup.sides]
    initial: dict[str, object] = {"round": start}
    if fork:
        initial |= {"a": fork.doctrines[0], "b": fork.doctrines[1], "seed": fork.seed}
    return ForkForm(request.POST or None, system=battle.system, rounds=rounds, sides=sides, initial=initial)


def _fork_context(battle: Battle, form: ForkForm | None) -> dict[str, object]:
    setup, doctrines = stored_setup(battle.setup), battle_rules(battle.system).doctrines
    told = replayed(battle) if form else None
    return {
        "step": step_of_round(told, form.initial["round"]) if form and told else None,
        "word": told.rounds[-1].word.lower() if told else "",
        "battle": battle,
        "form": form,
        "refusal": "" if form else describe_fork_refusal(battle),
        "battles": FORK_BATTLES,
        "asked": forks_of(battle),
        "fought": [(side.name, doctrines.get(side.doctrine, side.doctrine)) for side in setup.sides],
    }


def _fork_answer(fork: Fork) -> dict[str, object]:
    return {"fork": fork, "line": fork_row(fork), "kept_until": count_kept_until(fork)}
