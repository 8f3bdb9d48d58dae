"""Exact chances of an attack's dice, as fractions. ST-112 to ST-115, ST-140 to ST-147."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from systems.mechastellar.catalogue.types import CRIT
from systems.mechastellar.catalogue.types import FINISHING_DAMAGE
from systems.mechastellar.catalogue.types import FINISHING_HITS
from systems.mechastellar.catalogue.types import MAX_SAVES
from systems.mechastellar.catalogue.types import SAVE_DAMAGE
from systems.mechastellar.catalogue.types import SUCCESS


FACES = range(1, 11)
Chances = Mapping[int, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Dice that are thrown together, and their flat bonus."""

    dice: int
    flat: int = 0
    success: int = SUCCESS
    crit: int = CRIT
    rerolls_ones: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """The effect of an unblocked Hit."""

    dmg: int
    pen: int | None = None
    finisher: int = 1


def die_chances(pool: Pool) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances of 0, 1 and 2 successes of one die; a crit is two. ST-113, ST-D03."""
    worth = [0 if face < pool.success else 2 if face >= pool.crit else 1 for face in FACES]
    once = [Fraction(worth.count(each), len(FACES)) for each in range(3)]
    again = Fraction(1, len(FACES)) if pool.rerolls_ones else Fraction(0)
    none, one, two = ((chance - (again if at == 0 else 0)) + again * chance for at, chance in enumerate(once))
    return none, one, two


@lru_cache
def pool_chances(pool: Pool) -> Chances:
    """Return the chance of each total of a pool with its flat bonus, at least 0. ST-115."""
    each = die_chances(pool)
    totals = {0: Fraction(1)}
    for _ in range(pool.dice):
        thrown: dict[int, Fraction] = {}
        for total, chance in totals.items():
            for worth, part in enumerate(each):
                thrown[total + worth] = thrown.get(total + worth, Fraction(0)) + chance * part
        totals = thrown
    found: dict[int, Fraction] = {}
    for total, chance in totals.items():
        floored = max(0, total + pool.flat)
        found[floored] = found.get(floored, Fraction(0)) + chance
    return found


@lru_cache
def mean(pool: Pool) -> Fraction:
    """Return the mean total of a pool."""
    return sum((total * chance for total, chance in pool_chances(pool).items()), Fraction(0))


def unblocked_chances(attack: Pool, defence: Pool) -> Chances:
    """Return the chance of each number of unblocked Hits. ST-115."""
    found: dict[int, Fraction] = {}
    for hits, chance in pool_chances(attack).items():
        for blocked, part in pool_chances(defence).items():
            left = max(0, hits - blocked)
            found[left] = found.get(left, Fraction(0)) + chance * part
    return found


def save_fails(pen: int) -> Fraction:
    """Return the chance that one save against this PEN fails. ST-141."""
    return Fraction(min(10, max(0, pen - 1)), 10)


def damage_chances(unblocked: int, blow: Blow) -> Chances:
    """Return the chance of each damage by `unblocked` Hits. ST-140 to ST-147."""
    whole = unblocked * blow.dmg + (FINISHING_DAMAGE * blow.finisher if unblocked >= FINISHING_HITS else 0)
    if blow.pen is None:
        return {whole: Fraction(1)}
    saves, fails = min(MAX_SAVES, unblocked), save_fails(blow.pen)
    return {
        whole + SAVE_DAMAGE * failed: comb(saves, failed) * fails**failed * (1 - fails) ** (saves - failed)
        for failed in range(saves + 1)
    }


def mean_damage(attack: Pool, defence: Pool, blow: Blow) -> Fraction:
    """Return the mean damage of one attack."""
    found = Fraction(0)
    for unblocked, chance in unblocked_chances(attack, defence).items():
        found += chance * sum(damage * part for damage, part in damage_chances(unblocked, blow).items())
    return found
