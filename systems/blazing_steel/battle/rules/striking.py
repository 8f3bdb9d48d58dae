"""Strikes: dice, target number, AP and Damage. BS-049, BS-135 to BS-139, BS-163."""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.facts import armor_value, count_blades, in_contact, melee_value
from systems.blazing_steel.battle.rules.geometry import REAR, REAR_FLANK, SIDE_FLANK, arc_of, flank_of
from systems.blazing_steel.battle.rules.shooting import targeting_of
from systems.blazing_steel.battle.state import State, Unit


def strike_dice(s: State, i: int) -> int:
    """Return how many dice a strike rolls. BS-135."""
    return 1 + count_blades(s, i)


def strike_tn(s: State, i: int, e: int) -> int:
    """Return the TN of a strike by Melee values, less the Targeting cripple. BS-136."""
    own = melee_value(s, i)
    theirs = melee_value(s, e)
    tn = 6 if own > theirs else 5 if own == theirs else 4
    return tn - targeting_of(s.units[i])


def strike_ap(s: State, i: int) -> int:
    """Return the AP of a strike. BS-139."""
    return s.units[i].strike_ap + (1 if count_blades(s, i) else 0)


def strike_damage(s: State, i: int) -> int:
    """Return the Damage of a strike. BS-139."""
    return s.units[i].strike_damage + (1 if count_blades(s, i) else 0)


def strike_refusal(s: State, i: int, e: int) -> int:
    """Return why Warmech i may not strike enemy e from its place; 0: it may. BS-049."""
    u = s.units[i]
    t = s.units[e]
    if not in_contact(s, i, e):
        return c.NOT_IN_CONTACT
    return c.OUT_OF_ARC if arc_of(u.x, u.y, u.face_x, u.face_y, t.x, t.y) == REAR else 0


def facing_armor(
    t: Unit, x: float, y: float, face_x: float, face_y: float, ax: float, ay: float, a_radius: float
) -> int:
    """Return the effective Armor of t, standing at (x, y), against a base at a. BS-161 to BS-164."""
    flank = flank_of(x, y, face_x, face_y, ax, ay, a_radius)
    less = 2 if flank == REAR_FLANK else 1 if flank == SIDE_FLANK else 0
    return max(1, armor_value(t) - less)
