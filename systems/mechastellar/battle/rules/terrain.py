"""Attacks on Cover, deep water, ships that hit terrain. ST-230, ST-345, ST-351, ST-352."""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.damage import breaks, hurt
from systems.mechastellar.battle.rules.facts import is_crossed, is_inside
from systems.mechastellar.battle.rules.heights import crumble
from systems.mechastellar.battle.rules.pools import roll_others
from systems.mechastellar.battle.rules.resources import price
from systems.mechastellar.battle.state import State
from systems.mechastellar.battle.told import other_dice
from systems.spaces.inches import squared

CHECKS = 5
SHIP_PEN, SHIP_SAVES = 5, 5
SURFACING = 5.0
SHORE = 0.5  # step of the search for land ahead, in inches
ALONG = 1.0  # and along the unit's own edge


def attack_cover(s: State, i: int, k: int, dmg: int, dice: Dice, log: Log) -> bool:
    """Attack piece k directly, which makes five checks; return True if it falls. ST-345, ST-D66."""
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
    """Spend Havoc on a target's Cover before the attack; return True if the piece falls. ST-230."""
    u = s.units[i]
    u.havoc -= price(u.steps_cover)
    u.steps_cover += 1
    note(log, "havoc-spent", unit=i, step=c.STEP_COVER, left=u.havoc)
    return attack_cover(s, i, k, dmg, dice, log)


def dry_way(s: State, x: float, y: float, to_x: float, to_y: float, length: float) -> float:
    """Return the length of a path up to deep water. ST-351, ledger 6.9."""
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
    """Return the greatest length of a path that ends on dry land; 0 if none does. ST-351, ledger 6.9."""
    far = length
    while far > 0.0 and is_in_water(s, x + to_x * far, y + to_y * far):
        far = max(0.0, far - SHORE)
    return far


def dry_place(s: State, x: float, from_y: float, ahead: float, depth: float) -> tuple[float, float]:
    """Return a place on dry land, nearest to a column and as far forward as possible. ST-351, ledger 6.9.

    If the whole edge is under water, it is on the edge.
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
    """Sink a unit that ends a move in deep water. ST-351."""
    u = s.units[i]
    if u.sunk == 0 and u.high == 0 and is_in_water(s, u.x, u.y):
        u.sunk = 1
        note(log, "unit-sank", unit=i)


def surface(s: State, i: int, log: Log) -> float:
    """Bring unit i up; return the length of its Move Action, below 0 if it can't. ST-351, ST-D86."""
    u = s.units[i]
    if u.sunk == 0 or (u.amphibious == 0 and u.fly == 0):
        return -1.0
    u.sunk = 0
    note(log, "unit-surfaced", unit=i)
    return max(0.0, u.move - SURFACING)


def scrape(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll armour saves for a Warship that has hit terrain on its path. ST-352."""
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
