"""The headers If-Match and Idempotency-Key of writing requests.

A POST repeated with the same Idempotency-Key gets the first response, and is not executed again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from django.core.files.base import File
from django.db import transaction
from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import exceptions, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters.api.base import ErrorsAnswer, Handler, describe_header
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.idempotency import Answer, DifferentRequestError, RequestInProgressError, hashed, run_once
from rosters.site.visitors import visitor_mark

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
        "The `ETag` you read, with its quotation marks; several separated by commas, or `*` for any. "
        "If it has changed since, nothing happens: 412."
    ),
)
ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="The version you read; send it as `If-Match` with a change.",
)
OVERTAKEN = {412: OpenApiResponse(ErrorsAnswer, f"It no longer matches the ETag in {IF_MATCH}; nothing was changed.")}


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
    """Make a PATCH or PUT check the If-Match header; apply it outside `extend_schema`.

    The view's GET returns the current ETag, while `rows`, found by the URL arguments, are locked. They are also locked
    without the header, so that changing one field can't reset another. With an outdated ETag the change is tried and
    rolled back, so that errors in the request and missing permissions are reported first.
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
                    raise PreconditionFailedError({IF_MATCH: "It has changed since you read it. Read it again."})
                return _with_tag(answer)

        return describe_header(guarded, IF_MATCH_PARAMETER, ETAG, refusals=OVERTAKEN)

    return around


def _tags(given: str) -> list[str]:
    """Return the ETags in the header without W/, because the ETag of a compressed response is weak."""
    if not re.match(TAGS, given.strip()):
        raise exceptions.ValidationError({IF_MATCH: "must be an ETag with its quotation marks, or *."})
    return [tag.strip().removeprefix("W/") for tag in given.split(",")]


def _with_tag(response: Response) -> Response:
    if response.status_code == status.HTTP_200_OK:
        response["ETag"] = f'"{hashed(JSONRenderer().render(response.data).decode())[:32]}"'
    return response


IDEMPOTENCY_KEY = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"  # "true" on a repeated response
KEY = re.compile(r"[!#-~]{1,200}")  # printable ASCII without spaces and quotation marks
GIVEN = rf'^({KEY.pattern}|"{KEY.pattern}")$'
UNKEPT = (status.HTTP_401_UNAUTHORIZED, status.HTTP_403_FORBIDDEN, status.HTTP_429_TOO_MANY_REQUESTS)

IDEMPOTENCY_KEY_PARAMETER = OpenApiParameter(
    IDEMPOTENCY_KEY,
    {"type": "string", "pattern": GIVEN},
    OpenApiParameter.HEADER,
    required=False,
    description=(
        "Your own name for this request, such as a UUID; 1 to 200 printable characters without spaces. If you don't know "
        "whether a request arrived, repeat it with the same key: it is done only once and answered as the first time "
        f"(`{REPLAYED}: true`), refusals too. 409 while the first is still running, 422 if the key was used for another "
        "request. Kept for two days by default; 5xx responses aren't kept, and without a token only 201 responses are."
    ),
)

UNDER_WAY = {409: OpenApiResponse(ErrorsAnswer, f"The first request with this {IDEMPOTENCY_KEY} is still running.")}


class ConflictError(exceptions.APIException):
    """Raised while the first request with this key is still running."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "idempotency-key-under-way"
    wait = 1  # seconds, sent as Retry-After


class KeyReusedError(exceptions.APIException):
    """Raised if a different request was made with this key."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "idempotency-key-reused"


def idempotent(post: Handler) -> Handler:
    """Make a POST accept the Idempotency-Key header; apply it outside `extend_schema`."""

    @functools.wraps(post)
    def keyed(view: APIView, request: Request, *args: object, **kwargs: object) -> Response:
        given = request.headers.get(IDEMPOTENCY_KEY)
        if given is None:
            return post(view, request, *args, **kwargs)
        key = _key(given)
        asked = hashed(
            "POST", request.get_full_path(), json.dumps(request.data, sort_keys=True, default=_describe_file)
        )

        def act() -> tuple[Response, Answer | None]:
            try:
                response = post(view, request, *args, **kwargs)
            except Exception as error:
                response = view.handle_exception(error)
            return response, _stored_answer(request, response)

        try:
            found = run_once(who=_who(request), key=key, asked=asked, waits=False, act=act)
        except RequestInProgressError:
            raise ConflictError(
                {IDEMPOTENCY_KEY: "The first request with this key is still running. Try again in a moment."}
            ) from None
        except DifferentRequestError:
            raise KeyReusedError(
                {IDEMPOTENCY_KEY: "This key was used for another request. Use a new key for each request."}
            ) from None
        if isinstance(found, Answer):
            data = json.loads(found.text) if found.text else None
            return Response(data, status=found.status, headers={REPLAYED: "true"})
        return found

    keyed.is_done_once = True  # type: ignore[attr-defined]
    return describe_header(keyed, IDEMPOTENCY_KEY_PARAMETER, refusals=UNDER_WAY)


def _describe_file(value: object) -> str:
    """Return the digest of an uploaded file, which stands for the file in the request's hash."""
    if not isinstance(value, File):
        raise TypeError(f"{type(value).__name__} is no file")
    digest = hashlib.sha256()
    for chunk in value.chunks():
        digest.update(chunk)
    value.seek(0)
    return digest.hexdigest()


def _key(given: str) -> str:
    """Return the key without the quotation marks that the draft standard allows; ValidationError if it is invalid."""
    bare = given[1:-1] if len(given) > 2 and given[0] == given[-1] == '"' else given
    if not KEY.fullmatch(bare):
        raise exceptions.ValidationError({IDEMPOTENCY_KEY: "must be 1 to 200 printable characters without spaces."})
    return bare


def _who(request: Request) -> str:
    if isinstance(request.user, Player):
        return f"player {request.user.pk}"
    return f"visitor {visitor_mark(request._request)}"


def _stored_answer(request: Request, response: Response) -> Answer | None:
    """Return the response to store; None if it shouldn't be stored.

    A visitor's response is stored only if something was created, which is limited per hour; other responses could fill
    the disk.
    """
    if response.status_code >= 500 or response.status_code in UNKEPT:
        return None
    if not isinstance(request.user, Player) and response.status_code != status.HTTP_201_CREATED:
        return None
    text = "" if response.data is None else JSONRenderer().render(response.data).decode()
    return Answer(response.status_code, text)
