"""The house rules of Mech Campaign, and the printed texts and numbers that they change. Ledger 2.15."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from systems.mech_campaign.catalogue import CATALOGUE, Action
from systems.rulebook import ChosenRules, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    rolled_suppression: bool  # suppressive fire has to hit
    short_locks: bool  # a target lock has a range of 12 in
    resolve_bonus: int  # added to the resolve die
    points_cap: int  # maximum points of a force; 0: no limit. MC-005
    heavy_limit: bool  # at most half of a force's units are heavy mechs. MC-004

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Return the options of a document; raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            rolled_suppression=chosen.choice("suppression-roll") == "to-hit",
            short_locks=chosen.choice("lock-range") == "12",
            resolve_bonus=chosen.number("resolve-bonus"),
            points_cap=chosen.number("points-cap"),
            heavy_limit=chosen.choice("heavy-limit") == "half",
        )


BY_THE_BOOK = Options.read({})


ROLLED_SUPPRESSION = "Roll as for a shot, with all modifiers; it uses up a lock. A hit places one suppression marker. Counts as shooting."


def actions_by_house_rules(options: Options) -> Sequence[Action]:
    """Return the actions with these house rules."""
    return [_action(action, options) for action in CATALOGUE.actions.values()]


def _action(action: Action, options: Options) -> Action:
    if action.slug == "suppress" and options.rolled_suppression:
        return replace(action, effect=ROLLED_SUPPRESSION)
    if action.slug == "lock" and options.short_locks:
        return replace(action, effect=f"{action.effect.rstrip('.')}, within 12 in.")
    return action
