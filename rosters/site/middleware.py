"""What holds for every request: it tells of one moment, HEAD works wherever GET does, dates are in the reader's zone,
and what is private stays so.
"""

import zoneinfo
from collections.abc import Callable
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from rosters.database.moments import one_moment

OF_THE_ACCOUNT = (
    "account_", "mfa_", "usersessions_",
    "rosters:profile", "rosters:sign_ins", "rosters:token_", "rosters:my_data", "rosters:leave",
)  # fmt: skip


class Middleware:
    """Goes around whatever answers a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class OneMomentMiddleware(Middleware):
    """What an answer reads it reads of one moment; what it reads after a change, of one moment after the change."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with one_moment():
            return self.get_response(request)


class MethodMiddleware(Middleware):
    """Answers HEAD as GET without the body, and sends a POST on to the address with a slash as the POST it is."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
            return _without_body(self.get_response(request))
        response = self.get_response(request)
        if response.status_code == 301 and request.method != "GET":
            response.status_code = 308
        return response


def _without_body(response: HttpResponse) -> HttpResponse:
    """The same status and headers, Content-Length among them."""
    if response.streaming:
        bare = HttpResponse(status=response.status_code)
        bare.headers, bare.cookies = response.headers, response.cookies
        response.close()
        return bare
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.content = b""
    return response


class PlayerTimeZoneMiddleware(Middleware):
    """Activates the signed-in player's time zone, or the one the browser told in the `tz` cookie, where the slash is written %2F."""

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
    """What somebody sees who is signed in is kept by no cache on the way; his account's own pages by none at all.

    Signing out has the browser drop what it kept, so that whoever sits there next does not go back to it.
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
