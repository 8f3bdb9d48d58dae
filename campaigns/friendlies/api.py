"""The API of friendly games."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.friendlies.selectors import FriendlyRow, friendly_rows, own_entrants
from campaigns.friendlies.services import friendly_announce
from campaigns.rows import campaign_or_404
from rosters.api.once import idempotent
from rosters.api.parts import StrictSerializer, Text, Whole, player, valid
from rosters.services import RefusedError


class FriendlyIn(StrictSerializer):
    enrolment = Whole(help_text="id of your company's enrolment")
    units = serializers.ListField(child=Whole(), max_length=40, help_text="ids of the company's units that come")
    doctrine = Text(max_length=40)
    standing = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        required=False,
        help_text="standing orders by whom: all, or the id of a unit; those of `standing` in a side of setup/1",
    )
    opponent = Text(max_length=40, help_text="slug of a ready-made force")
    ground = Whole(help_text="a place in the campaign's scenarios and their terrains, from 0", required=False)
    words = Text(max_length=100, required=False, allow_blank=True, help_text="your own, for the sealed dice")
    dice = Text(max_length=64, required=False, help_text="hash of your waiting dice, if you were shown it; else any")


class FriendlyOut(serializers.Serializer[FriendlyRow]):
    key = serializers.UUIDField()
    round = serializers.IntegerField()
    company = serializers.CharField()
    opponent = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    commitment = serializers.CharField(help_text="hash of the sealed dice, published before they fell")
    battle = serializers.UUIDField(allow_null=True, help_text="null: its club was imported without battles")
    outcome = serializers.ChoiceField(["", "won", "drawn", "lost", "failed"], help_text="empty: being fought")


class Friendlies(APIView):
    @extend_schema(responses={200: FriendlyOut(many=True)}, operation_id="friendlies_list", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """List every friendly game that was announced, newest first, finished or not."""
        return Response([FriendlyOut(line).data for line in friendly_rows(campaign_or_404(request._request, pk))])

    @idempotent
    @extend_schema(
        request=FriendlyIn,
        responses={201: FriendlyOut},
        operation_id="friendlies_announce",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Announce a friendly game. It is simulated at once and written to the company's ledger whatever the result."""
        campaign = campaign_or_404(request._request, pk)
        own = {each.pk: each for each in own_entrants(campaign, request.user)}
        if not own:
            raise PermissionDenied
        given = {"ground": 0, **valid(FriendlyIn, request)}
        enrolment = own.get(given.pop("enrolment"))
        if enrolment is None:
            raise RefusedError("enrolment", "No company of yours takes part by this id.")
        shown = given.pop("dice", "")
        made = friendly_announce(enrolment=enrolment, by=player(request), shown=shown, **given)
        line = next(each for each in friendly_rows(campaign) if each.key == made.key)
        return Response(FriendlyOut(line).data, status=201)


friendly_urls = [path("campaigns/<int:pk>/friendlies/", Friendlies.as_view(), name="api-friendlies")]
