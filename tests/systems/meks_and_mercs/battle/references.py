"""The rates of the ledger's own games (section 9.1, MM-R21 to MM-R44). For its companies see `games.COMPANIES`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from systems.setups import Setup

from .games import COMPANIES, ROLLS, game

GAMES = 5_000  # behind each row
DOCTRINES = ("aggressive", "cautious")
A, C = DOCTRINES


@dataclass(frozen=True)
class Rates:
    """The rates of a number of games."""

    games: int
    shares: tuple[float, float, float]  # attacker wins, defender wins, draw
    turns: float  # mean length

    def errors_off(self, other: Rates, rounded: float = 0.0) -> float:
        """Return how far apart two samples of one game are, in standard errors of their difference; 4 are a lot.

        Rounding of a written share doesn't count, and a share written as 0 may still happen.
        """
        least = max(1 / self.games, 1 / other.games, rounded)
        both = 1 / self.games + 1 / other.games
        off = []
        for ours, theirs in zip(self.shares, other.shares, strict=True):
            chance = min(max(theirs, least), 1 - least)
            off.append(max(0.0, abs(ours - theirs) - rounded) / math.sqrt(chance * (1 - chance) * both))
        # the standard deviation of a game's length is less than its mean
        off.append(abs(self.turns - other.turns) / (other.turns * math.sqrt(both)))
        return max(off)


def rates_of(counts: Mapping[str, int]) -> Rates:
    """Return the rates of a tally of games."""
    games = counts["battles"]
    wins, losses, draws = (counts[name] / games for name in ("attacker_wins", "defender_wins", "draws"))
    return Rates(games, (wins, losses, draws), counts["rounds"] / games)


@dataclass(frozen=True)
class Row:
    """One game: scenario, AI styles, and whether the scenario's support rolls are made."""

    scenario: str
    doctrines: tuple[str, str]
    has_support: bool

    def __str__(self) -> str:
        attacker, defender = self.doctrines
        return f"{self.scenario}, {attacker} against {defender}, {'with' if self.has_support else 'no'} support"

    @property
    def setup(self) -> Setup:
        attackers, defenders = ROLLS[self.scenario] if self.has_support else (0, 0)
        return game(self.scenario, doctrines=self.doctrines, support=(["roll"] * attackers, ["roll"] * defenders))


def every_row() -> Iterable[Row]:
    """Yield all scenarios with all pairs of AI styles, without and with support."""
    for scenario, has_support, attacker, defender in product(COMPANIES, (False, True), DOCTRINES, DOCTRINES):
        yield Row(scenario, (attacker, defender), has_support)


def _row(
    scenario: str, doctrines: tuple[str, str], has_support: bool, shares: tuple[float, float, float], turns: float
) -> tuple[Row, Rates]:
    return Row(scenario, doctrines, has_support), Rates(GAMES, shares, turns)


REFERENCES: Mapping[str, tuple[Row, Rates]] = {
    "MM-R21": _row("opening-shots", (A, A), False, (0.5430, 0.4564, 0.0006), 6.78),
    "MM-R22": _row("opening-shots", (C, C), False, (0.7840, 0.2160, 0.0000), 5.95),
    "MM-R23": _row("opening-shots", (A, C), False, (0.6940, 0.3060, 0.0000), 6.24),
    "MM-R24": _row("opening-shots", (A, A), True, (0.5028, 0.4936, 0.0036), 6.97),
    "MM-R25": _row("hot-gates", (A, A), False, (0.7630, 0.2370, 0.0000), 2.44),
    "MM-R26": _row("hot-gates", (C, C), False, (0.8782, 0.1218, 0.0000), 7.46),
    "MM-R27": _row("hot-gates", (A, C), False, (0.6068, 0.3932, 0.0000), 2.34),
    "MM-R28": _row("hot-gates", (A, A), True, (0.6610, 0.3390, 0.0000), 2.47),
    "MM-R29": _row("buying-time", (A, A), False, (0.9992, 0.0006, 0.0002), 2.50),
    "MM-R30": _row("buying-time", (C, C), False, (0.9460, 0.0384, 0.0156), 3.16),
    "MM-R31": _row("buying-time", (A, C), False, (0.9112, 0.0666, 0.0222), 3.38),
    "MM-R32": _row("buying-time", (A, A), True, (0.9958, 0.0028, 0.0014), 2.51),
    "MM-R33": _row("breach", (A, A), False, (0.7934, 0.2066, 0.0000), 2.74),
    "MM-R34": _row("breach", (C, C), False, (0.5754, 0.4246, 0.0000), 5.62),
    "MM-R35": _row("breach", (A, C), False, (0.8602, 0.1398, 0.0000), 2.86),
    "MM-R36": _row("breach", (A, A), True, (0.7620, 0.2380, 0.0000), 2.70),
    "MM-R37": _row("head-to-head", (A, A), False, (0.4696, 0.4656, 0.0648), 1.80),
    "MM-R38": _row("head-to-head", (C, C), False, (0.3154, 0.3322, 0.3524), 10.36),
    "MM-R39": _row("head-to-head", (A, C), False, (0.5286, 0.3326, 0.1388), 6.10),
    "MM-R40": _row("head-to-head", (A, A), True, (0.4730, 0.4764, 0.0506), 1.63),
    "MM-R41": _row("citadel", (A, A), False, (0.0928, 0.9070, 0.0002), 5.71),
    "MM-R42": _row("citadel", (C, C), False, (0.1314, 0.8686, 0.0000), 5.89),
    "MM-R43": _row("citadel", (A, C), False, (0.1896, 0.8104, 0.0000), 5.66),
    "MM-R44": _row("citadel", (A, A), True, (0.0990, 0.9008, 0.0002), 5.66),
}
BY_ROW = {row: (name, rates) for name, (row, rates) in REFERENCES.items()}
