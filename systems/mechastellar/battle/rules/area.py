"""Weapons with several targets: strips, circles, more than one. ST-320 to ST-325, ST-347, ST-348, ST-D67."""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.damage import breaks
from systems.mechastellar.battle.rules.facts import count_units, is_crossed, is_inside, is_within
from systems.mechastellar.battle.rules.heights import crumble
from systems.mechastellar.battle.state import State, Weapon
from systems.spaces.inches import squared, squared_to_way, way

MAX_PIECES = 2


def is_area(w: Weapon) -> bool:
    """Return True for a weapon that hits everything in a strip or a circle. ST-323."""
    return w.strip > 0.0 or w.circle > 0.0


def is_in_strip(x: float, y: float, ax: float, ay: float, bx: float, by: float, width: float) -> bool:
    """Return True if a point lies in the strip of this width from a to b. ST-323, ST-D67."""
    half = width / 2 + c.NEAR
    along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
    length = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
    return -c.NEAR <= along <= length + c.NEAR * sqrt(length) and squared_to_way(x, y, ax, ay, bx, by) <= half * half


def aim_point(s: State, i: int, w: Weapon, e: int) -> tuple[float, float]:
    """Return the end of a strip from unit i over e, at the weapon's range. ST-323."""
    u = s.units[i]
    to_x, to_y = way(u.x, u.y, s.units[e].x, s.units[e].y)
    return u.x + to_x * w.range, u.y + to_y * w.range


def is_struck(s: State, i: int, w: Weapon, e: int, k: int) -> bool:
    """Return True if an area attack of unit i aimed at e hits unit k. ST-323."""
    u = s.units[i]
    v = s.units[k]
    if k == i or v.status != c.STANDS:
        return False
    if w.circle > 0.0:
        return is_within(s.units[e].x, s.units[e].y, v.x, v.y, w.circle / 2)
    x, y = aim_point(s, i, w, e)
    return is_in_strip(v.x, v.y, u.x, u.y, x, y, w.strip)


def next_struck(s: State, i: int, weapon: int, e: int, struck: int, reach: float) -> int:
    """Return the nearest unit hit by an area attack and not in `struck` (bits); NOBODY if none is left. ST-D67."""
    u = s.units[i]
    w = s.weapons[weapon]
    found = c.NOBODY
    least = 0.0
    for k in range(count_units(s)):
        v = s.units[k]
        if struck >> k & 1 == 0 and is_struck(s, i, w, e, k):
            far = sqrt(squared(u.x, u.y, v.x, v.y))
            if far <= reach and (found == c.NOBODY or far < least - c.NEAR):
                found = k
                least = far
    return found


def next_piece(s: State, i: int, x: float, y: float, beyond: float) -> int:
    """Return the nearest piece of Cover on a line from unit i with its edge past `beyond`; NOBODY if there is none. ST-325."""
    u = s.units[i]
    found = c.NOBODY
    least = 0.0
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.gone or disc.kind == c.WATER or is_inside(disc, u.x, u.y) or not is_crossed(disc, u.x, u.y, x, y):
            continue
        edge = sqrt(squared(u.x, u.y, disc.x, disc.y)) - disc.radius
        if edge > beyond + c.NEAR and (found == c.NOBODY or edge < least):
            found = k
            least = edge
    return found


def blast(s: State, i: int, weapon: int, e: int, dmg: int, dice: Dice, log: Log) -> float:
    """Return the length of a strip: to the second piece of Cover, or to the first that survives it.

    ST-325, ST-344, ST-347, ST-348. Pieces that it breaks fall at the very end, so that units behind them still have their
    Cover.
    """
    u = s.units[i]
    w = s.weapons[weapon]
    reach = 1000.0
    if w.circle > 0.0:
        return reach
    x, y = aim_point(s, i, w, e)
    beyond = -1000.0
    for at in range(MAX_PIECES):
        k = next_piece(s, i, x, y, beyond)
        if k == c.NOBODY:
            break
        disc = s.discs[k]
        beyond = sqrt(squared(u.x, u.y, disc.x, disc.y)) - disc.radius
        face = roll(dice, 10)
        broken = breaks(face, dmg) and (disc.destructible == 1 or disc.kind == c.FOREST)
        if broken:
            disc.falls = 1
        note(log, "area-checked", unit=i, face=face, disc=k, dmg=dmg, gone=broken)
        if at == MAX_PIECES - 1 or not broken:
            reach = beyond + 2 * disc.radius
            note(log, "area-stopped", unit=i, disc=k)
            break
    return reach


def let_fall(s: State, log: Log) -> None:
    """Remove the pieces that an area attack has broken. ST-325."""
    for k in range(s.battle.discs):
        if s.discs[k].falls == 1:
            s.discs[k].falls = 0
            crumble(s, k, log)
