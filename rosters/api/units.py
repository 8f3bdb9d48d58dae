"""API of a company's units: buy, read, rename, sell, repair, refit, assign a pilot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import selectors, services
from rosters.models import Company, Design, Pilot, Unit
from rosters.rows import own_company, own_unit, seen_unit
from rosters.selectors import UnitRow

from .matching import if_match, tagged
from .once import idempotent
from .parts import LINK_KEY, ProblemOut, StrictSerializer, SystemObject, Text, Whole, player, valid


class UnitIn(StrictSerializer):
    published = Text(max_length=60, required=False, help_text="slug of a published design")
    design = Whole(min_value=1, required=False, help_text="id of an own design")
    name = Text(max_length=60, required=False, allow_blank=True)


class DesignIn(StrictSerializer):
    published = Text(max_length=60, required=False, help_text="slug of a published design")
    design = Whole(min_value=1, required=False, help_text="id of an own design")


class NameIn(StrictSerializer):
    name = Text(max_length=60)


class AssignIn(StrictSerializer):
    pilot = Whole(min_value=1, allow_null=True)


class UnitOut(serializers.Serializer[UnitRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    design_name = serializers.CharField()
    design = SystemObject("spec", source="spec")
    status = serializers.CharField()
    points = serializers.IntegerField()
    paid = serializers.IntegerField()
    sale = serializers.IntegerField()
    repair = serializers.IntegerField()
    condition = SystemObject("condition")
    pilot = serializers.IntegerField(allow_null=True, source="pilot.id")
    problems = ProblemOut(many=True)


class Units(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=UnitIn, responses={201: UnitOut}, operation_id="units_buy", tags=["units"])
    def post(self, request: Request, pk: int) -> Response:
        """Buy a unit of a published design or of one of yours."""
        company = own_company(request, pk)
        wanted = valid(UnitIn, request)
        design = _own_design(request, wanted)
        unit = services.unit_buy(
            company=company,
            by=player(request),
            published=wanted.get("published", ""),
            design=design,
            name=wanted.get("name", ""),
        )
        return Response(unit_response(company, unit), status=status.HTTP_201_CREATED)


class UnitDetail(APIView):
    @tagged
    @extend_schema(responses={200: UnitOut}, operation_id="units_read", tags=["units"], parameters=[LINK_KEY])
    def get(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Return a unit of a company that you may see, ready or gone."""
        return Response(unit_response(*seen_unit(request, pk, unit_pk)))

    @if_match(lambda pk, unit_pk: Company.objects.filter(pk=pk))
    @extend_schema(request=NameIn, responses={200: UnitOut}, operation_id="units_rename", tags=["units"])
    def patch(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Rename the unit."""
        company, unit = own_unit(request, pk, unit_pk)
        services.unit_rename(company=company, by=player(request), unit=unit, **valid(NameIn, request))
        return Response(unit_response(company, unit))


class UnitSell(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: UnitOut}, operation_id="units_sell", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Sell the unit: for its full price if it has never played, else for half."""
        company, unit = own_unit(request, pk, unit_pk)
        services.unit_sell(company=company, by=player(request), unit=unit)
        return Response(unit_response(company, unit))


class UnitRepair(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: UnitOut}, operation_id="units_repair", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Repair the unit."""
        company, unit = own_unit(request, pk, unit_pk)
        services.unit_repair(company=company, by=player(request), unit=unit)
        return Response(unit_response(company, unit))


class UnitRefit(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=DesignIn, responses={200: UnitOut}, operation_id="units_refit", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Refit the unit to another design, if its rule system allows it."""
        company, unit = own_unit(request, pk, unit_pk)
        wanted = valid(DesignIn, request)
        design, published = _own_design(request, wanted), wanted.get("published", "")
        services.unit_refit(company=company, by=player(request), unit=unit, published=published, design=design)
        unit.refresh_from_db()
        return Response(unit_response(company, unit))


class UnitAssign(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=AssignIn, responses={200: UnitOut}, operation_id="units_assign", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Assign a pilot to the unit; null removes its pilot."""
        company, unit = own_unit(request, pk, unit_pk)
        wanted = valid(AssignIn, request)["pilot"]
        pilot = Pilot.objects.filter(company=company, pk=wanted).first() if wanted else None
        if wanted and pilot is None:
            raise services.RefusedError("pilot", "There is no such pilot in this company.")
        services.pilot_assign(company=company, by=player(request), unit=unit, pilot=pilot)
        return Response(unit_response(company, unit))


def _own_design(request: Request, wanted: Mapping[str, Any]) -> Design | None:
    """Return the player's design in the request; None if there is none."""
    if "design" not in wanted:
        return None
    design = Design.objects.filter(author=player(request), pk=wanted["design"]).first()
    if design is None:
        raise services.RefusedError("design", "You have no such design.")
    return design


def unit_response(company: Company, unit: Unit) -> dict[str, object]:
    """Return the unit as the API shows it."""
    return UnitOut(selectors.unit_row(company, unit.pk)).data
