"""Throws, crashes, pushes, and weapons with several targets.

Strips, circles, several targets: ST-320 to ST-325, ST-347, ST-348, ST-D67.
"""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import path_note
from systems.mechastellar.battle.rules import count_units, end_of_units, first_unit, is_crossed, is_inside, is_within
from systems.mechastellar.battle.rules.damage import breaks, check_cover, hurt
from systems.mechastellar.battle.rules.movement import attack_cover, crumble, dry_way, path_length_on_table, place
from systems.mechastellar.battle.rules.resources import CRASH_STEP, lose
from systems.mechastellar.battle.state import Clash, Disc, State, Unit, Weapon
from systems.spaces.inches import squared, squared_to_way, way

THROW_DICE, CRASH_DICE = 5, 4
THROW_PEN, THROW_RANGE = 7, 12.0
PUSH = 3.0
BESIDE = 1.0  # inches from the line of a crash or push within which a unit is met
COLLISION = 200
CRASH_SIZE = 2


def best_hits(s: State, u: Unit, melee: int) -> int:
    """Return the most bonus Hits of any of the unit's weapons of that type; 0 if it has none. ST-192, ST-D40."""
    found = 0
    for k in range(u.weapon, u.weapon + u.weapons):
        w = s.weapons[k]
        if w.melee == melee and w.gone == 0:
            found = max(found, w.hits)
    return found


def special_dmg(size: int, steps: int) -> int:
    """Return the DMG of a crash, or of thrown terrain, for a unit of this Size. ST-191, ST-193, ST-231."""
    return (2 + size) * 100 + CRASH_STEP * steps


def collision_damage(pen: int) -> int:
    """Return the damage from being knocked into something. ST-313, ST-D64."""
    return COLLISION * pen


def ready_special(s: State, i: int, manner: int) -> int:
    """Set the special weapon to unit i's throw or crash; return its index. Ledger 2.12."""
    u = s.units[i]
    w = s.weapons[s.battle.special]
    w.melee = 0 if manner == c.THROW_TERRAIN else 1
    w.dice = CRASH_DICE if manner == c.CRASH else THROW_DICE
    w.hits = best_hits(s, u, w.melee)
    w.range = THROW_RANGE if manner == c.THROW_TERRAIN else 0.0
    w.dmg = 0 if manner == c.THROW_ENEMY else special_dmg(u.size, u.steps_crash if manner == c.CRASH else 0)
    w.pen = THROW_PEN + u.size if manner == c.THROW_ENEMY else 0
    w.tag = c.PUSHES if manner == c.THROW_ENEMY else c.NO_TAG
    return s.battle.special


def throwable_piece(s: State, i: int) -> int:
    """Return a movable piece within reach that unit i could throw; NOBODY if there is none. ST-191, ST-D70."""
    u = s.units[i]
    for k in range(s.battle.discs):
        disc = s.discs[k]
        movable = disc.falls >= 0 and disc.destructible == 1 and disc.kind != c.WATER
        if movable and is_within(u.x, u.y, disc.x, disc.y, c.ENGAGEMENT + u.size + disc.radius):
            return k
    return c.NOBODY


def remove_thrown_piece(s: State, i: int, k: int, log: Log) -> None:
    """Remove piece k, which unit i throws. ST-191, ST-D70."""
    s.discs[k].gone = 1
    s.discs[k].falls = -1
    note(log, "terrain-thrown", unit=i, disc=k)


def may_crash(u: Unit) -> bool:
    """Return True if a unit may crash this Round. ST-193."""
    return u.crashed == 0 and u.kind != c.WARSHIP


def crash_end(s: State, i: int, e: int) -> tuple[float, float]:
    """Return where unit i's crash through e ends: a full Move, cut short at the table's edge. ST-193, ST-D40."""
    u = s.units[i]
    v = s.units[e]
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    far = dry_way(s, u.x, u.y, to_x, to_y, path_length_on_table(s.battle.table, u.x, u.y, to_x, to_y, u.move))
    return u.x + to_x * far, u.y + to_y * far


def second_on_line(s: State, i: int, e: int, x: float, y: float) -> int:
    """Return the first enemy other than e in unit i's crash to (x, y); NOBODY if there is none. ST-193."""
    u = s.units[i]
    found = c.NOBODY
    least = 0.0
    to_x, to_y = way(u.x, u.y, x, y)
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        reach = BESIDE + c.NEAR
        if k != e and v.status == c.STANDS and squared_to_way(v.x, v.y, u.x, u.y, x, y) <= reach * reach:
            along = (v.x - u.x) * to_x + (v.y - u.y) * to_y
            if found == c.NOBODY or along < least:
                found = k
                least = along
    return found


def distance_to_piece(u: Unit, disc: Disc, x: float, y: float) -> float:
    """Return how far a crash to (x, y) goes before it meets a piece; below 0 if u is already beside it. ST-D40."""
    to_x, to_y = way(u.x, u.y, x, y)
    return distance_to_reach(u.x, u.y, to_x, to_y, disc.x, disc.y, disc.radius + BESIDE + c.NEAR)


def is_met_before(u: Unit, at_x: float, at_y: float, x: float, y: float, far: float) -> bool:
    """Return True if unit u's crash to (x, y) passes a point within distance `far`. ST-D40."""
    to_x, to_y = way(u.x, u.y, x, y)
    return (at_x - u.x) * to_x + (at_y - u.y) * to_y < far - c.NEAR


def piece_on_line(s: State, i: int, x: float, y: float) -> int:
    """Return the first piece that unit i's crash to (x, y) meets and could destroy; NOBODY if none. ST-193, ST-D40."""
    u = s.units[i]
    found = c.NOBODY
    least = 0.0
    for k in range(s.battle.discs):
        disc = s.discs[k]
        reach = disc.radius + BESIDE + c.NEAR
        if disc.gone or disc.destructible == 0 or is_inside(disc, u.x, u.y):
            continue
        if squared_to_way(disc.x, disc.y, u.x, u.y, x, y) <= reach * reach:
            along = distance_to_piece(u, disc, x, y)
            if found == c.NOBODY or along < least:
                found = k
                least = along
    return found


def crash_into(s: State, i: int, k: int, dice: Dice, log: Log) -> bool:
    """Crash unit i into piece k, as a direct attack with twice its DMG; return True if it falls. ST-193, ST-345."""
    u = s.units[i]
    return attack_cover(s, i, k, 2 * special_dmg(u.size, u.steps_crash), dice, log)


def pull_to(s: State, i: int, weapon: int, k: int, dice: Dice, log: Log) -> bool:
    """Pull unit i 3" towards piece k if the piece survives the weapon; otherwise return False. ST-314, ST-343."""
    u = s.units[i]
    w = s.weapons[weapon]
    disc = s.discs[k]
    if w.tag != c.PUSHES or disc.gone or not is_within(u.x, u.y, disc.x, disc.y, w.range + disc.radius):
        return False
    check_cover(s, k, w.dmg, dice, log)
    if disc.gone:
        crumble(s, k, log)
        return False
    to_x, to_y = way(u.x, u.y, disc.x, disc.y)
    far = dry_way(s, u.x, u.y, to_x, to_y, min(PUSH, sqrt(squared(u.x, u.y, disc.x, disc.y))))
    u.moved_from_x = u.x
    u.moved_from_y = u.y
    place(s, i, u.x + to_x * far, u.y + to_y * far)
    note(log, "unit-pulled", path_note(s, i), unit=i, disc=k)
    return True


def end_crash(s: State, i: int, x: float, y: float, log: Log) -> None:
    """Place unit i at the end of its crash, (x, y). ST-193."""
    u = s.units[i]
    u.crashed = 1
    u.moved_from_x = u.x
    u.moved_from_y = u.y
    place(s, i, x, y)
    note(log, "unit-crashed", path_note(s, i), unit=i)


def knock(s: State, i: int, pen: int, by: int, log: Log) -> None:
    """Knock unit i into something, which costs its side Momentum, or causes damage. ST-313, ledger 6.9."""
    u = s.units[i]
    damage = 0
    if s.sides[u.side].momentum > 0:
        lose(s, u.side, 1)
    else:
        damage = collision_damage(pen)
        hurt(s, i, damage, by)
    note(
        log,
        "unit-knocked",
        unit=i,
        by=by,
        damage=damage,
        left=max(0, u.hp),
        side=u.side,
        pool=s.sides[u.side].momentum,
    )


def distance_to_reach(x: float, y: float, to_x: float, to_y: float, at_x: float, at_y: float, reach: float) -> float:
    """Return how far along a path it comes within `reach` of a point ahead; below 0 if it never does."""
    ahead = (at_x - x) * to_x + (at_y - y) * to_y
    rest = squared(x, y, at_x, at_y) - reach * reach
    if ahead <= 0.0 or ahead * ahead < rest:
        return -1.0
    return max(0.0, ahead - sqrt(ahead * ahead - rest))


def piece_in_way(s: State, x: float, y: float, to_x: float, to_y: float, length: float) -> tuple[int, float]:
    """Return the first piece in a path and the distance to its edge; NOBODY if there is none. ST-313."""
    found = c.NOBODY
    most = length
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.gone or disc.kind == c.WATER or is_inside(disc, x, y):
            continue
        if is_crossed(disc, x, y, x + to_x * length, y + to_y * length):
            far = distance_to_reach(x, y, to_x, to_y, disc.x, disc.y, disc.radius)
            if found == c.NOBODY or far < most - c.NEAR:
                found = k
                most = far
    return found, most


def unit_in_way(s: State, p: Clash, to_x: float, to_y: float, length: float) -> tuple[int, float]:
    """Return the first other unit that a pushed target meets and the distance; NOBODY if there is none. ST-313."""
    v = s.units[p.target]
    found = c.NOBODY
    most = length
    for k in range(count_units(s)):
        other = s.units[k]
        if k == p.target or k == p.unit or other.status != c.STANDS:
            continue
        far = distance_to_reach(v.x, v.y, to_x, to_y, other.x, other.y, BESIDE + c.NEAR)
        if 0.0 <= far <= length and (found == c.NOBODY or far < most - c.NEAR):
            found = k
            most = far
    return found, most


def push(s: State, p: Clash, log: Log) -> None:
    """Push the target 3" per failed save, at most to the first piece or unit in the way. ST-310, ST-313, ST-314."""
    u = s.units[p.unit]
    v = s.units[p.target]
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    if v.status != c.STANDS or (to_x == 0.0 and to_y == 0.0):
        return
    far = dry_way(s, v.x, v.y, to_x, to_y, path_length_on_table(s.battle.table, v.x, v.y, to_x, to_y, PUSH * p.fails))
    piece, to_piece = piece_in_way(s, v.x, v.y, to_x, to_y, far)
    other, to_other = unit_in_way(s, p, to_x, to_y, far)
    if piece >= 0 and other >= 0 and to_other < to_piece - c.NEAR:
        piece = c.NOBODY
    if piece >= 0:
        other = c.NOBODY
        far = to_piece
    elif other >= 0:
        far = to_other
    was_high = v.high
    v.moved_from_x = v.x
    v.moved_from_y = v.y
    v.high = 0
    place(s, p.target, v.x + to_x * far, v.y + to_y * far)
    p.pushed = 1
    note(log, "unit-pushed", path_note(s, p.target), unit=p.target, by=p.unit, fails=p.fails)
    if was_high:
        knock(s, p.target, p.pen, p.unit, log)
    if piece >= 0:
        knock(s, p.target, p.pen, p.unit, log)
        if s.discs[piece].destructible:
            crumble(s, piece, log)
            note(log, "piece-knocked-down", unit=p.target, disc=piece)
    if other >= 0:
        knock(s, p.target, p.pen, p.unit, log)
        knock(s, other, p.pen, p.unit, log)


MAX_PIECES = 2


def is_area(w: Weapon) -> bool:
    """Return True if a weapon hits everything in a strip or circle. ST-323."""
    return w.strip > 0.0 or w.circle > 0.0


def is_in_strip(x: float, y: float, ax: float, ay: float, bx: float, by: float, width: float) -> bool:
    """Return True if a point is in the strip of this width from a to b. ST-323, ST-D67."""
    half = width / 2 + c.NEAR
    along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
    length = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
    return -c.NEAR <= along <= length + c.NEAR * sqrt(length) and squared_to_way(x, y, ax, ay, bx, by) <= half * half


def aim_point(s: State, i: int, w: Weapon, e: int) -> tuple[float, float]:
    """Return the end of a strip from unit i through e, at the weapon's range. ST-323."""
    u = s.units[i]
    to_x, to_y = way(u.x, u.y, s.units[e].x, s.units[e].y)
    return u.x + to_x * w.range, u.y + to_y * w.range


def is_struck(s: State, i: int, w: Weapon, e: int, k: int) -> bool:
    """Return True if unit i's area attack aimed at e hits unit k. ST-323."""
    u = s.units[i]
    v = s.units[k]
    if k == i or v.status != c.STANDS:
        return False
    if w.circle > 0.0:
        return is_within(s.units[e].x, s.units[e].y, v.x, v.y, w.circle / 2)
    x, y = aim_point(s, i, w, e)
    return is_in_strip(v.x, v.y, u.x, u.y, x, y, w.strip)


def next_struck(s: State, i: int, weapon: int, e: int, struck: int, reach: float) -> int:
    """Return the nearest unit hit by an area attack but not in `struck` (bits); NOBODY if none is left. ST-D67."""
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
    """Return the nearest Cover on a line from unit i whose edge is past `beyond`; NOBODY if none. ST-325."""
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
    """Return a strip's length: to its second piece of Cover, or to the first that survives it.

    ST-325, ST-344, ST-347, ST-348. Pieces that it destroys fall only at the very end, so units behind them still have
    their Cover.
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
    """Remove the pieces destroyed by an area attack. ST-325."""
    for k in range(s.battle.discs):
        if s.discs[k].falls == 1:
            s.discs[k].falls = 0
            crumble(s, k, log)
