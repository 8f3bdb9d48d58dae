"""What a doctrine plans for a unit's turn: whom to attack with what, and from where. Ledger 6.6."""

from __future__ import annotations

from math import floor, sqrt

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_values import best
from systems.mechastellar.battle.rules.facts import (
    are_engaged,
    end_of,
    engagement,
    first_of,
    is_shut_down,
    is_to_activate,
    is_way_clear,
    sees,
    would_engage,
)
from systems.mechastellar.battle.rules.geometry import turned
from systems.mechastellar.battle.rules.rounds import is_obliged, mark_behind
from systems.mechastellar.battle.rules.targets import (
    attack_price,
    has_to_answer,
    in_arc,
    in_range,
    is_closest,
    is_ready,
    may_shoot,
)
from systems.mechastellar.battle.state import Plan, State, Unit, Weapon
from systems.spaces.inches import squared, way

POINT_BLANK_PRICE = 2


def clear(p: Plan, i: int) -> None:
    """Nothing is planned for unit i."""
    p.unit = i
    p.weapon = c.NOBODY
    p.target = c.NOBODY
    p.moves = 0
    p.way = 0.0
    p.value = 0.0
    p.manner = c.PLAIN


def has_plan(p: Plan) -> bool:
    """True if there is an attack worth making."""
    return p.target >= 0


def beats(p: Plan, value: float, moves: int) -> bool:
    """True if an attack of that value after so many Move Actions is better than what is planned. Ledger 6.6."""
    if value <= c.SAME:
        return False
    return value > p.value + c.SAME or (p.target >= 0 and value >= p.value - c.SAME and moves < p.moves)


def keep(p: Plan, weapon: int, e: int, moves: int, length: float, value: float, manner: int) -> None:
    """That is the best attack so far."""
    p.weapon = weapon
    p.target = e
    p.moves = moves
    p.way = length
    p.value = value
    p.manner = manner


def moves_for(u: Unit, length: float) -> int:
    """How many Move Actions that way takes."""
    return -floor(c.SAME - length / u.move) if length > c.NEAR else 0


def plan_locked(s: State, i: int, weapon: int, e: int, most: int, p: Plan) -> None:
    """An attack of a unit in melee with a weapon on e: a blow, or a shot at point-blank. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    own = s.sides[u.side]
    if not are_engaged(u, v):
        return
    if w.melee:
        value = best(s, i, weapon, e, u.x, u.y, 0) * own.melee_weight
        if beats(p, value, 0):
            keep(p, weapon, e, 0, 0.0, value, c.PLAIN)
        return
    if (
        own.momentum < POINT_BLANK_PRICE
        or not in_range(w, sqrt(squared(u.x, u.y, v.x, v.y)))
        or not sees(s, u.x, u.y, v.x, v.y)
    ):
        return
    moves = 0 if in_arc(u, w, v.x, v.y) else 1
    if moves <= most:
        value = best(s, i, weapon, e, u.x, u.y, 1) - POINT_BLANK_PRICE * own.attack_price
        if beats(p, value, moves):
            keep(p, weapon, e, moves, 0.0, value, c.PLAIN)


def plan_blow(s: State, i: int, weapon: int, e: int, most: int, p: Plan) -> None:
    """A charge into melee with e. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    far = sqrt(squared(u.x, u.y, v.x, v.y))
    length = far - engagement(u, v)
    moves = moves_for(u, length)
    if moves > most:
        return
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    x = u.x + to_x * length
    y = u.y + to_y * length
    if not is_way_clear(s, i, x, y, e):
        return
    value = best(s, i, weapon, e, x, y, 0) * s.sides[u.side].melee_weight
    if beats(p, value, moves):
        keep(p, weapon, e, moves, length, value, c.PLAIN)


def plan_shot(s: State, i: int, weapon: int, e: int, must: int, most: int, length: float, swift: int, p: Plan) -> None:
    """A shot at e after going so far towards it; `swift`: within one Move Action, or not at all. Ledger 6.6."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    moves = moves_for(u, length)
    if swift and moves > 1:
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
    if not sees(s, x, y, v.x, v.y):
        return
    if must < 0 and u.exempt == 0:
        to_x, to_y = way(u.x, u.y, v.x, v.y)
        face_x, face_y = turned(u.face_x, u.face_y, to_x, to_y, moves)
        if not is_closest(s, i, e, w.all_round, x, y, face_x, face_y):
            return
    value = best(s, i, weapon, e, x, y, 0)
    if beats(p, value, moves):
        keep(p, weapon, e, moves, max(0.0, length), value, c.PLAIN)


def base_spot(w: Weapon, far: float) -> float:
    """How far to go to have somebody in range who is so far away."""
    return 0.0 if in_range(w, far) else far - w.range


def plan_shots(s: State, i: int, weapon: int, e: int, must: int, most: int, p: Plan) -> None:
    """Shots at e from the spots that are worth trying. Ledger 6.6."""
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
    """The best attack of unit i with so many Move Actions; `must`: the only enemy that it may attack. Ledger 6.6."""
    p = s.plans[slot]
    clear(p, i)
    u = s.units[i]
    side = 1 - u.side
    for weapon in range(u.weapon, u.weapon + u.weapons):
        w = s.weapons[weapon]
        if not is_ready(w):
            continue
        for e in range(first_of(s.battle, side), end_of(s.battle, side)):
            if s.units[e].status != c.STANDS or (must >= 0 and e != must):
                continue
            if u.locked:
                plan_locked(s, i, weapon, e, most, p)
            elif w.melee:
                plan_blow(s, i, weapon, e, most, p)
            else:
                plan_shots(s, i, weapon, e, must, most, p)


def must_answer(s: State, i: int) -> int:
    """The enemy whom unit i must attack first; NOBODY if it may choose. ST-046, ledger 6.6."""
    b = s.battle
    if b.aggressor >= 0 and s.units[i].exempt == 0 and has_to_answer(s, i, b.aggressor):
        return b.aggressor
    return c.NOBODY


def may_be_picked(s: State, i: int, obliged: bool) -> bool:
    """True if the side may activate unit i now. ST-041, ST-045."""
    return is_obliged(s, i) if obliged else is_to_activate(s.units[i])


def pick(s: State, side: int, obliged: bool) -> int:
    """The unit that the side activates. Ledger 6.6."""
    b = s.battle
    found = c.NOBODY
    count = 0
    for i in range(first_of(b, side), end_of(b, side)):
        if may_be_picked(s, i, obliged):
            found = i
            count += 1
    if count < 2:
        return found
    found = c.NOBODY
    top = 0.0
    for i in range(first_of(b, side), end_of(b, side)):
        if not may_be_picked(s, i, obliged):
            continue
        value = -1.0
        if not is_shut_down(s.units[i]):
            mark_behind(s, i)
            plan(s, i, must_answer(s, i), c.MOVE_ACTIONS, 0)
            value = s.plans[0].value
        if found == c.NOBODY or value > top + c.SAME:
            found = i
            top = value
    return found


# --- attacks from where a unit stands ---------------------------------------------------------------------------------


def value_here(s: State, i: int, weapon: int, e: int) -> float:
    """What an attack on e from here, without moving, is worth; 0 if there is none. Ledger 6.7."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    if v.status != c.STANDS:
        return 0.0
    if w.melee:
        if u.locked == 0 or not are_engaged(u, v):
            return 0.0
        return best(s, i, weapon, e, u.x, u.y, 0) * s.sides[u.side].melee_weight
    if u.locked or not may_shoot(s, i, w, e):
        return 0.0
    return best(s, i, weapon, e, u.x, u.y, 0)


def best_target_here(s: State, i: int, weapon: int) -> tuple[int, float]:
    """Whom unit i would attack from here with a weapon, and what that is worth; NOBODY if nobody. Ledger 6.7."""
    found = c.NOBODY
    top = 0.0
    if is_ready(s.weapons[weapon]):
        side = 1 - s.units[i].side
        for e in range(first_of(s.battle, side), end_of(s.battle, side)):
            value = value_here(s, i, weapon, e)
            if value > c.SAME and value > top + c.SAME:
                found = e
                top = value
    return found, top


def best_here(s: State, i: int, actions: int) -> tuple[int, int]:
    """The weapon and the target that give most for each Action, with so many Actions; NOBODY if nothing does. Ledger 6.7."""
    u = s.units[i]
    found = c.NOBODY
    target = c.NOBODY
    top = 0.0
    for weapon in range(u.weapon, u.weapon + u.weapons):
        price = attack_price(s.weapons[weapon])
        if price <= actions:
            e, value = best_target_here(s, i, weapon)
            if e >= 0 and value / price > top + c.SAME:
                found = weapon
                target = e
                top = value / price
    return found, target


def zeal_here(s: State, i: int) -> int:
    """How many Actions unit i, which has none left, would buy for attacks from here. Ledger 6.7."""
    u = s.units[i]
    own = s.sides[u.side]
    left = min(3, own.momentum)
    bought = 0
    seen = 0  # bit n: weapon n of the unit was looked at
    for _ in range(u.weapons):
        found = c.NOBODY
        top = 0.0
        value_of_it = 0.0
        for at in range(u.weapons):
            if seen >> at & 1:
                continue
            e, value = best_target_here(s, i, u.weapon + at)
            ratio = value / attack_price(s.weapons[u.weapon + at])
            if e >= 0 and ratio > top + c.SAME:
                found = at
                top = ratio
                value_of_it = value
        if found == c.NOBODY:
            break
        seen |= 1 << found
        price = attack_price(s.weapons[u.weapon + found])
        if value_of_it >= own.attack_price * price - c.SAME and price <= left:
            left -= price
            bought += price
    return bought
