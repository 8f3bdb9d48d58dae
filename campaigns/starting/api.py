"""The API of starting a campaign: after a template, or after an old campaign of the club."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api.campaigns import CampaignOut
from campaigns.models import Club
from campaigns.starting import services
from campaigns.starting.selectors import Start, starts_of
from rosters.api.once import done_once
from rosters.api.parts import StrictSerializer, Text, Truth, player, valid
from systems import ROSTERS


class BeginIn(StrictSerializer):
    after = Text(max_length=40, help_text="a template or an old campaign, of those that GET lists")
    system = serializers.ChoiceField(choices=list(ROSTERS), help_text="the game; of a copy it is that of its model")
    name = Text(max_length=60, required=False, allow_blank=True, help_text="without it, that of its model")
    musters = Truth(required=False, help_text="begin mustering at once (the default); else it stays a draft")


class StartOut(serializers.Serializer[Start]):
    after = serializers.CharField(source="value")
    name = serializers.CharField()
    about = serializers.CharField()
    facts = serializers.CharField(help_text="places, points, days in a round, who meets whom, scenarios")
    is_copy = serializers.BooleanField(help_text="of an old campaign of the club")


class StartsOut(serializers.Serializer[dict[str, object]]):
    system = serializers.CharField()
    starts = StartOut(many=True)


class Starts(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=StartsOut(many=True), operation_id="campaigns_models", tags=["campaigns"])
    def get(self, request: Request, slug: str) -> Response:
        """What a campaign of the club can be drawn up after, game by game; its organisers'."""
        club = _run(request, slug)
        return Response([StartsOut({"system": each, "starts": starts_of(club, each)}).data for each in ROSTERS])

    @done_once
    @extend_schema(request=BeginIn, responses={201: CampaignOut}, operation_id="campaigns_begin", tags=["campaigns"])
    def post(self, request: Request, slug: str) -> Response:
        """Draws a campaign up after a template or an old one; it musters at once, or stays a draft."""
        club = _run(request, slug)
        made = services.campaign_begin(club=club, by=player(request), **valid(BeginIn, request))
        return Response(CampaignOut(made, context={"request": request}).data, status=status.HTTP_201_CREATED)


def _run(request: Request, slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or not policy.can_see_club(request.user, club):
        raise Http404
    if not policy.can_run_club(request.user, club):
        raise PermissionDenied
    return club


urls = [path("clubs/<slug:slug>/campaigns/", Starts.as_view(), name="api-club-campaigns")]
