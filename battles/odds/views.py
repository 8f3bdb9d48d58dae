"""Pages of odds, what-ifs and forks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.choices import doctrine_choices
from battles.models import Battle, Forecast, Fork, WhatIf
from battles.odds.changes import OwnDesign, change_places
from battles.odds.forks import (
    FORK_BATTLES,
    describe_fork_refusal,
    fork_ask,
    fork_readable,
    fork_row,
    forks_of,
    round_of_step,
    step_of_round,
)
from battles.odds.selectors import forecast_odds, forecast_readable, what_if_readable, what_if_row, what_ifs_of
from battles.odds.services import forecast_ask, forecast_cancel, what_if_ask
from battles.selectors.records import replayed, sides_of, support_names
from battles.services.battles import battle_queue
from battles.services.limits import runs_limit
from battles.services.retention import count_kept_until
from battles.view_helpers import (
    actor_of,
    asker_of,
    battle_or_404,
    count_or_404,
    flash_refusal,
    refusal_of,
    runs_asked,
    runs_choices,
)
from rosters.database.queries import PreparedQuery
from rosters.models import Design
from rosters.policy import asked_by
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.engine.dice import MAX_SEED
from systems.reading import describe_house_rules, stored_setup
from systems.simulation.summary import Odds


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
        "rounds_label": f"{system.round_word(row.setup['scenario']).capitalize()}s",
        "repair_note": system.words.repair,
        "hits": system.hand.hits,
        "fate_names": system.hand.fields,
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
    """Continue odds that failed or were cancelled, by the current rules if they have changed."""
    row = count_or_404(forecast_readable(key))
    with flash_refusal(request):
        row, _ = forecast_ask(
            setup=row.setup, runs=row.runs_asked, seed=row.seed, half_width=row.half_width, **asker_of(request)
        )
    return redirect("battles:forecast", key=row.key)


@require_POST
def cancel_forecast(request: HttpRequest, key: UUID) -> HttpResponse:
    row = count_or_404(forecast_readable(key))
    with flash_refusal(request):
        forecast_cancel(forecast=row, **asker_of(request))
    return redirect("battles:forecast", key=key)


WHAT_IF_RUNS = (10_000, 100_000, 1_000_000)
DEFAULT_RUNS = 100_000


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_what_if(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the possible changes and earlier ones; POST `change` = what|of|to asks for one."""
    row = count_or_404(forecast_readable(key))
    errors = []
    if request.method == "POST":
        what, of, to = (request.POST.get("change", "").split("|", 2) + ["", ""])[:3]
        runs = request.POST.get("battles", "")
        try:
            what_if, _ = what_if_ask(
                forecast=row,
                change={"what": what, "of": of, "to": _own_spec(request, to) or to},
                runs=int(runs) if runs.isdecimal() and len(runs) < 10 else 0,
                **asker_of(request),
            )
            return redirect("battles:explore", key=what_if.key)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    return what_if_page(request, row, errors=errors)


def what_if_page(
    request: HttpRequest, row: Forecast, what_if: WhatIf | None = None, errors: Sequence[tuple[str, str, str]] = ()
) -> HttpResponse:
    """Show the effect of a change so far, if one is given, with the possible changes and earlier ones."""
    limit = runs_limit(actor_of(request))
    context: dict[str, object] = {
        "question": "what-if",
        "heading": "What if?",
        "job": what_if,
        "about": row.title,
        "system": row.system,
        "forecast": row,
        "odds": None if what_if else forecast_odds(row),
        "places": change_places(stored_setup(row.setup), _own_designs(request, row.system)),
        "lines": what_ifs_of(row),
        "runs": [runs for runs in WHAT_IF_RUNS if runs <= limit],
        "default_runs": DEFAULT_RUNS,
        "errors": errors,
    }
    if what_if:
        context |= _what_if_answer(what_if)
    return render(request, "battles/explore.html", context, status=422 if errors else 200)


@require_GET
@never_cache
def what_if_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the figures so far, for the page to poll."""
    row = count_or_404(what_if_readable(key))
    context = _what_if_answer(row) | {"forecast": row.forecast}
    return render(request, "battles/_what_if.html", context)


@require_POST
def repeat_what_if(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed comparison, by the current rules if they have changed."""
    row = count_or_404(what_if_readable(key))
    with flash_refusal(request):
        row, _ = what_if_ask(forecast=row.forecast, change=row.change, runs=row.runs_asked, **asker_of(request))
    return redirect("battles:explore", key=row.key)


MAX_DESIGNS = 6
OWN_DESIGNS = PreparedQuery(
    lambda author, system: Design.objects.filter(author=author, system=system).order_by("-pk")[:MAX_DESIGNS],
    author=int,
    system=str,
)


def _own_designs(request: HttpRequest, system: str) -> tuple[OwnDesign, ...]:
    """Return the reader's newest designs."""
    player = actor_of(request)
    rows = OWN_DESIGNS.rows(author=player.pk, system=system) if player else ()
    return tuple(OwnDesign(str(row.pk), row.name, row.spec) for row in rows)


def _own_spec(request: HttpRequest, to: str) -> dict[str, object] | None:
    """Return the spec of `own:<id>`; None for anything else."""
    player, pk = actor_of(request), to.removeprefix("own:")
    if player is None or pk == to or not pk.isdecimal() or len(pk) > 18:
        return None
    row = Design.objects.filter(author=player, pk=int(pk)).first()
    return dict(row.spec) if row else None


def _what_if_answer(row: WhatIf) -> dict[str, object]:
    return {
        "line": what_if_row(row),
        "what_if": row,
        "fate_names": battle_rules(row.forecast.system).hand.fields,
        "kept_until": count_kept_until(row),
    }


class ForkForm(forms.Form):
    """The round to resume from, the AI styles from then on, and the seed of the dice."""

    round = forms.TypedChoiceField(label="From the start of", coerce=int)
    a = forms.ChoiceField()
    b = forms.ChoiceField()
    seed = forms.IntegerField(min_value=0, max_value=MAX_SEED, help_text="For the dice from there on. Any number.")

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        system: str,
        rounds: Sequence[tuple[int, str]],
        sides: Sequence[tuple[str, str]],
        initial: Mapping[str, Any],
    ) -> None:
        """Set up the fields. `sides`: each side's name and its AI style in the battle."""
        super().__init__(data, initial={"a": sides[0][1], "b": sides[1][1], "seed": 0, **initial})
        self.fields["round"].choices = rounds  # type: ignore[attr-defined]
        for name, (side, _doctrine) in zip("ab", sides, strict=True):
            self.fields[name].label = f"AI style of {side} from there on"
            self.fields[name].choices = doctrine_choices(system)  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
@never_cache
def ask_for_fork(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the form for the round and AI styles; POST starts the simulation."""
    row = battle_or_404(request, key)
    form = _fork_form(request, row)
    if form is not None and request.method == "POST" and form.is_valid():
        answers = form.cleaned_data
        try:
            fork, _ = fork_ask(
                battle=row,
                round=answers["round"],
                doctrines=[answers["a"], answers["b"]],
                seed=answers["seed"],
                **asker_of(request),
            )
            return redirect("battles:explore", key=fork.key)
        except (RefusedError, DocumentError) as error:
            field, reason = refusal_of(error)
            form.add_error(field if field in form.fields else None, reason.capitalize())
    return _fork_page(request, row, form)


def fork_page(request: HttpRequest, fork: Fork) -> HttpResponse:
    """Show the chances before and after, to those who may see the battle."""
    battle = battle_or_404(request, fork.battle.key)
    return _fork_page(request, battle, _fork_form(request, battle, fork), fork)


def _fork_page(request: HttpRequest, battle: Battle, form: ForkForm | None, fork: Fork | None = None) -> HttpResponse:
    context = _fork_context(battle, form)
    if fork:
        context |= _fork_answer(fork) | {"job": fork}
    return render(request, "battles/explore.html", context, status=422 if form is not None and form.errors else 200)


@require_GET
@never_cache
def fork_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the chances so far, for the page to poll."""
    fork, _battle = _fork_or_404(request, key)
    return render(request, "battles/_fork.html", _fork_answer(fork))


@require_POST
def repeat_fork(request: HttpRequest, key: UUID) -> HttpResponse:
    """Continue a failed simulation."""
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
    return redirect("battles:explore", key=fork.key)


def _fork_or_404(request: HttpRequest, key: UUID) -> tuple[Fork, Battle]:
    """Return the fork and its battle, if the reader may see that battle."""
    fork = count_or_404(fork_readable(key))
    return fork, battle_or_404(request, fork.battle.key)


def _fork_form(request: HttpRequest, battle: Battle, fork: Fork | None = None) -> ForkForm | None:
    """Return the form, set to the round in the URL, which gives a number or a step of the drawing.

    None if the battle can't be forked.
    """
    replay = replayed(battle)
    if replay is None or describe_fork_refusal(battle):
        return None
    setup = stored_setup(battle.setup)
    rounds = [(view.number, view.title) for view in replay.rounds if view.number]
    step, number = request.GET.get("step", ""), request.GET.get("round", "")
    start = fork.round if fork else rounds[0][0]
    if step.isdecimal() and len(step) < 6:
        start = round_of_step(replay, int(step))
    elif number.isdecimal() and len(number) < 6:
        start = int(number)
    sides = [(side.name, side.doctrine) for side in setup.sides]
    initial: dict[str, object] = {"round": start}
    if fork:
        initial |= {"a": fork.doctrines[0], "b": fork.doctrines[1], "seed": fork.seed}
    return ForkForm(request.POST or None, system=battle.system, rounds=rounds, sides=sides, initial=initial)


def _fork_context(battle: Battle, form: ForkForm | None) -> dict[str, object]:
    setup, doctrines = stored_setup(battle.setup), battle_rules(battle.system).doctrines
    replay = replayed(battle) if form else None
    return {
        "step": step_of_round(replay, form.initial["round"]) if form and replay else None,
        "word": replay.rounds[-1].word.lower() if replay else "",
        "question": "fork",
        "heading": "What if they had changed tactics?",
        "about": battle.title,
        "system": battle.system,
        "battle": battle,
        "form": form,
        "refusal": "" if form else describe_fork_refusal(battle),
        "battles": FORK_BATTLES,
        "asked": forks_of(battle),
        "fought": [(side.name, doctrines.get(side.doctrine, side.doctrine)) for side in setup.sides],
    }


def _fork_answer(fork: Fork) -> dict[str, object]:
    return {"fork": fork, "line": fork_row(fork), "kept_until": count_kept_until(fork)}
