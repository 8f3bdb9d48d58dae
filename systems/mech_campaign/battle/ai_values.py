"""The AI's values of shots, locks and places. Ledger 6.5. Makes no decisions and only changes facings.

Enemies and friends are units on the table; all other units are ignored.
"""

from __future__ import annotations

from systems.engine.dice import Log
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules import end_of_units, first_unit
from systems.mech_campaign.battle.rules.movement import end_x, end_y, only_bearing, steps_open, turn_to
from systems.mech_campaign.battle.rules.shooting import has_lock, in_reach, needed_against, needed_at, needed_now, sees
from systems.mech_campaign.battle.state import State, Unit
from systems.spaces.plane import is_ahead, root, square

ORDER_WEIGHT = 1000  # weight of autoplay orders, per inch


def target_value(t: Unit) -> int:
    """Return T, the value of hitting a unit. Ledger 6.5."""
    return 10 + 5 * t.damage + t.appeal


def hit_sixths(s: State, i: int, e: int, need: int) -> int:
    """Return the chance of a hit in sixths, for the number needed without a lock. Ledger 6.2."""
    return 7 - need + (1 if has_lock(s, i, e) else 0)


def suppression_value(s: State, i: int, e: int, sixths: int) -> int:
    """Return the value of suppressing unit e; 0 if it already has two markers. Ledger 6.5."""
    t = s.units[e]
    if t.suppression >= c.SUPPRESSION_LIMIT:
        return 0
    value = s.sides[s.units[i].side].suppression * t.worth // (1 + t.suppression)
    return value * sixths // 6 if s.battle.to_hit else value


def falls_back(u: Unit) -> bool:
    """Return True if a unit's orders make it fall back: at a given damage, or at any to save its pilot. MC-215."""
    if u.ordered_preserve and u.damage > u.start_damage:
        return True
    return u.ordered_retreat > 0 and u.damage >= u.ordered_retreat


def target_preference(s: State, i: int, e: int) -> int:
    """Return how well enemy e fits unit i's target orders; higher is better. MC-215."""
    t = s.units[e]
    wanted = s.units[i].ordered_target
    if wanted == c.ORDERED_DEAREST:
        return t.cost
    if wanted == c.ORDERED_CHEAPEST:
        return -t.cost
    if wanted == c.ORDERED_WEAKEST:
        return t.damage
    if wanted == c.ORDERED_TOUGHEST:
        return -t.damage
    return -square(s.units[i].x, s.units[i].y, t.x, t.y)


def best_fire(s: State, i: int, x: int, y: int, facing: int) -> tuple[int, int, int]:
    """Return value, action and enemy of unit i's best fire from (x, y); value 0: none. Ledger 6.5.

    `facing`: 1 for targets in front only, from the unit's present place; 0 for all around.
    """
    u = s.units[i]
    shot = 0
    at = c.NOBODY
    other = 0
    other_at = c.NOBODY
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if t.status != c.TABLE:
            continue
        need = needed_now(s, u, e) if facing else needed_at(s, u, x, y, e)
        if need == 0:
            continue
        sixths = hit_sixths(s, i, e, need)
        value = sixths * target_value(t)
        better = value > shot
        if u.ordered_target and at != c.NOBODY and target_preference(s, i, e) != target_preference(s, i, at):
            better = target_preference(s, i, e) > target_preference(s, i, at)
        if better:
            shot = value
            at = e
        value = suppression_value(s, i, e, sixths)
        if value > other:
            other = value
            other_at = e
    if other > shot:
        return other, c.SUPPRESS, other_at
    return shot, c.SHOOT, at


def can_fire(s: State, i: int) -> bool:
    """Return True if unit i has an enemy to fire at from where it is and faces. Ledger 6.6."""
    u = s.units[i]
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if s.units[e].status == c.TABLE and needed_now(s, u, e):
            return True
    return False


def is_lock_useful(s: State, i: int, e: int) -> bool:
    """Return True if a friend yet to act, without markers and not a drone, can fire at enemy e. Ledger 6.5."""
    side = s.units[i].side
    for q in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        friend = s.units[q]
        if q == i or friend.status != c.TABLE or friend.done or friend.suppression or friend.kind == c.DRONE:
            continue
        if needed_now(s, friend, e):
            return True
    return False


def useful_locks(s: State, i: int) -> int:
    """Return the enemies worth a lock by unit i, as bits by roster number; 0 if it can't lock. Ledger 6.5."""
    u = s.units[i]
    found = 0
    if u.can_lock:
        first = first_unit(s.battle, 1 - u.side)
        for e in range(first, end_of_units(s.battle, 1 - u.side)):
            t = s.units[e]
            if t.status == c.TABLE and t.lock == c.NOBODY and is_lock_useful(s, i, e):
                found |= 1 << (e - first)
    return found


def best_lock(s: State, i: int, x: int, y: int, facing: int, useful: int) -> tuple[int, int]:
    """Return value and enemy of unit i's best lock from (x, y); value 0: none. Ledger 6.5.

    `facing` as for `best_fire`; `useful` as returned by `useful_locks`.
    """
    u = s.units[i]
    best = 0
    at = c.NOBODY
    first = first_unit(s.battle, 1 - u.side)
    for e in range(first, end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if useful & (1 << (e - first)) == 0 or target_value(t) <= best:
            continue
        if facing and not is_ahead(u.face_x, u.face_y, x, y, t.x, t.y):
            continue
        if s.battle.short_locks and not in_reach(x, y, t.x, t.y):
            continue
        if sees(s, u, x, y, e):
            best = target_value(t)
            at = e
    return best, at


def best_shot(s: State, i: int, x: int, y: int) -> int:
    """Return the value of unit i's best shot from (x, y), with any facing; 0: none. Ledger 6.5."""
    u = s.units[i]
    best = 0
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if t.status == c.TABLE:
            need = needed_at(s, u, x, y, e)
            if need:
                best = max(best, hit_sixths(s, i, e, need) * target_value(t))
    return best


def exposure(s: State, i: int, x: int, y: int) -> int:
    """Return the total chance, in sixths, of all enemies that could fire at unit i at (x, y). Ledger 6.5.

    Enemies keep their present place and facing.
    """
    u = s.units[i]
    total = 0
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if s.units[e].status == c.TABLE:
            need = needed_against(s, e, u, x, y)
            if need:
                total += 7 - need
    return total


def near(s: State, i: int, x: int, y: int) -> int:
    """Return the distance in whole inches from (x, y) to unit i's nearest enemy; 0 if there is none. Ledger 6.5."""
    e = nearest_enemy(s, i, x, y)
    return root(square(x, y, s.units[e].x, s.units[e].y)) // 100 if e != c.NOBODY else 0


def nearest_enemy(s: State, i: int, x: int, y: int) -> int:
    """Return unit i's enemy nearest to (x, y), on ties the lowest roster number; NOBODY if there is none."""
    side = s.units[i].side
    found = c.NOBODY
    least = 0
    for e in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        t = s.units[e]
        if t.status == c.TABLE:
            apart = square(x, y, t.x, t.y)
            if found == c.NOBODY or apart < least:
                least = apart
                found = e
    return found


def place_value(s: State, i: int, x: int, y: int) -> int:
    """Return the value for unit i of standing at (x, y). Ledger 6.5."""
    u = s.units[i]
    side = s.sides[u.side]
    shot = best_shot(s, i, x, y)
    value = shot - side.exposure * exposure(s, i, x, y)
    if shot == 0:
        value -= side.pull * near(s, i, x, y)
    if falls_back(u) or (u.ordered_move == c.ORDERED_AWAY and shot > 0):
        value += ORDER_WEIGHT * near(s, i, x, y)
    elif u.ordered_move == c.ORDERED_CLOSE:
        value -= ORDER_WEIGHT * near(s, i, x, y)
    return value


def best_place(s: State, i: int) -> tuple[int, int, int]:
    """Return bearing, twentieths and value of unit i's best move; bearing NOBODY: it stays. Ledger 6.5."""
    u = s.units[i]
    best = place_value(s, i, u.x, u.y)
    bearing = c.NOBODY
    steps = 0
    if u.ordered_move == c.ORDERED_HOLD and not falls_back(u):
        return bearing, steps, best
    only = only_bearing(s, i)
    for k in range(c.BEARINGS):
        if only != c.NOBODY and k != only:
            continue
        most = steps_open(s, i, k, c.NOBODY)
        if most:
            value = place_value(s, i, end_x(s, i, k, most), end_y(s, i, k, most))
            if value > best:
                best = value
                bearing = k
                steps = most
    return bearing, steps, best


def reaches_a_shot(s: State, i: int) -> bool:
    """Return True if unit i has a shot from where it is or after one move. Ledger 6.6."""
    u = s.units[i]
    if best_shot(s, i, u.x, u.y):
        return True
    only = only_bearing(s, i)
    for k in range(c.BEARINGS):
        if only != c.NOBODY and k != only:
            continue
        most = steps_open(s, i, k, c.NOBODY)
        if most and best_shot(s, i, end_x(s, i, k, most), end_y(s, i, k, most)):
            return True
    return False


def face_best(s: State, i: int, log: Log) -> None:
    """After a move, turn unit i to its best target or the nearest enemy. Ledger 6.5."""
    u = s.units[i]
    value, _action, e = best_fire(s, i, u.x, u.y, 0)
    if value == 0:
        e = nearest_enemy(s, i, u.x, u.y)
    if e != c.NOBODY:
        turn_to(s, i, e, log)
