"""The API of a campaign's map: the territories, their holders, their yields, and the payments so far."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.shortcuts import campaign_or_404
from campaigns.standings.selectors import territories
from campaigns.territories.income import PaidRound, PaidRow, Yield, paid_rounds, yields_of


class TerritoryAnswer(serializers.Serializer[dict[str, object]]):
    name = serializers.CharField()
    holder = serializers.CharField(allow_blank=True, help_text="the company that holds it; empty: nobody")
    since = serializers.IntegerField(allow_null=True, help_text="the round in which it was won; null: home territory")
    income = serializers.IntegerField(help_text="points for its holder at the end of a round")
    bonus_points = serializers.IntegerField(help_text="for its holder's match in the next round")
    bonus_rolls = serializers.IntegerField(help_text="support rolls for its holder's match in the next round")


class TerritoryPaymentAnswer(serializers.Serializer[dict[str, object]]):
    name = serializers.CharField()
    points = serializers.IntegerField()


class CompanyPaymentAnswer(serializers.Serializer[PaidRow]):
    company = serializers.CharField()
    points = serializers.IntegerField()
    places = serializers.SerializerMethodField()

    @extend_schema_field(TerritoryPaymentAnswer(many=True))
    def get_places(self, line: PaidRow) -> list[dict[str, object]]:
        return [{"name": name, "points": points} for name, points in line.places]


class RoundPaymentsAnswer(serializers.Serializer[PaidRound]):
    round = serializers.IntegerField(source="number")
    lines = CompanyPaymentAnswer(many=True)


class CampaignMapAnswer(serializers.Serializer[dict[str, object]]):
    territories = TerritoryAnswer(many=True)
    paid = RoundPaymentsAnswer(many=True, help_text="the newest round first")


class CampaignMap(APIView):
    @extend_schema(responses={200: CampaignMapAnswer}, operation_id="map_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return the territories with their holders and yields, and the payments of closed rounds.

        Empty without a map.
        """
        campaign = campaign_or_404(request._request, pk)
        brings = yields_of(campaign)
        places = [
            {
                "name": each.name,
                "holder": each.holder_name,
                "since": each.since,
                "income": found.income,
                "bonus_points": found.bonus_points,
                "bonus_rolls": found.bonus_rolls,
            }
            for each in territories(campaign)
            for found in (brings.get(each.name, Yield()),)
        ]
        return Response(CampaignMapAnswer({"territories": places, "paid": paid_rounds(campaign)}).data)


urlpatterns = [path("campaigns/<int:pk>/map/", CampaignMap.as_view(), name="api-campaign-map")]
