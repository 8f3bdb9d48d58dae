"""The AI's plan for a unit's turn: target, weapon and position. Ledger 6.6."""

from __future__ import annotations

from math import floor, sqrt

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import best
from systems.mechastellar.battle.rules import (
    are_engaged,
    can_see,
    end_of_units,
    engagement,
    first_unit,
    is_way_clear,
    turned,
    would_engage,
)
from systems.mechastellar.battle.rules.targets import in_arc, in_range, is_closest, is_ready
from systems.mechastellar.battle.state import Plan, State, Unit, Weapon
from systems.spaces.inches import squared, way

POINT_BLANK_PRICE = 2


def clear(p: Plan, i: int) -> None:
    """Clear unit i's plan."""
    p.unit = i
    p.weapon = c.NOBODY
    p.target = c.NOBODY
    p.moves = 0
    p.way = 0.0
    p.value = 0.0
    p.manner = c.PLAIN


def has_plan(p: Plan) -> bool:
    """Return True if the plan has an attack worth making."""
    return p.target >= 0


def is_better(p: Plan, value: float, moves: int) -> bool:
    """Return True if an attack with that value after `moves` Move Actions is better than the plan. Ledger 6.6."""
    if value <= c.SAME:
        return False
    return value > p.value + c.SAME or (p.target >= 0 and value >= p.value - c.SAME and moves < p.moves)


def keep_if_best(p: Plan, weapon: int, e: int, moves: int, length: float, value: float, manner: int) -> None:
    """Keep an attack as the plan if it is the best so far."""
    p.weapon = weapon
    p.target = e
    p.moves = moves
    p.way = length
    p.value = value
    p.manner = manner


def moves_for(u: Unit, length: float) -> int:
    """Return how many Move Actions are needed for a distance."""
    return -floor(c.SAME - length / u.move) if length > c.NEAR else 0


def plan_locked(s: State, i: int, weapon: int, e: int, most: int, p: Plan) -> None:
    """Plan an attack on e by a unit in melee: a blow, or a point-blank shot. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    own = s.sides[u.side]
    if not are_engaged(u, v):
        return
    if w.melee:
        value = best(s, i, weapon, e, u.x, u.y, 0) * own.melee_weight
        if is_better(p, value, 0):
            keep_if_best(p, weapon, e, 0, 0.0, value, c.PLAIN)
        return
    if (
        own.momentum < POINT_BLANK_PRICE
        or not in_range(w, sqrt(squared(u.x, u.y, v.x, v.y)))
        or not can_see(s, i, u.x, u.y, e)
    ):
        return
    moves = 0 if in_arc(u, w, v.x, v.y) else 1
    if moves <= most:
        value = best(s, i, weapon, e, u.x, u.y, 1) - POINT_BLANK_PRICE * own.attack_price
        if is_better(p, value, moves):
            keep_if_best(p, weapon, e, moves, 0.0, value, c.PLAIN)


def keeps_away(u: Unit) -> bool:
    """Return True if a unit's orders make it keep away, fall back or save itself now. ST-412.

    It falls back once its HP are down to a given number.
    """
    if u.ordered_preserve and u.damage:
        return True
    return u.ordered_move == c.ORDERED_AWAY or (u.ordered_retreat > 0 and u.hp <= u.ordered_retreat * 1000)


def comes_no_nearer(u: Unit) -> bool:
    """Return True if a unit is ordered to stay or to keep away. ST-412."""
    return u.ordered_move == c.ORDERED_HOLD or keeps_away(u)


def target_preference(s: State, i: int, e: int) -> float:
    """Return how well enemy e fits unit i's target orders; higher is better. ST-412."""
    t = s.units[e]
    wanted = s.units[i].ordered_target
    if wanted == c.ORDERED_DEAREST:
        return t.cost * 1.0
    if wanted == c.ORDERED_CHEAPEST:
        return -1.0 * t.cost
    if wanted == c.ORDERED_WEAKEST:
        return -1.0 * t.hp
    if wanted == c.ORDERED_TOUGHEST:
        return t.hp * 1.0
    return -squared(s.units[i].x, s.units[i].y, t.x, t.y)


def goes_before(s: State, i: int, e: int, value: float, found: int, top: float) -> bool:
    """Return True if unit i prefers e at `value` to target `found` at `top`, by orders or else by value. ST-412."""
    if found >= 0 and s.units[i].ordered_target:
        better = target_preference(s, i, e) - target_preference(s, i, found)
        if better > 0.0 or better < 0.0:
            return better > 0.0
    return value > top + c.SAME


def plan_blow(s: State, i: int, weapon: int, e: int, most: int, p: Plan) -> None:
    """Plan a charge into melee with e. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    far = sqrt(squared(u.x, u.y, v.x, v.y))
    length = far - engagement(u, v)
    moves = moves_for(u, length)
    if moves > most or (length > c.NEAR and comes_no_nearer(u)):
        return
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    x = u.x + to_x * length
    y = u.y + to_y * length
    if not is_way_clear(s, i, x, y, e):
        return
    value = best(s, i, weapon, e, x, y, 0) * s.sides[u.side].melee_weight
    if is_better(p, value, moves):
        keep_if_best(p, weapon, e, moves, length, value, c.PLAIN)


def plan_shot(s: State, i: int, weapon: int, e: int, must: int, most: int, length: float, swift: int, p: Plan) -> None:
    """Plan a shot at e after moving `length` towards it; `swift`: within one Move Action or not at all. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    moves = moves_for(u, length)
    if (swift and moves > 1) or (length > c.NEAR and comes_no_nearer(u)):
        return
    if moves == 0 and not in_arc(u, w, v.x, v.y):
        moves = 1
    if moves > most:
        return
    x = u.x
    y = u.y
    if length > c.NEAR:
        to_x, to_y = way(u.x, u.y, v.x, v.y)
        x += to_x * length
        y += to_y * length
        if would_engage(u, x, y, v) or not is_way_clear(s, i, x, y, c.NOBODY):
            return
    if not can_see(s, i, x, y, e):
        return
    if must < 0 and u.exempt == 0:
        to_x, to_y = way(u.x, u.y, v.x, v.y)
        face_x, face_y = turned(u.face_x, u.face_y, to_x, to_y, moves)
        if not is_closest(s, i, e, w.all_round, x, y, face_x, face_y):
            return
    value = best(s, i, weapon, e, x, y, 0)
    if is_better(p, value, moves):
        keep_if_best(p, weapon, e, moves, max(0.0, length), value, c.PLAIN)


def base_spot(w: Weapon, far: float) -> float:
    """Return how far to move to bring a target at distance `far` into range."""
    return 0.0 if in_range(w, far) else far - w.range


def plan_shots(s: State, i: int, weapon: int, e: int, must: int, most: int, p: Plan) -> None:
    """Plan shots at e from the spots that are worth trying. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    far = sqrt(squared(u.x, u.y, v.x, v.y))
    if v.locked == 0:
        plan_shot(s, i, weapon, e, must, most, base_spot(w, far), 0, p)
        if w.rapid > 0.0 and (w.rapid_dice > 0 or w.rapid_hits > 0) and far > w.rapid + c.NEAR:
            plan_shot(s, i, weapon, e, must, most, far - w.rapid, 1, p)
        if far > u.sensors + c.NEAR and u.sensors < w.range:
            plan_shot(s, i, weapon, e, must, most, far - u.sensors, 1, p)


def plan(s: State, i: int, must: int, most: int, slot: int) -> None:
    """Plan unit i's best attack with `most` Move Actions; `must`: the only enemy it may attack. Ledger 6.6."""
    clear(s.plans[slot], i)
    plan_on(s, i, must, must, most, s.plans[slot])


def plan_on(s: State, i: int, only: int, must: int, most: int, p: Plan) -> None:
    """Plan the best attack on enemy `only`, or on any; `must` as in `plan`."""
    u = s.units[i]
    side = 1 - u.side
    for weapon in range(u.weapon, u.weapon + u.weapons):
        w = s.weapons[weapon]
        if not is_ready(w):
            continue
        for e in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            if s.units[e].status != c.STANDS or (only >= 0 and e != only):
                continue
            if u.locked:
                plan_locked(s, i, weapon, e, most, p)
            elif w.melee:
                plan_blow(s, i, weapon, e, most, p)
            else:
                plan_shots(s, i, weapon, e, must, most, p)
