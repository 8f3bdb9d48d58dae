"""The changes that house rules make to the texts and numbers on cards, sheets and references (ledger 2.15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import Action
from systems.mech_campaign.options import Options

ROLLED_SUPPRESSION = (
    "One die as for a shot, with all modifiers; it uses up a lock. On a hit one suppression marker; counts as shooting."
)


def actions_by_house_rules(options: Options) -> Sequence[Action]:
    """Return the actions under these house rules."""
    return [_action(action, options) for action in CATALOGUE.actions.values()]


def _action(action: Action, options: Options) -> Action:
    if action.slug == "suppress" and options.rolled_suppression:
        return replace(action, effect=ROLLED_SUPPRESSION)
    if action.slug == "lock" and options.short_locks:
        return replace(action, effect=f"{action.effect.rstrip('.')}, within 12 in.")
    return action
