"""The API of cups: groups, bracket, who went on."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.cups.selectors import CupGroupRow, CupGroupTable, CupSheet, CupSide, CupTieRow, cup_of, cup_sheet
from campaigns.rows import campaign_or_404


class CupSideOut(serializers.Serializer[CupSide]):
    enrolment = serializers.IntegerField(allow_null=True, help_text="null: nobody, or not known yet")
    name = serializers.CharField(help_text="the company, or who it will be")
    seed = serializers.IntegerField(allow_null=True)
    has_won = serializers.BooleanField()


class CupTieOut(serializers.Serializer[CupTieRow]):
    place = serializers.IntegerField(
        help_text="1 the final, 2 and 3 the semi-finals that lead to it; 0 for third place"
    )
    stage = serializers.CharField()
    sides = CupSideOut(many=True)
    match = serializers.UUIDField(source="key", allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(source="state_name")
    winner = serializers.CharField(allow_blank=True, help_text="who goes on; empty while that is not known")
    how = serializers.CharField(allow_blank=True, help_text="why, where the result alone does not say it")
    others_due = serializers.CharField(
        source="strays", allow_blank=True, help_text="who plays here though others were due, after a correction"
    )


class CupGroupRowOut(serializers.Serializer[CupGroupRow]):
    place = serializers.IntegerField()
    company = serializers.CharField(source="name")
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    points = serializers.IntegerField()
    advances = serializers.BooleanField(help_text="stands where one goes on")


class CupGroupOut(serializers.Serializer[CupGroupTable]):
    letter = serializers.CharField()
    is_over = serializers.BooleanField()
    standings = CupGroupRowOut(many=True, source="rows")


class CupOut(serializers.Serializer[CupSheet]):
    groups = CupGroupOut(many=True)
    ties = CupTieOut(many=True, help_text="from the first round to the final")
    winner = serializers.CharField(allow_blank=True)
    third = serializers.CharField(allow_blank=True)
    draws = serializers.CharField(source="ties_told", help_text="how a drawn match of the knock-out is decided")


class CupOfCampaign(APIView):
    @extend_schema(responses={200: CupOut}, operation_id="cups_read", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Groups and bracket of the campaign's cup, once it is drawn; matches of a planned round are its organisers' alone."""
        campaign = campaign_or_404(request._request, pk)
        cup = cup_of(campaign)
        can_run = policy.can_run_campaign(request.user, campaign)
        sheet = cup_sheet(campaign, cup, with_planned=can_run) if cup is not None else None
        if sheet is None:
            raise Http404
        return Response(CupOut(sheet).data)


urls = [path("campaigns/<int:pk>/cup/", CupOfCampaign.as_view(), name="api-cup")]
