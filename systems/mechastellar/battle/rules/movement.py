"""Move Actions: distance, obstacles, effect on Momentum; disengaging. ST-060 to ST-068, ST-073, ST-074."""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import (
    end_of_units,
    engagement,
    first_unit,
    is_way_clear,
    mark_engaged,
    nearest_enemy,
    would_engage,
)
from systems.mechastellar.battle.rules.geometry import turned
from systems.mechastellar.battle.rules.momentum import gain, lose, may_shift, shift_of
from systems.mechastellar.battle.state import State
from systems.mechastellar.battle.told import path_note
from systems.spaces.inches import squared, way

KEEP_OUT = 0.5  # inches outside an engagement circle where an idle move stops


def place(s: State, i: int, x: float, y: float) -> None:
    """Place unit i at (x, y)."""
    u = s.units[i]
    u.x = x
    u.y = y
    mark_engaged(s)


def turn_to(s: State, i: int, x: float, y: float, rotations: int) -> None:
    """Turn unit i towards a point. ST-061, ST-D32."""
    u = s.units[i]
    to_x, to_y = way(u.x, u.y, x, y)
    u.face_x, u.face_y = turned(u.face_x, u.face_y, to_x, to_y, rotations)


def is_turn_allowed(face_x: float, face_y: float, to_x: float, to_y: float) -> bool:
    """Return True if one rotation leads from a facing to another. ST-061."""
    return face_x * to_x + face_y * to_y >= -c.SAME


def is_move_allowed(s: State, i: int, x: float, y: float) -> bool:
    """Return True if one Move Action may lead unit i to (x, y). ST-060, ST-066, ST-073.

    It isn't too far, ends on the table and doesn't pass through any enemy's engagement range.
    """
    u = s.units[i]
    if (
        squared(u.x, u.y, x, y) > (u.move + c.NEAR) * (u.move + c.NEAR)
        or path_length_on_table(s.battle.table, x, y, 0.0, 0.0, 0.0) < 0.0
    ):
        return False
    if u.locked == 0:
        return is_way_clear(s, i, x, y, c.NOBODY)
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status == c.STANDS and would_engage(u, u.x, u.y, v) and not would_engage(u, x, y, v):
            return False
    return True


def path_length_on_table(size: float, x: float, y: float, to_x: float, to_y: float, length: float) -> float:
    """Return the length of a path that stays on a table of this size; below 0: it starts off the table."""
    if x < -c.NEAR or y < -c.NEAR or x > size + c.NEAR or y > size + c.NEAR:
        return -1.0
    most = length
    if to_x > 0.0:
        most = min(most, (size - x) / to_x)
    elif to_x < 0.0:
        most = min(most, -x / to_x)
    if to_y > 0.0:
        most = min(most, (size - y) / to_y)
    elif to_y < 0.0:
        most = min(most, -y / to_y)
    return max(0.0, most)


def free_path_length(s: State, i: int, to_x: float, to_y: float, length: float) -> float:
    """Return how far unit i can go in a direction before an enemy could lock it. ST-066, ST-077, ledger 6.7."""
    u = s.units[i]
    most = length
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status != c.STANDS:
            continue
        reach = engagement(u, v) + KEEP_OUT
        ahead = (v.x - u.x) * to_x + (v.y - u.y) * to_y
        rest = squared(u.x, u.y, v.x, v.y) - reach * reach
        if ahead > 0.0 and ahead * ahead - rest > 0.0:
            most = min(most, max(0.0, ahead - sqrt(ahead * ahead - rest)))
    return most


def shift(s: State, i: int, near: int, before: float, length: float, log: Log) -> None:
    """Apply a Move Action to the Momentum of its side. ST-242 to ST-244, ST-D46."""
    u = s.units[i]
    if near == c.NOBODY or not may_shift(s, u.side):
        return
    v = s.units[near]
    after = sqrt(squared(u.x, u.y, v.x, v.y))
    by = shift_of(s.sides[u.side].momentum, before, after, length, u.locked)
    if by > 0:
        gain(s, u.side, by)
    elif by < 0:
        lose(s, u.side, -by)
    if by:
        note(
            log,
            "momentum-shifted",
            unit=i,
            target=near,
            change=by,
            retreats=by < 0,
            side=u.side,
            pool=s.sides[u.side].momentum,
        )


def move(s: State, i: int, x: float, y: float, face_x: float, face_y: float, log: Log) -> None:
    """Make one Move Action of unit i to (x, y) and turn it towards (face_x, face_y). ST-060, ST-061."""
    u = s.units[i]
    u.moved_from_x = u.x
    u.moved_from_y = u.y
    u.struck = 0
    length = sqrt(squared(u.x, u.y, x, y))
    near = c.NOBODY
    before = 0.0
    if length > 0.0:
        near = nearest_enemy(s, i, u.x, u.y)
        if near >= 0:
            before = sqrt(squared(u.x, u.y, s.units[near].x, s.units[near].y))
        place(s, i, x, y)
    turn_to(s, i, face_x, face_y, 1)
    note(log, "unit-moved", path_note(s, i), unit=i)
    if length > 0.0:
        shift(s, i, near, before, length, log)


def accelerate(s: State, i: int, log: Log) -> None:
    """Use an Action for one more Move Action. ST-068."""
    s.units[i].accelerated = 1
    note(log, "unit-accelerated", unit=i)


def disengage(s: State, i: int, log: Log) -> bool:
    """Pay for leaving the enemies engaged with unit i; return False if its side can't. ST-074, ST-076, ST-D25."""
    u = s.units[i]
    own = s.sides[u.side]
    price = 0 if s.battle.free_disengage and u.struck else u.locked
    if own.momentum < price:
        return False
    own.momentum -= price
    note(log, "unit-disengaged", unit=i, enemies=u.locked, price=price, side=u.side, pool=own.momentum)
    return True
