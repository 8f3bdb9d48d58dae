"""High Ground, falling, and transforming. ST-069, ST-080 to ST-087, ST-349."""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import count_units, is_inside, is_within
from systems.mechastellar.battle.rules.momentum import lose, pay
from systems.mechastellar.battle.rules.movement import place
from systems.mechastellar.battle.state import State

CLIMB_PRICE, DROP_PRICE = 1, 1


def high_disc(s: State, x: float, y: float) -> int:
    """Return the piece of High Ground under a point; NOBODY if there is none. ST-080."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.high == 1 and disc.gone == 0 and is_inside(disc, x, y):
            return k
    return c.NOBODY


def climb(s: State, i: int, k: int, log: Log) -> bool:
    """Put unit i on top of piece k, beside or under it; return False if it can't. ST-069, ST-080, ST-085.

    It needs an Accelerate, or flies and pays Momentum.
    """
    u = s.units[i]
    disc = s.discs[k]
    if disc.high == 0 or disc.gone or not is_within(u.x, u.y, disc.x, disc.y, disc.radius + u.move):
        return False
    if u.accelerated == 0 and (u.fly == 0 or not pay(s, u.side, CLIMB_PRICE)):
        return False
    u.moved_from_x = u.x
    u.moved_from_y = u.y
    place(s, i, disc.x, disc.y)
    u.high = 1
    u.climbed = 1
    note(log, "unit-climbed", unit=i, disc=k, flies=u.accelerated == 0, side=u.side, pool=s.sides[u.side].momentum)
    return True


def drop(s: State, i: int, log: Log) -> None:
    """Take unit i off its High Ground. ST-069, ST-084, ST-D80."""
    u = s.units[i]
    if u.high == 0:
        return
    u.high = 0
    if u.climbed:
        lose(s, u.side, DROP_PRICE)
    note(log, "unit-dropped", unit=i, climbed=u.climbed, side=u.side, pool=s.sides[u.side].momentum)


def settle(s: State, i: int, log: Log) -> None:
    """Put a unit that is set up on High Ground on top of it. ST-080."""
    u = s.units[i]
    if high_disc(s, u.x, u.y) >= 0:
        u.high = 1
        note(log, "unit-on-high-ground", unit=i)


def crumble(s: State, k: int, log: Log) -> None:
    """Destroy piece k; units on it fall. ST-349."""
    disc = s.discs[k]
    disc.gone = 1
    for i in range(count_units(s)):
        u = s.units[i]
        if u.status == c.STANDS and u.high and is_inside(disc, u.x, u.y) and high_disc(s, u.x, u.y) == c.NOBODY:
            u.high = 0
            u.crumbled = 1
            note(log, "unit-fell", unit=i, disc=k)


def change_mode(s: State, i: int, mode: int) -> None:
    """Set the figures of unit i to those of a mode. ST-087."""
    u = s.units[i]
    sheet = s.sheets[u.sheet + mode]
    u.mode = mode
    u.move = sheet.move
    u.sensors = sheet.sensors
    u.evade_dice = sheet.evade_dice
    u.evade_def = sheet.evade_def
    u.evade_success = sheet.evade_success
    u.melee_dice = sheet.melee_dice
    u.melee_def = sheet.melee_def
    u.melee_success = sheet.melee_success


def transform(s: State, i: int, mode: int, log: Log) -> None:
    """Change the mode of unit i, at the start of its turn or after a melee attack on it. ST-087."""
    if s.units[i].transforms and s.units[i].mode != mode:
        change_mode(s, i, mode)
        note(log, "unit-transformed", unit=i, mode=mode)
