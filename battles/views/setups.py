"""Pages that set up a battle: quick battle with random forces, result from a table."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.forms.initial import (
    SIDE_LETTERS,
    RandomForcesForm,
    UnavailableCompany,
    company_initial,
    first_initial,
    is_form_update,
    kept_initial,
    left_out,
    posted_initial,
    random_forces,
    stays_home,
)
from battles.forms.results import LogForms
from battles.forms.setups import BattleForms, Initial
from battles.forms.sides import own_companies
from battles.live.services import table_open
from battles.models import Battle, SoloBattle
from battles.odds.services import forecast_ask, request_rules
from battles.selectors.battle import readable_battle
from battles.services.battles import battle_queue
from battles.services.dice import dice_waiting
from battles.services.results import battle_log_result
from battles.services.setups import SideForce, check_forces, ready_setup, setup_document
from battles.solo.services import SIDES, solo_start
from battles.view_helpers import actor_of, asker_of, refusal_of, runs_asked, runs_choices, system_of
from rosters.models import Player
from rosters.scenarios.selectors import playable_scenarios, scenario_value
from rosters.services import RefusedError
from rosters.view_helpers import player, row_id
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import describe_house_rules, read_setup


def source_battle(request: HttpRequest) -> Battle | None:
    """Return the battle in `?from=` whose set-up the form starts from, if the reader may see it."""
    try:
        key = UUID(request.POST.get("from") or request.GET.get("from") or "")
    except ValueError:
        return None
    return readable_battle(key, actor_of(request))


def chosen_setup(forms: BattleForms) -> tuple[dict[str, object], tuple[SideForce | None, ...]]:
    """Return the set-up of valid forms, and its company forces."""
    return setup_document(
        system=forms.system,
        scenario=forms.scenario,
        terrain=forms.terrain,
        options=forms.rules.options(),
        sides=forms.choices(),
    )


@require_http_methods(["GET", "POST"])
def quick_battle(request: HttpRequest) -> HttpResponse:
    """Show the form; `f-seed` draws random forces. On POST, `do` is fight, odds, table or hand, or, without scripts, fill in or add a row."""
    actor, kept, system = actor_of(request), source_battle(request), system_of(request)
    if request.method == "GET":
        request_rules(system)
        initial, home = (kept_initial(kept, actor), None) if kept else _first_values(request, system, actor)
        return _quick_page(
            request, BattleForms(None, system=system, player=actor, kept=kept, initial=initial), kept, home=home
        )
    if is_form_update(request.POST):
        return _quick_page(request, _filled(request), kept)
    forms = BattleForms(request.POST, system=system, player=actor, kept=kept)
    if forms.is_valid():
        try:
            setup, forces = chosen_setup(forms)
            seed = forms.field.cleaned_data["seed"]
            if request.POST.get("do") == "odds":
                runs, half_width = runs_asked(request)
                forecast, _ = forecast_ask(
                    setup=setup, runs=runs, seed=seed, half_width=half_width, **asker_of(request)
                )
                return redirect("battles:forecast", key=forecast.key)
            if request.POST.get("do") == "table":
                seat = table_open(setup=setup, forces=forces, **asker_of(request))
                return redirect("battles:seat", key=seat.key)
            visibility = forms.field.cleaned_data["visibility"] or "public"
            if request.POST.get("do") == "hand":
                solo = _start_online(request, setup, forces, str(seed or ""), visibility)
                return redirect("battles:solo", key=solo.key)
            battle = battle_queue(
                setup=setup,
                seed=seed,
                forces=forces,
                visibility=visibility,
                words=request.POST.get("words", ""),
                dice=request.POST.get("dice", ""),
                **asker_of(request),
            )
            return redirect("battles:battle", key=battle.key)
        except (RefusedError, DocumentError) as error:
            forms.errors.append(refusal_of(error))
    return _quick_page(request, forms, kept, forms.all_errors())


def _first_values(request: HttpRequest, system: str, actor: Player | None) -> tuple[Initial, UnavailableCompany | None]:
    """Return the initial values, and why the requested company can't take part, if so.

    `?scenario=` names the scenario, `?company=` one of the reader's companies.
    """
    initial = first_initial(system, request.GET.get("scenario", ""), actor)
    asked = row_id(request.GET.get("company", ""))
    if actor is None or not asked:
        return initial, None
    own = next((each for each in own_companies(actor, system) if each.pk == asked), None)
    return (company_initial(own, initial), None) if own else (initial, stays_home(system, asked, actor))


def _start_online(
    request: HttpRequest, setup: dict[str, object], forces: tuple[SideForce | None, ...], seed: str, visibility: str
) -> SoloBattle:
    """Start the battle online, as practice for its companies. It uses provably fair dice, so a seed is refused."""
    if seed:
        raise RefusedError("seed", "A battle against the AI uses provably fair dice. Leave the seed blank.")
    return solo_start(
        setup=setup,
        forces=forces,
        sides=SIDES.get(request.POST.get("hand", ""), ()),
        visibility=visibility,
        words=request.POST.get("words", ""),
        dice=request.POST.get("dice", ""),
        **asker_of(request),
    )


def _quick_page(
    request: HttpRequest,
    forms: BattleForms,
    kept: Battle | None,
    errors: list[tuple[str, str, str]] | None = None,
    home: UnavailableCompany | None = None,
) -> HttpResponse:
    context: dict[str, object] = {
        "forms": forms,
        "kept": kept,
        "left_out": left_out(kept) if kept else (),
        "stays_home": home,
        "runs": runs_choices(request),
        "errors": errors or [],
        "dice": dice_waiting(**asker_of(request)),
        "by_hand": battle_rules(forms.system).in_hand is not None,
    }
    if not kept and not errors and forms.battles.forces:
        context |= _random_context(request, forms)
    return render(request, "battles/quick.html", context, status=422 if errors else 200)


def _filled(request: HttpRequest) -> BattleForms:
    """Return the posted form to continue with: without errors, and with forces and scenario filled in."""
    actor, kept = actor_of(request), source_battle(request)
    system = kept.system if kept else system_of(request)
    return BattleForms(
        None,
        system=system,
        player=actor,
        kept=kept,
        initial=posted_initial(system, request.POST, actor),
        is_log=request.POST.get("for") == "log",
    )


@require_POST
def quick_battle_part(request: HttpRequest) -> HttpResponse:
    """Return the part that htmx replaces in a form: all fields, or with `part=tally` the running totals."""
    is_tally = request.GET.get("part") == "tally"
    template = "battles/_tallies.html" if is_tally else "battles/_battle_fields.html"
    return render(request, template, {"forms": _filled(request), "is_part": True})


@require_POST
def ready_battle(request: HttpRequest) -> HttpResponse:
    """Queue a whole game of a scenario with ready-made forces and sealed support."""
    reader = actor_of(request) or AnonymousUser()
    system, value = system_of(request), request.POST.get("scenario", "")
    try:
        playable = next((each for each in playable_scenarios(reader, system=system) if each.value == value), None)
        if playable is None:
            raise RefusedError("scenario", "That scenario doesn’t exist. Choose one from the list.")
        setup = ready_setup(system=system, scenario=scenario_value(playable.value, reader, system=system))
        battle = battle_queue(setup=setup, **asker_of(request))
    except (RefusedError, DocumentError) as error:
        actor = actor_of(request)
        forms = BattleForms(None, system=system, player=actor, initial=first_initial(system, value, actor))
        return _quick_page(request, forms, None, [("", *refusal_of(error))])
    return redirect("battles:battle", key=battle.key)


@login_required
@require_http_methods(["GET", "POST"])
def log_battle(request: HttpRequest) -> HttpResponse:
    """Show and accept the result. The sides are chosen by GET, so that the grid has a URL; the grid is posted."""
    actor, rules = player(request), system_of(request)
    if "a-name" not in request.GET:
        asks = {"scenario", "company"} & request.GET.keys()
        initial, home = _first_values(request, rules, actor) if asks else ({}, None)
        forms = BattleForms(None, system=rules, player=actor, initial=initial, is_log=True)
        return _choose_sides(request, forms, home)
    if "edit" in request.GET or is_form_update(request.GET):
        initial = posted_initial(rules, request.GET, actor)
        return _choose_sides(request, BattleForms(None, system=rules, player=actor, initial=initial, is_log=True))
    forms = BattleForms(request.GET, system=rules, player=actor, is_log=True)
    if not forms.is_valid():
        return _choose_sides(request, forms)
    try:
        document, forces = chosen_setup(forms)
        setup = read_setup(document)
        check_forces(setup=setup, forces=forces, actor=player(request))
    except (RefusedError, DocumentError) as error:
        forms.errors.append(refusal_of(error))
        return _choose_sides(request, forms)
    result_forms = LogForms(request.POST if request.method == "POST" else None, setup)
    if request.method == "POST" and result_forms.is_valid():
        visibility = forms.field.cleaned_data["visibility"] or "public"
        try:
            battle = battle_log_result(
                setup=document,
                forces=forces,
                visibility=visibility,
                actor=player(request),
                **result_forms.table_result(),
            )
            return redirect("battles:battle", key=battle.key)
        except RefusedError as error:
            result_forms.refuse(error)
    system = battle_rules(setup.system)
    context = {
        "hand": result_forms.hand,
        "grid": result_forms.grid,
        "errors": result_forms.errors,
        "query": request.GET.urlencode(),
        "place": system.place_title(setup),
        "system": setup.system,
        "system_name": roster_rules(setup.system, setup.catalogue_release).name,
        "hits": system.hand.hits,
        "rolls_fates": bool(system.hand.fates),
        "house_rules": describe_house_rules(setup.system, setup.options),
        "closed_books": [side.books for side in forms.sides if side.books],
    }
    return render(request, "battles/log.html", context, status=422 if result_forms.errors else 200)


def _choose_sides(request: HttpRequest, forms: BattleForms, home: UnavailableCompany | None = None) -> HttpResponse:
    errors = forms.all_errors()
    context = {"forms": forms, "errors": errors, "stays_home": home}
    return render(request, "battles/log.html", context, status=422 if errors else 200)


@require_GET
def random_forces_page(request: HttpRequest) -> HttpResponse:
    """Redirect to the part of the quick battle that draws forces."""
    return redirect(reverse("battles:quick-battle", query=request.GET, fragment="random"))


def _random_context(request: HttpRequest, forms: BattleForms) -> dict[str, object]:
    """Return the form for scenario, points and seed, and the draw. Ticked units stay in the next draw."""
    data, system = request.GET, forms.system
    form = RandomForcesForm(
        data if "f-seed" in data else None,
        system=system,
        scenarios=forms.scenarios,
        scenario=data.get("f-scenario") or data.get("scenario", ""),
    )
    context: dict[str, object] = {"random": form}
    if form.is_valid():
        asked = form.cleaned_data
        scenario = scenario_value(asked["scenario"], request.user, system=system)
        kept = [data.getlist(f"{letter}-keep") for letter in SIDE_LETTERS]
        context["drawn"] = random_forces(system, scenario, points=asked["points"], seed=asked["seed"], kept=kept)
        context["scenario"] = asked["scenario"]
    return context
