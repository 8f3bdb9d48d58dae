"""Charts of the design lab: the average damage of a Warmech's best shot by distance and armor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import Weapon
from systems.charts import Chart, chart_series

from .chances import NUMBERS, expected_hits, unsaved_chance
from .spec import WarmechSpec

DISTANCES_IN = (6, 12, 18, 24, 30, 36)


def list_charts(spec: WarmechSpec) -> Iterator[Chart]:
    """Yield the chart for one unanswered Shoot. BS-094, BS-111, BS-120, BS-125, BS-150, BS-151."""
    armors = sorted({chassis.armor for chassis in CATALOGUE.chassis.values()})
    yield Chart(
        slug="damage",
        title="Mean damage of its best shot",
        across="Distance",
        at=tuple(f"{distance}″" for distance in DISTANCES_IN),
        series=tuple(
            chart_series(f"Armor {armor}", [_best(spec, distance, armor) for distance in DISTANCES_IN]) for armor in armors
        ),
        note="One Shoot with the best weapon, unanswered, at a target in the open; what cripples add is left out.",
    )


def _best(spec: WarmechSpec, distance: int, armor: int) -> Fraction:
    return max((_damage(weapon, distance, armor) for _, weapon in spec.guns), default=Fraction(0))


def _damage(weapon: Weapon, distance: int, armor: int) -> Fraction:
    is_beyond = distance > weapon.range_in
    if is_beyond and weapon.is_short:
        return Fraction(0)
    number = NUMBERS[1] if is_beyond else NUMBERS[0]
    return expected_hits(weapon.rof, number) * weapon.damage * unsaved_chance(weapon.ap, armor)
