"""The house rules of Meks & Mercs, read into Options; all other code uses Options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.rulebook import ChosenRules, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)
STANDING_COMPANY, FRESH_BUILD = "standing-company", "fresh-build"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    tzc_rounds: int  # maximum per zone in one T.Z.C. phase. MM-D13
    natural_rolls: bool  # an unmodified 6 hits, an unmodified 1 misses. MM-D26
    diagonal_moves: bool  # zones that touch at a corner are adjacent too. MM-D14
    odin_printed_cost: bool
    massive_in_huge_mount: bool
    random_terrain: bool  # rolled before set-up if none is printed. MM-D72
    season_mode: str  # empty: not set

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Read the options of a document. Raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            tzc_rounds=chosen.number("tzc-rounds"),
            natural_rolls=chosen.choice("natural-rolls") == "six-hits-one-misses",
            diagonal_moves=chosen.flag("diagonal-moves"),
            odin_printed_cost=chosen.flag("odin-printed-cost"),
            massive_in_huge_mount=chosen.flag("massive-in-huge-mount"),
            random_terrain=chosen.flag("random-terrain"),
            season_mode=chosen.choice("season-mode") if "season-mode" in options else "",
        )

    @property
    def is_standing(self) -> bool:
        """Return whether Meks, damage and money carry over from game to game. MM-S06, MM-S07.

        Without a season mode, a battle's companies keep their Meks, as all in Muster do (decision 7).
        """
        return self.season_mode in ("", STANDING_COMPANY)

    @property
    def pays_from_bank(self) -> bool:
        """Return whether the set season mode pays pilots from banks, and rich uncles' money into them. MM-S07."""
        return self.season_mode == STANDING_COMPANY

    @property
    def builds_fresh(self) -> bool:
        """Return whether the options make companies buy Meks again for each game. MM-S06."""
        return self.season_mode == FRESH_BUILD

    def is_set(self, slug: str) -> bool:
        """Return whether the options turn on this house rule, which must be a flag."""
        return getattr(self, slug.replace("-", "_")) is True


BY_THE_BOOK = Options.read({})
