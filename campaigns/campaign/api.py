"""The API of campaigns: create and change them, enrol companies, read standings."""

from __future__ import annotations

from dataclasses import asdict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api_helpers import campaign_for_organiser
from campaigns.campaign.selectors import EnrolmentRow, enrolment_rows
from campaigns.campaign.services import campaign_change_with_map, campaign_create_with_map, campaign_delete
from campaigns.campaign.settings_api import CampaignChangeRequest, CampaignRequest, build_settings
from campaigns.enrolments import services
from campaigns.models import Campaign, CampaignState, Club, Enrolment
from campaigns.scoring import CAMPAIGN_SCORING, output_fields
from campaigns.shortcuts import campaign_or_404
from campaigns.standings.selectors import StandingRow, standings
from campaigns.territories.income import yields_of
from campaigns.territories.selectors import borders
from rosters.api.base import (
    PAGING,
    Pages,
    ProblemAnswer,
    Query,
    QueryIntegerField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    SystemObject,
    asked,
    paged,
    player,
    valid,
)
from rosters.api.companies import OriginAnswer
from rosters.api.headers import idempotent, if_match, tagged
from rosters.services import RefusedError
from rosters.shortcuts import own_company

# --- requests ---------------------------------------------------------------------------------------------------------


class EnrolmentRequest(StrictSerializer):
    company = StrictIntegerField(help_text="id of one of your companies")
    doctrine = StrictCharField(
        max_length=40, required=False, help_text="AI style: how the company plays if you can't come"
    )


class EnrolmentChangeRequest(StrictSerializer):
    decision = serializers.ChoiceField(
        choices=["accept", "decline", "excuse", "withdraw"], required=False, help_text="withdraw: also the player's own"
    )
    reason = StrictCharField(max_length=300, required=False, allow_blank=True, help_text="for decline and excuse")
    doctrine = StrictCharField(
        max_length=40,
        required=False,
        help_text="AI style: how the company plays if its player can't come; for the player only",
    )
    standing = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        required=False,
        help_text="autoplay orders, by `all` or a unit's id, as in `standing` of a side of setup/1. They "
        "replace earlier orders; for the player only",
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        if ("decision" in attrs) == ("doctrine" in attrs or "standing" in attrs):
            raise serializers.ValidationError({"decision": ["Give either `decision`, or `doctrine` or `standing`."]})
        return attrs


class CampaignsQuery(Query):
    club = serializers.SlugField(source="club__slug", required=False, help_text="slug of a club")
    state = serializers.ChoiceField(choices=CampaignState.choices, required=False)


class StandingsQuery(Query):
    after = QueryIntegerField(min_value=0, max_value=99_999, required=False, help_text="a round number; default: now")


# --- responses --------------------------------------------------------------------------------------------------------


class Page(serializers.URLField):
    """The URL of a campaign's page."""

    def to_representation(self, value: object) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(reverse("campaigns:campaign", args=[value]))


class CampaignSummaryAnswer(serializers.Serializer[Campaign]):
    id = serializers.IntegerField()
    club = serializers.CharField(source="club.slug", help_text="slug")
    name = serializers.CharField()
    system = serializers.CharField()
    state = serializers.ChoiceField(choices=CampaignState.choices)
    points = serializers.IntegerField(help_text="the most a company's units can be worth when it joins")
    page = Page(source="pk")


class CampaignAnswer(CampaignSummaryAnswer):
    about = serializers.CharField(allow_blank=True)
    scenarios = serializers.ListField(child=serializers.CharField(), source="scenario_names", help_text="names")
    options = SystemObject("options", help_text="house rules that differ from the defaults")
    pairing = serializers.CharField()
    pace_days = serializers.IntegerField()
    tie_breakers = serializers.ListField(child=serializers.CharField())
    map_kind = serializers.CharField()
    territories = serializers.SerializerMethodField(help_text="names, in the order of the map")
    borders = serializers.SerializerMethodField(help_text="the neighbours of each territory, by name")
    yields = serializers.SerializerMethodField(
        help_text="yields by territory name; territories without one are left out"
    )
    attack_rule = serializers.CharField(
        help_text="free: any territory; neighbours: only neighbours of what a company holds"
    )
    vars().update(output_fields(CAMPAIGN_SCORING))
    confirms_by_deadline = serializers.BooleanField()
    friendlies = serializers.IntegerField(help_text="friendly games per company and round")
    counts_odds = serializers.BooleanField(help_text="whether match odds are published")
    handicaps = serializers.BooleanField(help_text="whether handicaps are allowed")
    seals_forces = serializers.BooleanField()
    seats = serializers.IntegerField()
    fills_seats = serializers.BooleanField(help_text="whether free places go to the waiting list automatically")
    catalogue_release = serializers.CharField()
    mustering_at = serializers.DateTimeField(allow_null=True)
    running_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_territories(self, campaign: Campaign) -> list[str]:
        return list(campaign.territories.values_list("name", flat=True))

    def get_borders(self, campaign: Campaign) -> dict[str, list[str]]:
        return {name: list(beside) for name, beside in borders(campaign).items()}

    def get_yields(self, campaign: Campaign) -> dict[str, dict[str, int]]:
        return {name: asdict(each) for name, each in yields_of(campaign).items()}


class EnrolmentAnswer(serializers.Serializer[None]):
    id = serializers.IntegerField()
    company = serializers.CharField()
    player = serializers.CharField()
    state = serializers.CharField()
    waits = serializers.IntegerField(allow_null=True, help_text="its number on the waiting list; null: not waiting")
    points = serializers.IntegerField()
    is_fit = serializers.BooleanField(help_text="true if it has no problems, or an exception")
    is_excused = serializers.BooleanField()
    problem_count = serializers.IntegerField()
    problems = ProblemAnswer(many=True, help_text="in full for its player and arbiters; others get the number only")
    warnings = ProblemAnswer(many=True, help_text="scenarios in which it has no legal list; for the same readers")
    brings = serializers.CharField(help_text="games and pilot experience it brings; for the same readers")
    origin = OriginAnswer(
        allow_null=True, help_text="where it was imported from; null: created here; for its player and arbiters"
    )
    doctrine = serializers.CharField(allow_blank=True, help_text="its AI style; for its player only")
    standing = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        help_text="its autoplay orders, which override the AI style; for its player only",
    )


class StandingAnswer(serializers.Serializer[StandingRow]):
    place = serializers.IntegerField(source="row.place")
    company = serializers.CharField(source="row.name")
    player = serializers.CharField()
    points = serializers.IntegerField(source="row.points")
    played = serializers.IntegerField(source="row.played")
    won = serializers.IntegerField(source="row.won")
    drawn = serializers.IntegerField(source="row.drawn")
    lost = serializers.IntegerField(source="row.lost")
    byes = serializers.IntegerField(source="row.byes")
    units_destroyed = serializers.IntegerField(source="row.destroyed")
    units_lost = serializers.IntegerField(source="row.units_lost")
    points_destroyed = serializers.IntegerField(source="row.destroyed_points")
    opponents_points = serializers.IntegerField(source="row.buchholz")
    territories = serializers.IntegerField()
    withdrawn = serializers.BooleanField(source="has_withdrawn")


# --- endpoints --------------------------------------------------------------------------------------------------------


class Campaigns(APIView):
    pagination_class = Pages

    @extend_schema(
        responses=CampaignSummaryAnswer(many=True),
        operation_id="campaigns_list",
        tags=["campaigns"],
        parameters=[CampaignsQuery],
    )
    def get(self, request: Request) -> Response:
        """List the campaigns you may see, newest first."""
        rows = Campaign.objects.filter(policy.campaigns_visible(request.user)).select_related("club").distinct()
        given = asked(CampaignsQuery, request, beside=PAGING)
        line = CampaignSummaryAnswer(context={"request": request})
        return paged(request, rows.filter(**given), line.to_representation, "-pk")

    @idempotent
    @extend_schema(
        request=CampaignRequest, responses={201: CampaignAnswer}, operation_id="campaigns_create", tags=["campaigns"]
    )
    def post(self, request: Request) -> Response:
        """Create a campaign from its settings. It stays a draft, visible only to its organisers."""
        given, by = valid(CampaignRequest, request), player(request)
        club = Club.objects.filter(slug=given.pop("club")).first()
        if club is None or not policy.can_see_club(by, club):
            raise RefusedError("club", "There is no such club.")
        if not policy.can_run_club(by, club):
            raise PermissionDenied
        settings = build_settings(given, system=given["system"], by=by)
        return Response(
            _campaign_to_dict(campaign_create_with_map(club=club, by=by, **settings), request), status.HTTP_201_CREATED
        )


class CampaignById(APIView):
    @tagged
    @extend_schema(responses={200: CampaignAnswer}, operation_id="campaigns_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return a campaign: its settings and its state."""
        return Response(_campaign_to_dict(campaign_or_404(request._request, pk), request))

    @if_match(lambda pk: Campaign.objects.filter(pk=pk))
    @extend_schema(
        request=CampaignChangeRequest,
        responses={200: CampaignAnswer},
        operation_id="campaigns_update",
        tags=["campaigns"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change settings of a campaign that you organise."""
        row, by = campaign_for_organiser(request, pk), player(request)
        settings = build_settings(valid(CampaignChangeRequest, request), system=row.system, by=by)
        return Response(_campaign_to_dict(campaign_change_with_map(campaign=row, by=by, **settings), request))

    @extend_schema(responses={204: None}, operation_id="campaigns_delete", tags=["campaigns"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a draft."""
        campaign_delete(campaign=campaign_for_organiser(request, pk), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Enrolments(APIView):
    @extend_schema(responses={200: EnrolmentAnswer(many=True)}, operation_id="enrolments_list", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """List every company that asked to enrol, with the problems that keep it from being battle-ready."""
        campaign = campaign_or_404(request._request, pk)
        may_judge = policy.can_rule(request.user, campaign)
        rows = enrolment_rows(campaign, request.user)
        return Response([_enrolment(row, may_judge=may_judge) for row in rows])

    @idempotent
    @extend_schema(
        request=EnrolmentRequest,
        responses={201: EnrolmentAnswer},
        operation_id="enrolments_create",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ask to enrol your company; the organiser decides.

        An organiser's own company is accepted at once if it is battle-ready. If the campaign is full, the company joins
        the waiting list.
        """
        campaign = campaign_or_404(request._request, pk)
        if policy.role_in(request.user, campaign.club) is None:
            raise PermissionDenied
        given = valid(EnrolmentRequest, request)
        company = own_company(request, given.pop("company"))
        row = services.enrolment_ask_or_accept(campaign=campaign, company=company, by=player(request), **given)
        return Response(_enrolment_to_dict(campaign, row, request), status=status.HTTP_201_CREATED)


class EnrolmentById(APIView):
    @tagged
    @extend_schema(responses={200: EnrolmentAnswer}, operation_id="enrolments_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int, enrolment_pk: int) -> Response:
        """Return an enrolment: the company's problems and, if it is yours, its autoplay orders."""
        campaign = campaign_or_404(request._request, pk)
        return Response(
            _enrolment_to_dict(campaign, get_object_or_404(Enrolment, campaign=campaign, pk=enrolment_pk), request)
        )

    @if_match(lambda pk, enrolment_pk: Campaign.objects.filter(pk=pk))
    @extend_schema(
        request=EnrolmentChangeRequest,
        responses={200: EnrolmentAnswer},
        operation_id="enrolments_update",
        tags=["campaigns"],
    )
    def patch(self, request: Request, pk: int, enrolment_pk: int) -> Response:
        """Accept, decline or grant an exception as the organiser; set orders as the player; withdraw as either."""
        campaign = campaign_or_404(request._request, pk)
        one = Enrolment.objects.select_related("company", "campaign__club").filter(campaign=campaign, pk=enrolment_pk)
        row = one.first()
        if row is None:
            raise Http404
        by = player(request)
        is_own, can_run = row.company.owner_id == by.pk, policy.can_run_campaign(by, campaign)
        if not (is_own or can_run):
            raise PermissionDenied
        given = valid(EnrolmentChangeRequest, request)
        decision, reason = given.get("decision"), given.get("reason", "")
        if not (is_own if decision is None else is_own or can_run if decision == "withdraw" else can_run):
            raise PermissionDenied
        if decision == "accept":
            row = services.enrolment_accept(enrolment=row, by=by)
        elif decision == "decline":
            row = services.enrolment_decline(enrolment=row, by=by, reason=reason)
        elif decision == "excuse":
            row = services.enrolment_excuse(enrolment=row, by=by, reason=reason)
        elif decision == "withdraw":
            row = services.enrolment_withdraw(enrolment=row, by=by)
        else:
            row = services.orders_set(
                enrolment=row, doctrine=given.get("doctrine"), standing=given.get("standing"), by=by
            )
        return Response(_enrolment_to_dict(campaign, row, request))


class Standings(APIView):
    @extend_schema(
        responses={200: StandingAnswer(many=True)},
        operation_id="standings_list",
        tags=["campaigns"],
        parameters=[StandingsQuery],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return the standings, best first."""
        campaign = campaign_or_404(request._request, pk)
        rows = standings(campaign, up_to=asked(StandingsQuery, request).get("after"))
        return Response([StandingAnswer(row).data for row in rows])


# --- parts ------------------------------------------------------------------------------------------------------------


def _campaign_to_dict(row: Campaign, request: Request) -> dict[str, object]:
    return CampaignAnswer(row, context={"request": request}).data


def _enrolment(row: EnrolmentRow, *, may_judge: bool) -> dict[str, object]:
    problems = row.check.problems
    return {
        "id": row.id,
        "company": row.name,
        "player": row.player,
        "state": row.state,
        "waits": row.waits,
        "points": row.check.points,
        "is_fit": row.is_fit,
        "is_excused": row.is_excused,
        "problem_count": len(problems),
        "problems": [ProblemAnswer(each).data for each in problems] if may_judge or row.is_own else [],
        "warnings": [ProblemAnswer(each).data for each in row.check.warnings] if may_judge or row.is_own else [],
        "brings": row.check.brings if may_judge or row.is_own else "",
        "origin": OriginAnswer(row.origin).data if row.origin and (may_judge or row.is_own) else None,
        "doctrine": row.orders if row.is_own else "",
        "standing": row.standing if row.is_own else {},
    }


def _enrolment_to_dict(campaign: Campaign, enrolment: Enrolment, request: Request) -> dict[str, object]:
    may_judge = policy.can_rule(request.user, campaign)
    (row,) = enrolment_rows(campaign, request.user, pk=enrolment.pk)
    return _enrolment(row, may_judge=may_judge)


urlpatterns = [
    path("campaigns/", Campaigns.as_view(), name="api-campaigns"),
    path("campaigns/<int:pk>/", CampaignById.as_view(), name="api-campaign"),
    path("campaigns/<int:pk>/enrolments/", Enrolments.as_view(), name="api-enrolments"),
    path("campaigns/<int:pk>/enrolments/<int:enrolment_pk>/", EnrolmentById.as_view(), name="api-enrolment"),
    path("campaigns/<int:pk>/standings/", Standings.as_view(), name="api-standings"),
]
