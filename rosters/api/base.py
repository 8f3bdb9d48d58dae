"""Building blocks of all endpoints: strict fields and parameters, errors, pages, and the current player."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from rosters.models import Player
from rosters.site.pagination import Keyset, PlaceError
from systems.legality import Problem

Handler = Callable[..., Response]  # a view's method
RowT = TypeVar("RowT", bound=Model)


class StrictSerializer(serializers.Serializer[None]):
    """A serializer that refuses unknown fields."""

    def to_internal_value(self, data: object) -> object:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({str(field): ["unknown field"] for field in unknown[:10]})
        return super().to_internal_value(data)


class StrictCharField(serializers.CharField):
    """A text; numbers are refused, and so is an empty text, unless it is allowed."""

    def __init__(self, **kwargs: Any) -> None:
        if not kwargs.get("allow_blank"):
            kwargs.setdefault("min_length", 1)
        super().__init__(**kwargs)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("must be a text")
        return super().to_internal_value(data)


class StrictIntegerField(serializers.IntegerField):
    """A whole number; texts and 3.0 are refused."""

    def to_internal_value(self, data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            raise serializers.ValidationError("must be a whole number")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """True or false; 0, "yes" and null are refused."""

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            raise serializers.ValidationError("must be true or false")
        return data


class SystemObject(serializers.DictField):
    """An object that a game reads, such as a "spec"; the API's description contains what each game accepts."""

    def __init__(self, part: str, **kwargs: Any) -> None:
        self.part = part
        super().__init__(**kwargs)


class QueryIntegerField(StrictIntegerField):
    """A whole number in a query parameter."""

    def to_internal_value(self, data: object) -> int:
        if not isinstance(data, str) or not re.fullmatch(r"-?[0-9]{1,10}", data):
            raise serializers.ValidationError("must be a whole number")
        return super().to_internal_value(int(data))


class QueryBooleanField(serializers.ChoiceField):
    """True or false in a query parameter."""

    def __init__(self, help_text: str) -> None:
        super().__init__(choices=["true", "false", "1", "0"], required=False, help_text=help_text)

    def to_internal_value(self, data: str) -> bool:  # type: ignore[override]
        return super().to_internal_value(data) in ("true", "1")


class Query(StrictSerializer):
    """The query parameters of an endpoint. Unknown ones are refused, because they may be misspelt filters."""


class OwnQuery(Query):
    own = QueryBooleanField("only your own")


class RefusalAnswer(serializers.Serializer[None]):
    field = serializers.CharField()
    reason = serializers.CharField()


class ErrorsAnswer(serializers.Serializer[None]):
    errors = RefusalAnswer(many=True)  # type: ignore[assignment]


class ProblemAnswer(serializers.Serializer[Problem]):
    rule = serializers.CharField()
    message = serializers.CharField()
    place = serializers.CharField(allow_blank=True)


def player(request: Request) -> Player:
    assert isinstance(request.user, Player)
    return request.user


def body(request: Request) -> dict[str, object]:
    return dict(request.data) if isinstance(request.data, dict) else {}  # the parser accepts only objects


def valid(kind: type[StrictSerializer], request: Request) -> dict[str, Any]:
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def asked(kind: type[Query], request: Request, *, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the validated query parameters, except those in `beside`, which are read elsewhere.

    ValidationError, with the parameter's name, if one is invalid, unknown or given twice.
    """
    given = {name: values for name, values in request.query_params.lists() if name not in beside}
    if twice := sorted(name for name, values in given.items() if len(values) > 1):
        raise serializers.ValidationError({name: ["is given twice"] for name in twice[:10]})
    serializer = kind(data={name: value for name, (value,) in given.items()})
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def describe_header(
    handler: Handler, *parameters: OpenApiParameter, refusals: Mapping[int, OpenApiResponse] = MappingProxyType({})
) -> Handler:
    """Add headers and error responses to the handler's description."""
    described: Any = extend_schema(parameters=list(parameters))(handler)
    before: Any = described.kwargs["schema"]

    class WithHeader(before):
        def get_response_serializers(self) -> object:
            return (
                {**refusals, **super().get_response_serializers()} if refusals else super().get_response_serializers()
            )

    described.kwargs["schema"] = WithHeader
    return handler


MAX_PAGES = 10**9  # the largest offset; every database accepts it
PAGING = ("limit", "after", "before", "offset")
PAGE_PARAMETERS = [
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 200}, description="results per page"),
    OpenApiParameter("after", str, description="start of the page: `next` of another page"),
    OpenApiParameter("before", str, description="end of the page: `previous` of another page"),
    OpenApiParameter(
        "offset",
        {"type": "integer", "minimum": 0, "maximum": MAX_PAGES},
        description="results to skip; slow for long lists",
    ),
]
NO_PLACE = "isn't a place in this list; use `next` or `previous` of another page"
LINK_KEY = OpenApiParameter("key", str, description="the key of a share link")


class Pages(LimitOffsetPagination):
    """Keyset pagination in this order, or pagination by offset. Invalid numbers and places are refused."""

    default_limit, max_limit = 50, 200

    def __init__(self, *order: str, number: int | None = None) -> None:
        self.keyset = Keyset(*order)
        self.number = number
        self.beside: tuple[str, str] | None = None  # with keyset pagination, the places before and after the page

    def page(self, rows: QuerySet[RowT], request: Request) -> list[RowT]:
        """Return the rows of the requested page; ValidationError for an invalid parameter."""
        given = [name for name in ("after", "before", "offset") if name in request.query_params]
        if len(given) > 1:
            raise serializers.ValidationError({given[1]: [f"contradicts `{given[0]}`; send only one of them"]})
        self.request, self.count = request, self.get_count(rows)
        self.limit = self.get_limit(request)
        if "offset" in request.query_params:
            self.offset = self.get_offset(request)
            rows = rows.order_by(*self.keyset.order)
            ids = rows.values_list("pk", flat=True)[self.offset : self.offset + self.limit]
            # Skips rows without reading their contents. With more ordering fields, a subquery of distinct IDs would
            # need more columns.
            return list(rows.filter(pk__in=ids if len(self.keyset.order) == 1 else list(ids)))
        places = {name: self._place(request, name) for name in ("after", "before")}
        try:
            page = self.keyset.slice(rows, self.limit, after=places["after"], before=places["before"])
        except PlaceError:
            raise serializers.ValidationError({name: [NO_PLACE] for name in places if places[name]}) from None
        self.beside = page.before, page.after
        return page.rows

    def get_count(self, queryset: QuerySet[Model] | Sequence[object]) -> int:
        return super().get_count(queryset) if self.number is None else self.number

    def get_limit(self, request: Request) -> int:
        return self._number(request, "limit", 1, self.max_limit, self.default_limit)

    def get_offset(self, request: Request) -> int:
        return self._number(request, "offset", 0, MAX_PAGES, 0)

    def _number(self, request: Request, name: str, least: int, most: int, default: int) -> int:
        given = request.query_params.getlist(name)
        if not given:
            return default
        if len(given) > 1 or not re.fullmatch(r"[0-9]{1,10}", given[0]) or not least <= int(given[0]) <= most:
            raise serializers.ValidationError({name: [f"must be a whole number from {least} to {most}"]})
        return int(given[0])

    def _place(self, request: Request, name: str) -> str:
        given = request.query_params.getlist(name)
        if len(given) > 1 or (given and not given[0]):
            raise serializers.ValidationError({name: [NO_PLACE]})
        return given[0] if given else ""

    def get_paginated_response_schema(self, schema: Mapping[str, object]) -> dict[str, object]:
        link = {"type": ["string", "null"], "format": "uri"}
        fields = {"count": {"type": "integer"}, "next": link, "previous": link, "results": schema}
        return {"type": "object", "properties": fields, "required": list(fields)}

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, object]]:
        return [
            {
                "name": each.name,
                "in": "query",
                "required": False,
                "description": each.description,
                "schema": {"type": "string"} if each.type is str else each.type,
            }
            for each in PAGE_PARAMETERS
        ]

    def get_next_link(self) -> str | None:
        return super().get_next_link() if self.beside is None else self._link("after", self.beside[1])

    def get_previous_link(self) -> str | None:
        return super().get_previous_link() if self.beside is None else self._link("before", self.beside[0])

    def _link(self, way: str, place: str) -> str | None:
        if not place or self.request is None:
            return None
        url = self.request.build_absolute_uri()
        for name in ("after", "before"):
            url = remove_query_param(url, name)
        return str(replace_query_param(replace_query_param(url, "limit", self.limit), way, place))


def paged(
    request: Request,
    rows: QuerySet[RowT],
    answer: Callable[[RowT], object],
    *order: str,
    number: int | None = None,
) -> Response:
    """Return a page of these rows in this order, whose last field is the ID; `number` is the total if already known."""
    pages = Pages(*order, number=number)
    return pages.get_paginated_response([answer(row) for row in pages.page(rows, request)])
