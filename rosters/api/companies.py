"""API of companies and their origins: list, found, read, change, export, import, undo."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import selectors, services
from rosters.api.base import (
    LINK_KEY,
    PAGING,
    ErrorsAnswer,
    OwnQuery,
    Pages,
    ProblemAnswer,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    asked,
    body,
    paged,
    player,
    valid,
)
from rosters.api.headers import idempotent, if_match, tagged
from rosters.api.units_and_pilots import PilotAnswer, UnitAnswer
from rosters.appearance.emblems import emblem_of
from rosters.documents.company import CompanyDocument, read_company
from rosters.documents.import_export import company_import, company_signed
from rosters.documents.origins import OriginRow, origin_of
from rosters.ledger.selectors import UndoOffer, undo_offer
from rosters.models import Company, OriginKind, Visibility
from rosters.policy import can_change
from rosters.selectors import CompanySheet
from rosters.services.companies import MIN_POINTS
from rosters.shortcuts import own_company, visible_company
from systems import ROSTERS


class OriginClaimsAnswer(serializers.Serializer[None]):
    """What the company had when it was imported, according to its document."""

    points = serializers.IntegerField()
    units = serializers.IntegerField()
    pilots = serializers.IntegerField()
    games = serializers.IntegerField()
    kills = serializers.IntegerField()
    games_known = serializers.IntegerField(help_text="confirmed by ledgers of this site")
    games_otherwise = serializers.IntegerField(help_text="contradicted by ledgers of this site")


class OriginAnswer(serializers.Serializer[OriginRow]):
    """The origin of a company that wasn't founded on this site."""

    kind = serializers.ChoiceField(
        choices=OriginKind.choices,
        help_text="signed: exported by this site and unchanged since; otherwise its history is only claimed",
    )
    by = serializers.CharField(help_text="who imported it")
    at = serializers.DateTimeField()
    stood_at = serializers.DateTimeField(allow_null=True, help_text="if signed: time of its last entry at the export")
    claims = OriginClaimsAnswer(allow_null=True, help_text="null for early imports")


EMBLEM_HELP = "Five letters: shield, division, charge, colour of the field, colour of the charge. Empty: from its name."


class CompanyRequest(StrictSerializer):
    system = serializers.ChoiceField(choices=list(ROSTERS))
    name = StrictCharField(max_length=60)
    points = StrictIntegerField(
        min_value=MIN_POINTS, max_value=max(rules.founding_most for rules in ROSTERS.values()), required=False
    )
    motto = StrictCharField(max_length=120, allow_blank=True, required=False)
    colour = StrictCharField(max_length=7, required=False)
    emblem = StrictCharField(max_length=5, allow_blank=True, required=False, help_text=EMBLEM_HELP)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)
    release = StrictCharField(
        max_length=20, required=False, help_text="catalogue version of the game; default: the newest"
    )


class CompanyChangeRequest(StrictSerializer):
    name = StrictCharField(max_length=60, required=False)
    motto = StrictCharField(max_length=120, allow_blank=True, required=False)
    colour = StrictCharField(max_length=7, required=False)
    emblem = StrictCharField(max_length=5, allow_blank=True, required=False, help_text=EMBLEM_HELP)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)


class UndoRequest(StrictSerializer):
    act = serializers.UUIDField(error_messages={"required": "the change to undo: `undo.act` of the company"})


class UndoAnswer(serializers.Serializer[UndoOffer]):
    """The last act and what undoing it would reverse; `refusal` says why it can't be undone, and is empty if it can."""

    act = serializers.UUIDField(allow_null=True)
    entries = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField()
    refusal = serializers.CharField(allow_blank=True)


class CompanySummaryAnswer(serializers.Serializer[Company | CompanySheet]):
    id = serializers.IntegerField()
    system = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField()
    visibility = serializers.CharField()
    balance = serializers.IntegerField()


class _CompanyDetailAnswer(CompanySummaryAnswer):
    motto = serializers.CharField(allow_blank=True)
    colour = serializers.CharField()
    emblem = serializers.SerializerMethodField(help_text=EMBLEM_HELP)
    value = serializers.IntegerField()
    catalogue_release = serializers.CharField()
    units = UnitAnswer(many=True)
    pilots = PilotAnswer(many=True)
    problems = ProblemAnswer(many=True, source="check.problems")

    def get_emblem(self, sheet: CompanySheet) -> str:
        return emblem_of(sheet.emblem, sheet.name).code


class CompanyAnswer(_CompanyDetailAnswer):
    undo = UndoAnswer(allow_null=True, help_text="null except for the owner, as it may reveal a submitted list")
    origin = OriginAnswer(allow_null=True, help_text="where it comes from; null if created here")


class Companies(APIView):
    pagination_class = Pages

    @extend_schema(
        responses=CompanySummaryAnswer(many=True),
        operation_id="companies_list",
        tags=["companies"],
        parameters=[OwnQuery],
    )
    def get(self, request: Request) -> Response:
        """List your companies and the public ones."""
        rows = selectors.companies_visible_to(request.user)
        if asked(OwnQuery, request, beside=PAGING).get("own") and request.user.is_authenticated:
            rows = rows.filter(owner=request.user.pk)
        return paged(request, selectors.with_balance(rows), CompanySummaryAnswer().to_representation, "name", "pk")

    @idempotent
    @extend_schema(
        request=CompanyRequest, responses={201: CompanyAnswer}, operation_id="companies_create", tags=["companies"]
    )
    def post(self, request: Request) -> Response:
        """Found a company."""
        company = services.company_create(owner=player(request), **valid(CompanyRequest, request))
        return Response(company_response(company), status=status.HTTP_201_CREATED)


class CompanyDetail(APIView):
    @tagged
    @extend_schema(
        responses={200: CompanyAnswer}, operation_id="companies_retrieve", tags=["companies"], parameters=[LINK_KEY]
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return the current state of a company that you may see."""
        company = visible_company(request, pk)
        return Response(company_response(company, is_own=can_change(request.user, company)))

    @if_match(lambda pk: Company.objects.filter(pk=pk))
    @extend_schema(
        request=CompanyChangeRequest,
        responses={200: CompanyAnswer},
        operation_id="companies_update",
        tags=["companies"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change the name, motto, colour, emblem or visibility; omitted fields stay unchanged."""
        company = own_company(request, pk)
        return Response(
            company_response(
                services.company_change(company=company, by=player(request), **valid(CompanyChangeRequest, request))
            )
        )


class CompanyExport(APIView):
    @extend_schema(
        responses={200: CompanyDocument},
        operation_id="companies_export",
        tags=["companies"],
        parameters=[LINK_KEY],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return the company with its ledger as a company/1 document.

        This site signs it if all of its history was written here.
        """
        return Response(company_signed(visible_company(request, pk)))


class CompanyImport(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=CompanyDocument, responses={201: CompanyAnswer}, operation_id="companies_import", tags=["companies"]
    )
    def post(self, request: Request) -> Response:
        """Import a company/1 document, as returned by `export`, as your own company.

        Its ledger is imported, too, and must be consistent. `origin` says where the company comes from: this site's
        signature proves its history; without it, the history is only claimed.
        """
        company = company_import(owner=player(request), document=read_company(body(request)), by=player(request))
        return Response(company_response(company), status=status.HTTP_201_CREATED)


class CompanyUndo(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=UndoRequest,
        responses={
            200: CompanyAnswer,
            409: OpenApiResponse(ErrorsAnswer, "That is no longer the last change; the reason names the current one."),
        },
        operation_id="companies_undo",
        tags=["companies"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Undo the last act, if it is the one in `act`: send the `undo.act` that you read from the company."""
        company = own_company(request, pk)
        services.undo_last_act(company=company, by=player(request), **valid(UndoRequest, request))
        return Response(company_response(company))


def company_response(company: Company, *, is_own: bool = True) -> dict[str, object]:
    """Return the company's current state; for its owner including the act that can be undone."""
    sheet = selectors.company_sheet(company)
    origin = origin_of(company)
    return {
        **_CompanyDetailAnswer(sheet).data,
        "undo": UndoAnswer(undo_offer(company, sheet.hold_reasons)).data if is_own else None,
        "origin": OriginAnswer(origin).data if origin else None,
    }
