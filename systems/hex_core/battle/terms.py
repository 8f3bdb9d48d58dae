"""Descriptions of Hex Core missions."""

from __future__ import annotations

from systems.force_limits import SideLimits, describe_units
from systems.hex_core.battle.setup import Mission
from systems.hex_core.battle.state import ROUND_CAP
from systems.hex_core.build.scenario import BOUNDS
from systems.hex_core.build.squads import squad_limits
from systems.hex_core.catalogue import CATALOGUE
from systems.terms import BattleWords, ScenarioTerms, SideTerms

BATTLE_WORDS = BattleWords(
    lead="A skirmish of mechs, vehicles and drones on hexes: action points for everything, parts that are shot off.",
    plain="Up to six units a side, eight in the largest squad; wipe the other side out.",
    whole_game="A map of hexes, two squads, twelve Rounds at most",
    choices="four missions, four maps, one to eight units a side, house rules",
    duel="one unit against another on the open plain",
    trials={"hit": "to hit", "evade": "evasions", "counter": "counters", "critical": "critical hits"},
)
START_TEXT = "in the three rows nearest its edge"  # HX-059


def describe_scenario(mission: Mission) -> ScenarioTerms:
    """Describe a mission. HX-054, HX-059, HX-163 to HX-169."""
    entry = CATALOGUE.missions[mission.slug]
    size = CATALOGUE.squad_sizes["standard"]

    def side(limits: SideLimits) -> SideTerms:
        units, points = squad_limits(size, limits)
        return SideTerms(
            points=points,
            fields=describe_units(limits.model_copy(update={"units_most": units}), BOUNDS),
            starts=START_TEXT if mission.board is None else "where its map says",
        )

    return ScenarioTerms(
        slug=entry.slug,
        name=mission.name,
        brief=mission.brief,
        victory_rule=entry.victory_rule,
        turns=mission.rounds or ROUND_CAP,
        counted="Round",
        is_terrain_free=mission.board is None,
        sides=(side(mission.forces.a), side(mission.forces.b)),
    )
