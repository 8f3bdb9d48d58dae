"""The API of a campaign's settings and phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.api_helpers import campaign_for_organiser
from campaigns.campaign import phases
from campaigns.campaign.phases import PhaseRow, phases_of
from campaigns.campaign.services import (
    MAX_ABOUT_LENGTH,
    MAX_FRIENDLIES,
    MAX_PACE,
    MAX_RING,
    MAX_SCENARIOS,
    MAX_SEATS,
    MIN_PACE,
    MIN_POINTS,
    MIN_SEATS,
)
from campaigns.models import AttackRule, Campaign, CampaignPairingMethod, Phase, TerritoryMap
from campaigns.scoring import CAMPAIGN_SCORING, input_fields
from campaigns.shortcuts import campaign_or_404
from campaigns.territories.income import Yield
from campaigns.territories.services import MAX_BONUS_POINTS, MAX_BONUS_ROLLS, MAX_INCOME
from rosters.api.base import (
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    SystemObject,
    player,
    valid,
)
from rosters.api.headers import idempotent, if_match, tagged
from rosters.models import Player
from rosters.scenarios.selectors import OWN, scenario_value
from rosters.services import RefusedError
from systems import ROSTERS, battle_rules


class TerritoryYieldRequest(StrictSerializer):
    """The yield of a held territory."""

    income = StrictIntegerField(
        min_value=0, max_value=MAX_INCOME, required=False, help_text="points at the end of each round"
    )
    bonus_points = StrictIntegerField(
        min_value=0, max_value=MAX_BONUS_POINTS, required=False, help_text="in the next match"
    )
    bonus_rolls = StrictIntegerField(
        min_value=0, max_value=MAX_BONUS_ROLLS, required=False, help_text="support rolls in the next match"
    )


class CampaignChangeRequest(StrictSerializer):
    """Settings to change. Once sign-ups are open, those that players rely on can't be changed."""

    name = StrictCharField(max_length=60, required=False)
    about = StrictCharField(max_length=MAX_ABOUT_LENGTH, required=False, allow_blank=True)
    is_public = StrictBooleanField(required=False)
    points = StrictIntegerField(
        min_value=MIN_POINTS, required=False, help_text="the most a company's units can be worth when it joins"
    )
    seats = StrictIntegerField(min_value=MIN_SEATS, max_value=MAX_SEATS, required=False, help_text="maximum companies")
    fills_seats = StrictBooleanField(required=False, help_text="free places go to the waiting list automatically")
    scenarios = serializers.ListField(
        child=StrictCharField(max_length=60),
        max_length=MAX_SCENARIOS,
        required=False,
        help_text=f"slugs of published scenarios, or `{OWN}` and the id of one of your own",
    )
    options = SystemObject("options", required=False, help_text="house rules; default: each rule's default")
    pairing = serializers.ChoiceField(choices=CampaignPairingMethod.choices, required=False)
    pace_days = StrictIntegerField(min_value=MIN_PACE, max_value=MAX_PACE, required=False, help_text="days per round")
    tie_breakers = serializers.ListField(
        child=StrictCharField(max_length=40),
        max_length=20,
        required=False,
        help_text="slugs, most important first",
    )
    map_kind = serializers.ChoiceField(choices=TerritoryMap.choices, required=False)
    territories = serializers.ListField(
        child=StrictCharField(max_length=40),
        max_length=MAX_RING,
        required=False,
        help_text="names, in order of the ring or the nine zones; empty: unchanged",
    )
    borders = serializers.DictField(
        child=serializers.ListField(child=StrictCharField(max_length=40), max_length=MAX_RING),
        required=False,
        help_text="neighbours by territory name; empty: by the map's shape",
    )
    yields = serializers.DictField(
        child=TerritoryYieldRequest(),
        required=False,
        help_text="yields by territory name",
    )
    attack_rule = serializers.ChoiceField(
        choices=AttackRule.choices, required=False, help_text="which territories a company can fight for"
    )
    counts_odds = StrictBooleanField(required=False, help_text="whether match odds are published; default: true")
    handicaps = StrictBooleanField(required=False, help_text="whether handicaps are allowed")
    vars().update(input_fields(CAMPAIGN_SCORING))
    confirms_by_deadline = StrictBooleanField(required=False, help_text="a single report counts at the deadline")
    seals_forces = StrictBooleanField(required=False, help_text="lists are hidden until both sides have submitted")
    friendlies = StrictIntegerField(
        min_value=0, max_value=MAX_FRIENDLIES, required=False, help_text="friendly games per company and round"
    )


class CampaignRequest(CampaignChangeRequest):
    club = StrictCharField(max_length=60, help_text="slug of a club you organise")
    system = serializers.ChoiceField(choices=list(ROSTERS))
    name = StrictCharField(max_length=60)


def build_settings(given: Mapping[str, Any], *, system: str, by: Player) -> dict[str, Any]:
    """Return the settings as the services take them. Raise RefusedError for a scenario the player can't play."""
    settings = dict(given)
    if "scenarios" in settings:
        settings["scenarios"] = [_scenario(value, system, by) for value in settings["scenarios"]]
    if "yields" in settings:
        settings["yields"] = {name: Yield(**each) for name, each in settings["yields"].items()}
    return settings


def _scenario(value: str, system: str, by: Player) -> dict[str, object]:
    published = battle_rules(system).scenarios
    if value in published:
        return {"value": value, "name": published[value]}
    try:
        found = scenario_value(value, by, system=system)
    except KeyError:
        raise RefusedError("scenarios", f"There is no scenario {value!r} you can use.") from None
    assert not isinstance(found, str)
    return {"value": found, "name": found["name"]}


class PhaseChangeRequest(StrictSerializer):
    name = StrictCharField(max_length=60, required=False)
    first_round = StrictIntegerField(min_value=1, max_value=phases.MAX_ROUND, required=False)
    text = StrictCharField(max_length=phases.MAX_TEXT_LENGTH, required=False, allow_blank=True)


class PhaseRequest(PhaseChangeRequest):
    name = StrictCharField(max_length=60)
    first_round = StrictIntegerField(min_value=1, max_value=phases.MAX_ROUND, help_text="its first round")


class PhaseAnswer(serializers.Serializer[PhaseRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    first_round = serializers.IntegerField(source="first")
    last_round = serializers.IntegerField(
        source="last", allow_null=True, help_text="its last round; null: no phase follows"
    )


class Phases(APIView):
    @extend_schema(responses={200: PhaseAnswer(many=True)}, operation_id="phases_list", tags=["campaigns"])
    def get(self, request: Request, pk: int) -> Response:
        """Return the phases of a campaign, in order."""
        return Response([PhaseAnswer(row).data for row in phases_of(campaign_or_404(request._request, pk))])

    @idempotent
    @extend_schema(request=PhaseRequest, responses={201: PhaseAnswer}, operation_id="phases_create", tags=["campaigns"])
    def post(self, request: Request, pk: int) -> Response:
        """Add a phase. Organisers only."""
        campaign = campaign_for_organiser(request, pk)
        made = phases.phase_add(campaign=campaign, by=player(request), **valid(PhaseRequest, request))
        return Response(_phase_to_dict(campaign, made.pk), status=status.HTTP_201_CREATED)


class PhaseById(APIView):
    @tagged
    @extend_schema(responses={200: PhaseAnswer}, operation_id="phases_retrieve", tags=["campaigns"])
    def get(self, request: Request, pk: int, phase_pk: int) -> Response:
        """Return a phase."""
        return Response(_phase_to_dict(campaign_or_404(request._request, pk), phase_pk))

    @if_match(lambda pk, phase_pk: Campaign.objects.filter(pk=pk))
    @extend_schema(
        request=PhaseChangeRequest, responses={200: PhaseAnswer}, operation_id="phases_update", tags=["campaigns"]
    )
    def patch(self, request: Request, pk: int, phase_pk: int) -> Response:
        """Change a phase; a closed round stays in the phase in which it was played."""
        campaign = campaign_for_organiser(request, pk)
        row = _phase_or_404(campaign, phase_pk)
        given = {
            "name": row.name,
            "text": row.text,
            "first_round": row.first_round,
            **valid(PhaseChangeRequest, request),
        }
        phases.phase_change(phase=row, by=player(request), **given)
        return Response(_phase_to_dict(campaign, phase_pk))

    @extend_schema(responses={204: None}, operation_id="phases_delete", tags=["campaigns"])
    def delete(self, request: Request, pk: int, phase_pk: int) -> Response:
        """Remove a phase in which no round was played."""
        phases.phase_remove(phase=_phase_or_404(campaign_for_organiser(request, pk), phase_pk), by=player(request))
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
    return PhaseAnswer(row).data


urlpatterns = [
    path("campaigns/<int:pk>/phases/", Phases.as_view(), name="api-phases"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/", PhaseById.as_view(), name="api-phase"),
]
