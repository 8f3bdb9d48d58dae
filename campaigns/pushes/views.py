"""A browser is added to those in which its player is shown notices, or dropped."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from rosters.services import RefusedError
from rosters.views._parts import player

from . import services
from .keys import push_key

BODY_MOST = 4000  # bytes
FIELDS = ("endpoint", "p256dh", "auth", "name", "public")


@login_required
@require_POST
def device_key(request: HttpRequest) -> HttpResponse:
    """The key that the browser is to take notices of; made when somebody first asks."""
    return JsonResponse({"public": push_key().public})


@login_required
@require_POST
def device_add(request: HttpRequest) -> HttpResponse:
    """The script of the page says what the browser gave it, as JSON."""
    try:
        given = json.loads(request.body[:BODY_MOST])
        fields = {name: given[name] for name in FIELDS}
    except (ValueError, TypeError, KeyError, RawPostDataException):  # the last: a form, which was read as one
        return JsonResponse({"said": "This is no address of a browser."}, status=422)
    if not all(isinstance(value, str) for value in fields.values()):
        return JsonResponse({"said": "This is no address of a browser."}, status=422)
    try:
        row = services.device_add(player=player(request), **fields)
    except RefusedError as error:
        return JsonResponse({"said": error.reason}, status=422)
    messages.success(request, f"Notices are shown in {row.name}. Choose below of what.")
    return JsonResponse({"key": str(row.key)})


@login_required
@require_POST
def device_drop(request: HttpRequest, key: UUID) -> HttpResponse:
    """Nothing more is shown in that browser."""
    if services.device_drop(player=player(request), key=key):
        messages.success(request, "No more notices there.")
    else:
        messages.info(request, "There are no notices there any more.")
    return redirect("campaigns:wishes")
