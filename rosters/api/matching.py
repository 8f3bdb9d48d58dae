"""ETag and If-Match: who changes what somebody else has changed since he read it is told so, if he asks for it."""

from __future__ import annotations

import functools
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

from rosters.services.once import hashed

from .parts import ErrorsOut, Handler, describe_header

HEADER = "If-Match"
Rows = Callable[..., QuerySet[Any]]

PARAMETER = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    required=False,
    description="The `ETag` of the answer that you read. If it reads otherwise by now, nothing is changed: 412.",
)
TAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="Tells how it reads; send it as `If-Match` with a change.",
)
OVERTAKEN = {
    412: OpenApiResponse(ErrorsOut, f"It reads otherwise than with the ETag of {HEADER}; nothing was changed.")
}


class OvertakenSinceError(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "overtaken"


def tagged(get: Handler) -> Handler:
    """A GET whose answer carries its ETag."""

    @functools.wraps(get)
    def answered(view: APIView, request: Request, *args: Any, **kwargs: Any) -> Response:
        return _with_tag(get(view, request, *args, **kwargs))

    return describe_header(answered, TAG)


def if_match(rows: Rows) -> Callable[[Handler], Handler]:
    """A PATCH or PUT that honours the header; goes around what `extend_schema` describes.

    The view's GET says how it reads by now, while `rows`, found by the arguments of the address, are locked. Locked
    they are without the header too: a change of one field then puts no other field back.
    """

    def around(change: Handler) -> Handler:
        @functools.wraps(change)
        def guarded(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
            given = request.headers.get(HEADER, "*").strip()
            with transaction.atomic():
                _lock(rows(*args, **kwargs))
                if given != "*":
                    now = _with_tag(view.get(request, *args, **kwargs))["ETag"]
                    if now not in [tag.strip() for tag in given.split(",")]:
                        raise OvertakenSinceError({HEADER: "It was changed since you read it; read it again."})
                return _with_tag(change(view, request, *args, **kwargs))

        return describe_header(guarded, PARAMETER, TAG, refusals=OVERTAKEN)

    return around


def _lock(rows: QuerySet[Model]) -> None:
    list(rows.order_by("pk").select_for_update(no_key=True).values_list("pk"))


def _with_tag(response: Response) -> Response:
    if response.status_code == status.HTTP_200_OK:
        response["ETag"] = f'"{hashed(JSONRenderer().render(response.data).decode())[:32]}"'
    return response
