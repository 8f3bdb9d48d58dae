"""The first page: for a visitor, or the reader's own with what is on in their clubs and campaigns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from battles.views.home import home as strangers
from campaigns.home.selectors import own_home
from rosters.models import Player

SEEN = "seen"  # the cookie: player, time of this visit, time of the one before; in seconds
A_VISIT = timedelta(minutes=30)  # somebody back sooner has not been away
LOOKS_BACK, MAX_LOOKS_BACK = timedelta(days=7), timedelta(days=60)
KEPT = timedelta(days=400)


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the player's home page; visitors, and anybody naming a game in the address, get the page to try a battle."""
    if not isinstance(request.user, Player) or "system" in request.GET:
        return strangers(request)
    now, before = _visits(request, request.user)
    response = render(request, "campaigns/home.html", {"page": own_home(request.user, before)})
    _remember(response, request.user, now, before)
    return response


def _visits(request: HttpRequest, player: Player) -> tuple[datetime, datetime]:
    """Return when this visit was last seen, which is now, and when the one before it was."""
    now = timezone.now()
    told = [int(part) for part in request.COOKIES.get(SEEN, "").split(".") if part.isdecimal() and len(part) < 12]
    if len(told) != 3 or told[0] != player.pk or not told[2] <= told[1] <= now.timestamp():
        return now, now - LOOKS_BACK
    last, before = (datetime.fromtimestamp(each, UTC) for each in told[1:])
    if now - last > A_VISIT:
        before = last
    return now, max(before, now - MAX_LOOKS_BACK)


def _remember(response: HttpResponse, player: Player, now: datetime, before: datetime) -> None:
    value = f"{player.pk}.{int(now.timestamp())}.{int(before.timestamp())}"
    response.set_cookie(SEEN, value, max_age=KEPT, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
