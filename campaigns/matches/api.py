"""The API of matches: lists, handicaps, watch parties and friendly games."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api_helpers import acting_side, side_schema
from campaigns.army_lists.selectors import sealed_sides, submitted_list_rows
from campaigns.army_lists.services import list_submit, list_submit_by_orders, list_withdraw
from campaigns.handicaps import services
from campaigns.handicaps.selectors import CalculatedSide, HandicapSheet, Tried, handicap_sheet
from campaigns.matches.friendlies import FriendlyRow, friendly_announce, friendly_rows, own_entrants
from campaigns.models import Match, MatchState
from campaigns.results.services import match_reveal_lists
from campaigns.shortcuts import campaign_or_404, match_or_404, require_permission
from campaigns.watch_parties import services as watch_parties_services
from campaigns.watch_parties.selectors import WatchPartyRow, watch_party_row
from campaigns.watch_party_holds import live_watch_party
from rosters.api.base import StrictBooleanField, StrictCharField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from rosters.services import RefusedError


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
    name = StrictCharField(max_length=60, required=False, allow_blank=True, help_text="default: the name of its design")
    pilot = StrictIntegerField(required=False, allow_null=True, help_text="id of one of your company's pilots")
    hire = StrictCharField(
        max_length=40, required=False, allow_blank=True, help_text="level of a pilot to hire instead"
    )
    called = StrictCharField(max_length=60, required=False, allow_blank=True, help_text="the hired pilot's name")


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
        help_text="when and where support is used, by support result, as in `orders` of a side of setup/1",
    )
    standing = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        required=False,
        help_text="autoplay orders, by `all`, a unit's id or the position of a bought unit from 1, as in "
        "`standing` of a side of setup/1",
    )
    words = StrictCharField(
        max_length=100, required=False, allow_blank=True, help_text="your contribution to the dice seed"
    )
    orders = StrictBooleanField(
        required=False, help_text="true: submit a list by autoplay orders; give nothing else then"
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        if attrs.get("orders"):
            if len(attrs) > 1:
                raise serializers.ValidationError({"orders": ["give a list, or `by_orders`"]})
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
    hash = serializers.CharField(allow_blank=True, help_text="hash of the submitted list; empty: none yet")
    fell = serializers.CharField(
        allow_blank=True, help_text="why your list no longer counts; shown for your own side only"
    )


class ArmyListsAnswer(serializers.Serializer[None]):
    is_open = serializers.BooleanField(help_text="true once lists are revealed")
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


class HandicapRequest(StrictSerializer):
    act = serializers.ChoiceField(choices=["ask", "agree", "back"], help_text="`back` withdraws your agreement")
    kind = StrictCharField(
        max_length=12, required=False, allow_blank=True, help_text="of the proposal; required to agree or withdraw"
    )
    value = StrictIntegerField(min_value=0, required=False, help_text="likewise")


class HandicapTrialAnswer(serializers.Serializer[Tried]):
    words = serializers.CharField()
    chance = serializers.FloatField()
    units = serializers.ListField(child=serializers.CharField(), help_text="of the stronger side, if they change")
    styles = serializers.ListField(child=serializers.CharField(), help_text="AI styles of attacker and defender")


class HandicapSideAnswer(serializers.Serializer[CalculatedSide]):
    company = serializers.CharField()
    units = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField(help_text="points of the units, without their pilots")
    ai_style = serializers.CharField(source="style", help_text="the AI style that gives the side its best chance")


class HandicapAnswer(serializers.Serializer[HandicapSheet]):
    status = serializers.CharField(help_text="none, counting, failed, nothing, proposed or agreed")
    told = serializers.CharField(source="description", allow_blank=True)
    kind = serializers.CharField(allow_blank=True)
    value = serializers.IntegerField()
    chance = serializers.FloatField(
        allow_null=True, help_text="the attacker's win chance without it, with draws as half"
    )
    chance_with = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="why there is no proposal, or why it no longer counts")
    sides = HandicapSideAnswer(many=True, help_text="attacker and defender as used in the calculation")
    tried = HandicapTrialAnswer(many=True)
    agreed = serializers.ListField(child=serializers.CharField(), help_text="companies that have agreed")


class MatchHandicap(APIView):
    @extend_schema(responses={200: HandicapAnswer}, operation_id="matches_handicap_retrieve", tags=["matches"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the handicap of a match.

        A proposal is for its sides only; an agreed one for everybody who sees the match.
        """
        return _handicap_response(request, key)

    @idempotent
    @side_schema("matches_handicap_propose", HandicapAnswer, HandicapRequest)
    def post(self, request: Request, key: UUID) -> Response:
        """Ask for a handicap for your side, agree to the proposed one, or withdraw your agreement."""
        match = match_or_404(request._request, key)
        side = acting_side(request, match, done=set())
        given = valid(HandicapRequest, request)
        if given["act"] == "ask":
            services.handicap_ask(match=match, by=player(request))
        else:
            services.handicap_answer(
                match=match,
                side=side,
                agrees=given["act"] == "agree",
                kind=given.get("kind", ""),
                value=given.get("value", 0),
                by=player(request),
            )
        return _handicap_response(request, key)


def _handicap_response(request: Request, key: UUID) -> Response:
    match = match_or_404(request._request, key)
    is_open = match.state in MatchState.awaiting_reports()
    sheet = handicap_sheet(match, request.user, is_open=is_open)
    none: dict[str, object] = {"status": "none", "told": "", "kind": "", "value": 0, "chance": None, "tried": []}
    none |= {"chance_with": None, "reason": "", "sides": [], "agreed": []}
    return Response(HandicapAnswer(sheet).data if sheet else none)


class WatchPartyRequest(StrictSerializer):
    at = serializers.DateTimeField(help_text="start time; not before the deadline of its round")
    pace = StrictIntegerField(
        min_value=1, help_text=f"seconds per step: {', '.join(map(str, watch_parties_services.PACES))}"
    )


class WatchPartyAnswer(serializers.Serializer[WatchPartyRow]):
    state = serializers.CharField(help_text="soon, on or ending")
    at = serializers.DateTimeField(help_text="as it was announced")
    begun_at = serializers.DateTimeField(allow_null=True)
    minutes_late = serializers.IntegerField()
    pace = serializers.IntegerField(help_text="seconds per step")
    step = serializers.IntegerField(help_text="the current step; 0: none yet")
    title = serializers.SerializerMethodField(help_text="of this step")
    told = serializers.SerializerMethodField("get_sentences", help_text="the events of this step in words")
    next_ms = serializers.IntegerField(help_text="until the next step")

    def get_title(self, party: WatchPartyRow) -> str:
        return party.battle.map.title if party.battle and party.battle.map else ""

    def get_sentences(self, party: WatchPartyRow) -> list[str]:
        return list(party.battle.sentences) if party.battle else []


class MatchWatchParty(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: WatchPartyAnswer}, operation_id="watch_parties_retrieve", tags=["matches"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the watch party of a match, as far as it has been shown."""
        return _watch_party_response(match_or_404(request._request, key))

    @idempotent
    @extend_schema(
        request=WatchPartyRequest,
        responses={200: WatchPartyAnswer},
        operation_id="watch_parties_announce",
        tags=["matches"],
    )
    def post(self, request: Request, key: UUID) -> Response:
        """Announce the watch party of a match, or change its time."""
        match = _match_for_organiser(request, key)
        watch_parties_services.watch_party_announce(
            match=match, by=player(request), **valid(WatchPartyRequest, request)
        )
        return _watch_party_response(match_or_404(request._request, key))

    @extend_schema(responses={204: None}, operation_id="watch_parties_delete", tags=["matches"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Call the watch party off. If the round is closed already, the match is simulated at once and not shown."""
        watch_parties_services.watch_party_cancel(match=_match_for_organiser(request, key), by=player(request))
        return Response(status=204)


def _match_for_organiser(request: Request, key: UUID) -> Match:
    match = match_or_404(request._request, key)
    require_permission(policy.can_run_campaign(request.user, match.round.campaign))
    return match


def _watch_party_response(match: Match) -> Response:
    party = live_watch_party(match)
    if party is None:
        raise Http404
    response = Response(WatchPartyAnswer(watch_party_row(party)).data)
    response["Cache-Control"] = "no-store"
    return response


class FriendlyRequest(StrictSerializer):
    enrolment = StrictIntegerField(help_text="id of your company's enrolment")
    units = serializers.ListField(
        child=StrictIntegerField(), max_length=40, help_text="ids of the company's units to field"
    )
    doctrine = StrictCharField(max_length=40)
    standing = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        required=False,
        help_text="autoplay orders, by `all` or a unit's id, as in `standing` of a side of setup/1",
    )
    opponent = StrictCharField(max_length=40, help_text="slug of a ready-made list")
    ground = StrictIntegerField(
        help_text="position among the campaign's scenarios and their terrains, from 0", required=False
    )
    words = StrictCharField(
        max_length=100, required=False, allow_blank=True, help_text="your contribution to the dice seed"
    )
    dice = StrictCharField(max_length=64, required=False, help_text="hash of your waiting dice, if you have it")


class FriendlyAnswer(serializers.Serializer[FriendlyRow]):
    key = serializers.UUIDField()
    round = serializers.IntegerField()
    company = serializers.CharField()
    opponent = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    commitment = serializers.CharField(help_text="hash of the dice, published before the roll")
    battle = serializers.UUIDField(allow_null=True, help_text="null: its club was restored without battles")
    outcome = serializers.ChoiceField(["", "won", "drawn", "lost", "failed"], help_text="empty: still being simulated")


class Friendlies(APIView):
    @extend_schema(responses={200: FriendlyAnswer(many=True)}, operation_id="friendlies_list", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """List every friendly game that was announced, newest first, finished or not."""
        return Response([FriendlyAnswer(line).data for line in friendly_rows(campaign_or_404(request._request, pk))])

    @idempotent
    @extend_schema(
        request=FriendlyRequest,
        responses={201: FriendlyAnswer},
        operation_id="friendlies_create",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Announce a friendly game. It is simulated at once and written to the company's ledger whatever the result."""
        campaign = campaign_or_404(request._request, pk)
        own = {each.pk: each for each in own_entrants(campaign, request.user)}
        if not own:
            raise PermissionDenied
        given = {"ground": 0, **valid(FriendlyRequest, request)}
        enrolment = own.get(given.pop("enrolment"))
        if enrolment is None:
            raise RefusedError("enrolment", "None of your companies in this campaign has this id.")
        commitment = given.pop("dice", "")
        made = friendly_announce(enrolment=enrolment, by=player(request), commitment=commitment, **given)
        line = next(each for each in friendly_rows(campaign) if each.key == made.key)
        return Response(FriendlyAnswer(line).data, status=201)


urlpatterns = [
    path("matches/<uuid:key>/forces/", MatchArmyLists.as_view(), name="api-match-forces"),
    path("matches/<uuid:key>/forces/open/", MatchArmyListsReveal.as_view(), name="api-match-forces-reveal"),
    path("matches/<uuid:key>/handicap/", MatchHandicap.as_view(), name="api-match-handicap"),
    path("matches/<uuid:key>/premiere/", MatchWatchParty.as_view(), name="api-watch-party"),
    path("campaigns/<int:pk>/friendlies/", Friendlies.as_view(), name="api-friendlies"),
]
