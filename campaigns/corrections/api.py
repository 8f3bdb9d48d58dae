"""The API of corrections: previews, and the correction itself."""

from __future__ import annotations

from typing import Annotated, Literal, cast
from uuid import UUID

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.corrections.forms import BYE, VERDICTS_WITHOUT_BATTLE
from campaigns.corrections.lines import CompanyEffects, LaterMatch, CorrectionPreview, StandingChange
from campaigns.corrections.plan import CorrectedResult
from campaigns.corrections.selectors import CorrectionRow, corrections_of
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.models import CorrectionMode, Match
from campaigns.results.report import MatchReport, parse_report
from campaigns.rows import match_or_404
from rosters.api.once import idempotent
from rosters.models import Player
from rosters.site.api_errors import DocumentParser
from systems.documents import Described, Document, DocumentError, parse_document

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


class CorrectionOut(serializers.Serializer[CorrectionRow]):
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
            raise DocumentError("report", 'goes with `to` "report" alone')
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
        operation_id="correction_preview",
        summary="What a correction of a decided match would change",
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
        operation_id="corrections",
        summary="What was corrected in a match",
        responses=CorrectionOut(many=True),
    )
    def get(self, request: Request, key: UUID) -> Response:
        """List the corrections of a match, newest first. For everybody who sees the match."""
        return Response([_line(line) for line in corrections_of(match_or_404(request._request, key))])

    @idempotent
    @extend_schema(
        operation_id="correction_make",
        summary="Correct a decided match",
        request=CorrectionRequest,
        responses={201: CorrectionOut},
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


urls = [
    path("matches/<uuid:key>/corrections/", CorrectionsView.as_view(), name="api-corrections"),
    path("matches/<uuid:key>/corrections/preview/", CorrectionPreviewView.as_view(), name="api-correction-preview"),
]
