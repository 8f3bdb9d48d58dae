"""ETag and If-Match: clients can have a change refused if the row was changed after they read it."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import exceptions, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters.services import RefusedError
from rosters.site.once import hashed

from .parts import ErrorsOut, Handler, describe_header

IF_MATCH = "If-Match"
Rows = Callable[..., QuerySet[Model]]
TAG = r'(?:W/)?"[!#-~]*"'
TAGS = rf"^(?:\*|{TAG}(?: *, *{TAG})*)$"

IF_MATCH_PARAMETER = OpenApiParameter(
    IF_MATCH,
    {"type": "string", "pattern": TAGS},
    OpenApiParameter.HEADER,
    required=False,
    description=(
        "The `ETag` of the answer that you read, in its quotation marks; several with commas between them, or `*` for any. "
        "If it reads otherwise by now, nothing is changed: 412."
    ),
)
ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="Tells how it reads; send it as `If-Match` with a change.",
)
OVERTAKEN = {
    412: OpenApiResponse(ErrorsOut, f"It reads otherwise than with the ETag of {IF_MATCH}; nothing was changed.")
}


class PreconditionFailedError(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "overtaken"


def tagged(get: Handler) -> Handler:
    """Add an ETag to the response of a GET."""

    @functools.wraps(get)
    def answered(view: APIView, request: Request, *args: object, **kwargs: object) -> Response:
        return _with_tag(get(view, request, *args, **kwargs))

    return describe_header(answered, ETAG)


def if_match(rows: Rows) -> Callable[[Handler], Handler]:
    """Make a PATCH or PUT check the header; applied outside `extend_schema`.

    The view's GET gives the current ETag, while `rows`, found by the URL arguments, are locked. They are locked without
    the header too, so that changing one field doesn't reset another. With an outdated ETag the change is still tried,
    and rolled back, so that errors in the request or missing permission are reported first.
    """

    def around(change: Handler) -> Handler:
        @functools.wraps(change)
        def guarded(view: Any, request: Request, *args: object, **kwargs: object) -> Response:
            tags = _tags(request.headers.get(IF_MATCH, "*"))
            with transaction.atomic():
                list(rows(*args, **kwargs).order_by("pk").select_for_update(no_key=True).values_list("pk"))
                is_overtaken = "*" not in tags and _with_tag(view.get(request, *args, **kwargs))["ETag"] not in tags
                try:
                    answer = change(view, request, *args, **kwargs)
                except RefusedError:
                    if not is_overtaken:
                        raise
                if is_overtaken:
                    raise PreconditionFailedError({IF_MATCH: "It was changed since you read it; read it again."})
                return _with_tag(answer)

        return describe_header(guarded, IF_MATCH_PARAMETER, ETAG, refusals=OVERTAKEN)

    return around


def _tags(given: str) -> list[str]:
    """Return the ETags in the header. A compressed response has a weak tag for the same contents."""
    if not re.match(TAGS, given.strip()):
        raise exceptions.ValidationError({IF_MATCH: "must be the ETag of an answer in its quotation marks, or *."})
    return [tag.strip().removeprefix("W/") for tag in given.split(",")]


def _with_tag(response: Response) -> Response:
    if response.status_code == status.HTTP_200_OK:
        response["ETag"] = f'"{hashed(JSONRenderer().render(response.data).decode())[:32]}"'
    return response
