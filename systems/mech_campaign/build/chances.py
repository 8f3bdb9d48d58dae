"""Exact numbers and chances of Mech Campaign's dice; chances are fractions."""

from fractions import Fraction

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import UnitKind

FACES = range(1, 7)
RESOLVE_BONUS = 2  # by the book; house rule resolve-bonus


def needed_number(kind: UnitKind, *, in_cover: bool = False, from_height: bool = False, is_locked: bool = False) -> int:
    """Return the number that such a unit needs on a D6 for a hit. MC-073, MC-074."""
    number = CATALOGUE.rolls["shoot"].number
    assert number is not None
    applying = {"cover": in_cover, "higher-ground": from_height, "lock": is_locked}
    bonus = sum(CATALOGUE.modifiers[slug].to_hit for slug, applies in applying.items() if applies)
    return number - bonus - kind.to_hit


def hit_chance(number: int) -> Fraction:
    """Return the chance that a D6 shows `number` or more."""
    return Fraction(sum(face >= number for face in FACES), 6)


def retreat_chance(eliminated: int, bonus: int = RESOLVE_BONUS) -> Fraction:
    """Return the chance that a force retreats at its `eliminated`-th loss, with some units left. MC-101, MC-102."""
    number = CATALOGUE.rolls["resolve"].number
    assert number is not None
    return Fraction(sum(face + bonus - eliminated < number for face in FACES), 6)


def action_points(active: int) -> tuple[int, Fraction, int]:
    """Return the least, mean and most action points of a side's turn. MC-033."""
    return active + FACES[0], active + Fraction(sum(FACES), 6), active + FACES[-1]


def count_actions(points: int) -> int:
    """Return how many actions one unit can pay for with these action points. MC-036, MC-037."""
    return sum(cost.total <= points for cost in CATALOGUE.action_costs.values())
