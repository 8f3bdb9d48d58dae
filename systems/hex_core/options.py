"""The house rules of Hex Core (ledger 2.24). Only Options reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import SquadSize
from systems.options import ChosenRules, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    is_deep: bool  # the players sit at the short edges. HX-D02
    any_step: bool  # a step may go to any of the six hexes. HX-D10
    counters: bool  # HX-D21
    rolls_location: bool  # HX-D19
    freezes_over: bool  # HX-D52
    scores_turns: bool  # HX-D69
    one_hand: bool  # one hand may hold a two-handed weapon, for half its damage. HX-047
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
