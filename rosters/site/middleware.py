"""Middleware: consistent reads, HEAD, the reader's time zone, cache headers, device permissions.

Pages have no device permissions, unless a view allows some.
"""

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
    "rosters:profile", "rosters:sign_ins", "rosters:token_", "rosters:my_data", "rosters:leave",
)  # fmt: skip


class Middleware:
    """Base class for middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class SnapshotMiddleware(Middleware):
    """A response reads the database at one moment; after a change, at one moment after the change."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with read_snapshot():
            return self.get_response(request)


class MethodMiddleware(Middleware):
    """Answers HEAD like GET without the body, and redirects a POST to the URL with a slash as a POST."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
            return _without_body(self.get_response(request))
        response = self.get_response(request)
        if response.status_code == 301 and request.method != "GET":
            response.status_code = 308
        return response


def _without_body(response: HttpResponse) -> HttpResponse:
    """Return the same status and headers, with Content-Length."""
    if response.streaming:
        bare = HttpResponse(status=response.status_code)
        bare.headers, bare.cookies = response.headers, response.cookies
        response.close()
        return bare
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.content = b""
    return response


class PlayerTimeZoneMiddleware(Middleware):
    """Activates the signed-in player's time zone, or that of the browser's `tz` cookie, in which the slash is %2F."""

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

    Signing out clears the browser's cache, so that the next person there can't go back to it.
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
    """Denies every page camera, microphone and location, unless its view has set the header."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, NOTHING)
        return response


def with_camera(view: Callable[Given, HttpResponse]) -> Callable[Given, HttpResponse]:
    """Allow the view's own pages to use the camera; pages framed in them may not."""

    @wraps(view)
    def inner(*args: Given.args, **kwargs: Given.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        response.headers[HEADER] = CAMERA
        return response

    return inner
