"""Scenarios of Mech Campaign in words."""

from __future__ import annotations

from battles.documents import Setup
from battles.systems.mech_campaign.setup import OPEN, scenario_given
from battles.systems.terms import ScenarioTerms, SideTerms
from rosters.systems.mech_campaign.catalogue import CATALOGUE
from rosters.systems.mech_campaign.catalogue.types import Scenario

OBJECTIVES = {"beacons": "beacon", "drill": "the drill head"}
STARTS = "within 6 in of the own edge, gun sentries within 12 in"  # MC-024


def terms_of(scenario: Scenario) -> ScenarioTerms:
    """The scenario in words. MC-002, MC-022, MC-024."""
    limits = CATALOGUE.force_limits
    fields = f"{limits['size-min'].value} to {limits['size-max'].value} units, more than half of them mechs"
    side = SideTerms(points=0, rolls=0, fields=fields, starts=STARTS)
    return ScenarioTerms(
        slug=scenario.slug,
        name=scenario.name,
        brief=scenario.brief,
        victory_rule=scenario.victory_rule,
        turns=scenario.turn_limit,
        is_terrain_free=True,
        ground=(),
        sides=(side, side),
    )


def objectives_told(scenario: Scenario) -> tuple[str, ...]:
    """What is fought for, by number: beacons from the left, from 1."""
    name = OBJECTIVES.get(scenario.goal, "")
    if len(scenario.places_h) < 2:
        return (name,)
    return tuple(f"{name} {number}" for number in range(1, len(scenario.places_h) + 1))


def place_title(setup: Setup) -> str:
    """What is played, and where, in a few words."""
    name = scenario_given(setup.scenario).name
    return f"{name} on open ground" if setup.terrain == OPEN else name
