"""API of a company's pilots: hire, read, rename, retire, and their service record."""

from __future__ import annotations

from datetime import UTC

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import selectors, services
from rosters.ledger.selectors import LedgerRow, ServiceLine, ledger_of, service_record
from rosters.models import Company, Pilot
from rosters.rows import own_company, own_pilot, seen_pilot
from rosters.selectors import PilotRow

from .matching import if_match, tagged
from .once import idempotent
from .parts import LINK_KEY, StrictSerializer, Text, player, valid


class PilotIn(StrictSerializer):
    name = Text(max_length=60)
    callsign = Text(max_length=30, required=False, allow_blank=True)


class PilotChange(PilotIn):
    name = Text(max_length=60, required=False)


class HireIn(PilotIn):
    experience = Text(max_length=20, default="", help_text="a level for hire; left out: the first of the rule system")


class PilotOut(serializers.Serializer[PilotRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    callsign = serializers.CharField(allow_blank=True)
    status = serializers.CharField()
    experience = serializers.CharField(source="level")
    skills = serializers.ListField(child=serializers.CharField())
    kills = serializers.IntegerField()
    games = serializers.IntegerField()
    wounds = serializers.IntegerField()
    unit = serializers.IntegerField(allow_null=True, source="seat.id")


class DeedOut(serializers.Serializer[LedgerRow]):
    kind = serializers.CharField()
    text = serializers.CharField(source="deed")


class ServiceLineOut(serializers.Serializer[ServiceLine]):
    game = serializers.IntegerField(
        allow_null=True, source="number", help_text="number of the game, from 1; null: no game"
    )
    at = serializers.DateTimeField(default_timezone=UTC)
    battle = serializers.CharField(allow_blank=True)
    battle_key = serializers.CharField(allow_blank=True, source="battle_ref")
    unit_lost = serializers.BooleanField(source="is_lost")
    seed = serializers.CharField(allow_blank=True, help_text="of the dice rolled after the game")
    deeds = DeedOut(many=True)


class Pilots(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=HireIn, responses={201: PilotOut}, operation_id="pilots_hire", tags=["pilots"])
    def post(self, request: Request, pk: int) -> Response:
        """Hire a pilot."""
        company = own_company(request, pk)
        pilot = services.pilot_hire(company=company, by=player(request), **valid(HireIn, request))
        return Response(pilot_response(company, pilot), status=status.HTTP_201_CREATED)


class PilotDetail(APIView):
    @tagged
    @extend_schema(responses={200: PilotOut}, operation_id="pilots_read", tags=["pilots"], parameters=[LINK_KEY])
    def get(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Return a pilot of a company that you may see, current or gone."""
        return Response(pilot_response(*seen_pilot(request, pk, pilot_pk)))

    @if_match(lambda pk, pilot_pk: Company.objects.filter(pk=pk))
    @extend_schema(
        request=PilotChange,
        responses={200: PilotOut},
        operation_id="pilots_rename",
        tags=["pilots"],
    )
    def patch(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Rename the pilot; omitted fields stay unchanged."""
        company, pilot = own_pilot(request, pk, pilot_pk)
        wanted = {"name": pilot.name, "callsign": pilot.callsign, **valid(PilotChange, request)}
        services.pilot_rename(company=company, by=player(request), pilot=pilot, **wanted)
        return Response(pilot_response(company, pilot))


class PilotServiceRecord(APIView):
    @extend_schema(
        responses={200: ServiceLineOut(many=True)},
        operation_id="pilots_service_record",
        tags=["pilots"],
        parameters=[LINK_KEY],
    )
    def get(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Return all games, kills, wounds, promotions and skills of a pilot that were not reversed, oldest first."""
        company, _ = seen_pilot(request, pk, pilot_pk)
        return Response([ServiceLineOut(line).data for line in service_record(ledger_of(company, pilot=pilot_pk))])


class PilotRetire(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: PilotOut}, operation_id="pilots_retire", tags=["pilots"])
    def post(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Retire the pilot."""
        company, pilot = own_pilot(request, pk, pilot_pk)
        services.pilot_retire(company=company, by=player(request), pilot=pilot)
        return Response(pilot_response(company, pilot))


def pilot_response(company: Company, pilot: Pilot) -> dict[str, object]:
    """Return the pilot as the API shows them."""
    return PilotOut(selectors.pilot_row(company, pilot.pk)).data
