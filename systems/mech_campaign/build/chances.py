"""Exact numbers and chances of Mech Campaign's dice, as fractions."""

from fractions import Fraction

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import UnitKind

FACES = range(1, 7)
RESOLVE_BONUS = 2  # of the source; house rule resolve-bonus


def need(kind: UnitKind, *, in_cover: bool = False, from_height: bool = False, is_locked: bool = False) -> int:
    """What a D6 must show for a hit by such a unit. MC-073, MC-074."""
    number = CATALOGUE.rolls["shoot"].number
    assert number is not None
    applying = {"cover": in_cover, "higher-ground": from_height, "lock": is_locked}
    bonus = sum(CATALOGUE.modifiers[slug].to_hit for slug, applies in applying.items() if applies)
    return number - bonus - kind.to_hit


def hit_chance(number: int) -> Fraction:
    """Chance that a D6 shows that number or more."""
    return Fraction(sum(face >= number for face in FACES), 6)


def retreat_chance(eliminated: int, bonus: int = RESOLVE_BONUS) -> Fraction:
    """Chance that a force retreats at the loss that makes it `eliminated` units, with some left. MC-101, MC-102."""
    number = CATALOGUE.rolls["resolve"].number
    assert number is not None
    return Fraction(sum(face + bonus - eliminated < number for face in FACES), 6)


def action_points(active: int) -> tuple[int, Fraction, int]:
    """Least, mean and most action points of a side's turn. MC-033."""
    return active + FACES[0], active + Fraction(sum(FACES), 6), active + FACES[-1]


def actions_for(points: int) -> int:
    """How many actions one unit can pay for with that many action points. MC-036, MC-037."""
    return sum(cost.total <= points for cost in CATALOGUE.action_costs.values())
