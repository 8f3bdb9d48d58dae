"""The API of a player's decisions between games: a pilot's new skill and the house's loan."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.results.aftermath import LoanTerms, SkillChoice, loan_terms, skill_choices, take_loan
from rosters import selectors
from rosters.api.base import StrictCharField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from rosters.api.units_and_pilots import PilotAnswer, UnitAnswer, pilot_response, unit_response
from rosters.ledger.records import company_record
from rosters.services import pilot_learn
from rosters.shortcuts import own_company, own_pilot


class SkillChoiceRequest(StrictSerializer):
    skill = StrictCharField(max_length=40, help_text="slug of one of the choices")


class SkillChoiceAnswer(serializers.Serializer[SkillChoice]):
    slug = serializers.CharField()
    name = serializers.CharField()
    effect = serializers.CharField()
    fits = serializers.BooleanField(help_text="it is of use in the unit they sit in")
    default = serializers.BooleanField(
        source="is_default", help_text="they learn it if nobody chooses before the next game"
    )


class LoanAnswer(serializers.Serializer[LoanTerms]):
    units = serializers.IntegerField(help_text="how many the house lends now; 0: none")
    price = serializers.IntegerField(help_text="points of later income for each")


class PilotSkill(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        responses={200: SkillChoiceAnswer(many=True)}, operation_id="pilots_skill_choices_list", tags=["pilots"]
    )
    def get(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """List the skills that your pilot can choose from; empty if they haven't earned one."""
        company, row = own_pilot(request, pk, pilot_pk)
        sheet = selectors.company_sheet(company)
        member = selectors.pilot_of(company, sheet, row.pk)
        choices = skill_choices(sheet, member[0]) if member else ()
        return Response([SkillChoiceAnswer(choice).data for choice in choices])

    @idempotent
    @extend_schema(
        request=SkillChoiceRequest, responses={200: PilotAnswer}, operation_id="pilots_learn", tags=["pilots"]
    )
    def post(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Teach your pilot the chosen skill."""
        company, pilot = own_pilot(request, pk, pilot_pk)
        pilot_learn(company=company, by=player(request), pilot=pilot, **valid(SkillChoiceRequest, request))
        return Response(pilot_response(company, pilot))


class Loan(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: LoanAnswer}, operation_id="companies_loan_retrieve", tags=["companies"])
    def get(self, request: Request, pk: int) -> Response:
        """Return what the house would lend your company now."""
        company = own_company(request, pk)
        terms = loan_terms(company_record(company), company.system) or LoanTerms(units=0, price=0)
        return Response(LoanAnswer(terms).data)

    @idempotent
    @extend_schema(
        request=None,
        responses={201: UnitAnswer(many=True)},
        operation_id="companies_loan_accept",
        tags=["companies"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take the units that the house lends. Refused if the company doesn't need them."""
        company = own_company(request, pk)
        units = take_loan(company=company, by=player(request))
        return Response([unit_response(company, unit) for unit in units], status=status.HTTP_201_CREATED)


urlpatterns = [
    path("companies/<int:pk>/loan/", Loan.as_view(), name="api-loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", PilotSkill.as_view(), name="api-pilot-skill"),
]
