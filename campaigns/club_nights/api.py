"""The API of club nights: ready companies, proposed games and players' answers."""

from __future__ import annotations

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
from campaigns.club_nights import services
from campaigns.club_nights.selectors import ClubNightSheet, GameRow, ReadyRow, club_night_sheet, game_of
from campaigns.models import Club
from campaigns.shortcuts import club_or_404
from rosters.api.base import StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from rosters.shortcuts import own_company
from systems.scenarios import SIDES


class ClubNightRequest(StrictSerializer):
    act = serializers.ChoiceField(choices=["ready", "away", "accept", "decline"])
    company = StrictIntegerField(required=False, help_text="id of one of your companies; for ready and away")
    hours = StrictIntegerField(
        min_value=1,
        max_value=services.MAX_HOURS,
        required=False,
        help_text="hours to look for a game, for ready; default 3",
    )
    game = serializers.UUIDField(required=False, help_text="key of the suggested game, for accept and decline")
    side = serializers.ChoiceField(
        choices=list(SIDES), required=False, help_text="your side in it, for accept and decline"
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        needed = ("company",) if attrs["act"] in ("ready", "away") else ("game", "side")
        missing = {name: ["This field is required."] for name in needed if name not in attrs}
        if missing:
            raise serializers.ValidationError(missing)
        return attrs


class ReadyCompanyAnswer(serializers.Serializer[ReadyRow]):
    company = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.CharField()
    system = serializers.CharField(help_text="name of the game system")
    until = serializers.DateTimeField()
    has_game = serializers.BooleanField(help_text="that has to be answered")


class MatchmakingOfferAnswer(serializers.Serializer[GameRow]):
    key = serializers.UUIDField()
    attacker = serializers.CharField()
    defender = serializers.CharField()
    scenario = serializers.CharField()
    ground = serializers.CharField(allow_blank=True)
    chance = serializers.FloatField(help_text="the attacker's win chance; a draw counts half")
    state = serializers.CharField()
    expires_at = serializers.DateTimeField()
    accepted = serializers.ListField(child=serializers.CharField(), help_text="companies that have accepted")
    table = serializers.CharField(allow_blank=True, help_text="path of its table: your seat, or the spectator page")


class ClubNightAnswer(serializers.Serializer[ClubNightSheet]):
    ready = ReadyCompanyAnswer(many=True)
    proposed = MatchmakingOfferAnswer(many=True)
    accepted = MatchmakingOfferAnswer(many=True)


class ClubNightView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: ClubNightAnswer}, operation_id="club_nights_retrieve", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the companies looking for a game at the club and the suggested games. For members."""
        return Response(ClubNightAnswer(club_night_sheet(_club(request, slug), player(request))).data)

    @idempotent
    @extend_schema(
        request=ClubNightRequest, responses={200: ClubNightAnswer}, operation_id="club_nights_answer", tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Mark your company as ready or away, or answer a suggested game."""
        club, by = _club(request, slug), player(request)
        given = valid(ClubNightRequest, request)
        if given["act"] in ("ready", "away"):
            company = own_company(request, given["company"])
            if given["act"] == "ready":
                services.ready_set(club=club, company=company, hours=given.get("hours", 3), by=by)
            else:
                services.ready_withdraw(club=club, company=company, by=by)
        else:
            game = game_of(club, given["game"])
            if game is None:
                raise Http404
            side = SIDES.index(given["side"])
            services.game_answer(game=game, side=side, accepts=given["act"] == "accept", by=by)
        return Response(ClubNightAnswer(club_night_sheet(club, by)).data)


def _club(request: Request, slug: str) -> Club:
    club = club_or_404(request._request, slug)
    if policy.role_in(request.user, club) is None:
        raise PermissionDenied
    return club


urlpatterns = [path("clubs/<slug:slug>/evening/", ClubNightView.as_view(), name="api-club-night")]
