"""Descriptions of MechaStellar scenarios."""

from __future__ import annotations

from systems.mechastellar.build.scenario import ScenarioSpec
from systems.mechastellar.catalogue import CATALOGUE
from systems.terms import BattleWords, ScenarioTerms, SideTerms

BATTLE_WORDS = BattleWords(
    lead="Giant robots, monsters and warships on a table of 48 by 48 inches: pools of ten-sided dice, and Momentum that pays for skill.",
    plain="One to twelve units a side; five control points, five Rounds, and victory points for what you destroy.",
    whole_game="A table in inches, five control points, five Rounds",
    choices="the core and the advanced rules, one to twelve units a side, house rules",
    duel="one unit against another on the standard table",
    trials={"hit": "to hit", "defence": "to defend", "save": "armour saves", "morale": "Morale Saves"},
)


def describe_scenario(name: str, spec: ScenarioSpec) -> ScenarioTerms:
    """Describe a scenario. ST-013, ST-360 to ST-382."""
    entry = CATALOGUE.scenarios["versus"]
    force = CATALOGUE.limits["force"]
    starts = f"within {spec.size / 4:g} inches of the own table edge"  # ST-023
    side = SideTerms(points=spec.force_points or None, fields=f"{force.least} to {force.most} units", starts=starts)
    return ScenarioTerms(
        slug=entry.slug,
        name=name,
        brief=spec.brief,
        victory_rule=entry.victory_rule,
        turns=spec.rounds or entry.rounds,
        counted="round",
        sides=(side, side),
    )
