"""What the endpoints share: strict fields and parameters, refusals, pages, and who asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters.models import Player


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({str(field): ["unknown field"] for field in unknown[:10]})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A text; numbers are not taken for one. Empty only where that is said."""

    def __init__(self, **kwargs: Any) -> None:
        if not kwargs.get("allow_blank"):
            kwargs.setdefault("min_length", 1)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("must be a text")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number; texts and 3.0 are not taken for one."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            raise serializers.ValidationError("must be a whole number")
        return super().to_internal_value(data)


class Truth(serializers.BooleanField):
    """True or false; 0, "yes" and null are not taken for one."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise serializers.ValidationError("must be true or false")
        return data


class QueryWhole(Whole):
    """A whole number of an address."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not re.fullmatch(r"-?[0-9]{1,10}", data):
            raise serializers.ValidationError("must be a whole number")
        return super().to_internal_value(int(data))


class YesNo(serializers.ChoiceField):
    """True or false in an address."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=["true", "false", "1", "0"], **kwargs)

    def to_internal_value(self, data: Any) -> bool:  # type: ignore[override]
        return super().to_internal_value(data) in ("true", "1")


class Query(StrictSerializer):
    """The parameters that an endpoint takes in its address; an unknown one is refused, for it may be a misspelt filter."""


class OwnQuery(Query):
    own = YesNo(required=False, help_text="only your own")


class RefusalOut(serializers.Serializer[Any]):
    field = serializers.CharField()
    reason = serializers.CharField()


class ErrorsOut(serializers.Serializer[Any]):
    errors = RefusalOut(many=True)  # type: ignore[assignment]


class ProblemOut(serializers.Serializer[Any]):
    rule = serializers.CharField()
    message = serializers.CharField()
    place = serializers.CharField(allow_blank=True)


REFUSALS = {
    400: OpenApiResponse(ErrorsOut, "The document can't be read; names the field."),
    422: OpenApiResponse(ErrorsOut, "Refused by the rules or by what is there; names the field."),
}
GONE = {404: OpenApiResponse(ErrorsOut, "Not there, or not yours to see.")}


def player(request: Request) -> Player:
    assert isinstance(request.user, Player)
    return request.user


def body(request: Request) -> dict[str, Any]:
    return dict(request.data) if isinstance(request.data, dict) else {}  # the parser refuses all but objects


def valid(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def asked(kind: type[Query], request: Request, *, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    """The parameters of the address, read by that kind; refused with the parameter's name. `beside`: read elsewhere."""
    given = {name: values for name, values in request.query_params.lists() if name not in beside}
    if twice := sorted(name for name, values in given.items() if len(values) > 1):
        raise serializers.ValidationError({name: ["is given twice"] for name in twice[:10]})
    serializer = kind(data={name: value for name, (value,) in given.items()})
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


PAGES_MOST = 10**9  # what a database takes
PAGING = ("limit", "offset")
PAGE_PARAMETERS = [
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 200}, description="how many on a page"),
    OpenApiParameter("offset", {"type": "integer", "minimum": 0, "maximum": PAGES_MOST}, description="how many before"),
]
LINK_KEY = OpenApiParameter("key", str, description="the key of a link by which it is shared")


class Pages(LimitOffsetPagination):
    """Pages by limit and offset; what is no such number is refused."""

    default_limit, max_limit = 50, 200

    def get_limit(self, request: Request) -> int:
        return self._number(request, "limit", 1, self.max_limit, self.default_limit)

    def get_offset(self, request: Request) -> int:
        return self._number(request, "offset", 0, PAGES_MOST, 0)

    def _number(self, request: Request, name: str, least: int, most: int, default: int) -> int:
        given = request.query_params.getlist(name)
        if not given:
            return default
        if len(given) > 1 or not re.fullmatch(r"[0-9]{1,10}", given[0]) or not least <= int(given[0]) <= most:
            raise serializers.ValidationError({name: [f"must be a whole number from {least} to {most}"]})
        return int(given[0])

    def get_paginated_response_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        fields = {"count": {"type": "integer"}, "next": link, "previous": link, "results": schema}
        return {"type": "object", "properties": fields, "required": list(fields)}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return [
            {"name": each.name, "in": "query", "required": False, "description": each.description, "schema": each.type}
            for each in PAGE_PARAMETERS
        ]


def paged(request: Request, view: APIView, rows: Any, to_json: Any) -> Response:
    pages = Pages()
    page: Any = pages.paginate_queryset(rows, request, view)
    return pages.get_paginated_response([to_json(row) for row in page or ()])


def problem_json(problem: Any) -> dict[str, str]:
    return {"rule": problem.rule, "message": problem.message, "place": problem.place}
