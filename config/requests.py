"""Request IDs: sent back in a header, written in every log line of the request, with one log line per request."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from config import metrics
from config.logs import route_of
from rosters.site import trace

log = logging.getLogger("muster.requests")

REQUEST_ID_HEADER = "X-Request-ID"


class RequestMiddleware:
    """Gives each request its ID; comes before everything that may refuse it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = _request_id(request)
        begun = time.perf_counter()
        with trace.of_request(name):
            response = self.get_response(request)
            seconds = time.perf_counter() - begun
            route = "static" if request.path_info.startswith(settings.STATIC_URL) else route_of(request)
            metrics.answered(route=route, method=request.method or "", status=response.status_code, seconds=seconds)
            _log_request(request, response, route, seconds)
        response[REQUEST_ID_HEADER] = name
        return response


def _request_id(request: HttpRequest) -> str:
    """Return the proxy's ID if we have a proxy and it is valid; strangers must not choose the IDs in our log."""
    told = request.headers.get(REQUEST_ID_HEADER, "") if settings.PROXIES else ""
    return told if trace.is_request_id(told) else trace.new_request_id()


def _player(request: HttpRequest) -> int | None:
    try:
        user = getattr(request, "user", None)
        return user.pk if user else None
    except DatabaseError:  # unavailable, and the user was not loaded yet
        return None


def _log_request(request: HttpRequest, response: HttpResponse, route: str, seconds: float) -> None:
    fields: dict[str, object] = {
        "method": request.method,
        "route": route,
        "status": response.status_code,
        "ms": round(seconds * 1000),
        "player": _player(request),
    }
    words = "%(method)s %(route)s %(status)s %(ms)s ms" + (" player %(player)s" if fields["player"] else "")
    log.log(logging.DEBUG if route == "static" else logging.INFO, words, fields, extra={"fields": fields})
