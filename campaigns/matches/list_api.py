"""The API of the lists for a match: submit one, take it back, reveal both after the deadline."""

from __future__ import annotations

from uuid import UUID

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api_helpers import acting_side, side_schema
from campaigns.army_lists.selectors import sealed_sides, submitted_list_rows
from campaigns.army_lists.services import list_submit, list_submit_by_orders, list_withdraw
from campaigns.results.services import match_reveal_lists
from campaigns.shortcuts import match_or_404
from rosters.api.base import StrictBooleanField, StrictCharField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent


@extend_schema_field(OpenApiTypes.ANY)
class DesignField(serializers.Field[object, object, object, object]):
    """The slug of a design, or a spec that the game's rules read."""

    def to_internal_value(self, data: object) -> object:
        if not isinstance(data, str | dict):
            raise serializers.ValidationError("must be a slug or a spec")
        return data

    def to_representation(self, value: object) -> object:
        return value


class PurchaseRequest(StrictSerializer):
    """A unit to buy for the match, and its pilot: one of the company's, or one hired for it."""

    design = DesignField(help_text="a published design's slug, or a spec")
    name = StrictCharField(max_length=60, required=False, allow_blank=True, help_text="without it, that of its design")
    pilot = StrictIntegerField(required=False, allow_null=True, help_text="id of a pilot of your company")
    hire = StrictCharField(
        max_length=40, required=False, allow_blank=True, help_text="the level of one who is hired instead"
    )
    called = StrictCharField(max_length=60, required=False, allow_blank=True, help_text="what they are called")


class ArmyListRequest(StrictSerializer):
    """A list for the match, or `orders`. Use `buys` in place of `units` where units are bought for each match."""

    units = serializers.ListField(
        child=StrictIntegerField(), max_length=40, required=False, help_text="ids of your company's units"
    )
    buys = PurchaseRequest(many=True, required=False)
    doctrine = StrictCharField(max_length=40, required=False)
    support_orders = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        required=False,
        help_text="when and where support is used, by result: as `orders` of a side of setup/1 has it",
    )
    standing = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        required=False,
        help_text="autoplay orders by whom: all, the id of a unit, or the place of one that is bought, from 1; those of "
        "`standing` in a side of setup/1",
    )
    words = StrictCharField(max_length=100, required=False, allow_blank=True, help_text="your own, for the sealed dice")
    orders = StrictBooleanField(
        required=False, help_text="true: what your autoplay orders bring; nothing else is given then"
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        if attrs.get("orders"):
            if len(attrs) > 1:
                raise serializers.ValidationError({"orders": ["give a choice, or orders"]})
            return attrs
        wanted = ("doctrine",) if "buys" in attrs else ("units", "doctrine")
        missing = {name: ["This field is required."] for name in wanted if name not in attrs}
        if missing:
            raise serializers.ValidationError(missing)
        attrs.pop("orders", None)
        return attrs


class ListSubmissionAnswer(serializers.Serializer[None]):
    side = serializers.CharField()
    company = serializers.CharField()
    hash = serializers.CharField(allow_blank=True, help_text="of the sealed force; empty: none is in yet")
    fell = serializers.CharField(
        allow_blank=True, help_text="why what you had sealed doesn't count any more; of your own side alone"
    )


class ArmyListsAnswer(serializers.Serializer[None]):
    is_open = serializers.BooleanField(help_text="both forces are in: the match has its set-up")
    seals = ListSubmissionAnswer(many=True)


class MatchArmyLists(APIView):
    @extend_schema(responses={200: ArmyListsAnswer}, operation_id="army_lists_retrieve", tags=["matches"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return whether both lists are revealed, and their hashes."""
        return _lists_response(request, key)

    @idempotent
    @side_schema("army_lists_submit", ArmyListsAnswer, ArmyListRequest)
    def post(self, request: Request, key: UUID) -> Response:
        """Submit your side's list, in place of any earlier one. When both sides have submitted, both are revealed."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done=sealed_sides(match))
        given = valid(ArmyListRequest, request)
        if given.get("orders"):
            list_submit_by_orders(match=match, side=side, by=player(request))
        else:
            given["orders"] = given.pop("support_orders", None)
            list_submit(match=match, side=side, by=player(request), **given)
        return _lists_response(request, key)

    @side_schema("army_lists_delete", ArmyListsAnswer)
    def delete(self, request: Request, key: UUID) -> Response:
        """Take back your side's list while the lists aren't revealed, so that you can change it."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done={0, 1} - sealed_sides(match))
        list_withdraw(match=match, side=side, by=player(request))
        return _lists_response(request, key)


class MatchArmyListsReveal(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @side_schema("army_lists_reveal", ArmyListsAnswer)
    def post(self, request: Request, key: UUID) -> Response:
        """Reveal the lists after the deadline, for a side that has submitted; the other comes by its autoplay orders.

        An arbiter who plays neither side may reveal them too, when both sides have submitted or the deadline has
        passed.
        """
        match, by = match_or_404(request._request, key), player(request)
        judges = not policy.sides_of(by, match) and policy.can_rule(by, match.round.campaign)
        side = None if judges else acting_side(request, match, done={0, 1} - sealed_sides(match))
        match_reveal_lists(match=match, side=side, by=by)
        return _lists_response(request, key)


def _lists_response(request: Request, key: UUID) -> Response:
    match = match_or_404(request._request, key)
    own = policy.sides_of(request.user, match)
    seals = [
        {
            "side": line.name.lower(),
            "company": line.company,
            "hash": line.hash,
            "fell": line.fell if line.side in own else "",
        }
        for line in submitted_list_rows(match)
    ]
    return Response({"is_open": match.setup is not None, "seals": seals})


urlpatterns = [
    path("matches/<uuid:key>/forces/", MatchArmyLists.as_view(), name="api-match-forces"),
    path("matches/<uuid:key>/forces/open/", MatchArmyListsReveal.as_view(), name="api-match-forces-reveal"),
]
