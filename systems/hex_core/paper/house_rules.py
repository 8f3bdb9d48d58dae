"""What house rules change in the words of cards and references (ledger 2.24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import Mission, Terrain
from systems.hex_core.options import Options
from systems.rulebook import RuleRef

UNDER = "After moving, a D8 of 2 × hexes crossed or less freezes."


def terrain_of(options: Options) -> Sequence[Terrain]:
    """The colours as they are under these house rules."""
    found = CATALOGUE.terrain.values()
    return [each if options.freezes_over or each.slug != "white" else replace(each, effect=UNDER) for each in found]


def setup_of(mission: Mission, options: Options) -> str:
    """How a mission is set up. On a deep board the players sit at the short sides, and what lies between these is rows."""
    return mission.setup.replace("columns", "rows") if options.is_deep else mission.setup


def rule_text(rule: RuleRef, options: Options) -> str:
    """A rule of the book in the words of these house rules."""
    match rule.id:
        case "HX-065" if options.any_step:
            return "To any of the six hexes around it; the facing stays."
        case "HX-081" if options.rolls_location:
            return (
                "Nothing is called: after the evasion a D8 says the area. 1 head or tail, 2–4 torso or cockpit, 5 left arm, "
                "6 right arm, 7 left leg, 8 right leg; one that is gone is the torso or cockpit."
            )
        case "HX-092" if not options.counters:
            return "Nobody fires back."
        case "HX-145" if not options.freezes_over:
            return rule.text.replace("or more", "or less")
        case "HX-167" if options.scores_turns:
            return rule.text.replace("at the end of the round", "after each unit's turn")
        case "HX-166" if options.is_deep:
            return rule.text.replace("columns", "rows")
        case "HX-055" if options.is_deep:
            return "13 columns, 16 rows, 208 hexes, flat sides towards the players."
    return rule.text
