"""Middleware for consistent reads, HEAD requests, the reader's time zone, cache headers and device permissions."""

import zoneinfo
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from rosters.database.transactions import read_snapshot

OF_THE_ACCOUNT = (
    "account_", "mfa_", "usersessions_",
    "rosters:profile", "rosters:sign_ins", "rosters:token_", "rosters:my_data", "rosters:account_deletion",
)  # fmt: skip


class Middleware:
    """Base class for middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class SnapshotMiddleware(Middleware):
    """Makes all reads for a response see the same state of the database, or the same state after a change."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with read_snapshot():
            return self.get_response(request)


class MethodMiddleware(Middleware):
    """Answers HEAD like GET but without the body; redirects a POST without the final slash so that it stays a POST."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
            return _without_body(self.get_response(request))
        response = self.get_response(request)
        if response.status_code == 301 and request.method != "GET":
            response.status_code = 308
        return response


def _without_body(response: HttpResponse) -> HttpResponse:
    """Return a response without a body but with the same status and headers, and with Content-Length."""
    if response.streaming:
        bare = HttpResponse(status=response.status_code)
        bare.headers, bare.cookies = response.headers, response.cookies
        response.close()
        return bare
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.content = b""
    return response


class PlayerTimeZoneMiddleware(Middleware):
    """Activates the player's time zone, or else that in the browser's `tz` cookie, where the slash is %2F."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = getattr(request.user, "time_zone", "") or unquote(request.COOKIES.get("tz", ""))
        try:
            timezone.activate(zoneinfo.ZoneInfo(name))
        except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
            timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()


class PrivateMiddleware(Middleware):
    """Keeps pages of signed-in users out of shared caches, and their account pages out of all caches.

    After signing out, the browser's cache is cleared, so that the next person there can't go back to the pages.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name.startswith(OF_THE_ACCOUNT):
            add_never_cache_headers(response)
        elif not response.has_header("Cache-Control") and (
            request.user.is_authenticated or "HTTP_AUTHORIZATION" in request.META
        ):
            response["Cache-Control"] = "private"
        if name == "account_logout" and request.method == "POST":
            response["Clear-Site-Data"] = '"cache"'
        return response


HEADER = "Permissions-Policy"
NOTHING = "camera=(), microphone=(), geolocation=()"
CAMERA = "camera=(self), microphone=(), geolocation=()"
Given = ParamSpec("Given")


class DevicesMiddleware(Middleware):
    """Denies pages the use of camera, microphone and location, unless the view has set the header itself."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, NOTHING)
        return response


def with_camera(view: Callable[Given, HttpResponse]) -> Callable[Given, HttpResponse]:
    """Decorate a view so that its pages may use the camera; pages framed in them may not."""

    @wraps(view)
    def inner(*args: Given.args, **kwargs: Given.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        response.headers[HEADER] = CAMERA
        return response

    return inner
