"""What house rules change in the words and numbers of cards, sheets and references (ledger 2.15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import Action

ROLLED_SUPPRESSION = (
    "One die as for a shot, with all modifiers; it uses up a lock. On a hit one suppression marker; counts as shooting."
)


def option(options: Mapping[str, object], slug: str) -> object:
    """The value given, or the default."""
    return options.get(slug, CATALOGUE.options[slug].default)


def resolve_bonus(options: Mapping[str, object]) -> int:
    """What is added to the resolve die."""
    bonus = option(options, "resolve-bonus")
    assert isinstance(bonus, int)
    return bonus


def actions_of(options: Mapping[str, object]) -> Sequence[Action]:
    """The actions as they are under these house rules."""
    return [_action(action, options) for action in CATALOGUE.actions.values()]


def _action(action: Action, options: Mapping[str, object]) -> Action:
    if action.slug == "suppress" and option(options, "suppression-roll") == "to-hit":
        return replace(action, effect=ROLLED_SUPPRESSION)
    if action.slug == "lock" and option(options, "lock-range") == "12":
        return replace(action, effect=f"{action.effect.rstrip('.')}, within 12 in.")
    return action
