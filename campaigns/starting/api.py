"""The API for starting a campaign: copy a template or an earlier campaign, accept companies, change its state."""

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
from campaigns.api_helpers import campaign_for_organiser
from campaigns.campaign.api import CampaignAnswer
from campaigns.campaign.services import campaign_move
from campaigns.models import CampaignState, Club
from campaigns.starting import services
from campaigns.starting.services import CampaignTemplate, campaign_templates
from rosters.api.base import StrictBooleanField, StrictCharField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from systems import ROSTERS

MAX_ENROLMENTS = 200  # most enrolments in one request


class CampaignFromTemplateRequest(StrictSerializer):
    after = StrictCharField(max_length=40, help_text="id of a template or an old campaign, as listed by GET")
    system = serializers.ChoiceField(choices=list(ROSTERS), help_text="the game; not for a copy, which keeps its game")
    name = StrictCharField(max_length=60, required=False, allow_blank=True, help_text="default: the template's name")
    musters = StrictBooleanField(
        source="begins_mustering",
        required=False,
        help_text="true (default): open sign-ups at once; false: keep it as a draft",
    )


class AcceptFitRequest(StrictSerializer):
    among = serializers.ListField(
        child=StrictIntegerField(),
        max_length=MAX_ENROLMENTS,
        help_text="ids of enrolments to accept if they have asked and are battle-ready",
    )


class CampaignStateRequest(StrictSerializer):
    to = serializers.ChoiceField(choices=[state for state in CampaignState.values if state != CampaignState.DRAFT])
    accept = serializers.ListField(
        child=StrictIntegerField(),
        max_length=MAX_ENROLMENTS,
        required=False,
        help_text="with `running`: ids of enrolments to accept first if they have asked and are battle-ready",
    )
    plan = StrictBooleanField(required=False, help_text="with `running`: also plan round 1")

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        late = [name for name in ("accept", "plan") if name in attrs and attrs["to"] != CampaignState.RUNNING]
        if late:
            raise serializers.ValidationError({late[0]: ["can only be given with `running`"]})
        return attrs


class AcceptedCompaniesAnswer(serializers.Serializer[services.AcceptedCompanies]):
    accepted = serializers.SerializerMethodField(help_text="ids of enrolments")
    left = serializers.ListField(
        child=serializers.CharField(), help_text="companies that aren't battle-ready, or have no place"
    )
    later = serializers.ListField(
        child=serializers.CharField(), help_text="battle-ready companies that weren't in the list"
    )

    def get_accepted(self, taken: services.AcceptedCompanies) -> list[int]:
        return [each.pk for each in taken.accepted]


class CampaignStateAnswer(serializers.Serializer[None]):
    campaign = CampaignAnswer()
    taken = AcceptedCompaniesAnswer(allow_null=True, help_text="null: not requested")
    planned = serializers.IntegerField(allow_null=True, help_text="number of the planned round")


class CampaignTemplateAnswer(serializers.Serializer[CampaignTemplate]):
    after = serializers.CharField(source="value")
    name = serializers.CharField()
    about = serializers.CharField()
    facts = serializers.CharField(help_text="places, points, days per round, pairing, scenarios")
    is_copy = serializers.BooleanField(help_text="true for a copy of an old campaign")


class CampaignTemplatesAnswer(serializers.Serializer[dict[str, object]]):
    system = serializers.CharField()
    starts = CampaignTemplateAnswer(many=True)


class CampaignTemplatesView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        responses=CampaignTemplatesAnswer(many=True), operation_id="campaign_templates_list", tags=["campaigns"]
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the templates and earlier campaigns that a new campaign can copy, by game. Organisers only."""
        club = organised_club(request, slug)
        return Response(
            [
                CampaignTemplatesAnswer({"system": each, "starts": campaign_templates(club, each)}).data
                for each in ROSTERS
            ]
        )

    @idempotent
    @extend_schema(
        request=CampaignFromTemplateRequest,
        responses={201: CampaignAnswer},
        operation_id="clubs_campaigns_create",
        tags=["campaigns"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a campaign from a template or an old campaign, open for sign-ups at once or as a draft."""
        club = organised_club(request, slug)
        made = services.campaign_create_from_template(
            club=club, by=player(request), **valid(CampaignFromTemplateRequest, request)
        )
        return Response(CampaignAnswer(made, context={"request": request}).data, status=status.HTTP_201_CREATED)


class CampaignStateView(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=CampaignStateRequest,
        responses={200: CampaignStateAnswer},
        operation_id="campaigns_move",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Move a campaign to its next state: mustering, running, finished. This can't be undone."""
        campaign, by = campaign_for_organiser(request, pk), player(request)
        given = valid(CampaignStateRequest, request)
        taken, planned = None, None
        if given["to"] == CampaignState.RUNNING:
            accepts = given.get("accept", ())
            taken, planned = services.campaign_start(
                campaign=campaign, by=by, accepts=accepts, plans=given.get("plan", False)
            )
        else:
            campaign_move(campaign=campaign, to=given["to"], by=by)
        campaign.refresh_from_db()
        answer = {
            "campaign": CampaignAnswer(campaign, context={"request": request}).data,
            "taken": AcceptedCompaniesAnswer(taken).data if taken and "accept" in given else None,
            "planned": planned.number if planned else None,
        }
        return Response(answer)


class AcceptFitView(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=AcceptFitRequest,
        responses={200: AcceptedCompaniesAnswer},
        operation_id="enrolments_accept_fit",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Accept all of these companies that have asked and are battle-ready, in the order in which they asked."""
        campaign = campaign_for_organiser(request, pk)
        taken = services.enrolments_accept_fit(
            campaign=campaign, by=player(request), **valid(AcceptFitRequest, request)
        )
        return Response(AcceptedCompaniesAnswer(taken).data)


def organised_club(request: Request, slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or not policy.can_see_club(request.user, club):
        raise Http404
    if not policy.can_run_club(request.user, club):
        raise PermissionDenied
    return club


urlpatterns = [
    path("clubs/<slug:slug>/campaigns/", CampaignTemplatesView.as_view(), name="api-club-campaigns"),
    path("campaigns/<int:pk>/state/", CampaignStateView.as_view(), name="api-campaign-state"),
    path("campaigns/<int:pk>/enrolments/fit/", AcceptFitView.as_view(), name="api-enrolments-accept-ready"),
]
