"""The value of a profile, in points and in victory points. ST-012, ST-373 to ST-376."""

from __future__ import annotations

from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import MAX_DICE, Weapon

from .spec import UnitSpec

PERFORMANCE_STEPS = ((10, 3), (8, 2), (5, 1))  # ST-375


def weapon_cost(weapon: Weapon) -> int:
    """Return the cost of a weapon, regardless of the unit's other weapons."""
    dice = min(MAX_DICE, weapon.dice + max(0, weapon.rf_dice))
    hits = weapon.hits + max(0, weapon.rf_hits)
    weight = max(5, 7 * dice + 10 * hits - 60)
    strength = weapon.dmg + (100 * (weapon.pen - 1) if weapon.pen is not None else 0)
    return weight * strength // 1000 + 10 * (weapon.finisher - 1)


def _attack(weapons: tuple[Weapon, ...]) -> int:
    """Return the cost of all weapons: the best of each type in full, the others by half."""
    best: dict[str, int] = {}
    costs = [(at, weapon.type, weapon_cost(weapon)) for at, weapon in enumerate(weapons)]
    for at, type_, cost in costs:
        if type_ not in best or cost > costs[best[type_]][2]:
            best[type_] = at
    return sum(cost if best[type_] == at else cost // 2 for at, type_, cost in costs)


def _defence(spec: UnitSpec) -> int:
    guard = 10 * max(spec.shield, spec.barrier)
    evade = 7 * spec.evade_dice + 10 * spec.evade_def + guard
    melee = 7 * spec.melee_dice + 10 * spec.melee_def + guard
    return spec.hp * (evade + melee) // (100 * 200)


def profile_points(spec: UnitSpec) -> int:
    """Return the points at the level of its crew, rounded to the nearest 5."""
    base = (13 * _attack(spec.weapons) + 19 * _defence(spec)) // 10
    points = (
        base * (4 + spec.level) // 4
        + 5 * spec.boost
        + 15 * spec.power
        + 40 * spec.havoc
        + spec.move_half
        + spec.sensors_in
        + sum(CATALOGUE.traits[slug].points for slug in spec.traits)
        + 20 * spec.catapult
        + spec.repair_hp // 10
    )
    return (2 * points + 5) // 10 * 5


def victory_points(spec: UnitSpec) -> int:
    """Return the victory points for its destruction, without the Commander's Round."""
    level = 5 * spec.level if spec.crew != "captain" else 0
    step = next((vp for least, vp in PERFORMANCE_STEPS if spec.performance >= least), 0)
    return spec.frame_level + level + step


def crippled_points(spec: UnitSpec) -> int:
    """Return the victory points for a survivor with less than half of its HP. ST-376."""
    return (victory_points(spec) + 1) // 2
