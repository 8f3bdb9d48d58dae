"""API of designs: check a design, list published designs, save your own."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import services
from rosters.api.base import (
    LINK_KEY,
    PAGING,
    Pages,
    ProblemAnswer,
    Query,
    StrictCharField,
    SystemObject,
    asked,
    body,
    paged,
    player,
)
from rosters.api.headers import idempotent, if_match, tagged
from rosters.designs.selectors import designs_published
from rosters.models import Design, Visibility
from rosters.shortcuts import own_design, visible_design
from systems import ROSTERS, roster_rules
from systems.documents import DesignDocument
from systems.legality import BillLine, Check
from systems.reading import read_design


class DesignParts(serializers.Serializer[None]):
    """A design/1 document."""

    muster = serializers.ChoiceField(choices=["design/1"])
    system = serializers.ChoiceField(choices=list(ROSTERS))
    name = serializers.CharField(max_length=60)
    spec = SystemObject("spec", help_text="as the game defines it")


class PointsLineAnswer(serializers.Serializer[BillLine]):
    label = serializers.CharField()  # type: ignore[assignment]
    points = serializers.IntegerField()


class CheckAnswer(serializers.Serializer[Check]):
    legal = serializers.BooleanField()
    points = serializers.IntegerField()
    problems = ProblemAnswer(many=True)
    warnings = ProblemAnswer(many=True)
    bill = PointsLineAnswer(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class DesignAnswer(DesignParts):
    id = serializers.IntegerField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    check = CheckAnswer()


class PublishedDesignAnswer(DesignParts):
    slug = serializers.CharField()
    printed_points = serializers.IntegerField()
    note = serializers.CharField(allow_blank=True)
    check = CheckAnswer()


class ReleaseQuery(Query):
    release = StrictCharField(
        max_length=20, required=False, help_text="catalogue version of the game; default: the newest"
    )


class DesignCheck(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        request=DesignDocument,
        responses={200: CheckAnswer},
        operation_id="designs_check",
        tags=["designs"],
        parameters=[ReleaseQuery],
    )
    def post(self, request: Request) -> Response:
        """Return the points, the bill and all problems of a design/1 document; nothing is stored."""
        release = str(asked(ReleaseQuery, request).get("release", ""))
        document, spec = read_design(body(request), release)
        return Response(CheckAnswer(roster_rules(document.system, release).check_design(spec)).data)


class PublishedDesigns(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(responses=PublishedDesignAnswer(many=True), operation_id="designs_published_list", tags=["designs"])
    def get(self, request: Request) -> Response:
        """List the published designs of all games, as documents with their checks."""
        return Response(
            [
                {
                    "muster": "design/1",
                    "slug": card.key,
                    "system": card.system,
                    "name": card.name,
                    "spec": card.spec,
                    "printed_points": card.printed_points,
                    "note": card.note,
                    "check": CheckAnswer(card.check).data,
                }
                for slug in ROSTERS
                for card in designs_published(slug)
            ]
        )


class Designs(APIView):
    permission_classes = (IsAuthenticated,)
    pagination_class = Pages

    @extend_schema(
        responses=DesignAnswer(many=True),
        operation_id="designs_list",
        tags=["designs"],
    )
    def get(self, request: Request) -> Response:
        """List your own designs."""
        asked(Query, request, beside=PAGING)
        return paged(request, Design.objects.filter(author=player(request)), design_json, "name", "pk")

    @idempotent
    @extend_schema(
        request=DesignDocument, responses={201: DesignAnswer}, operation_id="designs_create", tags=["designs"]
    )
    def post(self, request: Request) -> Response:
        """Save a design; it may have problems."""
        document, _ = read_design(body(request))
        design = services.design_save(
            author=player(request), system=document.system, name=document.name, spec=document.spec
        )
        return Response(design_json(design), status=status.HTTP_201_CREATED)


class DesignDetail(APIView):
    @tagged
    @extend_schema(
        responses={200: DesignAnswer}, operation_id="designs_retrieve", tags=["designs"], parameters=[LINK_KEY]
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return a design that you may see."""
        return Response(design_json(visible_design(request, pk)))

    @if_match(lambda pk: Design.objects.filter(pk=pk))
    @extend_schema(
        request=DesignDocument,
        responses={200: DesignAnswer},
        operation_id="designs_update",
        tags=["designs"],
    )
    def put(self, request: Request, pk: int) -> Response:
        """Replace your design."""
        design = own_design(request, pk)
        document, _ = read_design(body(request))
        changed = services.design_save(
            author=player(request), system=document.system, name=document.name, spec=document.spec, design=design
        )
        return Response(design_json(changed))

    @extend_schema(responses={204: None}, operation_id="designs_delete", tags=["designs"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete your design; units bought from it stay unchanged."""
        services.design_delete(design=own_design(request, pk), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def design_json(design: Design) -> dict[str, object]:
    rules = roster_rules(design.system)
    return {
        "id": design.pk,
        "muster": "design/1",
        "system": design.system,
        "name": design.name,
        "spec": design.spec,
        "visibility": design.visibility,
        "check": CheckAnswer(rules.check_design(rules.parse_spec(design.spec))).data,
    }
