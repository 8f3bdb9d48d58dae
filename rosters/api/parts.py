"""What the endpoints share: strict fields, refusals, pages, and who asks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse
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


class Pages(LimitOffsetPagination):
    """Pages by limit and offset; neither is larger than a database takes."""

    max_limit = 200

    def get_offset(self, request: Request) -> int:
        return min(super().get_offset(request), 10**9)


def paged(request: Request, view: APIView, rows: Any, to_json: Any) -> Response:
    pages = Pages()
    page: Any = pages.paginate_queryset(rows, request, view)
    return pages.get_paginated_response([to_json(row) for row in page or ()])


def problem_json(problem: Any) -> dict[str, str]:
    return {"rule": problem.rule, "message": problem.message, "place": problem.place}
