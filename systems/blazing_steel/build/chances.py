"""Exact chances of an engagement's dice, as fractions (ledger 7 and 9)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product

FACES = range(1, 7)
NUMBERS = (6, 5, 4)  # the target numbers on sheets


def roll_total(faces: tuple[int, ...], number: int) -> int:
    """Return the roll total of these dice: the highest effective one, and 1 for each other. BS-091, BS-092."""
    effective = [face for face in faces if face <= number]
    return max(effective) + len(effective) - 1 if effective else 0


@lru_cache
def hit_chances(dice: int, number: int) -> Mapping[int, Fraction]:
    """Return the chance of each number of hits of an unanswered attack. BS-094, BS-095, BS-125."""
    chances = dict.fromkeys(range(dice + 1), Fraction(0))
    for faces in product(FACES, repeat=dice):
        chances[min(dice, roll_total(faces, number))] += Fraction(1, 6**dice)
    return chances


def expected_hits(dice: int, number: int) -> Fraction:
    """Return the mean hits of an unanswered attack."""
    return sum((hits * chance for hits, chance in hit_chances(dice, number).items()), Fraction(0))


def unsaved_chance(ap: int, armor: int) -> Fraction:
    """Return the chance that a damage die is not prevented. BS-151."""
    return Fraction(5, 6) if ap >= armor else Fraction(max(0, 6 - armor), 6)
