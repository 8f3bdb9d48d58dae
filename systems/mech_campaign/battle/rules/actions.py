"""Costs, refusals and effects of actions. MC-034 to MC-040, MC-046, MC-071, ledger 2.2, 2.16.

Every action goes through one of the functions at the end. They return 0, or the reason for refusal; a refused action
costs and changes nothing.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules import is_barred
from systems.mech_campaign.battle.rules.movement import can_emerge, emerge, fly, go, only_bearing, walk
from systems.mech_campaign.battle.rules.scenarios import can_do_special, do_special
from systems.mech_campaign.battle.rules.shooting import (
    MIN_REPAIRED,
    in_reach,
    lock,
    recover,
    repair,
    sees,
    shoot,
    suppress,
)
from systems.mech_campaign.battle.state import State
from systems.spaces.plane import is_ahead


def next_action_cost(taken: int) -> int:
    """Return the action points for a unit's next action after `taken` actions: 1, 2, 4. MC-037."""
    return 1 << taken


def open_activation(s: State, i: int) -> None:
    """Activate unit i, which ends any other activation. MC-035."""
    s.battle.active = i
    s.units[i].done = 1


def turn_refusal(s: State, i: int, action: int) -> int:
    """Return why a unit can't take this kind of action now; 0 if it can.

    MC-035, MC-036, MC-038, MC-056, MC-071, MC-083.
    """
    u = s.units[i]
    if u.status == c.DEAD:
        return c.UNIT_ELIMINATED
    if u.done and s.battle.active != i:
        return c.ALREADY_ACTIVATED
    if u.actions >= c.MAX_ACTIONS:
        return c.ACTION_LIMIT
    if s.battle.points < next_action_cost(u.actions):
        return c.NO_ACTION_POINTS
    if u.suppression and action != c.RECOVER:
        return c.SUPPRESSED
    if u.status != c.TABLE and action != c.MOVE:
        return c.OFF_TABLE
    if u.kind == c.DRONE and u.moves == 0 and action != c.MOVE and action != c.RECOVER:
        return c.MOVE_FIRST
    if u.shots and action != c.SHOOT and action != c.SUPPRESS:
        return c.AFTER_SHOOTING
    return 0


def move_refusal(s: State, i: int) -> int:
    """Return why a unit can't move anywhere; 0 if it can. MC-045, MC-046, MC-051."""
    u = s.units[i]
    if u.moves_allowed == 0:
        return c.CANNOT_MOVE
    if u.moves >= u.moves_allowed:
        return c.MOVE_LIMIT
    return c.MOVE_NOT_CONSECUTIVE if u.moves_over else 0


def target_refusal(s: State, i: int, action: int, e: int) -> int:
    """Return why a unit can't fire at or lock that enemy; 0 if it can.

    MC-070, MC-072, MC-080, MC-082, MC-086, MC-087.
    """
    u = s.units[i]
    t = s.units[e]
    if action != c.LOCK and u.shots >= u.shots_allowed:
        return c.SHOOT_LIMIT
    if action == c.LOCK and u.can_lock == 0:
        return c.CANNOT_LOCK
    if t.status != c.TABLE:
        return c.TARGET_OFF_TABLE
    if (action != c.LOCK or s.battle.short_locks) and not in_reach(u.x, u.y, t.x, t.y):
        return c.OUT_OF_RANGE
    if not is_ahead(u.face_x, u.face_y, u.x, u.y, t.x, t.y):
        return c.OUT_OF_ARC
    if not sees(s, u, u.x, u.y, e):
        return c.NO_LINE_OF_SIGHT
    if action == c.SUPPRESS and t.suppression >= c.SUPPRESSION_LIMIT:
        return c.MAX_SUPPRESSION
    if action == c.LOCK and t.lock != c.NOBODY:
        return c.ALREADY_LOCKED
    return 0


def refusal(s: State, i: int, action: int, e: int) -> int:
    """Return the first reason why unit i can't take an action; 0 if it can. Ledger 2.16.

    `e` is the target of a shot, suppressive fire or lock, or the objective of a special action; otherwise it is
    ignored. Where a move ends is checked by the functions that carry it out.
    """
    u = s.units[i]
    found = turn_refusal(s, i, action)
    if found:
        return found
    if action == c.MOVE:
        return move_refusal(s, i)
    if action in (c.SHOOT, c.SUPPRESS, c.LOCK):
        return target_refusal(s, i, action, e)
    if action == c.REPAIR:
        if u.can_repair == 0:
            return c.CANNOT_REPAIR
        if u.damage < MIN_REPAIRED:
            return c.REPAIR_FLOOR
        return c.REPAIR_LIMIT if u.repairs else 0
    if action == c.RECOVER:
        return 0 if u.suppression else c.NOTHING_TO_RECOVER
    if not can_do_special(s, i, e):
        return c.NO_SUCH_SPECIAL
    return c.SPECIAL_LIMIT if u.special_actions else 0


def pay(s: State, i: int, action: int) -> int:
    """Spend the action points of an allowed action and count it; return its cost. MC-037, MC-046, MC-072."""
    u = s.units[i]
    cost = next_action_cost(u.actions)
    s.battle.points -= cost
    u.actions += 1
    if action == c.MOVE:
        u.moves += 1
    elif u.moves:
        u.moves_over = 1
    if action in (c.SHOOT, c.SUPPRESS):
        u.shots += 1
    elif action == c.REPAIR:
        u.repairs += 1
    elif action == c.SPECIAL:
        u.special_actions += 1
    return cost


def act_walk(s: State, i: int, k: int, steps: int, log: Log) -> int:
    """Move along bearing k on the ground, 0 to 20 twentieths of a move; return 0, or the reason for refusal.

    MC-047 to MC-052.
    """
    found = refusal(s, i, c.MOVE, c.NOBODY)
    if found == 0 and s.units[i].status != c.TABLE:
        found = c.CANNOT_EMERGE
    if found == 0 and steps > 0:
        only = only_bearing(s, i)
        if only != c.NOBODY and k != only:
            found = c.TOO_CLOSE_NOT_AWAY
        elif steps > go(s, i, k, c.NOBODY):
            found = c.BLOCKED
    if found == 0:
        walk(s, i, k, steps, pay(s, i, c.MOVE), log)
    return found


def can_fly_to(s: State, i: int, x: int, y: int) -> bool:
    """Return True if an air unit can end its move at a point; it can always circle in place. MC-054, MC-055, MC-058."""
    u = s.units[i]
    if u.status == c.TABLE and u.x == x and u.y == y:
        return True
    return x >= 0 and y >= 0 and x <= s.battle.table and y <= s.battle.table and not is_barred(s, i, x, y)


def act_fly(s: State, i: int, x: int, y: int, log: Log) -> int:
    """Fly to a point, or return to the table there; return 0, or the reason for refusal. MC-054, MC-058."""
    found = refusal(s, i, c.MOVE, c.NOBODY)
    if found == 0 and not can_fly_to(s, i, x, y):
        found = c.BLOCKED
    if found == 0:
        fly(s, i, x, y, pay(s, i, c.MOVE), log)
    return found


def act_emerge(s: State, i: int, m: int, log: Log) -> int:
    """Bring a track up at a mouth; return 0, or the reason for refusal. MC-060, MC-061."""
    found = refusal(s, i, c.MOVE, c.NOBODY)
    if found == 0 and not can_emerge(s, i, m):
        found = c.CANNOT_EMERGE
    if found == 0:
        emerge(s, i, m, pay(s, i, c.MOVE), log)
    return found


def act(s: State, i: int, action: int, e: int, dice: Dice, log: Log) -> int:
    """Take any action except a move; return 0, or the reason for refusal. `e` as for `refusal`."""
    found = refusal(s, i, action, e)
    if found:
        return found
    cost = pay(s, i, action)
    if action == c.SHOOT:
        shoot(s, i, e, cost, dice, log)
    elif action == c.SUPPRESS:
        suppress(s, i, e, cost, dice, log)
    elif action == c.LOCK:
        lock(s, i, e, cost, log)
    elif action == c.REPAIR:
        repair(s, i, cost, dice, log)
    elif action == c.RECOVER:
        recover(s, i, cost, log)
    else:
        do_special(s, i, e, cost, dice, log)
    return 0
