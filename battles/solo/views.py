"""Pages of online battles: the question, the answers, and resuming a recorded battle."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.models import SoloBattle
from battles.selectors.battle import readable_battle
from battles.solo.selectors import events_up_to, solo_found, solo_page
from battles.solo.services import (
    SIDES,
    solo_answer,
    solo_leave,
    solo_standing,
    solo_take_back,
    solo_take_over,
    take_over_refusal,
)
from battles.view_helpers import actor_of, asker_of, battle_or_404, flash_refusal, found_or_404
from rosters.services import RefusedError
from rosters.site.retention import kept_for


@require_GET
def own(request: HttpRequest) -> HttpResponse:
    """Redirect to the list of battles, which has the reader's online battles."""
    return redirect(reverse("battles:battles", fragment="in-progress"))


@require_GET
@never_cache
def solo(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the current question; once the battle is over, redirect to the battle."""
    row = _found(request, key)
    return _render(request, row) if row else redirect("battles:battle", key=key)


@require_POST
def answer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Take one press: `answer`, or `do` = doctrine, back or rest; htmx gets the next question."""
    row = _found(request, key)
    if row is not None:
        with flash_refusal(request):
            _pressed(request, row)
        row = _found(request, key)
    if row is not None and request.htmx:  # type: ignore[attr-defined]
        return _render(request, row, part=True)
    url = redirect("battles:solo" if row else "battles:battle", key=key)
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": url.url})
    return url


def _pressed(request: HttpRequest, row: SoloBattle) -> None:
    version, do = _number(request.POST.get("version", "")), request.POST.get("do", "")
    if version is None:
        raise RefusedError("version", "The page is incomplete. Reload it.")
    if do == "back":
        done = solo_take_back(solo=row, version=version)
    elif do == "rest":
        done = solo_leave(solo=row, version=version)
    else:
        value = None if do == "doctrine" else _value(request.POST.get("answer", ""))
        done = solo_answer(solo=row, version=version, value=value)
    if not done:
        messages.info(request, "You already answered that. Here is the current choice.")


@require_http_methods(["GET", "POST"])
@never_cache
def take_over(request: HttpRequest, key: UUID) -> HttpResponse:
    """Resume a recorded battle after a `step` of its drawing, `events` or a round (`after`), with the reader on `side`.

    GET redirects to the form on the battle's page.
    """
    row, sent = battle_or_404(request, key), request.POST
    if request.method == "GET":
        return redirect(reverse("battles:battle", args=[key], query=request.GET, fragment="take-over"))
    step, after, events = (_number(sent.get(name, "")) or 0 for name in ("step", "after", "events"))
    with flash_refusal(request):
        if step and not take_over_refusal(row):
            events = events_up_to(row, step)
        sides = SIDES.get(sent.get("side", ""), ())
        taken = solo_take_over(battle=row, sides=sides, after=after, events=events, **asker_of(request))
        return redirect("battles:solo", key=taken.key)
    return redirect(reverse("battles:battle", args=[key], query={"step": step} if step else None))


def _found(request: HttpRequest, key: UUID) -> SoloBattle | None:
    """Return the online battle; None if it is over and the reader may see the battle; else raise a 404."""
    asker = asker_of(request)
    row = solo_found(key, asker["actor"], asker["visitor"])
    if row is None:
        found_or_404(
            readable_battle(key, actor_of(request)),
            kept_for("Battles against the AI without an account are", settings.KEEP_VISITORS_DAYS),
        )
    return row


def _render(request: HttpRequest, row: SoloBattle, *, part: bool = False) -> HttpResponse:
    refused, page = "", None
    try:
        page = solo_page(row, solo_standing(row))
    except RefusedError as error:
        refused = error.reason
    template = "battles/solo/_play.html" if part else "battles/solo/play.html"
    return render(request, template, {"page": page, "solo": row, "refused": refused, "part": part})


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def _value(text: str) -> tuple[int, ...]:
    """Return an answer from the form; for anything else, an answer that no question has."""
    words = text.split()
    if not words or any(len(word) > 7 or not word.removeprefix("-").isdigit() or not word.isascii() for word in words):
        return ()
    return tuple(map(int, words))
