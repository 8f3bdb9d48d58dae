"""Error responses from outside the views: unknown addresses, unreadable requests, faults on our side.

API requests get the API's error format; all others get a page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from rosters.database.transactions import is_database_unavailable
from rosters.site.exceptions import api_refusal, database_away_answer, is_api, refusal_answer
from rosters.site.kept_forms import form_page, keep_rejected
from rosters.site.retention import ExplainedNotFoundError
from systems.documents import WHOLE


def render_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show a 404, or a 410 with its reason for something that was only kept for a while."""
    gone = exception if isinstance(exception, ExplainedNotFoundError) else ExplainedNotFoundError("")
    context = {"code": gone.status, "kept": gone.sentence, "page": gone.page}
    return render(request, "404.html", context, status=gone.status)


GARBLED = "The server couldn't read the request. Nothing was changed. Go back and try again."
WRONG_HOST = "This server isn't set up for that host name. Its operator can add it to MUSTER_ALLOWED_HOSTS."
NOT_THERE = "There's nothing at this address. See /api/v1/ for a list."
FORBIDDEN = "You don't have permission to do that."
BROKEN = "Something went wrong on our side. The error has been logged. Check whether your change was saved before you send it again."


class RefusalMiddleware:
    """Answers exceptions from views: refused documents and requests, and an unavailable Redis."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and not response.content and not is_api(request):
            return _not_allowed(request, response)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return refusal_answer(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400. The page uses nothing from the request, because neither its host nor its user can be trusted."""
    why = WRONG_HOST if isinstance(exception, DisallowedHost) else GARBLED
    if is_api(request):
        return api_refusal("host" if why is WRONG_HOST else WHOLE, why, 400)
    return HttpResponse(render_to_string("400.html", {"why": why}), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    if is_api(request):
        return api_refusal(WHOLE, FORBIDDEN, 403)
    return defaults.permission_denied(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose token is no longer valid; the reader gets the form back, filled in."""
    if answer := keep_rejected(request):
        return answer
    context = {"page": form_page(request)}
    return HttpResponse(render_to_string("403_csrf.html", context, request), status=403)


def _not_allowed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """405 as a page, for an address that only accepts POST."""
    page = form_page(request)
    context = {"page": page if page != request.get_full_path() else ""}
    response.content = render_to_string("405.html", context, request)
    response["Content-Type"] = "text/html; charset=utf-8"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, or 410 for something that was only kept for a while."""
    if is_api(request):
        gone = exception if isinstance(exception, ExplainedNotFoundError) else ExplainedNotFoundError("")
        return api_refusal(WHOLE, gone.sentence or NOT_THERE, gone.status)
    return render_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """503 if the database is unavailable, else 500."""
    if is_database_unavailable(sys.exc_info()[1]):
        return database_away_answer(request)
    if is_api(request):
        return api_refusal(WHOLE, BROKEN, 500)
    return HttpResponse(render_to_string("500.html"), status=500)
