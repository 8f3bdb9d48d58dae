"""Charts of the design lab: the average damage of a profile's best attack by distance and target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from systems.charts import Chart, chart_series
from systems.mechastellar.catalogue.types import SUCCESS, Weapon

from .chances import Blow, Pool, mean_damage
from .spec import UnitSpec

DISTANCES_IN = (6, 12, 18, 24, 30, 36)
MELEE = "melee"
MAX_DRAWN = 10  # most dice in a pool. ST-112


def list_charts(spec: UnitSpec, targets: Sequence[tuple[str, UnitSpec]]) -> Iterator[Chart]:
    """Yield the chart for one attack without Focus, tags or orders. ST-112 to ST-115, ST-140 to ST-147."""
    yield Chart(
        slug="damage",
        title="Mean damage of its best attack",
        across="Distance",
        at=(MELEE, *(f"{distance}″" for distance in DISTANCES_IN)),
        series=tuple(
            chart_series(name, [_melee(spec, target), *(_shot(spec, target, distance) for distance in DISTANCES_IN)])
            for name, target in targets
        ),
        note="One attack with the best weapon, without Focus, tags, orders and cover.",
    )


def _melee(spec: UnitSpec, target: UnitSpec) -> Fraction:
    guard = _pool(target.melee_dice, target.melee_def + max(target.shield, target.barrier), target.melee_success)
    blows = (weapon for weapon in spec.weapons if weapon.is_melee)
    return max((_mean(weapon, weapon.dice, weapon.hits, guard) for weapon in blows), default=Fraction(0))


def _shot(spec: UnitSpec, target: UnitSpec, distance: int) -> Fraction:
    flat = target.evade_def + max(target.shield, target.barrier)
    guard = replace(_pool(target.evade_dice, flat, target.evade_success), rerolls_ones=target.has("reroll-evade-1s"))
    found = Fraction(0)
    for weapon in spec.weapons:
        if not weapon.is_melee and distance <= weapon.range_in:
            is_near = distance <= weapon.rf_in
            dice = weapon.dice + (weapon.rf_dice if is_near else 0)
            hits = weapon.hits + (weapon.rf_hits if is_near else 0)
            found = max(found, _mean(weapon, dice, hits, guard))
    return found


def _pool(dice: int, flat: int, success: int = SUCCESS) -> Pool:
    return Pool(dice=min(MAX_DRAWN, max(0, dice)), flat=flat, success=success)


def _mean(weapon: Weapon, dice: int, hits: int, guard: Pool) -> Fraction:
    attack = _pool(dice, hits)
    pen = None if weapon.pen_tag else weapon.pen  # a letter's PEN stuns or pushes
    return mean_damage(attack, guard, Blow(dmg=weapon.dmg, pen=pen, finisher=weapon.finisher))
