"""Error responses of the API, all in one format: {"errors": [{"field": ..., "reason": ...}]}."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO

from django.http import Http404
from rest_framework import exceptions, parsers, status
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from rosters.site.exceptions import RateLimitedError, RefusedError, StaleEditError
from rosters.site.retention import ExplainedNotFoundError
from systems.documents import MAX_BYTES, MAX_VALUES, WHOLE, DocumentError, fit, plain_json

Refusal = dict[str, str]
TOKEN = "token"  # the field in responses to unknown clients
NO_TOKEN = "is missing: create a token on your account page and send `Authorization: Token ...`"


class DocumentParser(parsers.BaseParser):
    """A parser for JSON bodies, as strict as for files: size limit, no NaN, duplicate keys or unprintable text."""

    media_type = "application/json"
    most, most_values = MAX_BYTES, MAX_VALUES

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: object = None
    ) -> dict[str, object]:
        value = plain_json(stream.read(self.most + 1), most=self.most, most_values=self.most_values)
        if not isinstance(value, dict):
            raise DocumentError("", "must be an object")
        return {name: fit(each, name) for name, each in value.items()}


def handle(error: Exception, context: dict[str, object]) -> Response | None:
    """Return the response to an exception in a view; None leaves it to Django."""
    if isinstance(error, DocumentError):
        code = status.HTTP_422_UNPROCESSABLE_ENTITY if error.rule else status.HTTP_400_BAD_REQUEST
        return _answer(code, [{"field": error.path, "reason": error.reason}])
    if isinstance(error, StaleEditError):
        return _answer(status.HTTP_409_CONFLICT, [{"field": error.field, "reason": error.reason}])
    if isinstance(error, RateLimitedError):
        details = [{"field": error.field, "reason": error.reason}]
        return _answer(status.HTTP_429_TOO_MANY_REQUESTS, details, {"Retry-After": str(error.wait)})
    if isinstance(error, RefusedError):
        return _answer(status.HTTP_422_UNPROCESSABLE_ENTITY, [{"field": error.field, "reason": error.reason}])
    if isinstance(error, exceptions.ValidationError):
        return _answer(status.HTTP_400_BAD_REQUEST, list(_flat(error.detail, "")))
    if isinstance(error, ExplainedNotFoundError) and error.sentence:
        return _answer(error.status, [{"field": WHOLE, "reason": error.sentence}])
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    response = exception_handler(error, context)
    if response is not None:  # DRF has converted Django's own PermissionDenied by now
        if isinstance(error, exceptions.NotAuthenticated):
            response.data = {"errors": [{"field": TOKEN, "reason": NO_TOKEN}]}
            return response
        whole = TOKEN if isinstance(error, exceptions.AuthenticationFailed) else ""
        response.data = {"errors": list(_flat(getattr(error, "detail", response.data), whole))}
    return response


def _answer(code: int, errors: list[Refusal], headers: Mapping[str, str] | None = None) -> Response:
    set_rollback()
    return Response({"errors": errors}, status=code, headers=headers)


def _flat(detail: object, path: str) -> Iterator[Refusal]:
    """Yield the fields and reasons in DRF's nested error details."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            name = path if key in ("non_field_errors", "detail") else f"{path}.{key}" if path else str(key)
            yield from _flat(value, name)
    elif isinstance(detail, list | tuple):
        for at, value in enumerate(detail):
            yield from _flat(value, f"{path}[{at}]" if isinstance(value, dict | list) and value else path)
    else:
        yield {"field": path or WHOLE, "reason": str(detail)}
