"""Luck: the dice of a recorded battle compared with their expected results."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from systems import battle_rules
from systems.engine.events import Event
from systems.setups import Setup


@dataclass(frozen=True, slots=True)
class DiceLuck:
    """The dice of one kind that one side rolled in a battle."""

    side: str
    what: str  # "hit", "save"
    dice: int
    successes: int
    expected: float
    spread: float  # standard deviation of the successes

    @property
    def surplus(self) -> float:
        """Return the successes beyond the expected number; negative for bad luck."""
        return self.successes - self.expected

    @property
    def verdict(self) -> str:
        """Describe the distance from the expected number: within 1 standard deviation is usual, 2 happens once in
        twenty."""
        distance = self.surplus / self.spread if self.spread else 0.0
        size = abs(distance)
        if size < 1:
            return "as usual"
        kind = "lucky" if distance > 0 else "unlucky"
        return f"very {kind}" if size >= 2 else kind


def dice_luck(setup: Setup, events: Iterable[Event]) -> tuple[DiceLuck, ...]:
    """Return each side's luck with hits and with saves, from the needed number of every die.

    Kinds of dice that nobody rolled are left out. Each die counts, a re-rolled one twice: whether a die is rolled
    depends on earlier dice only, so in the long run the successes of all dice match their expected number.
    """
    system = battle_rules(setup.system)
    side_of = dict(system.fielded(setup))
    sums: dict[tuple[int, str], tuple[int, int, Fraction, Fraction]] = {}
    for event in events:
        trial = system.trial(setup, event)
        if trial is None or trial.unit not in side_of:  # attacks from off the map have no unit
            continue
        place = (side_of[trial.unit], trial.what)
        dice, successes, expected, variance = sums.get(place, (0, 0, Fraction(0), Fraction(0)))
        sums[place] = (
            dice + trial.dice,
            successes + trial.successes,
            expected + trial.dice * trial.chance,
            variance + trial.dice * trial.chance * (1 - trial.chance),
        )
    return tuple(
        DiceLuck(setup.sides[at].name, what, dice, successes, float(expected), math.sqrt(variance))
        for (at, what), (dice, successes, expected, variance) in sorted(sums.items())
    )
