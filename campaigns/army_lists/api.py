"""The API of lists whose units are bought for each match: the pilots, the rolls, and a player's saved lists."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.api_helpers import acting_side, side_schema
from campaigns.army_lists.purchases import build_buying_side, buys_units_per_match
from campaigns.army_lists.selectors import PilotRow, PreparationPage, RollRow, preparation_page, saved_lists_of
from campaigns.army_lists.services import preparation_roll, saved_list_delete, saved_list_save
from campaigns.locks import side_enrolment
from campaigns.models import Match, MatchPreparation, SavedList
from campaigns.shortcuts import match_or_404
from rosters.api.base import StrictCharField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from systems import ROSTERS
from systems.setups import MAX_UNITS


class PreparationRequest(StrictSerializer):
    pilots = serializers.ListField(
        child=StrictIntegerField(),
        max_length=40,
        required=False,
        help_text="ids of the pilots to bring; default: the best",
    )
    words = StrictCharField(
        max_length=100, required=False, allow_blank=True, help_text="your contribution to the seed of these rolls"
    )


class PreparationPilotAnswer(serializers.Serializer[PilotRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    about = serializers.CharField()
    refusal = serializers.CharField(allow_blank=True, help_text="why they can't take part")
    comes = serializers.BooleanField(source="is_best", help_text="true if they take part, or would by default")


class PreparationRollAnswer(serializers.Serializer[RollRow]):
    faces = serializers.ListField(child=serializers.IntegerField())
    name = serializers.CharField()
    effect = serializers.CharField()
    rule = serializers.CharField()


class PreparationAnswer(serializers.Serializer[PreparationPage]):
    has_rolled = serializers.BooleanField()
    commitment = serializers.CharField(allow_blank=True, help_text="hash of the dice of these rolls")
    limit = serializers.IntegerField(allow_null=True, help_text="points the side can spend, including support")
    handicap = serializers.CharField(allow_blank=True, help_text="the side's agreed handicap, in words")
    pilots = PreparationPilotAnswer(many=True)
    rolls = PreparationRollAnswer(many=True)


class SavedListRequest(StrictSerializer):
    system = serializers.ChoiceField(choices=list(ROSTERS))
    name = StrictCharField(max_length=60)
    designs = serializers.ListField(
        child=serializers.JSONField(),
        min_length=1,
        max_length=MAX_UNITS,
        help_text="slugs of published designs, or specs",
    )


class SavedListAnswer(serializers.Serializer[SavedList]):
    id = serializers.IntegerField()
    system = serializers.CharField()
    name = serializers.CharField()
    designs = serializers.ListField(child=serializers.DictField(), help_text="each with its design, a slug or a spec")
    changed_at = serializers.DateTimeField()


class MatchPreparationView(APIView):
    permission_classes = (IsAuthenticated,)

    @side_schema("matches_support_retrieve", PreparationAnswer)
    def get(self, request: Request, key: UUID) -> Response:
        """Return your side's preparation, in campaigns that buy units per match. Hidden until the lists are "
        "revealed."""
        match = match_or_404(request._request, key)
        return _answer(match, acting_side(request, match))

    @idempotent
    @side_schema("matches_support_roll", PreparationAnswer, PreparationRequest)
    def post(self, request: Request, key: UUID) -> Response:
        """Choose your pilots and roll for support, on your side's own dice. Neither can be changed afterwards."""
        match = match_or_404(request._request, key)
        done = set(MatchPreparation.objects.filter(match=match).exclude(rolled_at=None).values_list("side", flat=True))
        side = acting_side(request, match, done=done)
        preparation_roll(match=match, side=side, by=player(request), **valid(PreparationRequest, request))
        return _answer(match, side)


class SavedLists(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=SavedListAnswer(many=True), operation_id="saved_forces_list", tags=["matches"])
    def get(self, request: Request) -> Response:
        """Return your saved lists, from which a purchase can start."""
        return Response([SavedListAnswer(row).data for row in saved_lists_of(player(request))])

    @idempotent
    @extend_schema(
        request=SavedListRequest, responses={201: SavedListAnswer}, operation_id="saved_forces_create", tags=["matches"]
    )
    def post(self, request: Request) -> Response:
        """Save designs under a name, replacing what was saved under it."""
        given = valid(SavedListRequest, request)
        given["designs"] = [{"design": each} for each in given["designs"]]
        row = saved_list_save(player=player(request), **given)
        return Response(SavedListAnswer(row).data, status=status.HTTP_201_CREATED)


class SavedListView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: None}, operation_id="saved_forces_delete", tags=["matches"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a saved list."""
        row = SavedList.objects.filter(player=player(request), pk=pk).first()
        if row is None:
            raise Http404
        saved_list_delete(force=row)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _answer(match: Match, side: int) -> Response:
    if not buys_units_per_match(match.round.campaign):
        raise Http404
    return Response(
        PreparationAnswer(preparation_page(build_buying_side(match, side, side_enrolment(match, side)))).data
    )


urlpatterns = [
    path("matches/<uuid:key>/muster/", MatchPreparationView.as_view(), name="api-match-preparation"),
    path("saved-forces/", SavedLists.as_view(), name="api-saved-forces"),
    path("saved-forces/<int:pk>/", SavedListView.as_view(), name="api-saved-force"),
]
