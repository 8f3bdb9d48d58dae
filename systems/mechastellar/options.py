"""The house rules of MechaStellar. Only Options reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.mechastellar.catalogue import CATALOGUE
from systems.options import ChosenRules, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    is_advanced: bool  # Warships, High Ground, indirect, area and remote weapons
    points_limit: int  # most points of a force; 0: no limit. ST-013
    counter_penalty: int  # ST-167
    bullseye_lock: int  # ST-162
    power_pen_step: int  # ST-224
    havoc_buys_actions: bool  # ST-232
    iron_wall_is_armour: bool  # ST-264
    disengages_free: bool  # after its own attack. ST-076
    tagged_saves_hurt: bool  # ST-306, ST-310
    point_vp: int  # VP of a control point each Round. ST-367
    is_finale: bool  # ST-382
    deploys_by_turns: bool  # part of the advanced rules. ST-024

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Return the options of a document; raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            is_advanced=chosen.choice("tier") == "advanced",
            points_limit=chosen.number("points-limit"),
            counter_penalty=chosen.number("counter-penalty"),
            bullseye_lock=chosen.number("bullseye-lock"),
            power_pen_step=chosen.number("power-pen-step"),
            havoc_buys_actions=chosen.flag("havoc-actions"),
            iron_wall_is_armour=chosen.flag("iron-wall-armour"),
            disengages_free=chosen.flag("free-disengage"),
            tagged_saves_hurt=chosen.flag("tagged-pen-damage"),
            point_vp=chosen.number("cp-vp"),
            is_finale=chosen.flag("finale"),
            deploys_by_turns=chosen.choice("tier") == "advanced" and chosen.choice("deployment") == "alternate",
        )


BY_THE_BOOK = Options.read({})
