"""Descriptions of Blazing Steel scenarios."""

from __future__ import annotations

from systems.blazing_steel.build.scenario import BOUNDS, ScenarioSpec
from systems.blazing_steel.catalogue import CATALOGUE
from systems.force_limits import SideLimits, describe_units
from systems.terms import BattleWords, ScenarioTerms, SideTerms

BATTLE_WORDS = BattleWords(
    lead="A skirmish of Warmechs on a table of 48 by 48 inches: two actions at once, dice against dice, heat that merges.",
    plain="One to ten Warmechs a side; wipe the other side out, or have more victory points after five rounds.",
    whole_game="A table in inches, a hill, five rounds",
    choices="three maps, one to ten Warmechs a side, house rules",
    duel="one Warmech against another on the standard map",
    trials={"hit": "to hit", "dodge": "dodging and flak", "save": "saves"},
)
START_TEXT = "at the own table edge, then two moves each"  # BS-185, BS-186


def describe_scenario(name: str, spec: ScenarioSpec) -> ScenarioTerms:
    """Describe a scenario. BS-014, BS-185 to BS-197."""
    entry = CATALOGUE.scenarios["skirmish"]

    def side(limits: SideLimits) -> SideTerms:
        most = limits.points_most or spec.points or None
        return SideTerms(points=most, fields=describe_units(limits, BOUNDS), starts=START_TEXT)

    return ScenarioTerms(
        slug=entry.slug,
        name=name,
        brief=spec.brief,
        victory_rule=entry.victory_rule,
        turns=spec.rounds or entry.rounds,
        counted="round",
        is_terrain_free=not spec.has_table,
        sides=(side(spec.forces.a), side(spec.forces.b)),
    )
