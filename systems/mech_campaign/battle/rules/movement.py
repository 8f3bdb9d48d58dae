"""Moves on the ground, in the air and underground, tunnel mouths, and limits on moves. MC-045 to MC-063."""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules import end_of_units, first_unit, is_crowded, is_near_enemy
from systems.mech_campaign.battle.state import State
from systems.spaces.plane import first_inside, first_within, square, steps_on_table


def step_x(s: State, side: int, k: int) -> int:
    """Return x of a twentieth of a move along bearing k; both coordinates change sign for side B. Ledger 6.2."""
    return s.bearings[k].x if side == c.SIDE_A else -s.bearings[k].x


def step_y(s: State, side: int, k: int) -> int:
    """Return y of a twentieth of a move along bearing k, like `step_x`."""
    return s.bearings[k].y if side == c.SIDE_A else -s.bearings[k].y


def only_bearing(s: State, i: int) -> int:
    """Return ground unit i's only bearing, away from the nearest enemy within 4 in, or NOBODY. MC-050, MC-D28."""
    u = s.units[i]
    nearest = c.STAND_OFF * c.STAND_OFF + 1
    found = c.NOBODY
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        enemy = s.units[e]
        if enemy.status == c.TABLE:
            apart = square(u.x, u.y, enemy.x, enemy.y)
            if apart < nearest:
                nearest = apart
                found = e
    if found == c.NOBODY:
        return c.NOBODY
    away_x = u.x - s.units[found].x
    away_y = u.y - s.units[found].y
    best = 0
    most = step_x(s, u.side, 0) * away_x + step_y(s, u.side, 0) * away_y
    for k in range(1, c.BEARINGS):
        along = step_x(s, u.side, k) * away_x + step_y(s, u.side, k) * away_y
        if along > most:
            most = along
            best = k
    return best


def steps_open(s: State, i: int, k: int, goal: int) -> int:
    """Return how many twentieths of a move ground unit i can make along bearing k: 0 .. 20.

    It stops within 2 in of objective `goal`, unless that is NOBODY. MC-047, MC-049, MC-050, MC-052. Ledger 6.5, `go`,
    without the choice of bearing.
    """
    u = s.units[i]
    dx = step_x(s, u.side, k)
    dy = step_y(s, u.side, k)
    last = steps_on_table(u.x, dx, s.battle.table, c.STEPS)
    last = steps_on_table(u.y, dy, s.battle.table, last)
    for at in range(s.battle.discs):
        disc = s.discs[at]
        if disc.kind == c.WORKS:
            last = min(last, first_inside(disc.x, disc.y, disc.radius, u.x, u.y, dx, dy, last) - 1)
    close = False
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        enemy = s.units[e]
        if enemy.status != c.TABLE:
            continue
        if square(u.x, u.y, enemy.x, enemy.y) <= c.STAND_OFF * c.STAND_OFF:
            close = True
        else:
            last = min(last, first_within(enemy.x, enemy.y, c.STAND_OFF, u.x, u.y, dx, dy, last))
    if goal != c.NOBODY:
        target = s.objectives[goal]
        last = min(last, first_within(target.x, target.y, c.SPECIAL_REACH, u.x, u.y, dx, dy, last))
    while last > 0 and is_crowded(s, i, u.x + last * dx, u.y + last * dy):
        last -= 1
    if close and last > 0 and not is_farther(s, i, u.x + last * dx, u.y + last * dy):
        return 0
    return last


def is_farther(s: State, i: int, x: int, y: int) -> bool:
    """Return True if a point is farther than unit i from every enemy within 4 in of unit i. MC-050, MC-D28."""
    u = s.units[i]
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        enemy = s.units[e]
        if enemy.status == c.TABLE:
            before = square(u.x, u.y, enemy.x, enemy.y)
            if before <= c.STAND_OFF * c.STAND_OFF and square(x, y, enemy.x, enemy.y) <= before:
                return False
    return True


def go(s: State, i: int, k: int, goal: int) -> int:
    """Return how many twentieths of a move ground unit i can make along bearing k; 0 if none. Ledger 6.5."""
    only = only_bearing(s, i)
    if only != c.NOBODY and k != only:
        return 0
    return steps_open(s, i, k, goal)


def end_x(s: State, i: int, k: int, steps: int) -> int:
    """Return x at the end of a move along bearing k."""
    return s.units[i].x + steps * step_x(s, s.units[i].side, k)


def end_y(s: State, i: int, k: int, steps: int) -> int:
    """Return y at the end of a move along bearing k."""
    return s.units[i].y + steps * step_y(s, s.units[i].side, k)


def walk(s: State, i: int, k: int, steps: int, cost: int, log: Log) -> None:
    """Make an allowed ground move; 0 steps is a turn on the spot. MC-047, MC-048."""
    u = s.units[i]
    x = end_x(s, i, k, steps)
    y = end_y(s, i, k, steps)
    note(log, "unit-moved", unit=i, cost=cost, from_x=u.x, from_y=u.y, x=x, y=y)
    u.x = x
    u.y = y


def fly(s: State, i: int, x: int, y: int, cost: int, log: Log) -> None:
    """Make an allowed air move, or bring back an air unit that is away. MC-054, MC-058."""
    u = s.units[i]
    if u.status == c.AWAY:
        note(log, "unit-returned", unit=i, cost=cost, x=x, y=y)
    else:
        note(log, "unit-flew", unit=i, cost=cost, from_x=u.x, from_y=u.y, x=x, y=y)
    u.status = c.TABLE
    u.x = x
    u.y = y


def turn_to(s: State, i: int, e: int, log: Log) -> None:
    """After a move, turn unit i to unit e; if both are at the same place it keeps its facing. MC-047, MC-054."""
    u = s.units[i]
    ahead_x = s.units[e].x - u.x
    ahead_y = s.units[e].y - u.y
    if (ahead_x or ahead_y) and (ahead_x != u.face_x or ahead_y != u.face_y):
        u.face_x = ahead_x
        u.face_y = ahead_y
        note(log, "unit-turned", unit=i, target=e, ahead_x=ahead_x, ahead_y=ahead_y)


def leave_table(s: State, side: int, log: Log) -> None:
    """Take a side's air units that haven't moved in its turn off the table. MC-055, MC-057."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.kind == c.DRONE and u.status == c.TABLE and u.moves == 0:
            u.status = c.AWAY
            note(log, "unit-left", unit=i)


MOUTHS = 4
FIRST_TURN = 2  # MC-060


def mouth_x(s: State, side: int, m: int) -> int:
    """Return x of the m-th mouth as seen by a side; for side B the table is turned round. Ledger 6.7."""
    return s.mouths[m].x if side == c.SIDE_A else s.battle.table - s.mouths[m].x


def mouth_y(s: State, side: int, m: int) -> int:
    """Return y of the m-th mouth, like `mouth_x`."""
    return s.mouths[m].y if side == c.SIDE_A else s.battle.table - s.mouths[m].y


def can_emerge(s: State, i: int, m: int) -> bool:
    """Return True if track i can come up at a mouth now. MC-060, MC-061."""
    side = s.units[i].side
    x = mouth_x(s, side, m)
    y = mouth_y(s, side, m)
    return s.battle.turn >= FIRST_TURN and not is_near_enemy(s, side, x, y) and not is_crowded(s, i, x, y)


def emerge(s: State, i: int, m: int, cost: int, log: Log) -> None:
    """Bring track i up at an allowed mouth. MC-060, MC-062."""
    u = s.units[i]
    u.status = c.TABLE
    u.x = mouth_x(s, u.side, m)
    u.y = mouth_y(s, u.side, m)
    note(log, "unit-emerged", unit=i, cost=cost, x=u.x, y=u.y)
