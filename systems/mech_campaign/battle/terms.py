"""Scenarios of Mech Campaign in words."""

from __future__ import annotations

from collections.abc import Mapping

from systems.mech_campaign.battle.setup import OPEN, read_ground, read_scenario, scenario_points_limit
from systems.mech_campaign.build.ground import SENTRIES
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import Scenario
from systems.setups import Setup
from systems.terms import BattleWords, ScenarioTerms, SideTerms

OBJECTIVES = {"beacons": "beacon", "drill": "the drill head"}
WORDS = BattleWords(
    lead="A battle on a table of 36 by 36 inches: line of sight, cover, action points, suppression, target locks.",
    plain="Four to six units a side; break the enemy's resolve or wipe him out within 12 turns.",
    whole_game="A table in inches, three beacons, eight turns",
    choices="three scenarios, four to six units a side, terrain that is rolled, house rules",
    trials={"hit": "to hit", "repair": "repairs", "charge": "charges"},
)


def describe_scenario(given: str | Mapping[str, object]) -> ScenarioTerms:
    """Return the scenario in words. MC-002, MC-022, MC-024."""
    limits = CATALOGUE.force_limits
    fields = f"{limits['size-min'].value} to {limits['size-max'].value} units, more than half of them mechs"
    scenario, deep = read_scenario(given), read_ground(given).zone_h // 100
    starts = f"within {deep} in of the own edge, gun sentries within {SENTRIES * deep} in"
    side = SideTerms(points=scenario_points_limit(given) or None, fields=fields, starts=starts)
    return ScenarioTerms(
        slug=scenario.slug,
        name=scenario.name,
        brief=scenario.brief,
        victory_rule=scenario.victory_rule,
        turns=scenario.turn_limit,
        sides=(side, side),
    )


def describe_objectives(scenario: Scenario) -> tuple[str, ...]:
    """Return the names of the objectives, by number; beacons are numbered from the left, from 1."""
    name = OBJECTIVES.get(scenario.goal, "")
    if len(scenario.places_h) < 2:
        return (name,)
    return tuple(f"{name} {number}" for number in range(1, len(scenario.places_h) + 1))


def place_title(setup: Setup) -> str:
    """Return the scenario and its ground in a few words."""
    name = read_scenario(setup.scenario).name
    return f"{name} on open ground" if setup.terrain == OPEN else name
