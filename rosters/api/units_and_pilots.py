"""API of a company's units and pilots, and of random names for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import selectors, services
from rosters.api.base import (
    LINK_KEY,
    ProblemAnswer,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    SystemObject,
    player,
    valid,
)
from rosters.api.headers import idempotent, if_match, tagged
from rosters.ledger.selectors import LedgerRow, ServiceLine, ledger_of, service_record
from rosters.models import Company, Design, Pilot, Unit
from rosters.random_names import company_name, pilot_name, unit_name
from rosters.selectors import PilotRow, UnitRow
from rosters.shortcuts import own_company, own_pilot, own_unit, visible_pilot, visible_unit
from systems.pilots import PILOT_TEXTS

AnyField = serializers.Field[Any, Any, Any, Any]


class UnitRequest(StrictSerializer):
    published = StrictCharField(max_length=60, required=False, help_text="slug of a published design")
    design = StrictIntegerField(min_value=1, required=False, help_text="id of one of your designs")
    name = StrictCharField(max_length=60, required=False, allow_blank=True)


class UnitDesignRequest(StrictSerializer):
    published = StrictCharField(max_length=60, required=False, help_text="slug of a published design")
    design = StrictIntegerField(min_value=1, required=False, help_text="id of one of your designs")


class NameRequest(StrictSerializer):
    name = StrictCharField(max_length=60)


class PilotAssignmentRequest(StrictSerializer):
    pilot = StrictIntegerField(min_value=1, allow_null=True)


class UnitAnswer(serializers.Serializer[UnitRow]):
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
    problems = ProblemAnswer(many=True)


class Units(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=UnitRequest, responses={201: UnitAnswer}, operation_id="units_create", tags=["units"])
    def post(self, request: Request, pk: int) -> Response:
        """Buy a unit of a published design or of your own design."""
        company = own_company(request, pk)
        wanted = valid(UnitRequest, request)
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
    @extend_schema(responses={200: UnitAnswer}, operation_id="units_retrieve", tags=["units"], parameters=[LINK_KEY])
    def get(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Return a unit of a company that you may see; it may have been sold or destroyed."""
        return Response(unit_response(*visible_unit(request, pk, unit_pk)))

    @if_match(lambda pk, unit_pk: Company.objects.filter(pk=pk))
    @extend_schema(request=NameRequest, responses={200: UnitAnswer}, operation_id="units_update", tags=["units"])
    def patch(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Rename the unit."""
        company, unit = own_unit(request, pk, unit_pk)
        services.unit_rename(company=company, by=player(request), unit=unit, **valid(NameRequest, request))
        return Response(unit_response(company, unit))


class UnitSell(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: UnitAnswer}, operation_id="units_sell", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Sell the unit, for its full price if it has never played, otherwise for half."""
        company, unit = own_unit(request, pk, unit_pk)
        services.unit_sell(company=company, by=player(request), unit=unit)
        return Response(unit_response(company, unit))


class UnitRepair(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: UnitAnswer}, operation_id="units_repair", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Repair the unit."""
        company, unit = own_unit(request, pk, unit_pk)
        services.unit_repair(company=company, by=player(request), unit=unit)
        return Response(unit_response(company, unit))


class UnitRefit(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=UnitDesignRequest, responses={200: UnitAnswer}, operation_id="units_refit", tags=["units"])
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Refit the unit to another design, if its game allows it."""
        company, unit = own_unit(request, pk, unit_pk)
        wanted = valid(UnitDesignRequest, request)
        design, published = _own_design(request, wanted), wanted.get("published", "")
        services.unit_refit(company=company, by=player(request), unit=unit, published=published, design=design)
        unit.refresh_from_db()
        return Response(unit_response(company, unit))


class UnitAssign(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=PilotAssignmentRequest, responses={200: UnitAnswer}, operation_id="units_assign", tags=["units"]
    )
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Assign a pilot to the unit; null removes its pilot."""
        company, unit = own_unit(request, pk, unit_pk)
        wanted = valid(PilotAssignmentRequest, request)["pilot"]
        pilot = Pilot.objects.filter(company=company, pk=wanted).first() if wanted else None
        if wanted and pilot is None:
            raise services.RefusedError("pilot", "That pilot isn't in this company.")
        services.pilot_assign(company=company, by=player(request), unit=unit, pilot=pilot)
        return Response(unit_response(company, unit))


def _own_design(request: Request, wanted: Mapping[str, Any]) -> Design | None:
    """Return the player's own design that the request names; None if it names none."""
    if "design" not in wanted:
        return None
    design = Design.objects.filter(author=player(request), pk=wanted["design"]).first()
    if design is None:
        raise services.RefusedError("design", "You don't have that design.")
    return design


def unit_response(company: Company, unit: Unit) -> dict[str, object]:
    """Return the unit as the API shows it."""
    return UnitAnswer(selectors.unit_row(company, unit.pk)).data


class PilotRequest(StrictSerializer):
    def get_fields(self) -> dict[str, AnyField]:
        """Return the pilot's texts before the serializer's own fields."""
        texts = {
            name: StrictCharField(
                max_length=text.max_length, required=text.is_required, allow_blank=not text.is_required
            )
            for name, text in PILOT_TEXTS.items()
        }
        return {**texts, **super().get_fields()}


class PilotChangeRequest(PilotRequest):
    def get_fields(self) -> dict[str, AnyField]:
        fields = super().get_fields()
        fields["name"].required = False
        return fields


class HireRequest(PilotRequest):
    experience = StrictCharField(max_length=20, default="", help_text="level; default: the game's lowest")


class PilotAnswer(serializers.Serializer[PilotRow]):
    id = serializers.IntegerField()
    status = serializers.CharField()
    experience = serializers.CharField(source="level")
    skills = serializers.ListField(child=serializers.CharField())
    kills = serializers.IntegerField()
    games = serializers.IntegerField()
    wounds = serializers.IntegerField()
    unit = serializers.IntegerField(allow_null=True, source="seat.id")

    def get_fields(self) -> dict[str, AnyField]:
        """Return the id, the pilot's texts, and the rest."""
        fields = super().get_fields()
        texts = {name: serializers.CharField(allow_blank=not text.is_required) for name, text in PILOT_TEXTS.items()}
        return {"id": fields.pop("id"), **texts, **fields}


class DeedAnswer(serializers.Serializer[LedgerRow]):
    kind = serializers.CharField()
    text = serializers.CharField(source="deed")


class ServiceLineAnswer(serializers.Serializer[ServiceLine]):
    game = serializers.IntegerField(
        allow_null=True, source="number", help_text="number of the game, from 1; null if none"
    )
    at = serializers.DateTimeField(default_timezone=UTC)
    battle = serializers.CharField(allow_blank=True)
    battle_key = serializers.CharField(allow_blank=True, source="battle_ref")
    unit_lost = serializers.BooleanField(source="is_lost")
    seed = serializers.CharField(allow_blank=True, help_text="seed of the dice rolled after the game")
    deeds = DeedAnswer(many=True)


class Pilots(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=HireRequest, responses={201: PilotAnswer}, operation_id="pilots_create", tags=["pilots"])
    def post(self, request: Request, pk: int) -> Response:
        """Hire a pilot."""
        company = own_company(request, pk)
        pilot = services.pilot_hire(company=company, by=player(request), **valid(HireRequest, request))
        return Response(pilot_response(company, pilot), status=status.HTTP_201_CREATED)


class PilotDetail(APIView):
    @tagged
    @extend_schema(responses={200: PilotAnswer}, operation_id="pilots_retrieve", tags=["pilots"], parameters=[LINK_KEY])
    def get(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Return a pilot of a company that you may see; they may be dead or retired."""
        return Response(pilot_response(*visible_pilot(request, pk, pilot_pk)))

    @if_match(lambda pk, pilot_pk: Company.objects.filter(pk=pk))
    @extend_schema(
        request=PilotChangeRequest,
        responses={200: PilotAnswer},
        operation_id="pilots_update",
        tags=["pilots"],
    )
    def patch(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Rename the pilot; omitted fields stay unchanged."""
        company, pilot = own_pilot(request, pk, pilot_pk)
        services.pilot_edit(company=company, by=player(request), pilot=pilot, **valid(PilotChangeRequest, request))
        return Response(pilot_response(company, pilot))


class PilotServiceRecord(APIView):
    @extend_schema(
        responses={200: ServiceLineAnswer(many=True)},
        operation_id="pilots_service_record_list",
        tags=["pilots"],
        parameters=[LINK_KEY],
    )
    def get(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Return a pilot's games, kills, wounds, promotions and skills, oldest first, without any that were undone."""
        company, _ = visible_pilot(request, pk, pilot_pk)
        return Response([ServiceLineAnswer(line).data for line in service_record(ledger_of(company, pilot=pilot_pk))])


class PilotRetire(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: PilotAnswer}, operation_id="pilots_retire", tags=["pilots"])
    def post(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Retire the pilot."""
        company, pilot = own_pilot(request, pk, pilot_pk)
        services.pilot_retire(company=company, by=player(request), pilot=pilot)
        return Response(pilot_response(company, pilot))


def pilot_response(company: Company, pilot: Pilot) -> dict[str, object]:
    """Return the pilot as the API shows them."""
    return PilotAnswer(selectors.pilot_row(company, pilot.pk)).data


class PilotNameAnswer(pydantic.BaseModel):
    name: str
    callsign: str


class NamesAnswer(pydantic.BaseModel):
    """Random names that nobody in the company has or had."""

    pilot: PilotNameAnswer
    unit: str


class CompanyNameAnswer(pydantic.BaseModel):
    """A random name that none of your companies has."""

    company: str


class Names(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(tags=["names"], operation_id="pilot_names_roll", responses={200: NamesAnswer})
    def get(self, request: Request, pk: int) -> Response:
        """Return a random name and callsign for a pilot and a name for a unit; each request returns new ones."""
        company = own_company(request, pk)
        pilot = pilot_name(company)
        answer = NamesAnswer(
            pilot=PilotNameAnswer(name=pilot.name, callsign=pilot.callsign), unit=unit_name(company)
        )  # fmt: skip
        return Response(answer.model_dump())


class CompanyNames(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(tags=["names"], operation_id="company_names_roll", responses={200: CompanyNameAnswer})
    def get(self, request: Request) -> Response:
        """Return a random name for a company; each request returns a new one."""
        return Response(CompanyNameAnswer(company=company_name(player(request))).model_dump())


urls = [
    path("companies/names/", CompanyNames.as_view(), name="api-company-name-suggestions"),
    path("companies/<int:pk>/names/", Names.as_view(), name="api-name-suggestions"),
]
