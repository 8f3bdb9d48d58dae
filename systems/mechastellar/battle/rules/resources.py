"""Momentum, morale, Boost, Power and Havoc; control points and victory points of mission Versus.

Momentum and morale: ST-240 to ST-251, ST-D44, ST-D45, ST-D47. Versus: ST-360 to ST-382, ST-D56 to ST-D60.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules import (
    count_units,
    end_of_units,
    first_unit,
    holds_point,
    is_shut_down,
    is_within,
)
from systems.mechastellar.battle.state import Clash, Side, State, Unit

DMG_STEP = 100
CRASH_STEP = 200
HITS_STEP = 2
ACTIONS_STEP = 2
POWER_BARRIER_STEP, HAVOC_BARRIER_STEP, BOOST_STEP = 1, 2, 2


def price(bought: int) -> int:
    """Return the price of the next step after `bought` steps. ST-226, ST-233, ST-D15."""
    return 2 if bought else 1


def price_of(bought: int, more: int) -> int:
    """Return the price of `more` further steps."""
    if more == 0:
        return 0
    return price(bought) + 2 * (more - 1)


def refresh(u: Unit) -> None:
    """Restore Power, Havoc and Havoc's prices at the start of a Round. ST-222, ST-228, ST-234."""
    u.power = u.full_power
    u.havoc = u.full_havoc
    u.steps_havoc_barrier = 0
    u.steps_hits = 0
    u.steps_crash = 0
    u.steps_cover = 0
    u.steps_actions = 0


def new_prices(s: State) -> None:
    """Reset all units' prices of Power at the start of a turn. ST-226, ST-D16."""
    for i in range(count_units(s)):
        u = s.units[i]
        u.steps_dmg = 0
        u.steps_pen = 0
        u.steps_power_barrier = 0


def buy_dmg(s: State, p: Clash, steps: int, log: Log) -> None:
    """Spend Power on an attack's DMG. ST-223, ST-234."""
    u = s.units[p.unit]
    if steps:
        u.power -= price_of(u.steps_dmg, steps)
        u.steps_dmg += steps
        p.dmg += DMG_STEP * steps
        note(log, "power-spent", unit=p.unit, step=c.STEP_DMG, steps=steps, left=u.power)


def buy_pen(s: State, p: Clash, steps: int, log: Log) -> None:
    """Spend Power on an attack's PEN. ST-224, ST-234, ST-D13."""
    u = s.units[p.unit]
    if steps:
        u.power -= price_of(u.steps_pen, steps)
        u.steps_pen += steps
        p.pen += s.battle.pen_step * steps
        note(log, "power-spent", unit=p.unit, step=c.STEP_PEN, steps=steps, left=u.power)


def buy_power_barrier(s: State, p: Clash, log: Log) -> None:
    """Spend Power on the defender's Barrier. ST-225."""
    v = s.units[p.target]
    v.power -= price(v.steps_power_barrier)
    v.steps_power_barrier += 1
    p.guard += POWER_BARRIER_STEP
    note(log, "power-spent", unit=p.target, step=c.STEP_POWER_BARRIER, steps=1, left=v.power)


def buy_havoc_barrier(s: State, p: Clash, log: Log) -> None:
    """Spend Havoc on the defender's Barrier. ST-229."""
    v = s.units[p.target]
    v.havoc -= price(v.steps_havoc_barrier)
    v.steps_havoc_barrier += 1
    p.guard += HAVOC_BARRIER_STEP
    note(log, "havoc-spent", unit=p.target, step=c.STEP_HAVOC_BARRIER, left=v.havoc)


def buy_hits(s: State, p: Clash, log: Log) -> None:
    """Spend Havoc on an attack's Hits. ST-232, ST-D14."""
    u = s.units[p.unit]
    u.havoc -= price(u.steps_hits)
    u.steps_hits += 1
    p.hits += HITS_STEP
    note(log, "havoc-spent", unit=p.unit, step=c.STEP_HITS, left=u.havoc)


def may_rage(s: State, i: int) -> bool:
    """Return True if a house rule lets unit i buy Actions with Havoc now. ST-232, ST-233, ST-D14, ST-D63."""
    u = s.units[i]
    return s.battle.havoc_actions == 1 and not is_shut_down(u) and u.havoc >= price(u.steps_actions)


def rage(s: State, i: int, log: Log) -> int:
    """Buy Actions for this turn with Havoc; return how many. ST-232, ST-D14."""
    u = s.units[i]
    if not may_rage(s, i):
        return 0
    u.havoc -= price(u.steps_actions)
    u.steps_actions += 1
    u.more += ACTIONS_STEP
    note(log, "havoc-spent", unit=i, step=c.STEP_ACTIONS, left=u.havoc)
    return ACTIONS_STEP


def boost_evade(s: State, p: Clash, log: Log) -> None:
    """Spend a Boost point on an Evade roll. ST-220."""
    v = s.units[p.target]
    v.boost -= 1
    p.guard += BOOST_STEP
    note(log, "boost-spent", unit=p.target, left=v.boost, evades=1)


def boost_accelerate(s: State, i: int, log: Log) -> None:
    """Spend a Boost point on a free Accelerate. ST-220."""
    u = s.units[i]
    u.boost -= 1
    u.accelerated = 1
    note(log, "boost-spent", unit=i, left=u.boost, evades=0)


THREE = 3  # the pool at which advancing and retreating have no effect
TRUST_SAVES, FAITH_SAVES, FAITH_ROUND = 3, 5, 4


def start_momentum(elite: int) -> int:
    """Return a side's starting pool with `elite` units of Level 1+. ST-240."""
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
    """Return a pool's change when a Move Action changes the distance to the nearest enemy. ST-242, ST-243."""
    if pool < THREE and after < before - c.NEAR and (length >= THREE - c.NEAR or engaged):
        return 1
    if pool > THREE and after > before + c.NEAR:
        return -1
    return 0


def may_shift(s: State, side: int) -> bool:
    """Return True as long as an enemy on the table hasn't been active this Round. ST-244."""
    for k in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        v = s.units[k]
        if v.status == c.STANDS and v.activated == 0:
            return True
    return False


def save_morale(morale: int, dice: Dice) -> tuple[int, int]:
    """Return 1 if a Morale Save passes, otherwise 0, and its die. ST-247."""
    face = roll(dice, 10)
    return (1 if face >= morale else 0), face


def rout(s: State, i: int, by: int, order: int, dice: Dice, log: Log) -> None:
    """Roll unit i's Morale Save vs Rout; if it fails, the other side gains Momentum. ST-246."""
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
    """Roll unit i's Morale Save to Rally; if it passes, its side gains Momentum. ST-245."""
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
    """Return how many Morale Saves Trust gives; from Round 4 on it becomes Faith. ST-250."""
    return FAITH_SAVES if round_number >= FAITH_ROUND else TRUST_SAVES


def may_order(s: State, side: int) -> bool:
    """Return True if a side's Commander is on the table and hasn't given their order this Round. ST-249."""
    pool = s.sides[side]
    return pool.ordered == 0 and pool.commander >= 0 and s.units[pool.commander].status == c.STANDS


def trust(s: State, side: int, ally: int, dice: Dice, log: Log) -> None:
    """Order Trust, or Faith, so that an ally rallies. ST-250, ST-D48."""
    b = s.battle
    s.sides[side].ordered = c.TRUST
    saves = rally_saves(b.round)
    note(log, "trust-ordered", unit=s.sides[side].commander, target=ally, saves=saves, faith=b.round >= FAITH_ROUND)
    for _ in range(saves):
        rally(s, ally, dice, log)


def is_daunted(s: State, i: int, gone: int) -> bool:
    """Return True if unit i is an ally of the destroyed unit within 12" of it. ST-251."""
    u = s.units[i]
    v = s.units[gone]
    return i != gone and u.side == v.side and u.status == c.STANDS and is_within(u.x, u.y, v.x, v.y, c.DAUNT_REACH)


def has_daunted(s: State, gone: int) -> bool:
    """Return True if Daunt would make any unit roll. ST-251."""
    found = 0
    for i in range(count_units(s)):
        if is_daunted(s, i, gone):
            found += 1
    return found > 0


def daunt(s: State, side: int, gone: int, dice: Dice, log: Log) -> None:
    """Order Daunt: allies near a destroyed enemy roll vs Rout. ST-251."""
    s.sides[side].ordered = c.DAUNT
    note(log, "daunt-ordered", unit=s.sides[side].commander, target=gone)
    for i in range(count_units(s)):
        if is_daunted(s, i, gone):
            rout(s, i, gone, 1, dice, log)


POINT_MOMENTUM = 2
BIG_HIT, BIG_HIT_SCORE = 10000, 10
BIG_LOSS, BIG_LOSS_SCORE, HALF_LOST_SCORE = 300, 3, 2
LEVEL_SCORE = 5


def performance_score(performance: int) -> int:
    """Return the VP for a unit with this Performance. ST-375."""
    if performance >= 10:
        return 3
    if performance >= 8:
        return 2
    return 1 if performance >= 5 else 0


def destruction_points(frame: int, level: int, performance: int) -> int:
    """Return the VP for a destroyed unit, before a Commander's; `level` is a pilot's or Kaiju's. ST-373 to ST-375."""
    return frame + LEVEL_SCORE * level + performance_score(performance)


def crippled_points(worth: int) -> int:
    """Return the VP for a survivor with less than half its HP. ST-376."""
    return (worth + 1) // 2


def is_crippled(u: Unit) -> bool:
    """Return True for a survivor with less than 50% of its HP. ST-376."""
    return u.status != c.DESTROYED and u.hp * 2 < u.full_hp


def capture(s: State, i: int, log: Log) -> None:
    """Take or contest the control points near unit i in its turn. ST-363 to ST-365."""
    u = s.units[i]
    for p in range(s.battle.points):
        point = s.points[p]
        if is_within(point.x, point.y, u.x, u.y, c.CAPTURE):
            owner = c.NOBODY if holds_point(s, p, 1 - u.side) else u.side
            if owner != point.owner:
                if owner == u.side:
                    u.captured += 1
                point.owner = owner
                note(log, "point-taken", unit=i, point=p, owner=owner)


def score_points(s: State, log: Log) -> None:
    """Check all control points at the end of a Round and score them for their owners. ST-366, ST-367, ST-D60."""
    for p in range(s.battle.points):
        point = s.points[p]
        a = holds_point(s, p, c.SIDE_A)
        b = holds_point(s, p, c.SIDE_B)
        owner = point.owner
        if a and b:
            owner = c.NOBODY
        elif a or b:
            owner = c.SIDE_A if a else c.SIDE_B
        if owner != point.owner:
            point.owner = owner
            note(log, "point-held", point=p, owner=owner)
    for side in range(2):
        owned = 0
        for p in range(s.battle.points):
            if s.points[p].owner == side:
                owned += 1
        if owned:
            gain(s, side, POINT_MOMENTUM * owned)
            s.sides[side].points_held += owned
            s.sides[side].score += s.battle.point_score * owned
            note(
                log,
                "points-paid",
                side=side,
                points=owned,
                pool=s.sides[side].momentum,
                score=s.battle.point_score * owned,
            )


def is_singled_out(s: State, i: int) -> bool:
    """Return True for a Commander and for a participant in a Challenge or Revenge. ST-377, ST-D58."""
    u = s.units[i]
    b = s.battle
    if s.sides[u.side].commander == i or b.challenger == i or b.challenged == i:
        return True
    for side in range(2):
        if s.sides[side].avenger == i or (s.sides[side].avenger >= 0 and s.sides[side].avenged_on == i):
            return True
    return False


def score_loss(s: State, i: int, by: int) -> int:
    """Score unit i's loss for unit `by`; return the VP. ST-373 to ST-375, ST-377."""
    u = s.units[i]
    score = u.worth + (s.battle.round if is_singled_out(s, i) else 0)
    s.sides[1 - u.side].score += score
    lost = s.sides[u.side]
    lost.lost += 1
    if u.cost >= BIG_LOSS:
        lost.lost_big += 1
    if by >= 0 and s.units[by].side != u.side:
        s.units[by].scored += score
    return score


def loss_penalty(units: int, lost: int, lost_big: int, finale: int) -> int:
    """Return the VP that a side loses for casualties; 0 in a campaign's last game. ST-380 to ST-382, ST-D59."""
    if finale:
        return 0
    penalty = BIG_LOSS_SCORE if lost_big else 0
    return penalty + (HALF_LOST_SCORE if lost * 2 >= units else 0)


def score_end(s: State, log: Log) -> None:
    """Score crippled survivors and casualty penalties at the end. ST-376, ST-380 to ST-382, ST-D90."""
    b = s.battle
    for i in range(count_units(s)):
        u = s.units[i]
        if is_crippled(u):
            score = crippled_points(u.worth)
            s.sides[1 - u.side].score += score
            note(log, "cripple-scored", unit=i, hp=u.hp, score=score, side=1 - u.side)
    for side in range(2):
        own = s.sides[side]
        units = end_of_units(b, side) - first_unit(b, side)
        penalty = loss_penalty(units, own.lost, own.lost_big, b.finale)
        casualties = loss_penalty(units, own.lost, 0, b.finale)
        own.score -= penalty
        if penalty > casualties:
            note(log, "losses-scored", side=side, lost=own.lost, big=own.lost_big, penalty=penalty - casualties)
        if casualties:
            note(log, "losses-scored", side=side, lost=own.lost, big=0, penalty=casualties)


def end_battle(s: State, reason: int, log: Log) -> None:
    """End the battle: the side with more VP wins. ST-370 to ST-372."""
    b = s.battle
    b.over = 1
    b.reason = reason
    score_end(s, log)
    a = s.sides[c.SIDE_A].score
    d = s.sides[c.SIDE_B].score
    if a != d:
        b.winner = c.SIDE_A if a > d else c.SIDE_B
    note(log, "battle-ended", winner=b.winner, reason=reason, rounds=b.round, score_a=a, score_b=d)
