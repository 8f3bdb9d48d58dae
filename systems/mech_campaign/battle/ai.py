"""The AI's choices: which unit acts next, its actions, the units sent to objectives. Ledger 6.6 to 6.8.

The AI only chooses; `rules.actions` carries out or refuses its actions.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.ai_values import (
    best_fire,
    best_lock,
    best_place,
    best_shot,
    can_fire,
    exposure,
    face_best,
    falls_back,
    near,
    place_value,
    reaches_a_shot,
    useful_locks,
)
from systems.mech_campaign.battle.rules import count_units, end_of_units, first_unit, is_barred, is_near_objective
from systems.mech_campaign.battle.rules.actions import act, act_emerge, act_fly, act_walk, open_activation
from systems.mech_campaign.battle.rules.movement import (
    FIRST_TURN,
    MOUTHS,
    can_emerge,
    end_x,
    end_y,
    mouth_x,
    mouth_y,
    only_bearing,
    steps_open,
    turn_to,
)
from systems.mech_campaign.battle.rules.scenarios import has_objective
from systems.mech_campaign.battle.rules.shooting import MIN_REPAIRED
from systems.mech_campaign.battle.state import State
from systems.spaces.plane import root, square

NO_PHASE = 9
SPOTTER, FIRING, MOVING, RECOVERING, EMERGING, DRONES = 0, 1, 2, 3, 4, 5
SPARE = 3  # spare points that are enough for a spotter or an early drone
RESERVE_TURN = 3  # from this game turn on, points are reserved for underground tracks


def reserve(s: State, i: int) -> int:
    """Return how many other units of the side have points reserved while unit i acts. Ledger 6.6."""
    side = s.units[i].side
    kept = 0
    for q in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[q]
        if q == i or u.done:
            continue
        if u.status == c.UNDER:
            kept += 1 if s.battle.turn >= RESERVE_TURN else 0
        elif (
            u.status == c.TABLE and u.kind != c.DRONE and u.suppression == 0 and (u.kind != c.SENTRY or can_fire(s, q))
        ):
            kept += 1
    return kept


def wants(s: State, i: int) -> int:
    """Return how many other mechs and tracks of the side can use a second action. Ledger 6.6."""
    side = s.units[i].side
    found = 0
    for q in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[q]
        if q == i or u.done or u.status != c.TABLE or u.suppression:
            continue
        if u.kind == c.HEAVY or ((u.kind == c.LIGHT or u.kind == c.TRACK) and not can_fire(s, q)):
            found += 1
    return found


def is_spare(s: State, i: int) -> bool:
    """Return True if there are points to spare for actions that only help other units. Ledger 6.6."""
    return s.battle.points - reserve(s, i) - 2 * wants(s, i) >= SPARE


def is_spotter(s: State, i: int) -> bool:
    """Return True if unit i, which can't fire, should lock a target for other units. Ledger 6.6."""
    u = s.units[i]
    if s.sides[u.side].spot == 0 or u.runner != c.NOBODY:
        return False
    useful = useful_locks(s, i)
    if useful == 0:
        return False
    value, _e = best_lock(s, i, u.x, u.y, 1, useful)
    return value > 0 and is_spare(s, i) and not reaches_a_shot(s, i)


def phase_of(s: State, i: int) -> int:
    """Return the phase in which unit i acts, lower is earlier; NO_PHASE: never. Ledger 6.6."""
    u = s.units[i]
    if u.kind == c.DRONE:
        return SPOTTER if s.sides[u.side].drone_first and is_spare(s, i) else DRONES
    if u.status == c.UNDER:
        return EMERGING if s.battle.turn >= FIRST_TURN else NO_PHASE
    if u.suppression:
        return RECOVERING
    if can_fire(s, i):
        return FIRING
    if u.kind == c.SENTRY:
        return NO_PHASE
    return SPOTTER if is_spotter(s, i) else MOVING


def next_unit(s: State, side: int) -> tuple[int, int]:
    """Return the unit that acts next, and its phase; NOBODY if none is left. Ledger 6.6."""
    found = c.NOBODY
    least = NO_PHASE
    rank = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.done or u.status == c.DEAD:
            continue
        phase = phase_of(s, i)
        if phase < least or (phase == least and phase != NO_PHASE and u.rank < rank):
            found = i
            least = phase
            rank = u.rank
    return found, least


def actions_for(budget: int) -> int:
    """Return how many actions a unit can take for these points. Ledger 6.7."""
    if budget >= 7:
        return 3
    if budget >= 3:
        return 2
    return 1 if budget >= 1 else 0


def fire_facing(s: State, i: int, dice: Dice, log: Log) -> bool:
    """Fire unit i's best shot or suppression with its present facing; return False if there is none. Ledger 6.7."""
    u = s.units[i]
    value, action, e = best_fire(s, i, u.x, u.y, 1)
    if value == 0:
        return False
    act(s, i, action, e, dice, log)
    return True


def shake_off(s: State, i: int, a: int, dice: Dice, log: Log) -> int:
    """Recover from all markers; return the actions left of `a`, or NOBODY if i does nothing. Ledger 6.7, step 1."""
    u = s.units[i]
    if u.status != c.TABLE or u.suppression == 0:
        return a
    markers = u.suppression
    if a < markers + (2 if u.kind == c.DRONE else 1) or (u.kind == c.SENTRY and not can_fire(s, i)):
        return c.NOBODY
    for _ in range(markers):
        act(s, i, c.RECOVER, c.NOBODY, dice, log)
    return a - markers


def activate_drone(s: State, i: int, a: int, dice: Dice, log: Log) -> None:
    """Fly a drone to the best place 10 in from an enemy and act there. Ledger 6.7, step 2."""
    u = s.units[i]
    if a < 2:
        return
    best = 0
    best_x = c.NOBODY
    best_y = c.NOBODY
    useful = useful_locks(s, i)
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if t.status != c.TABLE:
            continue
        for k in range(c.BEARINGS):
            # 10 in is 5/2 of a move, which is 20 steps of the bearing
            x = t.x + 50 * (s.bearings[k].x if u.side == c.SIDE_A else -s.bearings[k].x)
            y = t.y + 50 * (s.bearings[k].y if u.side == c.SIDE_A else -s.bearings[k].y)
            if x < 0 or y < 0 or x > s.battle.table or y > s.battle.table or is_barred(s, i, x, y):
                continue
            worth, _action, _e = best_fire(s, i, x, y, 0)
            lock_worth, _at = best_lock(s, i, x, y, 0, useful)
            worth = max(worth, lock_worth)
            if worth == 0:
                continue
            score = worth - s.sides[u.side].exposure * exposure(s, i, x, y)
            if best_x == c.NOBODY or score > best:
                best = score
                best_x = x
                best_y = y
    if best_x == c.NOBODY:
        return
    act_fly(s, i, best_x, best_y, log)
    value, action, at = best_fire(s, i, u.x, u.y, 0)
    lock_value, lock_at = best_lock(s, i, u.x, u.y, 0, useful)
    if lock_value > value:
        action = c.LOCK
        at = lock_at
    turn_to(s, i, at, log)
    act(s, i, action, at, dice, log)


def ambush_mouth(s: State, i: int, a: int) -> int:
    """Return the mouth where a track comes up; NOBODY if it stays underground. Ledger 6.7, step 3."""
    side = s.units[i].side
    found = c.NOBODY
    best = 0
    if a >= 2:
        for m in range(MOUTHS):
            if not can_emerge(s, i, m):
                continue
            x = mouth_x(s, side, m)
            y = mouth_y(s, side, m)
            shot = best_shot(s, i, x, y)
            if shot:
                value = shot - s.sides[side].exposure * exposure(s, i, x, y)
                if found == c.NOBODY or value > best:
                    found = m
                    best = value
    if found == c.NOBODY and s.battle.turn >= RESERVE_TURN:
        for m in range(MOUTHS):
            if can_emerge(s, i, m):
                apart = near(s, i, mouth_x(s, side, m), mouth_y(s, side, m))
                if found == c.NOBODY or apart < best:
                    found = m
                    best = apart
    return found


def activate_ambusher(s: State, i: int, a: int, dice: Dice, log: Log) -> None:
    """Bring an underground track up and fire. Ledger 6.7, step 3."""
    m = ambush_mouth(s, i, a)
    if m == c.NOBODY:
        return
    act_emerge(s, i, m, log)
    face_best(s, i, log)
    if a > 1:
        u = s.units[i]
        value, action, e = best_fire(s, i, u.x, u.y, 0)
        if value:
            act(s, i, action, e, dice, log)


def best_approach(s: State, i: int, o: int) -> tuple[int, int]:
    """Return the bearing and twentieths of the move that ends nearest to an objective, or NOBODY. Ledger 6.8."""
    u = s.units[i]
    goal = s.objectives[o]
    least = square(u.x, u.y, goal.x, goal.y)
    bearing = c.NOBODY
    steps = 0
    only = only_bearing(s, i)
    for k in range(c.BEARINGS):
        if only != c.NOBODY and k != only:
            continue
        most = steps_open(s, i, k, o)
        if most:
            apart = square(end_x(s, i, k, most), end_y(s, i, k, most), goal.x, goal.y)
            if apart < least:
                least = apart
                bearing = k
                steps = most
    return bearing, steps


def activate_runner(s: State, i: int, a: int, dice: Dice, log: Log) -> None:
    """Activate a unit sent to an objective. Ledger 6.8."""
    u = s.units[i]
    o = u.runner
    moves = 0
    limit = 3 if u.kind == c.LIGHT else 1
    while a > 0 and s.battle.over == 0:
        if is_near_objective(s, i, o, c.SPECIAL_REACH):
            act(s, i, c.SPECIAL, o, dice, log)
            if s.battle.over == 0 and a > 1:
                fire_facing(s, i, dice, log)
            return
        if moves > 0 and fire_facing(s, i, dice, log):
            return
        if moves == limit:
            return
        bearing, steps = best_approach(s, i, o)
        if bearing == c.NOBODY:
            fire_facing(s, i, dice, log)
            return
        act_walk(s, i, bearing, steps, log)
        moves += 1
        a -= 1
        face_best(s, i, log)


def activate_ground(s: State, i: int, a: int, is_spotting: bool, dice: Dice, log: Log) -> None:
    """Repair, move and fire a heavy mech, light mech or track. Ledger 6.7, step 6."""
    u = s.units[i]
    side = s.sides[u.side]
    has_target = can_fire(s, i)
    repair_at = MIN_REPAIRED if u.ordered_preserve else side.repair_at
    if u.damage >= repair_at and (a >= 2 or not has_target):
        act(s, i, c.REPAIR, c.NOBODY, dice, log)
        a -= 1
        if a == 0:
            return
    moves = not has_target
    if has_target and (u.kind != c.HEAVY or u.ordered_move or falls_back(u)) and a >= 2:
        _bearing, _steps, worth = best_place(s, i)
        moves = worth - place_value(s, i, u.x, u.y) >= side.threshold
    if moves:
        if not has_target and is_spotting and a >= 2:
            value, e = best_lock(s, i, u.x, u.y, 1, useful_locks(s, i))
            if value:
                act(s, i, c.LOCK, e, dice, log)
                a -= 1
        a = manoeuvre(s, i, a, log)
    for _ in range(2 if u.kind == c.HEAVY else 1):
        if a == 0 or s.battle.over or not fire_facing(s, i, dice, log):
            return
        a -= 1


def manoeuvre(s: State, i: int, a: int, log: Log) -> int:
    """Move unit i until it has a target; return how many of `a` actions are left. Ledger 6.7, step 6."""
    u = s.units[i]
    for _ in range(2 if u.kind == c.LIGHT else 1):
        if a == 0:
            return a
        bearing, steps, _worth = best_place(s, i)
        if bearing == c.NOBODY:
            value, _action, _e = best_fire(s, i, u.x, u.y, 0)
            if value == 0:
                return a
        act_walk(s, i, max(0, bearing), steps, log)
        a -= 1
        face_best(s, i, log)
        if can_fire(s, i):
            return a
    return a


def activate(s: State, i: int, budget: int, is_spotting: bool, dice: Dice, log: Log) -> None:
    """Play unit i's whole activation with `budget` points. Ledger 6.7."""
    u = s.units[i]
    open_activation(s, i)
    a = shake_off(s, i, actions_for(budget), dice, log)
    if a <= 0:
        return
    if u.kind == c.DRONE:
        activate_drone(s, i, a, dice, log)
    elif u.status == c.UNDER:
        activate_ambusher(s, i, a, dice, log)
    elif u.runner != c.NOBODY:
        activate_runner(s, i, a, dice, log)
    elif u.kind == c.SENTRY:
        fire_facing(s, i, dice, log)
    else:
        activate_ground(s, i, a, is_spotting, dice, log)


def end_ordered_moves(s: State) -> None:
    """Switch units whose movement order has run out to their follow-up order, or to the AI's choice. MC-215."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.ordered_until and s.battle.turn > u.ordered_until:
            u.ordered_until = 0
            u.ordered_move = u.ordered_then


def runners_needed(s: State, side: int, o: int) -> int:
    """Return how many of a side's units an objective needs sent to it. Ledger 6.8."""
    if not has_objective(s, side, o):
        return 0
    return c.CHARGES if s.battle.scenario == c.SABOTAGE else 1


def count_runners(s: State, side: int, o: int) -> int:
    """Return how many of a side's units are already sent to an objective."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].runner == o:
            found += 1
    return found


def choose_runner(s: State, side: int, heavies: bool) -> bool:
    """Send the nearest unit to an objective that needs one; return False if none can be sent. Ledger 6.8."""
    b = s.battle
    best = 0
    runner = c.NOBODY
    goal = c.NOBODY
    for at in range(b.objectives):
        o = at if side == c.SIDE_A else b.objectives - 1 - at
        if count_runners(s, side, o) >= runners_needed(s, side, o):
            continue
        for i in range(first_unit(b, side), end_of_units(b, side)):
            u = s.units[i]
            if u.status != c.TABLE or u.runner != c.NOBODY or u.ordered_move or falls_back(u):
                continue
            if (u.kind != c.HEAVY) if heavies else (u.kind != c.LIGHT and u.kind != c.TRACK):
                continue
            key = root(square(u.x, u.y, s.objectives[o].x, s.objectives[o].y))
            if u.kind == c.LIGHT:
                key //= 2
            if runner == c.NOBODY or key < best:
                best = key
                runner = i
                goal = o
    if runner == c.NOBODY:
        return False
    s.units[runner].runner = goal
    return True


def choose_runners(s: State, side: int) -> None:
    """Choose the units sent to objectives this turn: light mechs and tracks first, then heavy mechs. Ledger 6.8."""
    while choose_runner(s, side, False) or choose_runner(s, side, True):
        pass


def act_next(s: State, side: int, dice: Dice, log: Log) -> bool:
    """Play a side's next activation; return False if there is none. Ledger 6.6, step 3."""
    b = s.battle
    if b.points == 0 or b.over:
        return False
    i, phase = next_unit(s, side)
    if i == c.NOBODY:
        return False
    budget = max(b.points - reserve(s, i), min(b.points, 1))
    if phase == SPOTTER:
        budget = min(budget, SPARE)
    activate(s, i, budget, phase == SPOTTER, dice, log)
    return True


def spend_points(s: State, side: int, dice: Dice, log: Log) -> None:
    """Play all activations in a player turn. Ledger 6.6, step 3."""
    while act_next(s, side, dice, log):
        pass
