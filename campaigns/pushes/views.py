"""Add a browser to a player's devices for notifications, move it to another address, or remove it."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from rosters.services import RefusedError
from rosters.view_helpers import player

from . import services
from .keys import push_key

MAX_BODY = 4000  # bytes
FIELDS = ("endpoint", "p256dh", "auth", "name", "public")
MOVED_FIELDS = ("endpoint", "p256dh", "auth", "before", "public")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def device_key(request: HttpRequest) -> HttpResponse:
    """Return the site's public key as JSON; it is made on the first request.

    GET returns the CSRF token, which a service worker needs for the POST because it has no page.
    """
    if request.method == "GET":
        return JsonResponse({"token": get_token(request)})
    return JsonResponse({"public": push_key().public})


@login_required
@require_POST
def device_add(request: HttpRequest) -> HttpResponse:
    """Add a browser from JSON (sent by the page), or move it from its address `before` (sent by the service worker)."""
    try:
        given = json.loads(request.body[:MAX_BODY])
        is_moved = "before" in given
        fields = {name: given[name] for name in (MOVED_FIELDS if is_moved else FIELDS)}
    except (ValueError, TypeError, KeyError, RawPostDataException):  # the last: a form, its body already read
        return JsonResponse({"said": "This is no address of a browser."}, status=422)
    if not all(isinstance(value, str) for value in fields.values()):
        return JsonResponse({"said": "This is no address of a browser."}, status=422)
    try:
        change = services.device_move if is_moved else services.device_add
        row = change(player=player(request), **fields)
    except RefusedError as error:
        return JsonResponse({"said": error.reason}, status=422)
    if is_moved:  # by the service worker, in the background
        return JsonResponse({"key": str(row.key)})
    messages.success(request, f"Notices are shown in {row.name}. Choose below of what.")
    return JsonResponse({"key": str(row.key)})


@login_required
@require_POST
def device_drop(request: HttpRequest, key: UUID) -> HttpResponse:
    """Stop notifications in that browser."""
    if services.device_drop(player=player(request), key=key):
        messages.success(request, "No more notices there.")
    else:
        messages.info(request, "There are no notices there any more.")
    return redirect("campaigns:wishes")
