"""The page that stores tonight's packet on the phone."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from battles.live.models import LiveSeat
from battles.live.selectors import seat_found
from battles.views._parts import actor_of

from .selectors import tonight_packet


@require_GET
def tonight(request: HttpRequest) -> HttpResponse:
    """What is played soon, as a list of pages to store; `?seat=` adds the sheet from which one came."""
    reader = actor_of(request)
    packet = tonight_packet(reader, _seat(request.GET.get("seat", ""), reader))
    return render(request, "campaigns/tonight.html", {"packet": packet, "until": _until(request)})


def _until(request: HttpRequest) -> str:
    """When the reader's sign-in ends, and his packet with it; a visitor's ends as one would that began now."""
    session = request.session
    return session.get_expiry_date(modification=timezone.now()).isoformat(timespec="seconds")


def _seat(text: str, reader: object) -> LiveSeat | None:
    try:
        return seat_found(UUID(text), reader)
    except ValueError:
        return None
