"""Middleware of the whole site: request IDs, compression, health checks and metrics.

Health checks and metrics are answered before the host check and the redirect to HTTPS, because load balancers and
containers use their own addresses in plain HTTP. They need no session: health checks reveal nothing secret, and metrics
check access themselves. Only text is compressed, not PDFs, pictures or streams.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from config import monitoring
from config.logs import route_of
from config.monitoring import metrics_view
from rosters.site import log_context

log = logging.getLogger("muster.requests")

REQUEST_ID_HEADER = "X-Request-ID"


class RequestMiddleware:
    """Gives each request its ID. It comes before any middleware that may refuse the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = _request_id(request)
        begun = time.perf_counter()
        with log_context.of_request(name):
            response = self.get_response(request)
            seconds = time.perf_counter() - begun
            route = "static" if request.path_info.startswith(settings.STATIC_URL) else route_of(request)
            monitoring.answered(route=route, method=request.method or "", status=response.status_code, seconds=seconds)
            _log_request(request, response, route, seconds)
        response[REQUEST_ID_HEADER] = name
        return response


def _request_id(request: HttpRequest) -> str:
    """Return our proxy's ID if it is valid, or a new one. Strangers must not choose the IDs in our log."""
    request_id = request.headers.get(REQUEST_ID_HEADER, "") if settings.PROXIES else ""
    return request_id if log_context.is_request_id(request_id) else log_context.new_request_id()


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


VIEWS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": monitoring.live,
    "/readyz": monitoring.ready,
    "/metrics": metrics_view,
}


class OperationMiddleware:
    """Answers health checks and metrics; must be the first middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = VIEWS.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        response = answer(request) if request.method in ("GET", "HEAD") else HttpResponseNotAllowed(["GET", "HEAD"])
        response["Cache-Control"] = "no-store"
        return response


COMPRESSED_TYPES = ("text/", "application/json", "application/jsonl", "application/vnd.oai.openapi", "image/svg+xml")


class CompressionMiddleware(GZipMiddleware):
    """Django's GZipMiddleware, for text only.

    It adds a random length to each response, so that the length of a page reveals nothing about its contents (BREACH).
    The CSRF token is different each time, too.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(COMPRESSED_TYPES):
            return response
        return super().process_response(request, response)
