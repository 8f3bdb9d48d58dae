"""What an action costs, when it is refused, and how it is carried out. MC-034 to MC-040, MC-046, MC-071, ledger 2.2, 2.16.

Every action goes through one of the functions at the end, which take nothing and change nothing if the action is
refused, and say why.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.mech_campaign.battle.rules.facts import is_barred
from systems.mech_campaign.battle.rules.movement import fly, go, only_bearing, walk
from systems.mech_campaign.battle.rules.scenarios import can_do_special, do_special
from systems.mech_campaign.battle.rules.shooting import in_reach, sees, shoot
from systems.mech_campaign.battle.rules.suppression import LEAST_REPAIRED, lock, recover, repair, suppress
from systems.mech_campaign.battle.rules.tunnels import can_emerge, emerge
from systems.mech_campaign.battle.state import (
    ACTION_LIMIT,
    AFTER_SHOOTING,
    ALREADY_ACTIVATED,
    ALREADY_LOCKED,
    BLOCKED,
    CANNOT_EMERGE,
    CANNOT_LOCK,
    CANNOT_MOVE,
    CANNOT_REPAIR,
    DEAD,
    DRONE,
    LOCK,
    MAX_SUPPRESSION,
    MOST_ACTIONS,
    MOST_SUPPRESSION,
    MOVE,
    MOVE_FIRST,
    MOVE_LIMIT,
    MOVE_NOT_CONSECUTIVE,
    NO_ACTION_POINTS,
    NO_LINE_OF_SIGHT,
    NO_SUCH_SPECIAL,
    NOBODY,
    NOTHING_TO_RECOVER,
    OFF_TABLE,
    OUT_OF_ARC,
    OUT_OF_RANGE,
    RECOVER,
    REPAIR,
    REPAIR_FLOOR,
    REPAIR_LIMIT,
    SHOOT,
    SHOOT_LIMIT,
    SPECIAL,
    SPECIAL_LIMIT,
    SUPPRESS,
    SUPPRESSED,
    TABLE,
    TABLE_SIZE,
    TARGET_OFF_TABLE,
    TOO_CLOSE_NOT_AWAY,
    UNIT_ELIMINATED,
    State,
)
from systems.spaces.plane import is_ahead


def cost_of(taken: int) -> int:
    """Action points of the next action of a unit that has taken so many: 1, 2, 4. MC-037."""
    return 1 << taken


def open_activation(s: State, i: int) -> None:
    """Unit i is activated, and whoever was is no more. MC-035."""
    s.battle.active = i
    s.units[i].done = 1


def turn_refusal(s: State, i: int, action: int) -> int:
    """Why a unit may not take this kind of action at all just now; 0: it may. MC-035, MC-036, MC-038, MC-056, MC-071, MC-083."""
    u = s.units[i]
    if u.status == DEAD:
        return UNIT_ELIMINATED
    if u.done and s.battle.active != i:
        return ALREADY_ACTIVATED
    if u.actions >= MOST_ACTIONS:
        return ACTION_LIMIT
    if s.battle.points < cost_of(u.actions):
        return NO_ACTION_POINTS
    if u.suppression and action != RECOVER:
        return SUPPRESSED
    if u.status != TABLE and action != MOVE:
        return OFF_TABLE
    if u.kind == DRONE and u.moves == 0 and action != MOVE and action != RECOVER:
        return MOVE_FIRST
    if u.shots and action != SHOOT and action != SUPPRESS:
        return AFTER_SHOOTING
    return 0


def move_refusal(s: State, i: int) -> int:
    """Why a unit may not move, wherever it wants to go. MC-045, MC-046, MC-051."""
    u = s.units[i]
    if u.moves_allowed == 0:
        return CANNOT_MOVE
    if u.moves >= u.moves_allowed:
        return MOVE_LIMIT
    return MOVE_NOT_CONSECUTIVE if u.moves_over else 0


def target_refusal(s: State, i: int, action: int, e: int) -> int:
    """Why a unit may not shoot at, suppress or lock that enemy. MC-070, MC-072, MC-080, MC-082, MC-086, MC-087."""
    u = s.units[i]
    t = s.units[e]
    if action != LOCK and u.shots >= u.shots_allowed:
        return SHOOT_LIMIT
    if action == LOCK and u.can_lock == 0:
        return CANNOT_LOCK
    if t.status != TABLE:
        return TARGET_OFF_TABLE
    if (action != LOCK or s.battle.short_locks) and not in_reach(u.x, u.y, t.x, t.y):
        return OUT_OF_RANGE
    if not is_ahead(u.face_x, u.face_y, u.x, u.y, t.x, t.y):
        return OUT_OF_ARC
    if not sees(s, u, u.x, u.y, e):
        return NO_LINE_OF_SIGHT
    if action == SUPPRESS and t.suppression >= MOST_SUPPRESSION:
        return MAX_SUPPRESSION
    if action == LOCK and t.lock != NOBODY:
        return ALREADY_LOCKED
    return 0


def refusal(s: State, i: int, action: int, e: int) -> int:
    """Why unit i may not take an action: the first reason, 0 for none. Ledger 2.16.

    `e` is the target of shot, suppressive fire and lock, the objective of a special action, and else of no account.
    Where a move leads is looked at by the functions that carry it out.
    """
    u = s.units[i]
    found = turn_refusal(s, i, action)
    if found:
        return found
    if action == MOVE:
        return move_refusal(s, i)
    if action in (SHOOT, SUPPRESS, LOCK):
        return target_refusal(s, i, action, e)
    if action == REPAIR:
        if u.can_repair == 0:
            return CANNOT_REPAIR
        if u.damage < LEAST_REPAIRED:
            return REPAIR_FLOOR
        return REPAIR_LIMIT if u.repairs else 0
    if action == RECOVER:
        return 0 if u.suppression else NOTHING_TO_RECOVER
    if not can_do_special(s, i, e):
        return NO_SUCH_SPECIAL
    return SPECIAL_LIMIT if u.special_actions else 0


def pay(s: State, i: int, action: int) -> int:
    """Takes the action points of an action that is allowed and counts it; what it cost. MC-037, MC-046, MC-072."""
    u = s.units[i]
    cost = cost_of(u.actions)
    s.battle.points -= cost
    u.actions += 1
    if action == MOVE:
        u.moves += 1
    elif u.moves:
        u.moves_over = 1
    if action in (SHOOT, SUPPRESS):
        u.shots += 1
    elif action == REPAIR:
        u.repairs += 1
    elif action == SPECIAL:
        u.special_actions += 1
    return cost


def act_walk(s: State, i: int, k: int, steps: int, log: Log) -> int:
    """A ground move along bearing k, of 0 to 20 twentieths of it; 0, or why it is refused. MC-047 to MC-052."""
    found = refusal(s, i, MOVE, NOBODY)
    if found == 0 and s.units[i].status != TABLE:
        found = CANNOT_EMERGE
    if found == 0 and steps > 0:
        only = only_bearing(s, i)
        if only != NOBODY and k != only:
            found = TOO_CLOSE_NOT_AWAY
        elif steps > go(s, i, k, NOBODY):
            found = BLOCKED
    if found == 0:
        walk(s, i, k, steps, pay(s, i, MOVE), log)
    return found


def can_fly_to(s: State, i: int, x: int, y: int) -> bool:
    """True if an air unit may end its move at a point; where it is it may always circle. MC-054, MC-055, MC-058."""
    u = s.units[i]
    if u.status == TABLE and u.x == x and u.y == y:
        return True
    return x >= 0 and y >= 0 and x <= TABLE_SIZE and y <= TABLE_SIZE and not is_barred(s, i, x, y)


def act_fly(s: State, i: int, x: int, y: int, log: Log) -> int:
    """An air move to a point, or the return there; 0, or why it is refused. MC-054, MC-058."""
    found = refusal(s, i, MOVE, NOBODY)
    if found == 0 and not can_fly_to(s, i, x, y):
        found = BLOCKED
    if found == 0:
        fly(s, i, x, y, pay(s, i, MOVE), log)
    return found


def act_emerge(s: State, i: int, m: int, log: Log) -> int:
    """A track comes up at a mouth; 0, or why it is refused. MC-060, MC-061."""
    found = refusal(s, i, MOVE, NOBODY)
    if found == 0 and not can_emerge(s, i, m):
        found = CANNOT_EMERGE
    if found == 0:
        emerge(s, i, m, pay(s, i, MOVE), log)
    return found


def act(s: State, i: int, action: int, e: int, dice: Dice, log: Log) -> int:
    """Any action but a move; 0, or why it is refused. `e` as for `refusal`."""
    found = refusal(s, i, action, e)
    if found:
        return found
    cost = pay(s, i, action)
    if action == SHOOT:
        shoot(s, i, e, cost, dice, log)
    elif action == SUPPRESS:
        suppress(s, i, e, cost, dice, log)
    elif action == LOCK:
        lock(s, i, e, cost, log)
    elif action == REPAIR:
        repair(s, i, cost, dice, log)
    elif action == RECOVER:
        recover(s, i, cost, log)
    else:
        do_special(s, i, e, cost, dice, log)
    return 0
