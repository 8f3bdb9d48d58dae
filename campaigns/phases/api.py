"""The API of a campaign's phases."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.endpoints import campaign_for_organiser
from campaigns.models import Campaign, Phase
from campaigns.phases import services
from campaigns.phases.selectors import PhaseRow, phases_of
from campaigns.rows import campaign_or_404
from rosters.api.matching import if_match, tagged
from rosters.api.once import idempotent
from rosters.api.parts import StrictSerializer, Text, Whole, player, valid


class PhaseChange(StrictSerializer):
    name = Text(max_length=60, required=False)
    first_round = Whole(min_value=1, max_value=services.MAX_ROUND, required=False)
    text = Text(max_length=services.MAX_TEXT_LENGTH, required=False, allow_blank=True)


class PhaseIn(PhaseChange):
    name = Text(max_length=60)
    first_round = Whole(min_value=1, max_value=services.MAX_ROUND, help_text="the round that it begins with")


class PhaseOut(serializers.Serializer[PhaseRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    first_round = serializers.IntegerField(source="first")
    last_round = serializers.IntegerField(source="last", allow_null=True, help_text="null: no other follows")


class Phases(APIView):
    @extend_schema(responses={200: PhaseOut(many=True)}, operation_id="phases_list", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return the phases of a campaign, in order."""
        return Response([PhaseOut(row).data for row in phases_of(campaign_or_404(request._request, pk))])

    @idempotent
    @extend_schema(request=PhaseIn, responses={201: PhaseOut}, operation_id="phases_add", tags=["campaigns"])
    def post(self, request: Request, pk: int) -> Response:
        """Add a phase. Organisers only."""
        campaign = campaign_for_organiser(request, pk)
        made = services.phase_add(campaign=campaign, by=player(request), **valid(PhaseIn, request))
        return Response(_phase_to_dict(campaign, made.pk), status=status.HTTP_201_CREATED)


class PhaseById(APIView):
    @tagged
    @extend_schema(responses={200: PhaseOut}, operation_id="phases_read", tags=["campaigns"])
    def get(self, request: Request, pk: int, phase_pk: int) -> Response:
        """Return a phase."""
        return Response(_phase_to_dict(campaign_or_404(request._request, pk), phase_pk))

    @if_match(lambda pk, phase_pk: Campaign.objects.filter(pk=pk))
    @extend_schema(request=PhaseChange, responses={200: PhaseOut}, operation_id="phases_change", tags=["campaigns"])
    def patch(self, request: Request, pk: int, phase_pk: int) -> Response:
        """Change a phase; a closed round stays in the phase in which it was played."""
        campaign = campaign_for_organiser(request, pk)
        row = _phase_or_404(campaign, phase_pk)
        given = {"name": row.name, "text": row.text, "first_round": row.first_round, **valid(PhaseChange, request)}
        services.phase_change(phase=row, by=player(request), **given)
        return Response(_phase_to_dict(campaign, phase_pk))

    @extend_schema(responses={204: None}, operation_id="phases_remove", tags=["campaigns"])
    def delete(self, request: Request, pk: int, phase_pk: int) -> Response:
        """Remove a phase in which no round was played."""
        services.phase_remove(phase=_phase_or_404(campaign_for_organiser(request, pk), phase_pk), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _phase_or_404(campaign: Campaign, pk: int) -> Phase:
    row = campaign.phases.filter(pk=pk).first()
    if row is None:
        raise Http404
    return row


def _phase_to_dict(campaign: Campaign, pk: int) -> dict[str, object]:
    row = next((each for each in phases_of(campaign) if each.id == pk), None)
    if row is None:
        raise Http404
    return PhaseOut(row).data


phase_urls = [
    path("campaigns/<int:pk>/phases/", Phases.as_view(), name="api-phases"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/", PhaseById.as_view(), name="api-phase"),
]
