"""The API of corrections: preview and make corrections of matches and rulings on companies."""

from __future__ import annotations

from typing import Annotated, Literal, cast
from uuid import UUID

import pydantic
from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.corrections.adjustment_plan import MAX_ADJUSTMENTS, Adjustment
from campaigns.corrections.effects import Change, CompanyEffects, CorrectionPreview, LaterMatch, StandingChange
from campaigns.corrections.forms import BYE, VERDICTS_WITHOUT_BATTLE
from campaigns.corrections.plan import CorrectedResult
from campaigns.corrections.selectors import CorrectionRow, corrections_of
from campaigns.corrections.services import (
    MAX_REASON,
    adjustment_create,
    adjustment_preview,
    adjustment_undo,
    correction_apply,
    correction_preview,
)
from campaigns.models import CorrectionMode, Enrolment, Match, Ruling
from campaigns.results.api import RulingAnswer, ruling_answer
from campaigns.results.reports import MatchReport, parse_report
from campaigns.shortcuts import campaign_or_404, match_or_404
from rosters.api.base import player
from rosters.api.errors import DocumentParser
from rosters.api.headers import idempotent
from rosters.models import Player
from systems.documents import Described, Document, DocumentError, parse_document, with_example

Mode = Literal["compensate", "cascade", "flag"]


class PreviewRequest(Document):
    """The corrected result. `to`: "report" needs a report/1 document; "undo" voids the match.

    A bye can only be undone; "bye" restores a bye that was undone.
    """

    to: Literal["undo", "report", "attacker-wins", "defender-wins", "refused", "bye"]
    mode: Mode
    report: Annotated[dict[str, object], Described(MatchReport)] | None = None


class CorrectionRequest(PreviewRequest):
    """The correction that was previewed, with the preview's token."""

    reason: str
    token: str


class PreviewAnswer(pydantic.BaseModel):
    """What would change. If there is a `refusal`, the correction isn't possible in this mode."""

    match: UUID
    mode: Mode
    refusal: str
    outcome_before: str
    outcome_after: str
    companies: list[CompanyEffects]
    later: list[LaterMatch]
    standings: list[StandingChange]
    territory: list[str] | None
    advances: list[str]
    war: list[str]
    season: list[str]
    token: str


class CorrectionAnswer(serializers.Serializer[CorrectionRow]):
    """A correction that was made."""

    at = serializers.DateTimeField()
    by = serializers.CharField()
    mode = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    reason = serializers.CharField()


def _match_to_judge(request: Request, key: UUID) -> tuple[Match, Player]:
    match = match_or_404(request._request, key)
    if not isinstance(request.user, Player) or not policy.can_rule(request.user, match.round.campaign):
        raise PermissionDenied
    return match, request.user


def _after(wanted: PreviewRequest, match: Match) -> CorrectedResult:
    if wanted.to != "report":
        if wanted.report is not None:
            raise DocumentError("report", 'can only be given with `to` "report"')
        return (VERDICTS_WITHOUT_BATTLE | BYE).get(wanted.to)
    if wanted.report is None:
        raise DocumentError("report", "is missing")
    return parse_report(wanted.report, match.round.campaign.system)


def _preview(preview: CorrectionPreview) -> dict[str, object]:
    return PreviewAnswer.model_validate(
        preview.to_json()
        | {
            "territory": preview.territory and list(preview.territory),
            "advances": list(preview.advances),
            "war": list(preview.war),
            "season": list(preview.season),
        }
    ).model_dump(mode="json")


class CorrectionPreviewView(APIView):
    permission_classes = [IsAuthenticated]
    parser_classes = [DocumentParser]

    @extend_schema(
        operation_id="corrections_preview",
        summary="Preview a correction of a decided match",
        request=PreviewRequest,
        responses={200: PreviewAnswer},
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Preview a correction. For arbiters and organisers of the club."""
        match, by = _match_to_judge(request, key)
        wanted = parse_document(PreviewRequest, cast(dict[str, object], request.data))
        preview = correction_preview(match=match, after=_after(wanted, match), mode=CorrectionMode(wanted.mode), by=by)
        return Response(_preview(preview))


class CorrectionsView(APIView):
    parser_classes = [DocumentParser]

    @extend_schema(
        operation_id="corrections_list",
        summary="List the corrections of a match",
        responses=CorrectionAnswer(many=True),
    )
    def get(self, request: Request, key: UUID) -> Response:
        """List the corrections of a match, newest first. For everybody who sees the match."""
        return Response([_line(line) for line in corrections_of(match_or_404(request._request, key))])

    @idempotent
    @extend_schema(
        operation_id="corrections_create",
        summary="Correct a decided match",
        request=CorrectionRequest,
        responses={201: CorrectionAnswer},
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Correct a decided match. For arbiters and organisers of the club.

        Refused (422) if anything has changed since the preview.
        """
        match, by = _match_to_judge(request, key)
        wanted = parse_document(CorrectionRequest, cast(dict[str, object], request.data))
        correction_apply(
            match=match,
            after=_after(wanted, match),
            mode=CorrectionMode(wanted.mode),
            reason=wanted.reason,
            by=by,
            token=wanted.token,
        )
        return Response(_line(corrections_of(match)[0]), status=201)


def _line(line: CorrectionRow) -> dict[str, object]:
    return {
        "at": line.at.isoformat(),
        "by": line.by,
        "mode": line.mode,
        "before": line.before,
        "after": line.after,
        "reason": line.reason,
    }


AdjustmentList = Annotated[tuple[Adjustment, ...], pydantic.Field(max_length=MAX_ADJUSTMENTS)]
Reason = Annotated[str, pydantic.Field(max_length=MAX_REASON)]


class AdjustmentPreviewRequest(Document):
    """A ruling on a company, to be previewed."""

    model_config = with_example(adjustments=[{"what": "points", "count": -5}])

    adjustments: AdjustmentList


class AdjustmentRequest(AdjustmentPreviewRequest):
    """The ruling that was previewed, with the preview's token."""

    model_config = with_example(adjustments=[{"what": "points", "count": -5}], reason="Late three times.", token="…")

    reason: Reason
    token: str


class AdjustmentUndoRequest(Document):
    reason: Reason


class AdjustmentPreviewAnswer(pydantic.BaseModel):
    """What would change. `told`: the ledger entries as sentences; `notes`: further consequences."""

    company: str
    told: list[str]
    changes: list[Change]
    notes: list[str]
    balance_before: int
    balance_after: int
    token: str


class AdjustmentPreviewView(APIView):
    permission_classes = [IsAuthenticated]
    parser_classes = [DocumentParser]

    @extend_schema(
        operation_id="adjustments_preview",
        summary="Preview a ruling on a company",
        tags=["campaigns"],
        request=AdjustmentPreviewRequest,
        responses={200: AdjustmentPreviewAnswer},
    )
    def post(self, request: Request, pk: int, enrolment_pk: int) -> Response:
        """Preview a ruling on a company. For arbiters and organisers of the club."""
        row = _enrolment_to_judge(request, pk, enrolment_pk)
        wanted = parse_document(AdjustmentPreviewRequest, cast(dict[str, object], request.data))
        preview = adjustment_preview(enrolment=row, asked=wanted.adjustments, by=player(request))
        answer = AdjustmentPreviewAnswer(
            company=preview.company,
            told=list(preview.sentences),
            changes=list(preview.changes),
            notes=list(preview.notes),
            balance_before=preview.balance_before,
            balance_after=preview.balance_after,
            token=preview.token,
        )
        return Response(answer.model_dump(mode="json"))


class Adjustments(APIView):
    permission_classes = [IsAuthenticated]
    parser_classes = [DocumentParser]

    @idempotent
    @extend_schema(
        operation_id="adjustments_create",
        summary="Adjust a company by a ruling",
        tags=["campaigns"],
        request=AdjustmentRequest,
        responses={201: RulingAnswer},
    )
    def post(self, request: Request, pk: int, enrolment_pk: int) -> Response:
        """Adjust a company. For arbiters and organisers of the club.

        Refused (422) if the company has changed since the preview.
        """
        row = _enrolment_to_judge(request, pk, enrolment_pk)
        wanted = parse_document(AdjustmentRequest, cast(dict[str, object], request.data))
        made = adjustment_create(
            enrolment=row, asked=wanted.adjustments, reason=wanted.reason, by=player(request), token=wanted.token
        )
        return Response(ruling_answer(made, request).model_dump(mode="json"), status=201)


class AdjustmentUndo(APIView):
    permission_classes = [IsAuthenticated]
    parser_classes = [DocumentParser]

    @idempotent
    @extend_schema(
        operation_id="adjustments_undo",
        summary="Undo a ruling on a company",
        tags=["campaigns"],
        request=AdjustmentUndoRequest,
        responses={201: RulingAnswer},
    )
    def post(self, request: Request, pk: int, ruling_pk: int) -> Response:
        """Undo a ruling on a company. For arbiters and organisers of the club.

        Refused (422) if a unit or pilot that the ruling changed has been used since.
        """
        campaign = campaign_or_404(request._request, pk)
        row = Ruling.objects.filter(campaign=campaign, pk=ruling_pk).select_related("campaign__club").first()
        if row is None:
            raise Http404
        if not policy.can_rule(request.user, campaign):
            raise PermissionDenied
        wanted = parse_document(AdjustmentUndoRequest, cast(dict[str, object], request.data))
        made = adjustment_undo(ruling=row, reason=wanted.reason, by=player(request))
        return Response(ruling_answer(made, request).model_dump(mode="json"), status=201)


def _enrolment_to_judge(request: Request, pk: int, enrolment_pk: int) -> Enrolment:
    campaign = campaign_or_404(request._request, pk)
    rows = Enrolment.objects.filter(campaign=campaign, pk=enrolment_pk).select_related(
        "company__owner", "campaign__club"
    )
    row = rows.first()
    if row is None:
        raise Http404
    if not policy.can_rule(request.user, campaign):
        raise PermissionDenied
    return row


urlpatterns = [
    path("matches/<uuid:key>/corrections/", CorrectionsView.as_view(), name="api-corrections"),
    path("matches/<uuid:key>/corrections/preview/", CorrectionPreviewView.as_view(), name="api-correction-preview"),
    path(
        "campaigns/<int:pk>/enrolments/<int:enrolment_pk>/adjustments/", Adjustments.as_view(), name="api-adjustments"
    ),
    path(
        "campaigns/<int:pk>/enrolments/<int:enrolment_pk>/adjustments/preview/",
        AdjustmentPreviewView.as_view(),
        name="api-adjustment-preview",
    ),
    path("campaigns/<int:pk>/rulings/<int:ruling_pk>/undo/", AdjustmentUndo.as_view(), name="api-adjustment-undo"),
]
