"""Exact distributions of pools of dice. Ledger 9; `chance_table` are the ones the AI looks up, see `doctrine_values`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb

from systems.mechastellar.battle import state as c


@cache
def die_chances(success: int = 5, crit: int = 10, *, rerolls_ones: bool = False) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances that a die counts 0, 1 or 2. ST-113, ST-114, ST-D03."""
    two = Fraction(11 - max(success, crit), 10)
    one = Fraction(11 - success, 10) - two
    none = 1 - one - two
    if not rerolls_ones:
        return none, one, two
    again = Fraction(1, 10)
    return none - again + again * none, one + again * one, two + again * two


@cache
def pool_chances(dice: int, success: int = 5, crit: int = 10, *, rerolls_ones: bool = False) -> Sequence[Fraction]:
    """Return the chances of each sum of a pool, from 0 up."""
    found = [Fraction(1)]
    one = die_chances(success, crit, rerolls_ones=rerolls_ones)
    for _ in range(dice):
        before, found = found, [Fraction(0)] * (len(found) + 2)
        for at, chance in enumerate(before):
            for counts, part in enumerate(one):
                found[at + counts] += chance * part
    return found


def failed_save_chances(saves: int, chance: Fraction) -> Sequence[Fraction]:
    """Return the chances of each number of failed saves, from 0 up."""
    return [comb(saves, each) * chance**each * (1 - chance) ** (saves - each) for each in range(saves + 1)]


@cache
def chance_table() -> Sequence[float]:
    """Return all the numbers that the AI looks up, in the order of the state's constants.

    They are pools, failed saves, and room for a curve.
    """
    found = [0.0] * c.CHANCES
    kinds = ((5, 10, False), (5, 9, False), (5, 8, False), (5, 11, False), (5, 10, True), (5, 9, True))
    for kind, (success, crit, again) in enumerate(kinds):
        for dice in range(c.DICE):
            for at, chance in enumerate(pool_chances(dice, success, crit, rerolls_ones=again)):
                found[c.POOLS_AT + (kind * c.DICE + dice) * c.SUMS + at] = float(chance)
    for tenths in range(c.TENTHS):
        for saves in range(c.MAX_SAVES + 1):
            for at, chance in enumerate(failed_save_chances(saves, Fraction(tenths, 10))):
                found[c.FAILS_AT + (tenths * (c.MAX_SAVES + 1) + saves) * (c.MAX_SAVES + 1) + at] = float(chance)
    return found
