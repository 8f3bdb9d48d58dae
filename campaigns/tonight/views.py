"""The page that stores the offline pack on the phone."""

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

from .selectors import offline_pack


@require_GET
def offline_pack_page(request: HttpRequest) -> HttpResponse:
    """Show what is played soon, as a list of pages to store; `?seat=` adds the sheet that the reader came from.

    A browser that was closed asks by `?ticket=` whether it may keep its pack: 204, or 410 once its sign-in has ended.
    """
    if ticket := request.GET.get("ticket"):
        return HttpResponse(status=204 if _is_signed_in(ticket) else 410, headers={"Cache-Control": "no-store"})
    reader = actor_of(request)
    packet = offline_pack(reader, _seat(request.GET.get("seat", ""), reader))
    context = {"packet": packet, "until": _until(request), "ticket": _ticket(request)}
    return render(request, "campaigns/tonight.html", context)


def _ticket(request: HttpRequest) -> str:
    """Return the session as an encrypted text; empty for a visitor."""
    key = request.session.session_key if request.user.is_authenticated else ""
    return FactorAdapter().encrypt(key) if key else ""


def _is_signed_in(ticket: str) -> bool:
    """Return whether the session that stored a pack is still valid: neither expired nor ended by its owner."""
    try:
        session = SessionStore(FactorAdapter().decrypt(ticket))
    except ValueError:
        return False
    return get_user(SimpleNamespace(session=session)).is_authenticated  # type: ignore[arg-type]


def _until(request: HttpRequest) -> str:
    """Return when the reader's sign-in and their pack end; for a visitor, as if signed in now."""
    session = request.session
    return session.get_expiry_date(modification=timezone.now()).isoformat(timespec="seconds")


def _seat(text: str, reader: object) -> LiveSeat | None:
    try:
        return seat_found(UUID(text), reader)
    except ValueError:
        return None
