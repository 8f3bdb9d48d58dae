"""Valid targets, the closest target, return fire, Challenges and Revenge.

Challenges and Revenge: ST-047, ST-048, ST-D29, ST-D30.
"""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules import (
    are_engaged,
    can_see,
    distance,
    end_of_units,
    first_unit,
    is_ahead,
    is_within,
    partner_of,
)
from systems.mechastellar.battle.state import State, Unit, Weapon
from systems.spaces.inches import squared

SPARING = 8.0  # distance from an ally, in inches


def is_ready(w: Weapon) -> bool:
    """Return True if a weapon can make an ordinary attack now."""
    return w.usable == 1 and w.gone == 0 and w.reloading == 0


def in_range(w: Weapon, far: float) -> bool:
    """Return True up to a weapon's maximum range. ST-090."""
    return far <= w.range + c.NEAR


def is_rapid(w: Weapon, far: float) -> bool:
    """Return True within a weapon's Rapid Fire range. ST-092."""
    return w.rapid > 0.0 and far <= w.rapid + c.NEAR


def in_arc(u: Unit, w: Weapon, x: float, y: float) -> bool:
    """Return True if u's weapon may fire at a point. ST-101."""
    return w.all_round == 1 or is_ahead(u.x, u.y, u.face_x, u.face_y, x, y)


def attack_price(w: Weapon) -> int:
    """Return the Actions that an attack with a weapon costs. ST-110, ST-111, ST-D42."""
    return 2 if w.used and w.explosive == 0 else 1


def remote_price(w: Weapon) -> int:
    """Return the Momentum cost of a remote attack, which rises with each one this turn. ST-330, ST-D68."""
    return 2 if w.remoted else 1


def is_spared(s: State, i: int, e: int) -> bool:
    """Return True if e is too near its allies for unit i's Basic Captain to target. ST-105."""
    u = s.units[i]
    if u.kind != c.WARSHIP or u.level > 0:
        return False
    v = s.units[e]
    for k in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side)):
        ally = s.units[k]
        if k != i and ally.status == c.STANDS and is_within(ally.x, ally.y, v.x, v.y, SPARING):
            return True
    return False


def is_valid(s: State, i: int, e: int, all_round: int, x: float, y: float, face_x: float, face_y: float) -> bool:
    """Return True if i, at (x, y) and facing so, can shoot at e: not engaged, in sight and arc. ST-071, ST-102."""
    v = s.units[e]
    if v.status != c.STANDS or v.locked or is_spared(s, i, e):
        return False
    if all_round == 0 and not is_ahead(x, y, face_x, face_y, v.x, v.y):
        return False
    return can_see(s, i, x, y, e)


def is_closest(s: State, i: int, e: int, all_round: int, x: float, y: float, face_x: float, face_y: float) -> bool:
    """Return True if i, at (x, y), has no valid target closer than e. ST-102."""
    t = s.units[e]
    far = sqrt(squared(x, y, t.x, t.y)) - c.NEAR
    if far <= 0.0 or t.high:
        return True
    side = 1 - s.units[i].side
    for k in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        v = s.units[k]
        is_closer = k != e and v.status == c.STANDS and squared(x, y, v.x, v.y) < far * far
        if is_closer and is_valid(s, i, k, all_round, x, y, face_x, face_y):
            return False
    return True


def may_shoot(s: State, i: int, w: Weapon, e: int) -> bool:
    """Return True if unit i, which isn't engaged, may shoot at e from where it is. ST-090, ST-101 to ST-103, ST-D38."""
    u = s.units[i]
    if not in_range(w, distance(s, i, e)) or not is_valid(s, i, e, w.all_round, u.x, u.y, u.face_x, u.face_y):
        return False
    return u.exempt == 1 or is_closest(s, i, e, w.all_round, u.x, u.y, u.face_x, u.face_y)


def has_to_answer(s: State, i: int, e: int) -> bool:
    """Return True if unit i could attack e, which it must respond to, without moving. ST-046, ST-D28."""
    u = s.units[i]
    v = s.units[e]
    if v.status != c.STANDS or (u.locked and not are_engaged(u, v)):
        return False
    if u.locked == 0 and (v.locked or not can_see(s, i, u.x, u.y, e)):
        return False
    far = distance(s, i, e)
    for k in range(u.weapon, u.weapon + u.weapons):
        w = s.weapons[k]
        if is_ready(w) and ((w.melee == 1) if u.locked else (w.melee == 0 and in_range(w, far))):
            return True
    return False


def is_barred(s: State, i: int, e: int) -> bool:
    """Return True if unit i is in a Challenge with another enemy that it could attack without moving. ST-047."""
    partner = partner_of(s, i) if s.battle.advanced else c.NOBODY
    return partner >= 0 and partner != e and has_to_answer(s, i, partner)


def can_counter(s: State, i: int, weapon: int, e: int, by_shooting: int) -> bool:
    """Return True if unit i may counter its attacker e with a weapon. ST-167, ST-D41, ST-D53."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    if not is_ready(w):
        return False
    if are_engaged(u, v):
        return w.melee == 1
    if w.melee == 1 or by_shooting == 0 or u.locked:
        return False
    return in_range(w, distance(s, i, e)) and in_arc(u, w, v.x, v.y) and can_see(s, i, u.x, u.y, e)


def may_challenge(s: State, i: int) -> bool:
    """Return True for the first unit that is active in a Round. ST-047, ST-D29."""
    return s.battle.begun == 1 and s.battle.active == i and s.battle.challenger == c.NOBODY


def challenge(s: State, i: int, e: int, log: Log) -> None:
    """Make unit i challenge an enemy until the end of the Round. ST-047."""
    s.battle.challenger = i
    s.battle.challenged = e
    note(log, "challenge-made", unit=i, target=e)


def may_avenge(s: State, side: int, gone: int) -> bool:
    """Return True if a side may swear Revenge for a lost unit: a Level 1+ pilot, and the first time. ST-048."""
    u = s.units[gone]
    return u.side == side and u.elite == 1 and u.kind != c.KAIJU and s.sides[side].avenger == c.NOBODY


def swear(s: State, side: int, i: int, by: int, log: Log) -> None:
    """Put unit i and its friend's destroyer in a Challenge for the rest of the game. ST-048, ST-D30."""
    s.sides[side].avenger = i
    s.sides[side].avenged_on = by
    note(log, "revenge-sworn", unit=i, target=by)
