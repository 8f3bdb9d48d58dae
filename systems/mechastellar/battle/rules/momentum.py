"""Momentum and morale: gains and losses of both sides' pools. ST-240 to ST-251, ST-D44, ST-D45, ST-D47."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import count_units, end_of_units, first_unit, is_within
from systems.mechastellar.battle.state import Side, State

THREE = 3  # the pool at which advancing and retreating change nothing
TRUST_SAVES, FAITH_SAVES, FAITH_ROUND = 3, 5, 4


def start_momentum(elite: int) -> int:
    """Return the starting pool of a side with `elite` units of Level 1+. ST-240."""
    return max(0, c.FULL_MOMENTUM - 2 * elite)


def gain(s: State, side: int, points: int) -> None:
    """Add Momentum to a side. ST-241."""
    pool = s.sides[side]
    pool.momentum = min(c.FULL_MOMENTUM, pool.momentum + points)


def lose(s: State, side: int, points: int) -> None:
    """Take Momentum from a side, down to 0. ST-241, ST-D44."""
    pool = s.sides[side]
    pool.momentum = max(0, pool.momentum - points)


def can_pay(side: Side, points: int) -> bool:
    """Return True if a side can pay that much Momentum in full. ST-241."""
    return side.momentum >= points


def pay(s: State, side: int, points: int) -> bool:
    """Pay Momentum; return False if the side can't. ST-241."""
    pool = s.sides[side]
    if not can_pay(pool, points):
        return False
    pool.momentum -= points
    return True


def shift_of(pool: int, before: float, after: float, length: float, engaged: int) -> int:
    """Return the change of a pool when a Move Action changes the distance to the nearest enemy. ST-242, ST-243."""
    if pool < THREE and after < before - c.NEAR and (length >= THREE - c.NEAR or engaged):
        return 1
    if pool > THREE and after > before + c.NEAR:
        return -1
    return 0


def may_shift(s: State, side: int) -> bool:
    """Return True while an enemy on the table has not been active in this Round. ST-244."""
    for k in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        v = s.units[k]
        if v.status == c.STANDS and v.activated == 0:
            return True
    return False


def save_morale(morale: int, dice: Dice) -> tuple[int, int]:
    """Return 1 if a Morale Save passes, and its die. ST-247."""
    face = roll(dice, 10)
    return (1 if face >= morale else 0), face


def rout(s: State, i: int, by: int, order: int, dice: Dice, log: Log) -> None:
    """Roll a Morale Save vs Rout for unit i; if it fails, the other side gains Momentum. ST-246."""
    u = s.units[i]
    passed, face = save_morale(u.morale, dice)
    if passed == 0:
        gain(s, 1 - u.side, 1)
    note(
        log,
        "rout-tested",
        unit=i,
        target=by,
        face=face,
        morale=u.morale,
        passed=passed,
        order=order,
        side=1 - u.side,
        pool=s.sides[1 - u.side].momentum,
    )


def rally(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll a Morale Save to Rally for unit i; if it passes, its side gains Momentum. ST-245."""
    u = s.units[i]
    passed, face = save_morale(u.morale, dice)
    if passed:
        gain(s, u.side, 1)
    note(
        log,
        "rally-tested",
        unit=i,
        face=face,
        morale=u.morale,
        passed=passed,
        side=u.side,
        pool=s.sides[u.side].momentum,
    )


def rally_saves(round_number: int) -> int:
    """Return how many Morale Saves Trust gives; from Round 4 on it is Faith. ST-250."""
    return FAITH_SAVES if round_number >= FAITH_ROUND else TRUST_SAVES


def may_order(s: State, side: int) -> bool:
    """Return True if a side's Commander is on the table and has not issued their order in this Round. ST-249."""
    pool = s.sides[side]
    return pool.ordered == 0 and pool.commander >= 0 and s.units[pool.commander].status == c.STANDS


def trust(s: State, side: int, ally: int, dice: Dice, log: Log) -> None:
    """Order Trust, or Faith: an ally rallies. ST-250, ST-D48."""
    b = s.battle
    s.sides[side].ordered = c.TRUST
    saves = rally_saves(b.round)
    note(log, "trust-ordered", unit=s.sides[side].commander, target=ally, saves=saves, faith=b.round >= FAITH_ROUND)
    for _ in range(saves):
        rally(s, ally, dice, log)


def is_daunted(s: State, i: int, gone: int) -> bool:
    """Return True if unit i is an ally of the destroyed one within 12" of it. ST-251."""
    u = s.units[i]
    v = s.units[gone]
    return i != gone and u.side == v.side and u.status == c.STANDS and is_within(u.x, u.y, v.x, v.y, c.DAUNT_REACH)


def has_daunted(s: State, gone: int) -> bool:
    """Return True if Daunt would make any unit test. ST-251."""
    found = 0
    for i in range(count_units(s)):
        if is_daunted(s, i, gone):
            found += 1
    return found > 0


def daunt(s: State, side: int, gone: int, dice: Dice, log: Log) -> None:
    """Order Daunt: allies of a destroyed enemy near it test vs Rout. ST-251."""
    s.sides[side].ordered = c.DAUNT
    note(log, "daunt-ordered", unit=s.sides[side].commander, target=gone)
    for i in range(count_units(s)):
        if is_daunted(s, i, gone):
            rout(s, i, gone, 1, dice, log)
