"""The API of rounds and their fixtures: plan, pair, publish and close a round."""

from __future__ import annotations

from typing import Any
from uuid import UUID

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
from campaigns.models import Campaign, CampaignPairingMethod, Enrolment, Match, Round, RoundState
from campaigns.planning import services
from campaigns.planning.selectors import (
    DRAW,
    FixtureRow,
    FixtureSide,
    RoundSheet,
    round_of,
    round_sheet,
    round_sheets,
)
from campaigns.rounds.closing import ClosingSheet, ClosingStep, closing_of, round_close
from campaigns.shortcuts import campaign_or_404, match_or_404
from rosters.api.base import StrictBooleanField, StrictCharField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent, if_match, tagged
from rosters.jobs import JobStatus
from rosters.services import RefusedError

# --- requests ---------------------------------------------------------------------------------------------------------


class RoundDrawRequest(StrictSerializer):
    way = serializers.ChoiceField(
        choices=CampaignPairingMethod.choices,
        required=False,
        help_text="the pairing method; default: the campaign's",
    )


class DeadlineRequest(StrictSerializer):
    deadline = serializers.DateTimeField()


class RoundPublicationRequest(StrictSerializer):
    deadline = serializers.DateTimeField(required=False, help_text="default: now plus the campaign's days per round")
    is_finale = StrictBooleanField(required=False, help_text="uses the game's rules for the last battles of a campaign")


class PairingChangeRequest(StrictSerializer):
    attacker = StrictIntegerField(required=False, help_text="id of an enrolment")
    defender = StrictIntegerField(required=False, allow_null=True, help_text="id of an enrolment; null: a bye")
    scenario = StrictIntegerField(
        min_value=0, required=False, help_text="its position among the campaign's scenarios, from 0"
    )
    terrain = StrictCharField(
        max_length=40, required=False, allow_blank=True, help_text="empty: the scenario's first terrain"
    )
    territory = StrictCharField(
        max_length=40, required=False, allow_blank=True, help_text="the territory's name; empty: none"
    )


class PairingRequest(PairingChangeRequest):
    attacker = StrictIntegerField(help_text="id of an enrolment")


# --- responses --------------------------------------------------------------------------------------------------------


class FixtureSideAnswer(serializers.Serializer[FixtureSide]):
    enrolment = serializers.IntegerField()
    company = serializers.CharField(source="name")
    player = serializers.CharField()


class FixtureAnswer(serializers.Serializer[FixtureRow]):
    key = serializers.UUIDField()
    table = serializers.IntegerField(source="number")
    attacker = FixtureSideAnswer()
    defender = FixtureSideAnswer(allow_null=True, help_text="null: a bye")
    scenario = serializers.CharField()
    ground = serializers.CharField(allow_blank=True)
    territory = serializers.CharField(allow_blank=True)
    state = serializers.CharField()
    outcome = serializers.CharField(allow_blank=True, help_text="empty while unknown")


class RoundAnswer(serializers.Serializer[RoundSheet]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    opens_at = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    matches = FixtureAnswer(many=True, source="fixtures")


class RoundDetailAnswer(RoundAnswer):
    is_finale = serializers.BooleanField()
    draw = serializers.ChoiceField(
        choices=["", *JobStatus.values], help_text="state of a draw by the odds; empty: there is none"
    )
    draw_failure = serializers.CharField(allow_blank=True)


class PairingAnswer(serializers.Serializer[None]):
    key = serializers.UUIDField()
    table = serializers.IntegerField()
    attacker = serializers.IntegerField(help_text="id of an enrolment")
    defender = serializers.IntegerField(allow_null=True, help_text="null: a bye")
    scenario = serializers.IntegerField(
        allow_null=True, help_text="its position among the campaign's scenarios, from 0"
    )
    terrain = serializers.CharField(allow_blank=True)
    territory = serializers.CharField(allow_blank=True)


class ClosingStepAnswer(serializers.Serializer[ClosingStep]):
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=["waiting", "running", "done", "failed"])
    text = serializers.CharField(allow_blank=True)


class ClosingAnswer(serializers.Serializer[ClosingSheet]):
    steps = ClosingStepAnswer(many=True)
    is_over = serializers.BooleanField()
    has_failed = serializers.BooleanField()
    failure = serializers.CharField(allow_blank=True)


# --- rounds -----------------------------------------------------------------------------------------------------------


class Rounds(APIView):
    @extend_schema(responses={200: RoundAnswer(many=True)}, operation_id="rounds_list", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """List all rounds with their matches, newest first. Only organisers see a planned round."""
        campaign = campaign_or_404(request._request, pk)
        can_run = policy.can_run_campaign(request.user, campaign)
        sheets = round_sheets(campaign, request.user, with_planned=can_run)
        return Response([RoundAnswer(sheet).data for sheet in sheets])

    @idempotent
    @extend_schema(
        request=RoundDrawRequest, responses={201: RoundDetailAnswer}, operation_id="rounds_create", tags=["campaigns"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Plan the next round. Only its organisers see it until it is published."""
        campaign = campaign_for_organiser(request, pk)
        made = services.round_plan(campaign=campaign, by=player(request), **valid(RoundDrawRequest, request))
        return Response(_round_to_dict(campaign, made, request), status=status.HTTP_201_CREATED)


class RoundByNumber(APIView):
    @tagged
    @extend_schema(responses={200: RoundDetailAnswer}, operation_id="rounds_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Return a round with its matches."""
        campaign, row = _round_or_404(request, pk, number)
        return Response(_round_to_dict(campaign, row, request))

    @if_match(lambda pk, number: Campaign.objects.filter(pk=pk))
    @extend_schema(
        request=DeadlineRequest, responses={200: RoundDetailAnswer}, operation_id="rounds_update", tags=["campaigns"]
    )
    def patch(self, request: Request, pk: int, number: int) -> Response:
        """Change the deadline of an open round. If you have an undecided match in it, another organiser must do so."""
        campaign, row = _round_for_organiser(request, pk, number)
        changed = services.round_set_deadline(round_=row, by=player(request), **valid(DeadlineRequest, request))
        return Response(_round_to_dict(campaign, changed, request))

    @extend_schema(responses={204: None}, operation_id="rounds_delete", tags=["campaigns"])
    def delete(self, request: Request, pk: int, number: int) -> Response:
        """Discard a planned round."""
        _, row = _round_for_organiser(request, pk, number)
        services.round_drop(round_=row, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class RoundDraw(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=RoundDrawRequest, responses={200: RoundDetailAnswer}, operation_id="rounds_redraw", tags=["campaigns"]
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Redraw a planned round, replacing its pairings."""
        campaign, row = _round_for_organiser(request, pk, number)
        made = services.round_redraw(round_=row, by=player(request), **valid(RoundDrawRequest, request))
        return Response(_round_to_dict(campaign, made, request))


class RoundOpening(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=RoundPublicationRequest,
        responses={200: RoundDetailAnswer},
        operation_id="rounds_publish",
        tags=["campaigns"],
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Publish a planned round. Its pairings are final, and players can play its matches from now on."""
        campaign, row = _round_for_organiser(request, pk, number)
        opened = services.round_open(round_=row, by=player(request), **valid(RoundPublicationRequest, request))
        return Response(_round_to_dict(campaign, opened, request))


class RoundClosing(APIView):
    @extend_schema(responses={200: ClosingAnswer}, operation_id="rounds_closing_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Return the progress of closing a round; 404 if nobody has asked to close it."""
        _, row = _round_or_404(request, pk, number)
        return Response(_closing_to_dict(row))

    @idempotent
    @extend_schema(request=None, responses={202: ClosingAnswer}, operation_id="rounds_close", tags=["campaigns"])
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Have a worker close an open round.

        Reports count; matches without a report are decided by the campaign's rule.
        """
        _, row = _round_for_organiser(request, pk, number)
        round_close(round_=row, by=player(request))
        return Response(_closing_to_dict(row), status=status.HTTP_202_ACCEPTED)


# --- pairings ---------------------------------------------------------------------------------------------------------


class Pairings(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=PairingRequest, responses={201: PairingAnswer}, operation_id="pairings_create", tags=["campaigns"]
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Add a match to a planned round."""
        campaign, row = _round_for_organiser(request, pk, number)
        given: dict[str, Any] = {"defender": None, **valid(PairingRequest, request)}
        made = services.match_add(round_=row, by=player(request), **_pairing_arguments(campaign, given))
        return Response(_pairing_to_dict(campaign, made), status=status.HTTP_201_CREATED)


class PairingByKey(APIView):
    @tagged
    @extend_schema(responses={200: PairingAnswer}, operation_id="pairings_retrieve", tags=["campaigns"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the pairing of a match. Only organisers may read one in a planned round."""
        match = match_or_404(request._request, key)
        return Response(_pairing_to_dict(match.round.campaign, match))

    @if_match(lambda key: Campaign.objects.filter(pk__in=Match.objects.filter(key=key).values("round__campaign")))
    @extend_schema(
        request=PairingChangeRequest, responses={200: PairingAnswer}, operation_id="pairings_update", tags=["campaigns"]
    )
    def patch(self, request: Request, key: UUID) -> Response:
        """Change a match of a planned round. Fields left out stay as they are."""
        match = _match_for_organiser(request, key)
        campaign = match.round.campaign
        before = {
            name: value for name, value in _pairing_to_dict(campaign, match).items() if name not in ("key", "table")
        }
        given = valid(PairingChangeRequest, request)
        if before["scenario"] is None and "scenario" not in given:
            raise RefusedError("scenario", "This scenario is no longer in the campaign. Choose another.")
        if "scenario" in given and "terrain" not in given:
            before["terrain"] = ""
        changed = services.match_change(match=match, by=player(request), **_pairing_arguments(campaign, before | given))
        return Response(_pairing_to_dict(campaign, changed))

    @extend_schema(responses={204: None}, operation_id="pairings_delete", tags=["campaigns"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Remove a match from a planned round."""
        services.match_remove(match=_match_for_organiser(request, key), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- parts ------------------------------------------------------------------------------------------------------------


def _round_or_404(request: Request, pk: int, number: int) -> tuple[Campaign, Round]:
    campaign = campaign_or_404(request._request, pk)
    row = round_of(campaign, number)
    if row is None or (row.state == RoundState.PLANNED and not policy.can_run_campaign(request.user, campaign)):
        raise Http404
    return campaign, row


def _round_for_organiser(request: Request, pk: int, number: int) -> tuple[Campaign, Round]:
    campaign, row = _round_or_404(request, pk, number)
    if not policy.can_run_campaign(request.user, campaign):
        raise PermissionDenied
    return campaign, row


def _match_for_organiser(request: Request, key: UUID) -> Match:
    match = match_or_404(request._request, key)
    if not policy.can_run_campaign(request.user, match.round.campaign):
        raise PermissionDenied
    return match


def _round_to_dict(campaign: Campaign, row: Round, request: Request) -> dict[str, object]:
    draw = DRAW.row(round=row.pk)
    return {
        **RoundAnswer(round_sheet(campaign, row, request.user)).data,
        "is_finale": row.is_finale,
        "draw": draw.status if draw else "",
        "draw_failure": draw.failure if draw else "",
    }


def _closing_to_dict(row: Round) -> dict[str, object]:
    found = closing_of(row)
    if found is None:
        raise Http404
    return ClosingAnswer(found).data


def _pairing_to_dict(campaign: Campaign, match: Match) -> dict[str, object]:
    at = next((at for at, each in enumerate(campaign.scenarios) if each["value"] == match.scenario), None)
    if at is None:  # the scenario's terms were changed for this match
        names = [each["name"] for each in campaign.scenarios]
        at = names.index(match.scenario_name) if match.scenario_name in names else None
    return {
        "key": str(match.key),
        "table": match.number,
        "attacker": match.attacker_id,
        "defender": match.defender_id,
        "scenario": at,
        "terrain": match.terrain,
        "territory": match.territory.name if match.territory else "",
    }


def _pairing_arguments(campaign: Campaign, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a pairing for the services. Raise RefusedError for an unknown enrolment or territory."""
    sides = {name: given[name] for name in ("attacker", "defender")}
    rows = Enrolment.objects.select_related("company__owner").in_bulk([pk for pk in sides.values() if pk is not None])
    for name, pk in sides.items():
        if pk is not None and (pk not in rows or rows[pk].campaign_id != campaign.pk):
            raise RefusedError(name, f"There is no enrolment {pk} in {campaign.name}.")
    territory, name = None, given.get("territory", "")
    if name:
        territory = campaign.territories.filter(name=name).first()
        if territory is None:
            raise RefusedError("territory", f"There is no territory “{name}” on the map of {campaign.name}.")
    return {
        **{side: rows[pk] if pk is not None else None for side, pk in sides.items()},
        "scenario": given.get("scenario", 0),
        "terrain": given.get("terrain", ""),
        "territory": territory,
    }


ROUND_PATH = "campaigns/<int:pk>/rounds/<int:number>/"
urlpatterns = [
    path("campaigns/<int:pk>/rounds/", Rounds.as_view(), name="api-rounds"),
    path(ROUND_PATH, RoundByNumber.as_view(), name="api-round"),
    path(f"{ROUND_PATH}draw/", RoundDraw.as_view(), name="api-round-draw"),
    path(f"{ROUND_PATH}open/", RoundOpening.as_view(), name="api-round-open"),
    path(f"{ROUND_PATH}close/", RoundClosing.as_view(), name="api-round-close"),
    path(f"{ROUND_PATH}matches/", Pairings.as_view(), name="api-pairings"),
    path("matches/<uuid:key>/pairing/", PairingByKey.as_view(), name="api-pairing"),
]
