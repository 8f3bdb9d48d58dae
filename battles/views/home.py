"""The home page, the list of battles, and checks of records."""

from dataclasses import replace
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.choices import systems_offered
from battles.forms.setups import TryForm
from battles.forms.sides import LETTERS
from battles.live.services import chosen_side, first_forces, force_choices, force_looks
from battles.models import RecordCheck
from battles.odds.services import forecast_ask
from battles.selectors.battle import check_readable
from battles.selectors.battle_list import FILTERS, ORDERS, battles_page, latest_public, order_of
from battles.services.battles import battle_queue, check_ask, check_of_battle
from battles.services.setups import setup_document
from battles.solo.selectors import open_solo
from battles.view_helpers import (
    actor_of,
    asker_of,
    battle_or_404,
    flash_refusal,
    found_or_404,
    refusal_of,
    system_of_player,
)
from battles.views.battle import ODDS_RUNS
from rosters.jobs import JobStatus
from rosters.services import RefusedError
from rosters.site.retention import kept_for
from rosters.view_helpers import searched
from systems import BATTLES, battle_rules, roster_rules, system_choices
from systems.documents import DocumentError
from systems.simulation.records import MAX_RECORD_BYTES


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    return _home(request, _try_form(request))


@require_http_methods(["GET", "POST"])
def try_battle(request: HttpRequest) -> HttpResponse:
    """Show the home page; POST simulates its battle, or the odds (`do` = fight or odds)."""
    if request.method == "GET":
        return home(request)
    form = _try_form(request, request.POST)
    system = form.system
    rules = battle_rules(system)
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            sides = [
                replace(
                    chosen_side(system, chosen[letter], actor_of(request), at), doctrine=chosen[f"{letter}_doctrine"]
                )
                for at, letter in enumerate(LETTERS)
            ]
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
    actor = actor_of(request)
    context = {
        "form": form,
        "looks": [force_looks(form.system, str(form[letter].value()), actor) for letter in LETTERS],
        "latest": latest_public(),
        "systems": systems_offered(form.system),
        "system": rosters,
        "words": rules.words,
        "first_game": {"slug": rules.first_game, "name": rules.scenarios.get(rules.first_game, "")},
    }
    return render(request, "home.html", context, status=status)


def _try_form(request: HttpRequest, data: QueryDict | None = None) -> TryForm:
    system, actor = system_of_player(request), actor_of(request)
    return TryForm(data, system=system, forces=force_choices(system, actor), first=first_forces(system, actor))


@require_GET
def battle_list(request: HttpRequest) -> HttpResponse:
    """List public battles and the reader's own; filters and order are in the URL. On top: what waits for the reader."""
    filters = {name: searched(request, name) for name in FILTERS}
    found = battles_page(actor_of(request), filters, request.GET)
    statuses = [choice for choice in JobStatus.choices if choice[0] != JobStatus.DRAFT]
    asker = asker_of(request)
    context = {
        "in_progress": open_solo(asker["actor"], asker["visitor"]),
        "slice": found,
        "filters": filters,
        "statuses": statuses,
        "systems": system_choices(),
        "one_game": filters["system"] in BATTLES,
        "order": ORDERS[order_of(filters["sort"])][-1],
    }
    return render(request, "battles/battles.html", context)


MAX_HASH_LETTERS = 128


@require_http_methods(["GET", "POST"])
def ask_for_check(request: HttpRequest) -> HttpResponse:
    """Show the form for the file of a record; POST starts the check."""
    errors = []
    if request.method == "POST":
        file = request.FILES.get("record")
        try:
            if file is None:
                raise RefusedError("record", "Choose a record file. You can download one from a battle’s page.")
            check = check_ask(data=file.read(MAX_RECORD_BYTES + 1), **asker_of(request))
            there = reverse("battles:record-check-result", args=[check.key])
            noted = _short_note(request.POST.get("noted", ""))
            return redirect(f"{there}?{urlencode({'noted': noted})}" if noted else there)
        except (RefusedError, DocumentError) as error:
            errors.append(("", *refusal_of(error)))
    return render(request, "battles/check.html", {"errors": errors}, status=422 if errors else 200)


@require_POST
def check_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Check the record of a battle by simulating it again."""
    row = battle_or_404(request, key)
    with flash_refusal(request):
        return redirect("battles:record-check-result", key=check_of_battle(battle=row, **asker_of(request)).key)
    return redirect("battles:battle", key=key)


@require_GET
@never_cache
def show_check(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show whether the record is the same, or where it differs."""
    return render(request, "battles/check.html", _check_context(request, key))


@require_GET
@never_cache
def check_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the status of the check, for the page to poll."""
    return render(request, "battles/_check.html", _check_context(request, key))


def _check_context(request: HttpRequest, key: UUID) -> dict[str, object]:
    """Return the check, and the hash that the reader noted before the battle, if entered."""
    return {"check": _check_or_404(request, key), "noted": _short_note(request.GET.get("noted", ""))}


def _short_note(text: str) -> str:
    """Return a noted hash without spaces, in lower case and cut off at MAX_HASH_LETTERS."""
    return "".join(text.split()).lower()[:MAX_HASH_LETTERS]


def _check_or_404(request: HttpRequest, key: UUID) -> RecordCheck:
    kept = kept_for("Checks of records are", settings.KEEP_VISITORS_DAYS)
    return found_or_404(check_readable(key, actor_of(request)), kept and f"{kept} You can check the record again.")
