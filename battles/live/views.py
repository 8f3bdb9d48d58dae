"""Pages of live tables and of paired dice."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.request import RawPostDataException
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.choices import systems_offered, terrain_choices
from battles.forms.initial import stays_home
from battles.live.acts import act_do, rolls_prepare
from battles.live.dice import MAX_BODY_BYTES, PairRoll, SentList, list_rolls, paired_list_save, paired_statistics
from battles.live.selectors import (
    AimPage,
    aim_page,
    get_spectator_table,
    live_page,
    own_tables,
    qr_code_path,
    seat_found,
    seat_is_anothers,
    table_frames,
    table_stage,
    waiting_table,
)
from battles.live.services import (
    chosen_table,
    first_forces,
    force_choices,
    force_looks,
    joining_units,
    table_join,
    table_log,
    table_open,
)
from battles.live.sheet import Value, table_sheet
from battles.live.state import AGREE, AHEAD, OPEN, ROLL, SEAL, SET, TYPED, UNDO, seat_battle_key
from battles.models import LiveSeat, LiveTable, PairedDice
from battles.replay.boards import StageLinks, render_still
from battles.view_helpers import actor_of, asker_of, refusal_of, system_of_player
from rosters.accounts.limits import TooManyAttemptsError, count_code_attempt
from rosters.services import RateLimitedError, RefusedError
from rosters.site.middleware import with_camera
from rosters.site.visitors import visitor_mark
from rosters.view_helpers import player, row_id
from systems import roster_rules
from systems.documents import DocumentError
from systems.engine.dice import DIE_SIDES, MAX_DICE, PAIRED_CHAIN_LENGTH, PREPARED_CHAIN_LENGTH, links_of
from systems.reading import stored_setup
from systems.text import pluralize

LIVE = "HTTP_X_LIVE"  # a request of the sheet's own script
SeatView = Callable[[HttpRequest, LiveSeat], HttpResponse]
NOT_POSSIBLE = "That isn’t possible."


@require_http_methods(["GET", "POST"])
@with_camera
def tables(request: HttpRequest) -> HttpResponse:
    """Show the forms to start a table and to join one, and the reader's own tables.

    `code` shows the table to join. `company` is the reader's company to choose at first.
    `part` = a or b returns only that side's part of the page, for the force in the form.
    """
    actor, system = actor_of(request), system_of_player(request)
    if (letter := request.GET.get("part")) in ("a", "b"):
        drawn = {"letter": letter, "system": system, "looks": force_looks(system, request.GET.get(letter, ""), actor)}
        return render(request, "battles/live/_force_drawn.html", drawn)
    if request.method == "GET":
        return _joining(request) if _code_of(request.GET) else _tables_page(request)
    values = (request.POST.get("a", ""), request.POST.get("b", ""))
    try:
        setup, forces = chosen_table(system, values, request.POST.get("terrain", ""), actor)
        seat = table_open(setup=setup, forces=forces, name=request.POST.get("name", ""), **asker_of(request))
        return redirect("battles:seat", key=seat.key)
    except (RefusedError, DocumentError) as error:
        return _tables_page(request, first=values, refused=refusal_of(error)[1], status=422)


@require_http_methods(["GET", "POST"])
@with_camera
def join(request: HttpRequest) -> HttpResponse:
    """Give the second side of the table with a code to the reader. GET redirects to the page that asks for it."""
    sent = request.POST if request.method == "POST" else request.GET
    if request.method == "POST" and _code_of(sent):
        return _joining(request)
    query = {"code": _code_of(sent)} if _code_of(sent) else None
    return redirect(reverse("battles:tables", query=query, fragment="join"))


def _code_of(sent: QueryDict) -> str:
    return sent.get("code", "").replace("\x00", "").strip()[:20]


def _joining(request: HttpRequest) -> HttpResponse:
    """Show the table with the code; POST gives its second side to the reader. Wrong codes are counted."""
    code = _code_of(request.POST or request.GET)
    try:
        tried = count_code_attempt(request)
    except TooManyAttemptsError as error:
        refused = f"Too many wrong codes from your network. Try again in {_wait(error.wait)}."
        return _tables_page(request, code=code, code_refused=refused, status=429)
    table = waiting_table(code)
    if table is None:
        refused = "No game is waiting under this code. Check it: it has six letters."
        return _tables_page(request, code=code, code_refused=refused, status=422)
    tried.give_back()
    actor, force, refused = actor_of(request), request.POST.get("force", ""), ""
    if request.method == "POST":
        try:
            own, whose = joining_units(table.system, force, actor, table.setup) if force else ([], None)
            seat = table_join(code=code, name=request.POST.get("name", ""), actor=actor, own=own, force=whose)
            return redirect("battles:seat", key=seat.key)
        except (RefusedError, DocumentError) as error:
            refused = refusal_of(error)[1]
    sheet = table_sheet(stored_setup(table.setup))
    context = {
        "table": table,
        "code": code,
        "force": force,
        "name": request.POST.get("name", ""),
        "code_refused": refused,
        "sides": [(name, [each.name for each in sheet.of_side(at)]) for at, name in enumerate(sheet.sides)],
        "choices": force_choices(table.system, actor),
        "system_name": roster_rules(table.system).name,
    }
    return render(request, "battles/live/tables.html", context, status=422 if refused else 200)


def _tables_page(
    request: HttpRequest,
    *,
    first: tuple[str, str] | None = None,
    refused: str = "",
    code: str = "",
    code_refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the forms: to start a table with the forces `first`, and to join the one with the code."""
    actor, system = actor_of(request), system_of_player(request)
    company, home = row_id(request.GET.get("company", "")), None
    if first is None:
        first = first_forces(system, actor, company)
        is_chosen = first[0] == f"company:{company}"
        home = stays_home(system, company, actor) if actor and company and not is_chosen else None
    context = {
        "systems": systems_offered(system),
        "system": system,
        "system_name": roster_rules(system).name,
        "choices": force_choices(system, actor),
        "terrains": terrain_choices(system),
        "first": first,
        "looks": [force_looks(system, value, actor) for value in first],
        "refused": refused,
        "code": code,
        "code_refused": code_refused,
        "name": request.POST.get("name", ""),
        "stays_home": home,
        "own": own_tables(actor) if actor else (),
    }
    return render(request, "battles/live/tables.html", context, status=status)


def _wait(seconds: int) -> str:
    return pluralize(seconds, "seconds") if seconds < 90 else pluralize(-(-seconds // 60), "minutes")


def for_seat(view: SeatView) -> Callable[[HttpRequest, UUID], HttpResponse]:
    """Pass the seat to the view. Only its player may open a player's seat; all other keys get a 404."""

    @wraps(view)
    def inner(request: HttpRequest, key: UUID) -> HttpResponse:
        seat = seat_found(key, actor_of(request))
        if seat is None:
            if not request.user.is_authenticated and seat_is_anothers(key):
                return redirect_to_login(request.get_full_path())
            raise Http404("No such seat")
        return view(request, seat)

    return inner


@require_GET
@for_seat
def seat(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    """Show the whole sheet, with the attack helper open at the attack in the query."""
    context = _context(request, seat)
    if "shooter" in request.GET and not seat.table.ended_at:
        context["aim"] = _aim_page(request, seat)
    if seat.table.code:
        address = request.build_absolute_uri(reverse("battles:tables"))
        size, path = qr_code_path(f"{address}?code={seat.table.code}")
        context |= {"join_address": address, "code_size": size, "code_path": path}
    return render(request, "battles/live/seat.html", context)


@require_GET
@for_seat
def part(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    """Return the changing part of the sheet; 304 if nothing has changed."""
    tag = _tag(seat.table)
    if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:
        return HttpResponse(status=304, headers={"ETag": tag, "Cache-Control": "no-store"})
    return _part(request, seat)


@require_POST
@for_seat
def act(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    """Do one act and return the changed part; without the script, redirect to the page."""
    is_live = LIVE in request.META
    try:
        kind, facts = _act_of(request.POST)
        act_do(
            seat=seat,
            once=request.POST.get("act") or uuid4().hex,
            kind=kind,
            facts=facts,
            seen=_parse_number(request.POST.get("seen", "")),
            phone=request.POST.get("phone", "").replace("\x00", ""),
        )
    except RefusedError as error:
        if is_live:
            return _refusal(error)
        messages.error(request, error.reason)
    if is_live:
        seat.table.refresh_from_db()
        return _part(request, seat)
    return redirect(reverse("battles:seat", kwargs={"key": seat.key}) + _anchor(request.POST.get("back", "")))


@require_POST
@for_seat
def prepare_rolls(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    """Return prepared rolls for this phone, only to the sheet's script: the answer gives away their results."""
    try:
        chain, last = rolls_prepare(seat=seat, phone=request.POST.get("phone", "").replace("\x00", ""))
    except RefusedError as error:
        return _refusal(error)
    body = {"chain": chain.number, "last": last, "length": PREPARED_CHAIN_LENGTH, "used": chain.last}
    return JsonResponse(body, headers={"Cache-Control": "no-store"})


def _refusal(error: RefusedError) -> JsonResponse:
    """Return the refusal for the sheet's script. After a 429 it sends the same act again later."""
    if isinstance(error, RateLimitedError):
        return JsonResponse({"reason": error.reason}, status=429, headers={"Retry-After": str(error.wait)})
    return JsonResponse({"reason": error.reason}, status=422)


@require_GET
@for_seat
def aim(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    """Return the attack helper for htmx; otherwise redirect to it on the sheet."""
    if not request.htmx:  # type: ignore[attr-defined]
        query = request.GET or {"shooter": ""}
        return redirect(reverse("battles:seat", args=[seat.key], query=query, fragment="aim"))
    return render(request, "battles/live/_aim.html", {"page": _aim_page(request, seat)})


def _aim_page(request: HttpRequest, seat: LiveSeat) -> AimPage:
    page = aim_page(seat, request.GET.dict(), frozenset(request.GET.getlist("so")))
    if page is None:
        raise Http404("This game has no attack helper")
    return page


@require_POST
@for_seat
def log(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    """Log the end to the company of the seat's player."""
    if not request.user.is_authenticated:
        raise Http404("You have no company to log")
    try:
        battle = table_log(seat=seat, actor=player(request))
    except (RefusedError, DocumentError) as error:
        messages.error(request, error.reason)
        return redirect(reverse("battles:seat", kwargs={"key": seat.key}) + "#end")
    return redirect("battles:battle", key=battle.key)


@require_GET
def spectator(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the table to spectators, at `step` of its replay or after act `at`; by default its present state.

    htmx sends the number of acts that it shows as `have`, and gets a 204 if there are no more.
    """
    table = _table_or_404(key)
    is_part = bool(request.htmx)  # type: ignore[attr-defined]
    if is_part and request.GET.get("have") == str(table.length) and table.ended_at is None:
        return HttpResponse(status=204)
    context = _stage(request, table)
    response = render(request, f"battles/live/{'_spectator' if is_part else 'spectator'}.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def frames(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return all steps of a table's replay, for the browser to draw."""
    frames = table_frames(_table_or_404(key))
    return HttpResponse(frames, content_type="application/json", headers={"Cache-Control": "no-store"})


@require_GET
def picture(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return a step of a table's replay as a picture."""
    table = _table_or_404(key)
    context = _stage(request, table)
    stage = context["page"]
    text, style = render_still(table.title, stage.board_kind, context, stage.map.title)
    response = HttpResponse(text, content_type="image/svg+xml", headers={"Cache-Control": "no-store"})
    response._csp_update = {"style-src": [style], "font-src": ["data:"]}  # type: ignore[attr-defined]
    return response


def _table_or_404(key: UUID) -> LiveTable:
    table = get_spectator_table(key)
    if table is None:
        raise Http404("No such table")
    return table


def _stage(request: HttpRequest, table: LiveTable) -> dict[str, Any]:
    """Return the context of the stage at the requested step."""
    asked = request.GET
    step = (
        _parse_number(asked["step"]) if "step" in asked else _parse_number(asked["at"]) + 1 if "at" in asked else None
    )
    page = table_stage(table, step)
    urls = [reverse(f"battles:table-{name}", args=[table.key]) for name in ("frames", "replay", "step-picture")]
    return {
        "page": page,
        "map": page.map,
        "rulebook": {},
        "hits": page.hits,
        "where": "table",
        "links": StageLinks(frames=f"{urls[0]}?v={table.length}", page=urls[1], moment=urls[2]),
    }


def _anchor(name: str) -> str:
    return f"#{name}" if name.replace("-", "").isalnum() and len(name) < 80 else ""


def _context(request: HttpRequest, seat: LiveSeat) -> dict[str, Any]:
    return {"page": live_page(seat), "seat": seat, "tag": _tag(seat.table), "log_key": seat_battle_key(seat)}


def _part(request: HttpRequest, seat: LiveSeat) -> HttpResponse:
    response = render(request, "battles/live/_live.html", _context(request, seat))
    response["ETag"], response["Cache-Control"] = _tag(seat.table), "no-store"
    return response


def _tag(table: LiveTable) -> str:
    """Return an ETag: the length of the table's log, whether both sides are taken, and whether it is closed."""
    return f'"{table.length}-{int(table.code is None)}-{int(table.ended_at is not None)}"'


def _act_of(sent: Any) -> tuple[str, dict[str, object]]:
    """Return the act that a form or the script sent; raises RefusedError if there is none."""
    if "set" in sent:
        return SET, {"changes": _changes(sent["set"])}
    for name, kind in (("undo", UNDO), ("open", OPEN)):
        if name in sent:
            return kind, {"place": _parse_number(sent[name])}
    if "agree" in sent:
        return AGREE, {"digest": sent["agree"]}
    if "text" in sent:
        return SEAL, {"text": sent["text"]}
    if "dice" in sent or "faces" in sent:
        thrown: dict[str, object] = {"what": sent.get("what", "")}
        thrown |= {name: _parse_number(sent.get(name, "")) for name in ("sides", "need")}
        faces = [_parse_number(face) for face in sent.get("faces", "").replace(",", " ").split()]
        if sent.get("do") == "typed":
            return TYPED, thrown | {"faces": faces}
        if sent.get("do") == "ahead":
            made = {name: _parse_number(sent.get(name, "")) for name in ("chain", "roll")}
            return AHEAD, thrown | made | {"link": sent.get("link", ""), "faces": faces}
        return ROLL, thrown | {"dice": _parse_number(sent.get("dice", ""))}
    raise RefusedError("act", NOT_POSSIBLE)


def _changes(text: str) -> list[list[Value]]:
    """Read `cell:value,cell:value`; the service checks whether the cells exist."""
    found: list[list[Value]] = []
    for each in text.split(","):
        name, _, value = each.rpartition(":")
        digits = value.removeprefix("-")
        number = digits.isascii() and digits.isdigit() and len(digits) < 9
        found.append([name, int(value) if number else value])
    return found


def _parse_number(text: str) -> int:
    """Return the number; 0 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


@require_http_methods(["GET", "POST"])
@with_camera
def paired_dice_start(request: HttpRequest) -> HttpResponse:
    """Show the page, the same for everybody, so that a phone can store it; POST sends a list once online."""
    if request.method == "POST":
        return _receive_list(request)
    context = {"sides": DIE_SIDES, "most": MAX_DICE, "length": PAIRED_CHAIN_LENGTH}
    return render(request, "battles/pair/pair.html", context)


def _receive_list(request: HttpRequest) -> HttpResponse:
    try:
        body = request.body
        if len(body) > MAX_BODY_BYTES:
            raise RefusedError("list", "This list is too long.")
        row = paired_list_save(document=body, visitor=visitor_mark(request))
    except RawPostDataException:  # the body was already read as a form
        return JsonResponse({"said": "This isn’t a list of dice."}, status=422)
    except (RefusedError, DocumentError) as error:
        return JsonResponse({"said": refusal_of(error)[1]}, status=422)
    return JsonResponse({"url": reverse("battles:paired-dice-result", args=[row.key])})


@require_GET
def paired_dice_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the lists that both phones sent, and the verdict."""
    row = PairedDice.objects.filter(key=key).first()
    if row is None:
        raise Http404("No such dice")
    lists: list[SentList | None] = [None, None]
    for each in row.lists.all():
        sent_rolls = {roll["roll"]: PairRoll.model_validate(roll) for roll in each.rolls}
        lists[each.side] = SentList(name=each.name, links=links_of(each.last), rolls=sent_rolls)
    rolls = list_rolls(row.sealed, lists)
    counts = {name: sum(each.verdict == name for each in rolls) for name in ("proven", "half", "disputed")}
    names = [(each.name if each else "", sealed) for each, sealed in zip(lists, row.sealed, strict=True)]
    context = {
        "rolls": rolls,
        "dice_statistics": paired_statistics(rolls),
        "counts": counts,
        "names": names,
        "is_whole": all(lists),
        "dice": row,
    }
    return render(request, "battles/pair/pair.html", context)
