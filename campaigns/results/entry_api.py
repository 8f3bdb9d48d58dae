"""The API of decisions between games (a pilot's new skill, the house's loan), and of imported past results."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.api_helpers import campaign_for_organiser
from campaigns.results.aftermath import LoanTerms, SkillChoice, loan_terms, skill_choices, take_loan
from campaigns.results.imported_table import (
    COLUMNS,
    DATE_ORDERS,
    MAX_BYTES,
    OPTIONAL,
    Answers,
    ImportedLine,
    ImportedTable,
)
from campaigns.results.imports import import_results, preview_results
from rosters import selectors
from rosters.api.base import StrictBooleanField, StrictCharField, StrictSerializer, player, valid
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
    fits = serializers.BooleanField(help_text="it is useful in their current unit")
    default = serializers.BooleanField(source="is_default", help_text="default if nobody chooses before the next game")


class LoanAnswer(serializers.Serializer[LoanTerms]):
    units = serializers.IntegerField(help_text="number of units the company can borrow now; 0: none")
    price = serializers.IntegerField(help_text="points of later income to repay for each")


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
        """Return the loan your company can take now."""
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
        """Take the loan. Refused if the company doesn't need one."""
        company = own_company(request, pk)
        units = take_loan(company=company, by=player(request))
        return Response([unit_response(company, unit) for unit in units], status=status.HTTP_201_CREATED)


class ResultsImportRequest(StrictSerializer):
    text = StrictCharField(
        max_length=MAX_BYTES,
        help_text="CSV: the first line names the columns, each further line is one match. If two companies "
        "share a name, add the "
        "player: The Twins (bob)",
    )
    columns = serializers.DictField(
        child=serializers.ChoiceField(choices=(*COLUMNS, *OPTIONAL), allow_blank=True),
        required=False,
        help_text="column meanings, by the table's own column names; empty: ignored",
    )
    names = serializers.DictField(
        child=StrictCharField(max_length=200, allow_blank=True),
        required=False,
        help_text="companies, by the names used in the table",
    )
    dates = serializers.ChoiceField(
        choices=tuple(DATE_ORDERS), required=False, help_text="how to read a date such as 3/4/2025"
    )
    check = StrictBooleanField(required=False, help_text="true: import nothing and return a preview")


class ImportedLineAnswer(serializers.Serializer[ImportedLine]):
    line = serializers.IntegerField(source="number", help_text="in the text, counting the header as 1")
    problems = serializers.ListField(child=serializers.CharField())


class ResultsImportAnswer(serializers.Serializer[dict[str, object]]):
    is_clean = serializers.BooleanField(help_text="true if every line can be imported")
    problem = serializers.CharField(allow_blank=True, help_text="problem with the text as a whole")
    lines = ImportedLineAnswer(many=True)
    unknown_columns = serializers.ListField(
        child=serializers.CharField(), help_text="unknown column names to explain in `columns`"
    )
    unknown_names = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        help_text="unknown company names, each with a suggestion",
    )
    asks_dates = serializers.BooleanField(help_text="true if a date is ambiguous; say which in `dates`")
    rounds = serializers.ListField(child=serializers.IntegerField(), help_text="rounds created")


class ResultsImport(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=ResultsImportRequest,
        responses={200: ResultsImportAnswer, 201: ResultsImportAnswer},
        operation_id="past_results_import",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Import past results, all lines or none; with `check`, only report problems."""
        campaign = campaign_for_organiser(request, pk)
        given = valid(ResultsImportRequest, request)
        answers = Answers(
            columns=given.get("columns", {}),
            names=given.get("names", {}),
            day_first=DATE_ORDERS.get(given.get("dates", "")),
        )
        table = preview_results(campaign=campaign, text=given["text"], answers=answers)
        if given.get("check"):
            return Response(ResultsImportAnswer(_to_dict(table, [])).data)
        rounds = import_results(campaign=campaign, text=given["text"], by=player(request), answers=answers)
        return Response(ResultsImportAnswer(_to_dict(table, [each.number for each in rounds])).data, status=201)


def _to_dict(table: ImportedTable, rounds: list[int]) -> dict[str, object]:
    known = {*COLUMNS, *OPTIONAL}
    return {
        "is_clean": table.is_clean,
        "problem": table.problem or ("" if table.lines and not table.asks_dates else table.objection),
        "lines": table.lines,
        "unknown_columns": [head.name for head in table.heads if head.name.strip().casefold() not in known],
        "unknown_names": {each.name: each.guess for each in table.unknown},
        "asks_dates": table.asks_dates,
        "rounds": rounds,
    }


urlpatterns = [
    path("companies/<int:pk>/loan/", Loan.as_view(), name="api-loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", PilotSkill.as_view(), name="api-pilot-skill"),
    path("campaigns/<int:pk>/past-results/", ResultsImport.as_view(), name="api-past-results"),
]
