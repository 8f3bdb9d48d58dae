"""Every answer tells of one moment, and shows dates in the reader's own time zone."""

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from rosters.database.moments import one_moment


class OneMomentMiddleware:
    """What an answer reads it reads of one moment; what it reads after a change, of one moment after the change."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with one_moment():
            return self.get_response(request)


class PlayerTimeZoneMiddleware:
    """Activates the signed-in player's time zone, or the one the browser told in the `tz` cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = getattr(request.user, "time_zone", "") or request.COOKIES.get("tz", "")
        try:
            timezone.activate(zoneinfo.ZoneInfo(name))
        except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
            timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()
