"""The API of cups: groups, bracket and winners; for organisers also the settings, the draw and the seeds."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api_helpers import campaign_for_organiser
from campaigns.cups import services
from campaigns.cups.selectors import CupGroupRow, CupGroupTable, CupSheet, CupSide, CupTieRow, cup_of, cup_sheet
from campaigns.models import Campaign, CampaignPairingMethod, Cup, CupEntrant, Seeding
from campaigns.shortcuts import campaign_or_404
from rosters.api.base import StrictBooleanField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent, if_match, tagged
from rosters.services import RefusedError


class CupChangeRequest(StrictSerializer):
    groups = StrictIntegerField(
        required=False,
        help_text=f"0: knock-out only; otherwise {services.MIN_GROUPS} to {services.MAX_GROUPS} groups first",
    )
    advance = StrictIntegerField(
        required=False, help_text=f"companies of each group that advance, 1 to {services.MAX_ADVANCE}"
    )
    entrants = StrictIntegerField(
        required=False, help_text="companies that enter, from the top of the standings; 0: all"
    )
    seeding = serializers.ChoiceField(choices=Seeding.choices, required=False)
    has_third_place = StrictBooleanField(required=False)


class CupSeatRequest(StrictSerializer):
    enrolment = StrictIntegerField()
    seed = StrictIntegerField(min_value=1, help_text="each seed from 1 is given once")
    group = StrictIntegerField(min_value=0, required=False, help_text="group number; 0: no groups")


class CupSeatsRequest(StrictSerializer):
    seats = serializers.ListField(
        child=CupSeatRequest(), max_length=services.MAX_ENTRANTS, help_text="all companies in the draw"
    )


class CupSeatAnswer(serializers.Serializer[CupEntrant]):
    enrolment = serializers.IntegerField(source="enrolment_id")
    company = serializers.CharField(source="enrolment.company.name")
    seed = serializers.IntegerField()
    group = serializers.IntegerField()


class CupSettingsAnswer(serializers.Serializer[dict[str, object]]):
    groups = serializers.IntegerField()
    advance = serializers.IntegerField()
    entrants = serializers.IntegerField()
    seeding = serializers.CharField()
    has_third_place = serializers.BooleanField()
    told = serializers.CharField(source="description", help_text="the format in words")
    has_begun = serializers.BooleanField(help_text="true if the draw can no longer be changed")
    seats = CupSeatAnswer(many=True, help_text="empty until it is drawn")


class CupSideAnswer(serializers.Serializer[CupSide]):
    enrolment = serializers.IntegerField(allow_null=True, help_text="null: nobody, or not yet known")
    name = serializers.CharField(help_text="the company, or who it will be")
    seed = serializers.IntegerField(allow_null=True)
    has_won = serializers.BooleanField()


class CupTieAnswer(serializers.Serializer[CupTieRow]):
    place = serializers.IntegerField(
        help_text="1 the final, 2 and 3 the semi-finals that lead to it; 0 for third place"
    )
    stage = serializers.CharField()
    sides = CupSideAnswer(many=True)
    match = serializers.UUIDField(source="key", allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(source="state_name")
    winner = serializers.CharField(allow_blank=True, help_text="the winner; empty while unknown")
    how = serializers.CharField(allow_blank=True, help_text="why, if the result alone doesn't show it")
    others_due = serializers.CharField(
        source="strays",
        allow_blank=True,
        help_text="companies that play here although others should, after a correction",
    )


class CupStandingAnswer(serializers.Serializer[CupGroupRow]):
    place = serializers.IntegerField()
    company = serializers.CharField(source="name")
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    points = serializers.IntegerField()
    advances = serializers.BooleanField(help_text="true if it currently advances")


class CupGroupAnswer(serializers.Serializer[CupGroupTable]):
    letter = serializers.CharField()
    is_over = serializers.BooleanField()
    standings = CupStandingAnswer(many=True, source="rows")


class CupAnswer(serializers.Serializer[CupSheet]):
    groups = CupGroupAnswer(many=True)
    ties = CupTieAnswer(many=True, help_text="from the first round to the final")
    winner = serializers.CharField(allow_blank=True)
    third = serializers.CharField(allow_blank=True)
    draws = serializers.CharField(source="draws_description", help_text="how a drawn match of the knock-out is decided")


class CupOfCampaign(APIView):
    @extend_schema(responses={200: CupAnswer}, operation_id="cups_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return the groups and bracket of a campaign's cup once it is drawn.

        Only organisers see matches of a planned round.
        """
        campaign = campaign_or_404(request._request, pk)
        cup = cup_of(campaign)
        can_run = policy.can_run_campaign(request.user, campaign)
        sheet = cup_sheet(campaign, cup, with_planned=can_run) if cup is not None else None
        if sheet is None:
            raise Http404
        return Response(CupAnswer(sheet).data)


class CupSettings(APIView):
    permission_classes = (IsAuthenticated,)

    @tagged
    @extend_schema(responses={200: CupSettingsAnswer}, operation_id="cups_settings_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return the cup settings and seeds of a campaign you organise. Without a cup: the defaults."""
        return Response(_settings_to_dict(campaign_for_organiser(request, pk)))

    @if_match(lambda pk: Campaign.objects.filter(pk=pk))
    @extend_schema(
        request=CupChangeRequest,
        responses={200: CupSettingsAnswer},
        operation_id="cups_settings_update",
        tags=["campaigns"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Set the cup up, or change its settings, until its first round is planned.

        A draw made with other settings is discarded.
        """
        campaign = campaign_for_organiser(request, pk)
        stands = _cup_or_default(campaign)
        given = {name: getattr(stands, name) for name in services.SETTINGS} | valid(CupChangeRequest, request)
        services.cup_set(campaign=campaign, by=player(request), **given)
        return Response(_settings_to_dict(campaign))


class CupDraw(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={201: CupSettingsAnswer}, operation_id="cups_draw", tags=["campaigns"])
    def post(self, request: Request, pk: int) -> Response:
        """Draw the cup. Drawing by lot again gives the same result."""
        campaign = campaign_for_organiser(request, pk)
        services.cup_make_draw(campaign=campaign, by=player(request))
        return Response(_settings_to_dict(campaign), status=status.HTTP_201_CREATED)


class CupSeats(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=CupSeatsRequest, responses={200: CupSettingsAnswer}, operation_id="cups_seat", tags=["campaigns"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Set the seed and group of every company in the draw."""
        campaign = campaign_for_organiser(request, pk)
        given = valid(CupSeatsRequest, request)["seats"]
        seats = {each["enrolment"]: (each["seed"], each.get("group", 0)) for each in given}
        if len(seats) != len(given):
            raise RefusedError("seats", "A company appears twice. Give each company one place.")
        services.cup_seat(campaign=campaign, by=player(request), seats=seats)
        return Response(_settings_to_dict(campaign))


def _cup_or_default(campaign: Campaign) -> Cup:
    """Return the campaign's cup, or an unsaved one with the default settings."""
    return Cup.objects.filter(campaign=campaign).first() or Cup(
        campaign=campaign, groups=services.DEFAULT_GROUPS if campaign.pairing == CampaignPairingMethod.GROUPS else 0
    )


def _settings_to_dict(campaign: Campaign) -> dict[str, object]:
    cup = _cup_or_default(campaign)
    seats = list(cup.places.select_related("enrolment__company").order_by("seed")) if cup.pk is not None else []
    settings = {name: getattr(cup, name) for name in services.SETTINGS}
    begun = cup.pk is not None and services.has_begun(campaign, cup)
    answer = {**settings, "description": services.describe_cup(cup), "has_begun": begun, "seats": seats}
    return dict(CupSettingsAnswer(answer).data)


urlpatterns = [
    path("campaigns/<int:pk>/cup/", CupOfCampaign.as_view(), name="api-cup"),
    path("campaigns/<int:pk>/cup/settings/", CupSettings.as_view(), name="api-cup-settings"),
    path("campaigns/<int:pk>/cup/draw/", CupDraw.as_view(), name="api-cup-draw"),
    path("campaigns/<int:pk>/cup/seats/", CupSeats.as_view(), name="api-cup-seats"),
]
