"""Pages of a battle: progress, replay, win chance over time, embedded, as a picture, in print."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from csp.decorators import csp_replace
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.models import Battle, Record
from battles.odds.curves import CurveView, StageCurve, curve_ask, curve_of, curve_refusal, stage_curve
from battles.odds.services import forecast_ask
from battles.paper import battle_owners, setup_packet
from battles.replay.boards import StageLinks, render_still
from battles.selectors.battle import BattlePage, battle_page, readable_battle
from battles.selectors.records import ReplayedRecord, replayed
from battles.services.battles import (
    battle_cancel,
    battle_queue,
    battle_take_back_effects,
    battle_try_again,
    battle_write_effects,
)
from battles.services.dice import dice_proof
from battles.services.retention import battle_kept_until, count_kept_until
from battles.view_helpers import actor_of, asker_of, battle_or_404, flash_refusal, found_or_404
from rosters.fragment_cache import render_fragment
from rosters.jobs import JobStatus
from rosters.models import Company, Visibility
from rosters.open_graph import PreviewImage, PreviewRow, preview_response
from rosters.policy import asked_by
from rosters.printing.orders import packet_order, packet_products, usual_products
from rosters.printing.view_helpers import products_page
from rosters.services import RefusedError
from rosters.view_helpers import player
from systems import battle_rules, roster_rules
from systems.reading import stored_setup
from systems.text import pluralize

CURVE_PLACE = mark_safe("<!-- the curve -->")  # the stage is cached without the curve
NO_RECORD = "This battle has no record"
YEAR_SECONDS = 365 * 24 * 3600  # seconds
JUST_ENDED = timedelta(minutes=1)  # a replay that young plays by itself for the person who asked for it
ODDS_RUNS = 10_000  # quick, and enough to tell an advantage from a coin toss


@require_GET
@never_cache
def show_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the battle at `?round=`, its map at `?step=` with `?zone=`; htmx may ask for the round alone."""
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
    is_asker = asked_by(row, **asker_of(request))
    context = {
        "page": page,
        "battle": row,
        "replay": _replay(page),
        "map": render_stage(page, stage_curve(row)),
        "course": _curve_context(row),
        "proof": dice_proof(row),
        "kept_until": battle_kept_until(row),
        "is_asker": is_asker,
        "plays_itself": is_asker and row.ended_at is not None and timezone.now() - row.ended_at < JUST_ENDED,
    }
    return render(request, "battles/battle.html", context)


def _replay(page: BattlePage) -> str:
    """Return the page's round, die by die. Cached: a long turn has hundreds of events, and it never changes."""
    if page.replay is None or page.round is None:
        return ""
    context = {"page": page, "battle": page.battle}
    shows = (page.battle.key, page.replay.digest, page.round.number)
    return render_fragment("battles/_replay.html", *shows, context=lambda: context)


def render_stage(page: BattlePage, curve: StageCurve | None, where: str = "page") -> str:
    """Return the stage at the page's step. It is cached, because only the curve under its scrubber changes.

    `where`: "page", or "embed" for the embedded stage.
    """
    if page.replay is None or page.map is None:
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
        "links": _links(page.battle, page.replay),
        "curve_place": CURVE_PLACE,
    }
    battle, liveries = page.battle, tuple(page.liveries.items())
    shows = (battle.key, page.replay.digest, page.map.step, page.map.chosen, where, battle.visibility, liveries)
    stage = render_fragment("battles/_map.html", *shows, context=lambda: context)
    return mark_safe(stage.replace(CURVE_PLACE, render_curve(curve, where), 1))  # both are rendered by templates


def _links(battle: Battle, replay: ReplayedRecord) -> StageLinks:
    page, frames, moment, embed = (
        reverse(f"battles:{name}", args=[battle.key]) for name in ("battle", "frames", "step-picture", "embed")
    )
    return StageLinks(
        frames=f"{frames}?v={replay.digest}&form={replay.form}",
        page=page,
        moment=moment,
        embed="" if battle.visibility == Visibility.PRIVATE else embed,
    )


def render_curve(curve: StageCurve | None, where: str = "page") -> str:
    """Return the curve under the scrubber; empty if there is none and can't be any."""
    if curve is None or (where != "page" and not curve.steps):
        return ""
    context = {"stage": curve, "where": where}
    if curve.count is None or not curve.count.is_over or curve.refused:
        return render_to_string("battles/_stage_curve.html", context)
    shows = (curve.battle.key, curve.replay.digest, curve.count.pk, curve.count.status, curve.count.runs_done, where)
    return render_fragment("battles/_stage_curve.html", *shows, context=lambda: context)


def number_asked(request: HttpRequest, name: str) -> int | None:
    """Return a small whole number from the URL."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else None


@require_GET
def battle_frames(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return all frames of the map. A record never changes, so with its digest as `?v=` they are cached for a year."""
    row = battle_or_404(request, key)
    replay = replayed(row)
    if replay is None or replay.board is None:
        raise Http404("This battle has no map")
    response = HttpResponse(replay.frames, content_type="application/json")
    if request.GET.get("v") == replay.digest:
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
    replay = replayed(battle_or_404(request, key))
    if replay is None:
        raise Http404(NO_RECORD)
    return HttpResponse(replay.report, content_type="text/plain; charset=utf-8")


def _record_or_404(request: HttpRequest, key: UUID) -> Record:
    row = Record.objects.filter(battle=battle_or_404(request, key)).first()
    if row is None:
        raise Http404(NO_RECORD)
    return row


@require_POST
def repeat_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Queue the same set-up with another seed; only the first battle can be written to a company's ledger.

    If the battle failed and the reader asked for it, try the same one again.
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
def cancel_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    row = battle_or_404(request, key)
    with flash_refusal(request):
        if not battle_cancel(battle=row, **asker_of(request)):
            messages.info(request, "The battle had already ended.")
    return redirect("battles:battle", key=key)


@require_POST
@login_required
def write_effects(request: HttpRequest, key: UUID) -> HttpResponse:
    """Write the result to the ledgers of the player's companies, or take it back (`do` = take-back)."""
    row = battle_or_404(request, key)
    with flash_refusal(request):
        if request.POST.get("do") == "take-back":
            battle_take_back_effects(battle=row, actor=player(request))
            messages.success(request, "Result undone.")
        else:
            written = battle_write_effects(battle=row, actor=player(request))
            messages.success(request, "Result logged." if written else "This result is already in the ledger.")
    return redirect("battles:battle", key=key)


@require_http_methods(["GET", "POST"])
@never_cache
def show_curve(request: HttpRequest, key: UUID) -> HttpResponse:
    """Start or continue the simulation of a battle's curve; GET redirects to it on the battle's page."""
    row = battle_or_404(request, key)
    if request.method == "POST" and is_for_stage(request):
        stage = render_curve(stage_curve(row, _ask_for_curve(request, row)))
        course = _curve_context(row)
        context = {"battle": row, "out_of_band": True, **course}
        return HttpResponse(stage + (render_to_string("battles/_curve.html", context, request) if course else ""))
    if request.method == "POST":
        with flash_refusal(request):
            curve_ask(battle=row, **asker_of(request))
    return redirect(reverse("battles:battle", args=[key], fragment="win-chance"))


@require_GET
@never_cache
def curve_progress(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the curve so far, for the page to poll."""
    row = battle_or_404(request, key)
    if is_for_stage(request):
        return HttpResponse(render_curve(stage_curve(row)))
    return render(request, "battles/_curve.html", {"battle": row, **_curve_context(row)})


def is_for_stage(request: HttpRequest) -> bool:
    """Return whether the request comes from the panel under a replay's scrubber."""
    return bool(request.htmx) and request.htmx.target == "stage-curve"  # type: ignore[attr-defined]


def _ask_for_curve(request: HttpRequest, battle: Battle) -> str:
    """Start or continue the simulation of the curve; return the reason if it is refused."""
    try:
        curve_ask(battle=battle, **asker_of(request))
    except RefusedError as error:
        return error.reason
    return ""


def _curve_context(battle: Battle) -> dict[str, object]:
    """Return the curve so far; empty if there is none and can't be any."""
    row, replay = curve_of(battle), replayed(battle)
    if replay is None or (row is None and (replay.record.hand is not None or curve_refusal(battle))):
        return {}
    return {
        "refusal": curve_refusal(battle),
        "count": row,
        "curve": CurveView(row, replay) if row else None,
        "kept_until": count_kept_until(row) if row else None,
    }


NO_DRAWING = "This battle has no replay map"


@xframe_options_exempt
@require_GET
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # typed for views without arguments
def embed_battle(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the stage alone, to embed in any page; for battles that anybody with the link may see."""
    row = found_or_404(readable_battle(key, None), "")
    page = _drawn_page_or_404(request, row)
    stage = render_stage(page, stage_curve(row), "embed")
    response = render(request, "battles/embed.html", {"page": page, "battle": row, "map": stage})
    response["Cache-Control"] = f"{_cache_key(row)}, max-age=60"
    return response


@require_GET
def step_picture(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the drawing at `?step=` as a picture, which never changes."""
    row = battle_or_404(request, key)
    page = _drawn_page_or_404(request, row)
    assert page.map
    assert page.board_kind
    context = {"map": page.map, "page": page, "battle": row}
    text, style = render_still(row.title, page.board_kind, context, page.map.title)
    response = HttpResponse(text, content_type="image/svg+xml")
    response._csp_update = {"style-src": [style], "font-src": ["data:"]}  # type: ignore[attr-defined]
    response["Cache-Control"] = f"{_cache_key(row)}, max-age=86400"
    return response


def _cache_key(row: Battle) -> str:
    """Return the Cache-Control directive: public or private."""
    return "public" if row.visibility == Visibility.PUBLIC else "private"


def _drawn_page_or_404(request: HttpRequest, row: Battle) -> BattlePage:
    page = battle_page(
        row,
        player=None,  # shared caches keep the response, so nothing in it may be the reader's own
        visitor="",
        round_number=None,
        step=number_asked(request, "step") or 1,
        zone=number_asked(request, "zone") or 0,
    )
    if page.map is None:
        raise Http404(NO_DRAWING)
    return page


SIDE_COLOURS = ("#46562a", "#35546f")  # as pages colour them


@require_GET
def battle_picture(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Return a picture of the two sides and the winner."""
    battle = battle_or_404(request, key)
    rules, end = battle_rules(battle.system), battle.result or {}
    winner = "" if end.get("draw") else end.get("winner") or ""
    rows = tuple(
        PreviewRow(side["name"], "won" if side["name"] == winner else "", colour, side["name"] == winner)
        for side, colour in zip(battle.setup["sides"], SIDE_COLOURS, strict=True)
    )
    if battle.status != JobStatus.DONE:
        caption = str(battle.get_status_display())
    else:
        lasted = pluralize(int(end.get("rounds") or 0), f"{rules.round_word(battle.setup['scenario'])}s")
        caption = f"{'A draw' if end.get('draw') else 'Decided'} after {lasted}"
    preview = PreviewImage(
        kicker=f"{'Played at the table' if battle.fought_by_hand else 'Battle'} · {battle.get_system_display()}",
        title=battle.title,
        rows=(*rows, PreviewRow(caption)),
        foot="Every roll with its rule" if not battle.fought_by_hand else "",
    )
    return preview_response(request, preview, is_public=battle.visibility == Visibility.PUBLIC)


@require_http_methods(["GET", "POST"])
def print_packet(request: HttpRequest, key: UUID) -> HttpResponse:
    """Print the packet of a battle: everything that both sides and the table need."""
    row = battle_or_404(request, key)
    setup = stored_setup(row.setup)
    back = reverse("battles:battle", args=[key])

    def link(company: Company, unit: int) -> str:
        return request.build_absolute_uri(reverse("rosters:unit", args=[company.pk, unit]))

    owners = battle_owners(list(row.sides.select_related("company__owner")), request.user, link)
    found = setup_packet(setup, owners, title=row.title, url=request.build_absolute_uri(back))
    products = packet_products(found)
    return products_page(
        request,
        products=products,
        order=lambda products, settings, copies, _: packet_order(found, products, settings, copies),
        chosen=usual_products(products),
        context={
            "name": row.title,
            "back_url": back,
            "back_to": "the battle",
            "list_url": reverse("battles:battles"),
            "list_name": "Battles",
            "kicker": roster_rules(setup.system, setup.catalogue_release).name,
            "lead": "Everything both sides need at the table.",
        },
    )
