"""The API of campaign storylines: their scenarios in order, games won, the next scenario, and their settings."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.models import Campaign
from campaigns.shortcuts import campaign_or_404
from campaigns.storylines import services
from campaigns.storylines.selectors import (
    OutcomeCount,
    StepGame,
    StepRow,
    StorylineCompany,
    StorylinePage,
    storyline_page,
)
from rosters.api.base import StrictBooleanField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import if_match, tagged

MAX_COMPANIES = 200


class StorylineChangeRequest(StrictSerializer):
    """The settings to change. Roles are given to all companies at once, and don't change once the story has begun."""

    compensates = StrictBooleanField(
        required=False, help_text="the stronger side of an uneven scenario fields fewer points"
    )
    attackers = serializers.ListField(
        child=StrictIntegerField(),
        max_length=MAX_COMPANIES,
        required=False,
        help_text="ids of enrolments that always attack",
    )
    defenders = serializers.ListField(
        child=StrictIntegerField(),
        max_length=MAX_COMPANIES,
        required=False,
        help_text="ids of enrolments that always defend",
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        for one, other in (("attackers", "defenders"), ("defenders", "attackers")):
            if one in attrs and other not in attrs:
                raise serializers.ValidationError({other: [f"goes with {one}"]})
        return attrs


class OutcomeCountAnswer(serializers.Serializer[OutcomeCount]):
    attacker = serializers.IntegerField(help_text="games that attackers won")
    defender = serializers.IntegerField()
    drawn = serializers.IntegerField()


class StorylineCompanyAnswer(serializers.Serializer[StorylineCompany]):
    enrolment = serializers.IntegerField()
    company = serializers.CharField(source="name")
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    has_left = serializers.BooleanField()


class StorylineGameAnswer(serializers.Serializer[StepGame]):
    match = serializers.UUIDField(source="key")
    attacker = serializers.CharField()
    defender = serializers.CharField(allow_blank=True, help_text="empty: the first has a bye")
    result = serializers.CharField()
    winner = serializers.CharField(allow_blank=True)
    gains = serializers.ListField(child=serializers.CharField(), help_text="what its sides gained in their last games")


class StorylineStepAnswer(serializers.Serializer[StepRow]):
    number = serializers.IntegerField()
    scenario = serializers.CharField()
    name = serializers.CharField()
    points = serializers.ListField(
        child=serializers.IntegerField(), help_text="of attacker and defender, in this story"
    )
    printed = serializers.ListField(
        child=serializers.IntegerField(), help_text="of attacker and defender, as printed in the scenario"
    )
    even = serializers.CharField(allow_blank=True, help_text="why they differ from the printed ones")
    leaves = serializers.CharField(allow_blank=True, help_text="what its winner gains for the next scenario")
    state = serializers.CharField(help_text="played, open, planned, next or later")
    round = serializers.IntegerField(allow_null=True)
    games = StorylineGameAnswer(many=True)
    won = OutcomeCountAnswer(source="count")


class StorylineAnswer(serializers.Serializer[StorylinePage]):
    name = serializers.CharField()
    compensates = serializers.BooleanField()
    steps = StorylineStepAnswer(many=True)
    attackers = StorylineCompanyAnswer(many=True)
    defenders = StorylineCompanyAnswer(many=True)
    unassigned = StorylineCompanyAnswer(many=True, help_text="companies that have no role yet")
    won = OutcomeCountAnswer(source="count")
    winner = serializers.CharField(allow_blank=True, help_text="attacker, defender or draw, once the story is over")
    follows = serializers.CharField(allow_blank=True, help_text="what comes next, in one sentence")


class StorylineOfCampaign(APIView):
    @tagged
    @extend_schema(responses={200: StorylineAnswer}, operation_id="storylines_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return the campaign story of a campaign. Only organisers see the games of a planned round."""
        campaign = campaign_or_404(request._request, pk)
        return _respond(campaign, with_planned=policy.can_run_campaign(request.user, campaign))

    @if_match(lambda pk: Campaign.objects.filter(pk=pk))
    @extend_schema(
        request=StorylineChangeRequest,
        responses={200: StorylineAnswer},
        operation_id="storylines_update",
        tags=["campaigns"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change how the story is played and who attacks in it. For the campaign's organisers."""
        campaign = campaign_or_404(request._request, pk)
        if not policy.can_run_campaign(request.user, campaign):
            raise PermissionDenied
        services.storyline_set(campaign=campaign, by=player(request), **valid(StorylineChangeRequest, request))
        return _respond(campaign, with_planned=True)


def _respond(campaign: Campaign, *, with_planned: bool) -> Response:
    sheet = storyline_page(campaign, with_planned=with_planned)
    if sheet is None:
        raise Http404
    return Response(StorylineAnswer(sheet).data)


urlpatterns = [path("campaigns/<int:pk>/war/", StorylineOfCampaign.as_view(), name="api-storyline")]
