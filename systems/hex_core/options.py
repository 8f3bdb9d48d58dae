"""The house rules of Hex Core, and the texts that they change on cards, references and scenario sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from systems.hex_core.catalogue import CATALOGUE, Mission, SquadSize, Terrain
from systems.rulebook import ChosenRules, RuleRef, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    is_deep: bool  # players sit at the short edges. HX-D02
    any_step: bool  # a step can go to any of the six neighbouring hexes. HX-D10
    counters: bool  # HX-D21
    rolls_location: bool  # HX-D19
    freezes_over: bool  # HX-D52
    scores_turns: bool  # HX-D69
    one_hand: bool  # one hand can hold a two-handed weapon, for half damage. HX-047
    size: SquadSize  # HX-054
    rounds: int  # HX-D74

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Return the options of a document; raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            is_deep=chosen.choice("board-orientation") == "deep",
            any_step=chosen.choice("move-arc") == "any",
            counters=chosen.choice("counter-rolls") == "on",
            rolls_location=chosen.choice("hit-location") == "rolled",
            freezes_over=chosen.choice("freeze-roll") == "at-or-over",
            scores_turns=chosen.choice("domination-scoring") == "turn",
            one_hand=chosen.choice("two-handed") == "one-hand",
            size=CATALOGUE.squad_sizes[chosen.choice("squad-size")],
            rounds=chosen.number("rounds"),
        )


BY_THE_BOOK = Options.read({})


LOCATIONS = (
    "Don't call a target. After the evasion, roll a D8 for the area: 1 head or tail, 2–4 torso or cockpit, 5 left arm, "
    "6 right arm, 7 left leg, 8 right leg. If that area is gone, hit the torso or cockpit."
)
SIMULATED = re.compile(r"[;.,] (?:in )?simulated battles [^;.]*", re.IGNORECASE)  # text about simulations only


def terrain_of(options: Options) -> Sequence[Terrain]:
    """Return the colours with these house rules."""
    found = CATALOGUE.terrain.values()
    return [replace(each, effect=_freezing(each.effect, options)) if each.slug == "white" else each for each in found]


def _freezing(text: str, options: Options) -> str:
    """Return the text with the rolls that freeze, compared with twice the number of white hexes crossed. HX-145."""
    return re.sub(r"\bor (?:less|more)\b", "or more" if options.freezes_over else "or less", text)


def missions_of(options: Options) -> Sequence[Mission]:
    """Return the missions with these house rules."""
    return [mission_under(each, options) for each in CATALOGUE.missions.values()]


def mission_under(mission: Mission, options: Options) -> Mission:
    """Return a mission with these house rules.

    On a deep board players sit at the short sides, so columns become rows.
    """
    if options.scores_turns:
        mission = replace(mission, victory=mission.victory.replace("one a round", "one after each unit's turn"))
    if options.is_deep:
        mission = replace(mission, setup=mission.setup.replace("columns", "rows"))
    return mission


def end_of(mission: str, rounds: int) -> str:
    """Return the text on what happens after the last round. HX-168, HX-A14."""
    after = f"If nobody has won after round {rounds}"
    match mission:
        case "domination":
            level = "If the score is 7 each, play on until one side leads."
            return f"{level} {after}, the side with more points wins; equal points are a draw."
        case "retrieval":
            return f"{after}, the side that brought more objects home wins; otherwise it's a draw."
    return (
        f"{after}, compare the share of its starting points that each side has left, without inoperative units. The larger share "
        "wins. If they are level, the larger share of DP wins. Otherwise it's a draw."
    )


def rule_under(rule: RuleRef, options: Options) -> RuleRef:
    """Return a rule from the book, with heading and text, for a real table with these house rules."""
    title, text = rule.title, SIMULATED.sub("", rule.text)
    match rule.id:
        case "HX-065" if options.any_step:
            text = "Move to any of the six hexes around the unit. The facing stays the same."
        case "HX-080" if options.rolls_location:
            text = text.replace("Name the weapon, target and area", "Name the weapon and target")
        case "HX-081" if options.rolls_location:
            title, text = "Which area is hit", LOCATIONS
        case "HX-092" if not options.counters:
            title, text = "No Counter Rolls", "A unit that evades can't fire back."
        case "HX-097" if not options.counters:
            text = "To hit, then evasion, then the critical if the attack wasn't evaded."
        case "HX-145":
            text = _freezing(text, options)
        case "HX-167" if options.scores_turns:
            text = text.replace("at the end of the round", "after each unit's turn")
        case "HX-166" if options.is_deep:
            text = text.replace("columns", "rows")  # players sit at the short sides
        case "HX-055" if options.is_deep:
            text = "13 columns, 16 rows, 208 hexes, flat sides towards the players."
    return replace(rule, title=title, text=text)
