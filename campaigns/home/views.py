"""The first page: for a visitor, or the reader's own with what is on in their clubs and campaigns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from battles.views.home import home as strangers
from campaigns.home.selectors import home_page
from rosters.models import Player

VISITS_COOKIE = "seen"  # the cookie: player, time of this visit, time of the one before; in seconds
MIN_ABSENCE = timedelta(minutes=30)  # somebody back sooner has not been away
DEFAULT_LOOK_BACK, MAX_LOOK_BACK = timedelta(days=7), timedelta(days=60)
COOKIE_MAX_AGE = timedelta(days=400)


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the player's home page; visitors, and anybody naming a game in the address, get the page to try a battle."""
    if not isinstance(request.user, Player) or "system" in request.GET:
        return strangers(request)
    now, before = _visits(request, request.user)
    response = render(request, "campaigns/home.html", {"page": home_page(request.user, before)})
    _remember(response, request.user, now, before)
    return response


def _visits(request: HttpRequest, player: Player) -> tuple[datetime, datetime]:
    """Return when this visit was last seen, which is now, and when the one before it was."""
    now = timezone.now()
    told = [
        int(part) for part in request.COOKIES.get(VISITS_COOKIE, "").split(".") if part.isdecimal() and len(part) < 12
    ]
    if len(told) != 3 or told[0] != player.pk or not told[2] <= told[1] <= now.timestamp():
        return now, now - DEFAULT_LOOK_BACK
    last, before = (datetime.fromtimestamp(each, UTC) for each in told[1:])
    if now - last > MIN_ABSENCE:
        before = last
    return now, max(before, now - MAX_LOOK_BACK)


def _remember(response: HttpResponse, player: Player, now: datetime, before: datetime) -> None:
    value = f"{player.pk}.{int(now.timestamp())}.{int(before.timestamp())}"
    response.set_cookie(
        VISITS_COOKIE,
        value,
        max_age=COOKIE_MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
