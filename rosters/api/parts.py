"""What the endpoints share: strict fields, refusals, pages, and who asks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from rosters.keyset import Keyset, PlaceError, Slice
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
    """A text; numbers are not taken for one."""

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


LIST_PARAMETERS = [
    OpenApiParameter("limit", int, description="rows of a page, 200 at most"),
    OpenApiParameter("after", str, description="where the page begins, as the last one's `next` says it"),
    OpenApiParameter("before", str, description="where it ends, as a page's `previous` says it"),
    OpenApiParameter("offset", int, description="rows to pass over instead; slow far down a long list"),
]


class Pages(LimitOffsetPagination):
    """Pages by key in that order; by offset for who asks for one. Neither is larger than a database takes."""

    max_limit = 200

    def __init__(self, *order: str) -> None:
        self.keyset = Keyset(*order)
        self.slice: Slice[Any] | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any] | None:
        if "offset" in request.query_params:
            ids = queryset.order_by(*self.keyset.order).values_list("pk", flat=True)
            page: list[Any] = (
                super().paginate_queryset(ids, request, view) or []
            )  # what rows are passed over hold is not read
            rows = {row.pk: row for row in queryset.filter(pk__in=page)}
            return [rows[pk] for pk in page if pk in rows]
        self.request, self.count = request, self.get_count(queryset)
        self.limit = self.get_limit(request) or self.default_limit or self.max_limit
        places = {name: request.query_params.get(name, "")[:200] for name in ("after", "before")}
        try:
            self.slice = self.keyset.slice(queryset, self.limit, after=places["after"], before=places["before"])
        except PlaceError:
            reason = "is no place in this list; take it from `next` or `previous` of another page"
            raise serializers.ValidationError({name: [reason] for name in places if places[name]}) from None
        return self.slice.rows

    def get_offset(self, request: Request) -> int:
        return min(super().get_offset(request), 10**9)

    def get_next_link(self) -> str | None:
        return super().get_next_link() if self.slice is None else self._link("after", self.slice.after)

    def get_previous_link(self) -> str | None:
        return super().get_previous_link() if self.slice is None else self._link("before", self.slice.before)

    def _link(self, way: str, place: str) -> str | None:
        if not place or self.request is None:
            return None
        url = self.request.build_absolute_uri()
        for name in ("after", "before"):
            url = remove_query_param(url, name)
        return str(replace_query_param(replace_query_param(url, "limit", self.limit), way, place))


def paged(request: Request, view: APIView, rows: Any, to_json: Any, *order: str) -> Response:
    """A page of these rows in that order, whose last name is the id's."""
    pages = Pages(*order)
    page: Any = pages.paginate_queryset(rows, request, view)
    return pages.get_paginated_response([to_json(row) for row in page or ()])


def problem_json(problem: Any) -> dict[str, str]:
    return {"rule": problem.rule, "message": problem.message, "place": problem.place}
