"""Queries of a state for all rules: sides, positions, discs, objectives. They change nothing."""

from __future__ import annotations

from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.state import Battle, State, Unit
from systems.spaces.plane import is_passed, square


def count_units(s: State) -> int:
    """Return how many units the two sides have in total."""
    return s.battle.count_a + s.battle.count_b


def first_unit(b: Battle, side: int) -> int:
    """Return the first unit of a side."""
    return 0 if side == c.SIDE_A else b.count_a


def end_of_units(b: Battle, side: int) -> int:
    """Return the index after the last unit of a side."""
    return b.count_a if side == c.SIDE_A else b.count_a + b.count_b


def is_ground_unit(u: Unit) -> bool:
    """Return True if the unit stands on the ground."""
    return u.kind != c.DRONE


def is_active(u: Unit) -> bool:
    """Return True if the unit gives an action point: not eliminated, even if off the table. MC-033, MC-059, MC-063."""
    return u.status != c.DEAD


def count_active_units(s: State, side: int) -> int:
    """Return how many of a side's units aren't eliminated. MC-033."""
    active = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if is_active(s.units[i]):
            active += 1
    return active


def count_units_on_table(s: State, side: int) -> int:
    """Return how many of a side's units are on the table. MC-065."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.TABLE:
            found += 1
    return found


def is_near_enemy(s: State, side: int, x: int, y: int) -> bool:
    """Return True if a side's enemy is on the table within 4 in of a point. MC-049, MC-053."""
    for e in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        enemy = s.units[e]
        if enemy.status == c.TABLE and square(enemy.x, enemy.y, x, y) <= c.STAND_OFF * c.STAND_OFF:
            return True
    return False


def is_crowded(s: State, i: int, x: int, y: int) -> bool:
    """Return True if a point is less than 1 in from another ground unit of unit i's side. MC-052, MC-061."""
    side = s.units[i].side
    for q in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        friend = s.units[q]
        if q == i or friend.status != c.TABLE or not is_ground_unit(friend):
            continue
        if square(friend.x, friend.y, x, y) < c.SPACING * c.SPACING:
            return True
    return False


def is_barred(s: State, i: int, x: int, y: int) -> bool:
    """Return True if an enemy drone keeps air unit i from flying to or appearing at a point. MC-054, MC-058."""
    u = s.units[i]
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        drone = s.units[e]
        if drone.kind != c.DRONE or drone.status != c.TABLE:
            continue
        if u.status == c.TABLE and is_passed(drone.x, drone.y, c.STAND_OFF, u.x, u.y, x, y):
            return True
        if u.status != c.TABLE and square(drone.x, drone.y, x, y) <= c.STAND_OFF * c.STAND_OFF:
            return True
    return False


def is_near_objective(s: State, i: int, o: int, reach: int) -> bool:
    """Return True if unit i is within `reach` of objective o; False if o is NOBODY."""
    if o == c.NOBODY:
        return False
    u = s.units[i]
    return square(u.x, u.y, s.objectives[o].x, s.objectives[o].y) <= reach * reach
