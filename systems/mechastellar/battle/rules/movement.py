"""Move Actions, High Ground, falling, transforming, deep water, attacks on Cover, ships hitting terrain.

ST-069, ST-080 to ST-087, ST-230, ST-345, ST-349, ST-351, ST-352.
"""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import other_dice, path_note
from systems.mechastellar.battle.rules import (
    count_units,
    end_of_units,
    engagement,
    first_unit,
    is_crossed,
    is_inside,
    is_way_clear,
    is_within,
    mark_engaged,
    nearest_enemy,
    turned,
    would_engage,
)
from systems.mechastellar.battle.rules.damage import breaks, hurt
from systems.mechastellar.battle.rules.resources import gain, lose, may_shift, pay, price, shift_of
from systems.mechastellar.battle.rules.skills import roll_others
from systems.mechastellar.battle.state import State
from systems.spaces.inches import squared, way

KEEP_OUT = 0.5  # how far outside an engagement circle an idle move stops, in inches


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
    """Return True if one Move Action can take unit i to (x, y). ST-060, ST-066, ST-073.

    It must be near enough, end on the table and stay out of all enemies' engagement ranges.
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
    """Return the length of a path that stays on a table of this size; below 0 if it starts off the table."""
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
    """Return how far unit i can go in a direction before an enemy could engage it. ST-066, ST-077, ledger 6.7."""
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
    """Apply the effect of a Move Action on its side's Momentum. ST-242 to ST-244, ST-D46."""
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
    """Make one of unit i's Move Actions to (x, y), turning towards (face_x, face_y). ST-060, ST-061."""
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
    """Use an Action for an additional Move Action. ST-068."""
    s.units[i].accelerated = 1
    note(log, "unit-accelerated", unit=i)


def disengage(s: State, i: int, log: Log) -> bool:
    """Pay to leave the enemies engaged with unit i; return False if its side can't pay. ST-074, ST-076, ST-D25."""
    u = s.units[i]
    own = s.sides[u.side]
    price = 0 if s.battle.free_disengage and u.struck else u.locked
    if own.momentum < price:
        return False
    own.momentum -= price
    note(log, "unit-disengaged", unit=i, enemies=u.locked, price=price, side=u.side, pool=own.momentum)
    return True


CLIMB_PRICE, DROP_PRICE = 1, 1


def high_disc(s: State, x: float, y: float) -> int:
    """Return the piece of High Ground under a point; NOBODY if there is none. ST-080."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.high == 1 and disc.gone == 0 and is_inside(disc, x, y):
            return k
    return c.NOBODY


def climb(s: State, i: int, k: int, log: Log) -> bool:
    """Put unit i on top of piece k, which it is beside or under; return False if it can't. ST-069, ST-080, ST-085.

    It has to Accelerate, or to fly and pay Momentum.
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
    """Put a unit that deploys on High Ground on top of it. ST-080."""
    u = s.units[i]
    if high_disc(s, u.x, u.y) >= 0:
        u.high = 1
        note(log, "unit-on-high-ground", unit=i)


def crumble(s: State, k: int, log: Log) -> None:
    """Destroy piece k; units on top of it fall. ST-349."""
    disc = s.discs[k]
    disc.gone = 1
    for i in range(count_units(s)):
        u = s.units[i]
        if u.status == c.STANDS and u.high and is_inside(disc, u.x, u.y) and high_disc(s, u.x, u.y) == c.NOBODY:
            u.high = 0
            u.crumbled = 1
            note(log, "unit-fell", unit=i, disc=k)


def change_mode(s: State, i: int, mode: int) -> None:
    """Give unit i the figures of a mode. ST-087."""
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
    """Change unit i's mode, at the start of its turn or after a melee attack on it. ST-087."""
    if s.units[i].transforms and s.units[i].mode != mode:
        change_mode(s, i, mode)
        note(log, "unit-transformed", unit=i, mode=mode)


CHECKS = 5
SHIP_PEN, SHIP_SAVES = 5, 5
SURFACING = 5.0
SHORE = 0.5  # step of the search for land ahead, in inches
ALONG = 1.0  # the same along the unit's own edge


def attack_cover(s: State, i: int, k: int, dmg: int, dice: Dice, log: Log) -> bool:
    """Attack piece k directly, with five checks; return True if it falls. ST-345, ST-D66."""
    disc = s.discs[k]
    roll_others(s, CHECKS, dice)
    falls = 0
    for at in range(CHECKS):
        if breaks(s.faces[at].other, dmg):
            falls = 1
    gone = falls == 1 and disc.destructible == 1
    note(log, "cover-attacked", other_dice(s, CHECKS), unit=i, disc=k, dmg=dmg, gone=gone)
    if gone:
        crumble(s, k, log)
    return gone


def breach(s: State, i: int, k: int, dmg: int, dice: Dice, log: Log) -> bool:
    """Spend Havoc on the target's Cover before the attack; return True if the piece falls. ST-230."""
    u = s.units[i]
    u.havoc -= price(u.steps_cover)
    u.steps_cover += 1
    note(log, "havoc-spent", unit=i, step=c.STEP_COVER, left=u.havoc)
    return attack_cover(s, i, k, dmg, dice, log)


def dry_way(s: State, x: float, y: float, to_x: float, to_y: float, length: float) -> float:
    """Return the length of a path before it reaches deep water. ST-351, ledger 6.9."""
    most = length
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.kind != c.WATER:
            continue
        ahead = (disc.x - x) * to_x + (disc.y - y) * to_y
        rest = squared(x, y, disc.x, disc.y) - disc.radius * disc.radius
        if ahead > 0.0 and ahead * ahead - rest > 0.0:
            most = min(most, max(0.0, ahead - sqrt(ahead * ahead - rest)))
    return most


def dry_length(s: State, x: float, y: float, to_x: float, to_y: float, length: float) -> float:
    """Return the longest length of a path that ends on dry land; 0 if none does. ST-351, ledger 6.9."""
    far = length
    while far > 0.0 and is_in_water(s, x + to_x * far, y + to_y * far):
        far = max(0.0, far - SHORE)
    return far


def dry_place(s: State, x: float, from_y: float, ahead: float, depth: float) -> tuple[float, float]:
    """Return a place on dry land, as near to a column and as far forward as possible. ST-351, ledger 6.9.

    If the whole edge is under water, the place is on the edge.
    """
    aside = 0.0
    while aside <= s.battle.table:
        for sign in range(2):
            at = x + aside if sign == 0 else x - aside
            if 0.0 <= at <= s.battle.table:
                y = from_y + ahead * dry_length(s, at, from_y, 0.0, ahead, depth)
                if not is_in_water(s, at, y):
                    return at, y
        aside += ALONG
    return x, from_y


def is_in_water(s: State, x: float, y: float) -> bool:
    """Return True if a point lies in deep water. ST-351."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.kind == c.WATER and is_inside(disc, x, y):
            return True
    return False


def sink(s: State, i: int, log: Log) -> None:
    """Sink a unit that ended a move in deep water. ST-351."""
    u = s.units[i]
    if u.sunk == 0 and u.high == 0 and is_in_water(s, u.x, u.y):
        u.sunk = 1
        note(log, "unit-sank", unit=i)


def surface(s: State, i: int, log: Log) -> float:
    """Let unit i surface; return the length of its Move Action, below 0 if it can't. ST-351, ST-D86."""
    u = s.units[i]
    if u.sunk == 0 or (u.amphibious == 0 and u.fly == 0):
        return -1.0
    u.sunk = 0
    note(log, "unit-surfaced", unit=i)
    return max(0.0, u.move - SURFACING)


def scrape(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll armour saves for a Warship whose path hit terrain. ST-352."""
    u = s.units[i]
    for k in range(s.battle.discs):
        disc = s.discs[k]
        was_in = is_inside(disc, u.moved_from_x, u.moved_from_y)
        hits = disc.gone == 0 and disc.kind != c.WATER and is_crossed(disc, u.moved_from_x, u.moved_from_y, u.x, u.y)
        if hits and not was_in and (u.moved_from_x != u.x or u.moved_from_y != u.y):
            roll_others(s, SHIP_SAVES, dice)
            fails = 0
            for at in range(SHIP_SAVES):
                if s.faces[at].other < SHIP_PEN:
                    fails += 1
            hurt(s, i, 1000 * fails, c.NOBODY)
            note(
                log,
                "ship-scraped",
                other_dice(s, SHIP_SAVES),
                unit=i,
                disc=k,
                fails=fails,
                left=max(0, u.hp),
            )
            return
