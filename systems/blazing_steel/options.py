"""The house rules of Blazing Steel (ledger 4). Only Options reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.blazing_steel.catalogue import CATALOGUE
from systems.options import ChosenRules, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    cools_second: bool  # Cool may be the second action. BS-052
    contact_in_one: bool  # allows charges and jumps into contact in action one. BS-036
    max_activations: int  # in the last one a Warmech must Cool; 0: no limit, at the table. BS-037
    counts_effective_dice: bool  # they are the hits of an unanswered attack, instead of its total. BS-094
    impact_on_all: bool  # Impact lowers dodge and strike numbers too. BS-123
    second_l_is_shoulder: bool  # BS-074
    biped_stands: bool  # it is immobile, not out of action. BS-160
    kills_per_warmech: bool  # 1 each, not equalized. BS-190
    rounds: int  # BS-187
    points_limit: int  # most points of a side; 0: no limit. BS-C02

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Return the options of a document; raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            cools_second=chosen.flag("cool-second-action"),
            contact_in_one=chosen.flag("contact-in-action-one"),
            max_activations=chosen.number("max-activations"),
            counts_effective_dice=chosen.choice("uncontested-hits") == "effective-dice",
            impact_on_all=chosen.flag("impact-on-all-tns"),
            second_l_is_shoulder=chosen.choice("second-l") == "shoulder",
            biped_stands=chosen.choice("biped-disabled") == "immobile",
            kills_per_warmech=chosen.choice("kill-points") == "per-warmech",
            rounds=chosen.number("rounds"),
            points_limit=chosen.number("points-limit"),
        )


BY_THE_BOOK = Options.read({})
