"""A battle: its progress, its replay round by round, its proof, and what can be done with it."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from battles.models import Battle, Record
from battles.proofs import dice_proof
from battles.replay.boards import StageLinks
from battles.selectors.battle import BattlePage, battle_page
from battles.selectors.records import ReplayedRecord, replayed
from battles.selectors.stage_curve import StageCurve, stage_curve
from battles.services.battles import (
    battle_call_off,
    battle_queue,
    battle_take_back_effects,
    battle_try_again,
    battle_write_effects,
)
from battles.services.clearing import battle_kept_until
from battles.services.forecasts import forecast_ask
from battles.view_helpers import actor_of, asker_of, battle_or_404, flash_refusal
from rosters.jobs import JobStatus
from rosters.models import Visibility
from rosters.pieces import render_fragment
from rosters.policy import asked_by
from rosters.view_helpers import player
from systems import battle_rules, roster_rules

CURVE_PLACE = mark_safe("<!-- the curve -->")  # its place in the stage, which is cached without it
NO_RECORD = "This battle has no record"
YEAR_SECONDS = 365 * 24 * 3600  # seconds
ODDS_RUNS = 10_000  # enough to tell a coin toss from an edge, simulated in a blink


@require_GET
@never_cache
def show_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the battle at `?round=`, its map at `?step=` with `?zone=`; htmx asks for the round alone."""
    row = battle_or_404(request, key)
    target = request.htmx.target if request.htmx else ""  # type: ignore[attr-defined]
    step, zone = number_asked(request, "step") or 1, number_asked(request, "zone") or 0
    page = battle_page(
        row,
        player=actor_of(request),
        visitor=asker_of(request)["visitor"],
        round_number=number_asked(request, "round"),
        step=step,
        zone=zone,
    )
    if target == "replay" and page.round:
        return HttpResponse(_replay(page))
    context = {
        "page": page,
        "battle": row,
        "replay": _replay(page),
        "map": render_stage(page, stage_curve(row)),
        "proof": dice_proof(row),
        "kept_until": battle_kept_until(row),
        "is_asker": asked_by(row, **asker_of(request)),
    }
    return render(request, "battles/battle.html", context)


def _replay(page: BattlePage) -> str:
    """Return the page's round, die by die. It is cached: a long turn holds hundreds of events, and it never changes."""
    if page.told is None or page.round is None:
        return ""
    context = {"page": page, "battle": page.battle}
    shows = (page.battle.key, page.told.digest, page.round.number)
    return render_fragment("battles/_replay.html", *shows, context=lambda: context)


def render_stage(page: BattlePage, curve: StageCurve | None, where: str = "page") -> str:
    """Return the stage at the page's step, cached since it never changes, except for the curve under its scrubber.

    `where`: on the battle's own page, or embedded.
    """
    if page.told is None or page.map is None:
        return ""
    rulebook, hits = page.rulebook, battle_rules(page.battle.system).hand.hits
    boxes = roster_rules(page.battle.system).words.boxes
    context = {
        "map": page.map,
        "battle": page.battle,
        "page": page,
        "rulebook": rulebook,
        "hits": hits,
        "boxes": boxes,
        "where": where,
        "links": _links(page.battle, page.told),
        "curve_place": CURVE_PLACE,
    }
    battle, liveries = page.battle, tuple(page.liveries.items())
    shows = (battle.key, page.told.digest, page.map.step, page.map.chosen, where, battle.visibility, liveries)
    stage = render_fragment("battles/_map.html", *shows, context=lambda: context)
    return mark_safe(stage.replace(CURVE_PLACE, render_curve(curve, where), 1))  # both are rendered by templates


def _links(battle: Battle, told: ReplayedRecord) -> StageLinks:
    page, frames, moment, embed = (
        reverse(f"battles:{name}", args=[battle.key]) for name in ("battle", "frames", "moment", "embed")
    )
    return StageLinks(
        frames=f"{frames}?v={told.digest}&form={told.form}",
        page=page,
        moment=moment,
        embed="" if battle.visibility == Visibility.PRIVATE else embed,
    )


def render_curve(curve: StageCurve | None, where: str = "page") -> str:
    """Return the curve under the scrubber; nothing if there is no curve and can't be one."""
    if curve is None or (where != "page" and not curve.steps):
        return ""
    context = {"stage": curve, "where": where}
    if curve.count is None or not curve.count.is_over or curve.refused:
        return render_to_string("battles/_stage_curve.html", context)
    shows = (curve.battle.key, curve.told.digest, curve.count.pk, curve.count.status, curve.count.runs_done, where)
    return render_fragment("battles/_stage_curve.html", *shows, context=lambda: context)


def number_asked(request: HttpRequest, name: str) -> int | None:
    """Return a small whole number from the URL."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else None


@require_GET
def battle_frames(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return all frames of the map; a record never changes, so with its digest as `?v=` they may be cached for ever."""
    row = battle_or_404(request, key)
    told = replayed(row)
    if told is None or told.board is None:
        raise Http404("This battle has no map")
    response = HttpResponse(told.frames, content_type="application/json")
    if request.GET.get("v") == told.digest:
        shared = {"public": True} if row.visibility == Visibility.PUBLIC else {"private": True}
        patch_cache_control(response, max_age=YEAR_SECONDS, immutable=True, **shared)
    return response


@require_GET
@never_cache
def battle_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the status of a battle, for the page to poll; once the battle has ended, the page reloads."""
    row = battle_or_404(request, key)
    response = render(request, "battles/_battle_job.html", {"battle": row})
    if row.is_over:
        response["HX-Refresh"] = "true"
    return response


@require_GET
def download_record(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the record as JSON lines: what `resolve` prints and `verify` checks."""
    text = _record_or_404(request, key).text
    response = HttpResponse(text, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="battle-{key}.jsonl"'
    return response


@require_GET
def download_report(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the whole battle as plain text."""
    told = replayed(battle_or_404(request, key))
    if told is None:
        raise Http404(NO_RECORD)
    return HttpResponse(told.report, content_type="text/plain; charset=utf-8")


def _record_or_404(request: HttpRequest, key: UUID) -> Record:
    row = Record.objects.filter(battle=battle_or_404(request, key)).first()
    if row is None:
        raise Http404(NO_RECORD)
    return row


@require_POST
def repeat_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Queue the same set-up with another seed; only the first battle can ever be written to a company's ledger.

    A battle that failed is tried again as it is, by its asker.
    """
    row = battle_or_404(request, key)
    with flash_refusal(request):
        if row.status == JobStatus.FAILED and asked_by(row, **asker_of(request)):
            battle_try_again(battle=row, **asker_of(request))
        else:
            visibility = _visibility_again(row, request)
            key = battle_queue(setup=row.setup, visibility=visibility, **asker_of(request)).key
    return redirect("battles:battle", key=key)


def _visibility_again(row: Battle, request: HttpRequest) -> str:
    private_to_visitor = actor_of(request) is None and row.visibility == "private"
    return "link" if private_to_visitor else row.visibility


@require_POST
def ask_for_odds(request: HttpRequest, key: UUID) -> HttpResponse:
    """Ask for odds for this battle's set-up."""
    row = battle_or_404(request, key)
    with flash_refusal(request):
        forecast, _ = forecast_ask(setup=row.setup, runs=ODDS_RUNS, **asker_of(request))
        return redirect("battles:forecast", key=forecast.key)
    return redirect("battles:battle", key=key)


@require_POST
def call_off_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    row = battle_or_404(request, key)
    with flash_refusal(request):
        if not battle_call_off(battle=row, **asker_of(request)):
            messages.info(request, "The battle was over already.")
    return redirect("battles:battle", key=key)


@require_POST
@login_required
def write_effects(request: HttpRequest, key: UUID) -> HttpResponse:
    """Write the result to the ledgers of the player's own companies, or take it back (`do` = take-back)."""
    row = battle_or_404(request, key)
    with flash_refusal(request):
        if request.POST.get("do") == "take-back":
            battle_take_back_effects(battle=row, actor=player(request))
            messages.success(request, "Taken back: the ledger holds the reversal.")
        else:
            written = battle_write_effects(battle=row, actor=player(request))
            messages.success(request, "Written to the ledger." if written else "It was in the ledger already.")
    return redirect("battles:battle", key=key)
