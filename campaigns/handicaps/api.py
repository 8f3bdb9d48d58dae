"""The API of handicaps: the proposal and a side's answer."""

from __future__ import annotations

from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.endpoints import acting_side, side_schema
from campaigns.handicaps import services
from campaigns.handicaps.selectors import CalculatedSide, HandicapSheet, Tried, handicap_sheet
from campaigns.models import MatchState
from campaigns.rows import match_or_404
from rosters.api.once import idempotent
from rosters.api.parts import StrictSerializer, Text, Whole, player, valid


class HandicapIn(StrictSerializer):
    act = serializers.ChoiceField(choices=["ask", "agree", "back"], help_text="back: takes your word back")
    kind = Text(max_length=12, required=False, allow_blank=True, help_text="of what is proposed; to agree or take back")
    value = Whole(min_value=0, required=False, help_text="likewise")


class TriedOut(serializers.Serializer[Tried]):
    words = serializers.CharField()
    chance = serializers.FloatField()
    units = serializers.ListField(child=serializers.CharField(), help_text="of the stronger side, where they change")
    styles = serializers.ListField(child=serializers.CharField(), help_text="AI styles of attacker and defender")


class CalculatedSideOut(serializers.Serializer[CalculatedSide]):
    company = serializers.CharField()
    units = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField(help_text="of the units, without their pilots")
    ai_style = serializers.CharField(source="style", help_text="that gives the side its best chance")


class HandicapOut(serializers.Serializer[HandicapSheet]):
    status = serializers.CharField(help_text="none, counting, failed, nothing, proposed or agreed")
    told = serializers.CharField(allow_blank=True)
    kind = serializers.CharField(allow_blank=True)
    value = serializers.IntegerField()
    chance = serializers.FloatField(allow_null=True, help_text="of the attacker without it, a draw counted half")
    chance_with = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="why nothing is proposed, or why it no longer counts")
    sides = CalculatedSideOut(many=True, help_text="attacker and defender as it was calculated from them")
    tried = TriedOut(many=True)
    agreed = serializers.ListField(child=serializers.CharField(), help_text="companies that have agreed")


class MatchHandicap(APIView):
    @extend_schema(responses={200: HandicapOut}, operation_id="matches_handicap", tags=["matches"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the handicap of a match.

        A proposal is for its sides only; an agreed one for everybody who sees the match.
        """
        return _handicap_response(request, key)

    @idempotent
    @side_schema("matches_handicap_say", HandicapOut, HandicapIn)
    def post(self, request: Request, key: UUID) -> Response:
        """Ask for a handicap for your side, agree to the proposed one, or withdraw your agreement."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done=set())
        given = valid(HandicapIn, request)
        if given["act"] == "ask":
            services.handicap_ask(match=match, by=player(request))
        else:
            services.handicap_answer(
                match=match,
                side=side,
                agrees=given["act"] == "agree",
                kind=given.get("kind", ""),
                value=given.get("value", 0),
                by=player(request),
            )
        return _handicap_response(request, key)


def _handicap_response(request: Request, key: UUID) -> Response:
    match = match_or_404(request._request, key)
    is_open = match.state in MatchState.awaiting_reports()
    sheet = handicap_sheet(match, request.user, is_open=is_open)
    none: dict[str, object] = {"status": "none", "told": "", "kind": "", "value": 0, "chance": None, "tried": []}
    none |= {"chance_with": None, "reason": "", "sides": [], "agreed": []}
    return Response(HandicapOut(sheet).data if sheet else none)


handicap_urls = [path("matches/<uuid:key>/handicap/", MatchHandicap.as_view(), name="api-match-handicap")]
