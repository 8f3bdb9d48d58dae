"""Exact chances of an attack's dice, as fractions (ledger 7.2 and 9)."""

from __future__ import annotations

from fractions import Fraction

FACES = 8
EVASIONS = (4, 5, 6, 7, 8, None)  # the EVA values on sheets; None: it can't evade


def faces_that_hit(number: int) -> int:
    """Return the number of faces of a D8 that hit; an 8 always does. HX-005, HX-006."""
    return min(max(FACES + 1 - number, 1), FACES)


def faces_that_evade(number: int | None) -> int:
    return 0 if number is None else min(max(FACES + 1 - number, 0), FACES)


def hit_chance(number: int, evasion: int | None) -> Fraction:
    """Return the chance that an attack at that value hits a target of that EVA; an 8 can't be evaded."""
    return Fraction(_hits_of_64(number, evasion), FACES**2)


def mean_damage(number: int, evasion: int | None, damage: int, critical: int) -> Fraction:
    """Return the mean damage of an attack: one hit in eight is critical. HX-089."""
    return Fraction(_hits_of_64(number, evasion) * ((FACES - 1) * damage + critical), FACES**3)


def _hits_of_64(number: int, evasion: int | None) -> int:
    return FACES + (faces_that_hit(number) - 1) * (FACES - faces_that_evade(evasion))


def attack_count(base_ap: int, ap: int) -> tuple[int, Fraction, int]:
    """Return the fewest, mean and most attacks of a turn that the pool pays for. HX-061, HX-082."""
    numbers = [(base_ap + face) // ap for face in range(1, FACES + 1)]
    return numbers[0], Fraction(sum(numbers), FACES), numbers[-1]
