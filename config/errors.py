"""Refusals that no view makes: an address that is nowhere, a request that can't be read, a fault of ours.

Whoever asked the API reads them in the API's shape; everybody else gets a page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults
from redis.exceptions import RedisError

from rosters.site.keeping import NotKeptError
from rosters.site.refusals import RefusedError
from rosters.views import missing
from systems.documents import WHOLE, DocumentError

log = logging.getLogger(__name__)

GARBLED = "The server could not read what was sent, and nothing was changed. Go back and try once more."
WRONG_HOST = "This server does not answer to that host name; its operator can add it to MUSTER_ALLOWED_HOSTS."
NOT_THERE = "There is nothing at this address; /api/v1/ lists what there is."
FORBIDDEN = "This is not yours to do."
BROKEN = "Something broke on our side; it is written to the server's log. Look what was kept before you send it again."
AWAY = (
    "A part of the server that counts tries at its doors does not answer. Nothing was changed; try again in a minute."
)


class CountersAwayMiddleware:
    """Where tries can't be counted nobody new is let in, and is told so: 503. Who is in already stays in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, RedisError):
            return None
        log.error("Redis does not answer, so nobody new signs in: %s", exception)
        page = (
            _refusal(WHOLE, AWAY, 503) if _is_api(request) else HttpResponse(render_to_string("503.html"), status=503)
        )
        page["Retry-After"] = "60"
        return page


class RefusalMiddleware:
    """Answers 422, with the field and the reason, where a view lets a refusal of a document or a service through."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DocumentError | RefusedError):
            return None
        log.warning("%s let a refusal through: %s", request.path, exception, exc_info=exception)
        field = exception.path if isinstance(exception, DocumentError) else exception.field
        if _is_api(request):
            return _refusal(field, exception.reason, 422)
        told = {"field": field, "reason": exception.reason}
        return HttpResponse(render_to_string("422.html", told), status=422)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400. The page needs nothing of the request: neither its host nor who asks can be relied upon."""
    why = WRONG_HOST if isinstance(exception, DisallowedHost) else GARBLED
    if _is_api(request):
        return _refusal("host" if why is WRONG_HOST else WHOLE, why, 400)
    return HttpResponse(render_to_string("400.html", {"why": why}), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    if _is_api(request):
        return _refusal(WHOLE, FORBIDDEN, 403)
    return defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, or 410 for what was kept only for a while."""
    if _is_api(request):
        gone = exception if isinstance(exception, NotKeptError) else NotKeptError("")
        return _refusal(WHOLE, gone.sentence or NOT_THERE, gone.status)
    return missing.not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500."""
    if _is_api(request):
        return _refusal(WHOLE, BROKEN, 500)
    return HttpResponse(render_to_string("500.html"), status=500)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _refusal(field: str, reason: str, status: int) -> JsonResponse:
    return JsonResponse({"errors": [{"field": field, "reason": reason}]}, status=status)
