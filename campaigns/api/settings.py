"""The settings with which the API creates and changes campaigns, and their form for the services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

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
from campaigns.income.selectors import Yield
from campaigns.income.services import MAX_BONUS_POINTS, MAX_BONUS_ROLLS, MAX_INCOME
from campaigns.models import AbsentRule, AttackRule, CampaignPairingMethod, TerritoryMap
from rosters.api.parts import StrictSerializer, SystemObject, Text, Truth, Whole
from rosters.models import Player
from rosters.scenarios.selectors import OWN, scenario_value
from rosters.services import RefusedError
from systems import ROSTERS, battle_rules


class YieldIn(StrictSerializer):
    """What holding a territory yields."""

    income = Whole(min_value=0, max_value=MAX_INCOME, required=False, help_text="points at each round's close")
    bonus_points = Whole(min_value=0, max_value=MAX_BONUS_POINTS, required=False, help_text="in the next match")
    bonus_rolls = Whole(
        min_value=0, max_value=MAX_BONUS_ROLLS, required=False, help_text="support rolls in the next match"
    )


class CampaignChange(StrictSerializer):
    """The settings to change. Those that players rely on since the mustering are refused."""

    name = Text(max_length=60, required=False)
    about = Text(max_length=MAX_ABOUT_LENGTH, required=False, allow_blank=True)
    is_public = Truth(required=False)
    points = Whole(min_value=MIN_POINTS, required=False, help_text="what a company may be worth when it is mustered")
    seats = Whole(min_value=MIN_SEATS, max_value=MAX_SEATS, required=False, help_text="companies at most")
    fills_seats = Truth(required=False, help_text="a place that falls free goes to the next on the waiting list")
    scenarios = serializers.ListField(
        child=Text(max_length=60),
        max_length=MAX_SCENARIOS,
        required=False,
        help_text=f"slugs of published ones, or `{OWN}` and the id of one of yours",
    )
    options = SystemObject("options", required=False, help_text="house rules; those left out are at their defaults")
    pairing = serializers.ChoiceField(choices=CampaignPairingMethod.choices, required=False)
    pace_days = Whole(min_value=MIN_PACE, max_value=MAX_PACE, required=False, help_text="days in a round")
    tie_breakers = serializers.ListField(
        child=Text(max_length=40), max_length=20, required=False, help_text="slugs, the one that counts most first"
    )
    map_kind = serializers.ChoiceField(choices=TerritoryMap.choices, required=False)
    territories = serializers.ListField(
        child=Text(max_length=40),
        max_length=MAX_RING,
        required=False,
        help_text="names, in the order of the ring or of the nine zones; none leaves them as they are",
    )
    borders = serializers.DictField(
        child=serializers.ListField(child=Text(max_length=40), max_length=MAX_RING),
        required=False,
        help_text="neighbours by name, for the territories that have borders of their own; none: by the map's shape",
    )
    yields = serializers.DictField(
        child=YieldIn(),
        required=False,
        help_text="what territories bring who holds them, by name; others bring nothing",
    )
    attack_rule = serializers.ChoiceField(
        choices=AttackRule.choices, required=False, help_text="which territories a match can be for"
    )
    counts_odds = Truth(required=False, help_text="the odds of its matches are counted and published; true unless said")
    handicaps = Truth(required=False, help_text="uneven matches may be given one")
    absent_rule = serializers.ChoiceField(
        choices=AbsentRule.choices, required=False, help_text="what becomes of what nobody reported"
    )
    confirms_by_deadline = Truth(required=False, help_text="a report of one side alone stands at the deadline")
    seals_forces = Truth(required=False, help_text="forces are hidden until both are in")
    friendlies = Whole(
        min_value=0, max_value=MAX_FRIENDLIES, required=False, help_text="friendly games of a company in a round"
    )


class CampaignIn(CampaignChange):
    club = Text(max_length=60, help_text="slug of the club that you organise")
    system = serializers.ChoiceField(choices=list(ROSTERS))
    name = Text(max_length=60)


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
        raise RefusedError("scenarios", f"There is no scenario {value!r} that you could play.") from None
    assert not isinstance(found, str)
    return {"value": found, "name": found["name"]}
