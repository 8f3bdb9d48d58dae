"""The API of watch parties: what has been shown so far, and the organiser's acts."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.holding import live_premiere
from campaigns.models import Match
from campaigns.premieres import services
from campaigns.rows import match_or_404, require_permission
from rosters.api.once import idempotent
from rosters.api.parts import StrictSerializer, Whole, player, valid

from .selectors import PremiereRow, premiere_row


class PremiereIn(StrictSerializer):
    at = serializers.DateTimeField(help_text="when it begins; not before the deadline of its round")
    pace = Whole(min_value=1, help_text=f"seconds a step: {', '.join(map(str, services.PACES))}")


class PremiereOut(serializers.Serializer[PremiereRow]):
    state = serializers.CharField(help_text="soon, on or ending")
    at = serializers.DateTimeField(help_text="as it was announced")
    begun_at = serializers.DateTimeField(allow_null=True)
    minutes_late = serializers.IntegerField()
    pace = serializers.IntegerField(help_text="seconds a step")
    step = serializers.IntegerField(help_text="that is told now; 0: none yet")
    title = serializers.SerializerMethodField(help_text="of this step")
    told = serializers.SerializerMethodField(help_text="the events of this step in words")
    next_ms = serializers.IntegerField(help_text="until there is more to tell")

    def get_title(self, shown: PremiereRow) -> str:
        return shown.told.map.title if shown.told and shown.told.map else ""

    def get_told(self, shown: PremiereRow) -> list[str]:
        return list(shown.told.sentences) if shown.told else []


class MatchPremiere(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: PremiereOut}, operation_id="matches_premiere", tags=["matches"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the watch party of a match, as far as it has been shown."""
        return _watch_party_response(match_or_404(request._request, key))

    @idempotent
    @extend_schema(
        request=PremiereIn, responses={200: PremiereOut}, operation_id="matches_premiere_announce", tags=["matches"]
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Announce the watch party of a match, or change its time."""
        match = _match_for_organiser(request, key)
        services.premiere_announce(match=match, by=player(request), **valid(PremiereIn, request))
        return _watch_party_response(match_or_404(request._request, key))

    @extend_schema(responses={204: None}, operation_id="matches_premiere_call_off", tags=["matches"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Call the watch party off. If the round is closed already, the match is simulated at once and not shown."""
        services.premiere_call_off(match=_match_for_organiser(request, key), by=player(request))
        return Response(status=204)


def _match_for_organiser(request: Request, key: UUID) -> Match:
    match = match_or_404(request._request, key)
    require_permission(policy.can_run_campaign(request.user, match.round.campaign))
    return match


def _watch_party_response(match: Match) -> Response:
    premiere = live_premiere(match)
    if premiere is None:
        raise Http404
    response = Response(PremiereOut(premiere_row(premiere)).data)
    response["Cache-Control"] = "no-store"
    return response


watch_party_urls = [path("matches/<uuid:key>/premiere/", MatchPremiere.as_view(), name="api-match-premiere")]
