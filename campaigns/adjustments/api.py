"""The API of rulings on a company: preview a ruling, make it, undo it."""

from __future__ import annotations

from typing import Annotated, cast

import pydantic
from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.adjustments.asked import MAX_ADJUSTMENTS, Adjustment
from campaigns.adjustments.services import MAX_REASON, adjustment_make, adjustment_preview, adjustment_undo
from campaigns.corrections.lines import Change
from campaigns.models import Enrolment, Ruling
from campaigns.results.api import RulingAnswer, ruling_answer
from campaigns.rows import campaign_or_404
from rosters.api.once import idempotent
from rosters.api.parts import player
from rosters.site.api_errors import DocumentParser
from systems.documents import Document, parse_document, with_example

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
        operation_id="adjustment_preview",
        summary="What a ruling on a company would change",
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
            told=list(preview.told),
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
        operation_id="adjustment_make",
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
        made = adjustment_make(
            enrolment=row, asked=wanted.adjustments, reason=wanted.reason, by=player(request), token=wanted.token
        )
        return Response(ruling_answer(made, request).model_dump(mode="json"), status=201)


class AdjustmentUndo(APIView):
    permission_classes = [IsAuthenticated]
    parser_classes = [DocumentParser]

    @idempotent
    @extend_schema(
        operation_id="adjustment_undo",
        summary="Take back a ruling on a company",
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


adjustment_urls = [
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
