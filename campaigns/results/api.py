"""The API of matches and results: thin endpoints over the services that the pages call."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import pydantic
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api_helpers import SideQuery, acting_side, side_schema
from campaigns.arbiters import consent_give, consent_withdraw
from campaigns.dice import match_dice_replace
from campaigns.models import Match, Report, Ruling
from campaigns.results.reports import MatchReport
from campaigns.results.rulings import match_rule
from campaigns.results.selectors import filter_rulings, reported_sides, visible_setup
from campaigns.results.services import (
    match_confirm,
    match_enter,
    match_refuse,
    match_withdraw_refusal,
    report_make,
    report_withdraw,
)
from campaigns.shortcuts import campaign_or_404, match_or_404
from rosters.api.base import PAGE_PARAMETERS, PAGING, Query, QueryIntegerField, asked, paged
from rosters.api.errors import DocumentParser
from rosters.api.headers import idempotent
from rosters.models import Player
from systems.documents import Described, Document, DocumentError, parse_document
from systems.scenarios import SIDES
from systems.setups import Setup


class ConfirmRequest(Document):
    """`report`: the id of the other side's report that you have read."""

    report: int


class RefusalRequest(Document):
    """Why a side won't play; members of the club can read it."""

    reason: Annotated[str, pydantic.Field(max_length=300)]


class RulingRequest(Document):
    """How an arbiter decides a match. `report` is their own version, for the verdict "own"."""

    verdict: Literal["attacker", "defender", "own", "attacker-forfeits", "defender-forfeits", "draw", "refused", "void"]
    reason: str
    report: Annotated[dict[str, object], Described(MatchReport)] | None = None


class ReportAnswer(pydantic.BaseModel):
    """One side's report of the match."""

    id: int
    side: Literal["attacker", "defender"]
    by: str
    report: Annotated[dict[str, object], Described(MatchReport)]


class MatchAnswer(pydantic.BaseModel):
    """A match. `outcome` is empty while it isn't known, "none" if there is no result.

    `reports` are those that the reader may see: their own, both once they have reported, everybody's once it is
    decided.
    """

    key: UUID
    campaign: int
    round: int
    table: int
    scenario: str
    terrain: str
    attacker: str
    defender: str | None
    state: str
    outcome: Literal["", "attacker", "defender", "draw", "none"]
    decided_by: str
    deadline: str | None
    decided_at: str | None
    setup: Annotated[dict[str, object], Described(Setup)] | None
    reported: list[str]  # "attacker", "defender"
    reports: list[ReportAnswer]
    differences: list[dict[str, str]]
    consented: list[str]  # "attacker", "defender": sides that let their opponent rule on the match
    refusing: Literal["", "attacker", "defender"]  # the side that won't play; only members see it and the reason
    refusal: str
    battle: UUID | None
    commitment: str | None  # hash of its provably fair dice
    odds: UUID | None  # key of its published forecast
    no_odds: str  # why there is none, although there should be one
    page: str


class RulingAnswer(pydantic.BaseModel):
    id: int
    kind: str
    title: str
    reason: str
    decision: dict[str, object]
    match: UUID | None
    by: str
    at: str
    page: str


class RulingList(pydantic.BaseModel):
    count: int
    next: str | None
    previous: str | None
    results: list[RulingAnswer]


class RulingsQuery(Query):
    text = serializers.CharField(required=False, allow_blank=True, max_length=200)
    kind = serializers.ChoiceField(choices=Ruling.Kind.values, required=False)
    by = QueryIntegerField(min_value=1, required=False, help_text="id of the arbiter")


class MatchByKey(APIView):
    @extend_schema(tags=["matches"], operation_id="matches_retrieve", responses={200: MatchAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return a match."""
        return _answer(request, key)


class Reporting(APIView):
    parser_classes = [DocumentParser]

    @idempotent
    @side_schema("matches_report", MatchAnswer, MatchReport)
    def post(self, request: Request, key: UUID) -> Response:
        """Send your side's report, a report/1 document. It replaces an earlier one."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done=reported_sides(match))
        report_make(match=match, side=side, content=_body(request), by=_player(request))
        return _answer(request, key)

    @side_schema("matches_report_delete", MatchAnswer)
    def delete(self, request: Request, key: UUID) -> Response:
        """Withdraw your side's report."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done={0, 1} - reported_sides(match))
        report_withdraw(match=match, side=side, by=_player(request))
        return _answer(request, key)


class MatchConfirm(APIView):
    parser_classes = [DocumentParser]

    @idempotent
    @side_schema("matches_confirm", MatchAnswer, ConfirmRequest)
    def post(self, request: Request, key: UUID) -> Response:
        """Confirm the other side's report as it is."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done=_sides_without_answer(match))
        wanted = parse_document(ConfirmRequest, _body(request))
        match_confirm(match=match, side=side, report=wanted.report, by=_player(request))
        return _answer(request, key)

    @extend_schema(
        tags=["matches"],
        operation_id="opposing_reports_retrieve",
        parameters=[SideQuery],
        responses={200: ReportAnswer},
    )
    def get(self, request: Request, key: UUID) -> Response:
        """Return the other side's report, if you want to read it before you report; 404 if there is none."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done=_sides_without_answer(match))
        report = match.reports.select_related("submitted_by").filter(side=1 - side, is_current=True).first()
        if report is None:
            raise NotFound("The other side hasn't reported.")
        return Response(_report(report).model_dump(mode="json"))


class MatchRule(APIView):
    parser_classes = [DocumentParser]

    @idempotent
    @extend_schema(tags=["matches"], operation_id="matches_rule", request=RulingRequest, responses={201: RulingAnswer})
    def post(self, request: Request, key: UUID) -> Response:
        """Decide a match as an arbiter, with a reason; 422 if you play in it and the opponent hasn't consented."""
        match = match_or_404(request._request, key)
        if not policy.can_rule(_player(request), match.round.campaign):
            raise PermissionDenied
        wanted = parse_document(RulingRequest, _body(request))
        if wanted.report is not None and wanted.verdict != "own":
            raise DocumentError("report", 'can only be given with the verdict "own"')
        ruling = match_rule(
            match=match, verdict=wanted.verdict, reason=wanted.reason, by=_player(request), content=wanted.report
        )
        return Response(ruling_answer(ruling, request).model_dump(mode="json"), status=201)


class MatchEntry(APIView):
    parser_classes = [DocumentParser]

    @idempotent
    @extend_schema(tags=["matches"], operation_id="matches_enter", request=MatchReport, responses={200: MatchAnswer})
    def post(self, request: Request, key: UUID) -> Response:
        """Enter a report/1 document as an arbiter or organiser, unless you play in the match or its reports differ.

        For a game played on paper, for which neither side has submitted a list, name in `units` all units that played.
        If you name none of a side, Muster picks its list.
        """
        match = match_or_404(request._request, key)
        if not policy.can_rule(_player(request), match.round.campaign):
            raise PermissionDenied
        match_enter(match=match, content=_body(request), by=_player(request))
        return _answer(request, key)


class MatchConsent(APIView):
    @idempotent
    @extend_schema(tags=["matches"], operation_id="matches_consent", request=None, responses={200: MatchAnswer})
    def post(self, request: Request, key: UUID) -> Response:
        """Let your opponent rule on the match, if nobody else in the club can. Valid for one ruling."""
        match = match_or_404(request._request, key)
        consent_give(match=match, side=acting_side(request, match), by=_player(request))
        return _answer(request, key)

    @extend_schema(tags=["matches"], operation_id="matches_consent_delete", responses={200: MatchAnswer})
    def delete(self, request: Request, key: UUID) -> Response:
        """Withdraw your consent, as long as no ruling has used it."""
        match = match_or_404(request._request, key)
        consent_withdraw(match=match, side=acting_side(request, match), by=_player(request))
        return _answer(request, key)


class MatchRefusal(APIView):
    parser_classes = [DocumentParser]

    @idempotent
    @side_schema("matches_refuse", MatchAnswer, RefusalRequest)
    def post(self, request: Request, key: UUID) -> Response:
        """Declare that your side won't play; an arbiter or the organiser decides the match."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match)
        refusal = parse_document(RefusalRequest, _body(request))
        match_refuse(match=match, side=side, reason=refusal.reason, by=_player(request))
        return _answer(request, key)

    @side_schema("matches_refusal_delete", MatchAnswer)
    def delete(self, request: Request, key: UUID) -> Response:
        """Declare that your side will play after all."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done={0, 1} - {match.refusing_side})
        match_withdraw_refusal(match=match, side=side, by=_player(request))
        return _answer(request, key)


class MatchDice(APIView):
    @idempotent
    @extend_schema(tags=["matches"], operation_id="matches_dice_replace", request=None, responses={200: MatchAnswer})
    def post(self, request: Request, key: UUID) -> Response:
        """Replace the dice of a match if the server has lost their key. Organisers only."""
        match = match_or_404(request._request, key)
        by = _player(request)
        if not policy.can_run_campaign(by, match.round.campaign):
            raise PermissionDenied
        match_dice_replace(match=match, by=by)
        return _answer(request, key)


class Rulings(APIView):
    @extend_schema(
        tags=["matches"],
        operation_id="rulings_list",
        parameters=[
            RulingsQuery,
            *PAGE_PARAMETERS,
        ],
        responses={200: RulingList},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return the rulings of a campaign, newest first."""
        campaign = campaign_or_404(request._request, pk)
        wanted = asked(RulingsQuery, request, beside=PAGING)
        search = {name: str(wanted.get(name, "")) for name in ("text", "kind", "by")}
        rows = filter_rulings(campaign, **search).only(*RULING_FIELDS)
        is_member = policy.can_read_activity_log(request.user, campaign.club)

        def answer(row: Ruling) -> dict[str, object]:
            ruling = ruling_answer(row, request)
            if row.kind == Ruling.Kind.ADJUSTMENT and not is_member:  # it names what the company has
                ruling.decision = {}
            return ruling.model_dump(mode="json")

        return paged(request, rows, answer, "-pk")


def _answer(request: Request, key: UUID) -> Response:
    match = match_or_404(request._request, key)
    reported = reported_sides(match)
    own, rights = policy.sides_of(request.user, match), policy.rights_in(request.user, match.round.campaign.club)
    sees = policy.can_compare(request.user, match, reported, rights)
    reports = [
        _report(row)
        for row in match.reports.filter(is_current=True).select_related("submitted_by").order_by("side")
        if sees or row.side in own
    ]
    dispute = match.disputes.filter(closed_at=None).first() if sees else None
    refusing = SIDES[match.refusing_side] if rights.is_member and match.refusing_side is not None else ""
    answer = MatchAnswer(
        key=match.key,
        campaign=match.round.campaign_id,
        round=match.round.number,
        table=match.number,
        scenario=match.scenario_name,
        terrain=match.terrain,
        attacker=match.attacker.company.name,
        defender=match.defender.company.name if match.defender else None,
        state=match.state,
        outcome=match.outcome,
        decided_by=match.decided_by,
        deadline=_iso(match.round.deadline),
        decided_at=_iso(match.decided_at),
        setup=visible_setup(match, request.user),
        reported=[SIDES[side] for side in sorted(reported)],
        reports=reports,
        differences=dispute.differences if dispute else [],
        consented=[SIDES[side] for side in match.consents.filter(ruling=None).values_list("side", flat=True)],
        refusing=refusing,
        refusal=match.refusal if refusing else "",
        battle=match.battle.key if match.battle else None,
        commitment=match.dice.commitment if match.dice else None,
        odds=match.forecast.key if match.forecast else None,
        no_odds=match.no_odds,
        page=request.build_absolute_uri(reverse("campaigns:match", args=[match.key])),
    )
    return Response(answer.model_dump(mode="json"))


def _report(row: Report) -> ReportAnswer:
    return ReportAnswer(id=row.pk, side=SIDES[row.side], by=str(row.submitted_by), report=row.content)


RULING_FIELDS = (
    "campaign",
    "kind",
    "title",
    "reason",
    "decision",
    "decided_at",
    "match__key",
    "decided_by__username",
    "decided_by__name_shown",
)


def ruling_answer(row: Ruling, request: Request) -> RulingAnswer:
    """Return a ruling as the API sends it."""
    return RulingAnswer(
        id=row.pk,
        kind=row.kind,
        title=row.title,
        reason=row.reason,
        decision=row.decision,
        match=row.match.key if row.match else None,
        by=str(row.decided_by),
        at=row.decided_at.isoformat(),
        page=request.build_absolute_uri(reverse("campaigns:ruling", args=[row.campaign_id, row.pk])),
    )


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _player(request: Request) -> Player:
    if not isinstance(request.user, Player):
        raise NotAuthenticated
    return request.user


def _sides_without_answer(match: Match) -> set[int]:
    """Return the sides whose opponent hasn't reported yet."""
    return {0, 1} - {1 - side for side in reported_sides(match)}


def _body(request: Request) -> dict[str, object]:
    body = request.data
    assert isinstance(body, dict)
    return body


urlpatterns = [
    path("matches/<uuid:key>/", MatchByKey.as_view(), name="api-match"),
    path("matches/<uuid:key>/report/", Reporting.as_view(), name="api-match-report"),
    path("matches/<uuid:key>/confirm/", MatchConfirm.as_view(), name="api-match-confirm"),
    path("matches/<uuid:key>/rule/", MatchRule.as_view(), name="api-match-ruling"),
    path("matches/<uuid:key>/entry/", MatchEntry.as_view(), name="api-match-result-entry"),
    path("matches/<uuid:key>/refusal/", MatchRefusal.as_view(), name="api-match-refusal"),
    path("matches/<uuid:key>/dice/", MatchDice.as_view(), name="api-match-dice"),
    path("matches/<uuid:key>/consent/", MatchConsent.as_view(), name="api-match-consent"),
    path("campaigns/<int:pk>/rulings/", Rulings.as_view(), name="api-rulings"),
]
