"""Errors for requests that are refused, and the responses to them.

API clients get a response in the API's format; everybody else gets a page.
"""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from redis.exceptions import RedisError

from systems.documents import WHOLE, DocumentError


class RefusedError(ValueError):
    """Raised if a player's request is refused: `field` names the input, `reason` is a sentence for the player."""

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason
        super().__init__(f"{field}: {reason}")


class StaleEditError(RefusedError):
    """Raised if something was changed after the player opened it."""


class RateLimitedError(RefusedError):
    """Raised if a request is refused after too many others; `wait` is the number of seconds to wait."""

    def __init__(self, field: str, reason: str, wait: int) -> None:
        super().__init__(field, reason)
        self.wait = wait


log = logging.getLogger(__name__)

AWAY = (
    "Sign-in isn't working right now because part of the server isn't responding. Nothing was changed, and anyone "
    "signed in stays signed in. Try again in a minute."
)
DATABASE_AWAY = (
    "The server can't reach its database right now. Try again in a minute. If you were saving something, check whether "
    "it was saved before you send it again."
)


def refusal_answer(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """Return the response to an exception of a view; None for a bug of ours, which becomes a 500.

    The status is 503 if sign-in attempts can't be counted, so that nobody can sign in now, and 409, 429 or 422 for a
    refusal, with field and reason. A visitor without an account who only opens a page gets no details of a stored
    document.
    """
    if isinstance(exception, RedisError):
        log.error("Redis does not answer, so nobody new signs in: %s", exception)
        return _answer(request, "503.html", 503, WHOLE, AWAY, retry_after=60)
    if isinstance(exception, RefusedError):
        log.warning("%s let a refusal through: %s", request.path, exception, exc_info=exception)
        if isinstance(exception, StaleEditError):
            return _answer(request, "422.html", 409, exception.field, exception.reason)
        if isinstance(exception, RateLimitedError):
            return _answer(request, "422.html", 429, exception.field, exception.reason, retry_after=exception.wait)
        return _answer(request, "422.html", 422, exception.field, exception.reason)
    if isinstance(exception, DocumentError):
        is_sent = request.method not in ("GET", "HEAD")
        level = logging.WARNING if is_sent else logging.ERROR  # stored documents should always be readable
        log.log(level, "%s let a refusal through: %s", request.path, exception, exc_info=exception)
        if is_sent or request.user.is_authenticated:
            return _answer(request, "422.html", 422, exception.path, exception.reason)
        return _answer(request, "422.html", 422, WHOLE, "")
    return None


def database_away_answer(request: HttpRequest) -> HttpResponse:
    """Return a 503 for a database that doesn't answer, as a page or in the API's format."""
    return _answer(request, "503.html", 503, WHOLE, DATABASE_AWAY, retry_after=30)


def _answer(
    request: HttpRequest, template: str, status: int, field: str, reason: str, *, retry_after: int | None = None
) -> HttpResponse:
    page: HttpResponse
    if is_api(request):
        page = api_refusal(field, reason, status)
    else:
        page = HttpResponse(render_to_string(template, {"field": field, "reason": reason}), status=status)
    if retry_after is not None:
        page["Retry-After"] = str(retry_after)
    return page


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def api_refusal(field: str, reason: str, status: int) -> JsonResponse:
    return JsonResponse({"errors": [{"field": field, "reason": reason}]}, status=status)
