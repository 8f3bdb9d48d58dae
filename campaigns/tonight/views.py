"""The page that stores tonight's packet on the phone."""

from __future__ import annotations

from types import SimpleNamespace
from uuid import UUID

from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from battles.live.selectors import seat_found
from battles.models import LiveSeat
from battles.view_helpers import actor_of
from rosters.doors.factors import FactorAdapter
from rosters.doors.sessions import SessionStore

from .selectors import tonight_packet


@require_GET
def tonight(request: HttpRequest) -> HttpResponse:
    """What is played soon, as a list of pages to store; `?seat=` adds the sheet from which one came.

    A browser that was closed asks by `?ticket=` whether the pack it stored may stay: 204, or 410 once its sign-in has ended.
    """
    if ticket := request.GET.get("ticket"):
        return HttpResponse(status=204 if _is_signed_in(ticket) else 410, headers={"Cache-Control": "no-store"})
    reader = actor_of(request)
    packet = tonight_packet(reader, _seat(request.GET.get("seat", ""), reader))
    context = {"packet": packet, "until": _until(request), "ticket": _ticket(request)}
    return render(request, "campaigns/tonight.html", context)


def _ticket(request: HttpRequest) -> str:
    """The session, as a text that only the server can read; empty for a visitor."""
    key = request.session.session_key if request.user.is_authenticated else ""
    return FactorAdapter().encrypt(key) if key else ""


def _is_signed_in(ticket: str) -> bool:
    """Whether the session still stands with which a pack was stored: neither run out nor ended by its owner."""
    try:
        session = SessionStore(FactorAdapter().decrypt(ticket))
    except ValueError:
        return False
    return get_user(SimpleNamespace(session=session)).is_authenticated  # type: ignore[arg-type]


def _until(request: HttpRequest) -> str:
    """When the reader's sign-in ends, and his packet with it; a visitor's ends as one would that began now."""
    session = request.session
    return session.get_expiry_date(modification=timezone.now()).isoformat(timespec="seconds")


def _seat(text: str, reader: object) -> LiveSeat | None:
    try:
        return seat_found(UUID(text), reader)
    except ValueError:
        return None
