"""The AI's choices in a turn: which unit acts, its mode, target and moves. Ledger 6.2, 6.7."""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Log
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import best
from systems.mechastellar.battle.ai_advanced import plan_more, strip_value
from systems.mechastellar.battle.ai_plan import (
    clear,
    goes_before,
    has_plan,
    keeps_away,
    plan,
    plan_on,
    target_preference,
)
from systems.mechastellar.battle.rules import (
    are_engaged,
    count_units,
    end_of_units,
    first_unit,
    is_inside,
    is_shut_down,
    is_within,
    nearest_enemy,
    partner_of,
    passes,
    would_engage,
)
from systems.mechastellar.battle.rules.movement import (
    change_mode,
    dry_place,
    dry_way,
    free_path_length,
    path_length_on_table,
    transform,
)
from systems.mechastellar.battle.rules.rounds import is_obliged, is_ready_to_act, mark_behind, may_be_placed
from systems.mechastellar.battle.rules.special import is_area
from systems.mechastellar.battle.rules.targets import attack_price, has_to_answer, is_barred, is_ready, may_shoot
from systems.mechastellar.battle.state import Plan, State, Unit
from systems.spaces.inches import squared, way


def plan_all(s: State, i: int, must: int, most: int, slot: int) -> None:
    """Plan unit i's best attack under the rules in use."""
    plan(s, i, must, most, slot)
    if s.battle.advanced:
        plan_more(s, i, must, must, most, s.plans[slot])
    if s.units[i].ordered_target and must < 0 and has_plan(s.plans[slot]):
        plan_ordered(s, i, most, s.plans[slot])


def plan_ordered(s: State, i: int, most: int, p: Plan) -> None:
    """Plan unit i's best attack on the possible target that best fits its orders. ST-412."""
    first = first_unit(s.battle, 1 - s.units[i].side)
    end = end_of_units(s.battle, 1 - s.units[i].side)
    tried = 0  # bit n: the side's enemy n has been considered
    for _ in range(first, end):
        found = c.NOBODY
        for e in range(first, end):
            if s.units[e].status != c.STANDS or tried >> (e - first) & 1:
                continue
            if found == c.NOBODY or target_preference(s, i, e) > target_preference(s, i, found):
                found = e
        if found == c.NOBODY:
            return
        tried |= 1 << (found - first)
        clear(p, i)
        plan_on(s, i, found, c.NOBODY, most, p)
        if s.battle.advanced:
            plan_more(s, i, found, c.NOBODY, most, p)
        if has_plan(p):
            return


def choose_mode(s: State, i: int, must: int, log: Log) -> None:
    """Choose a transforming unit's mode at the start of its turn. ST-087, ledger 6.9."""
    was = s.units[i].mode
    change_mode(s, i, 0)
    plan_all(s, i, must, c.MOVE_ACTIONS, 1)
    value = s.plans[1].value
    change_mode(s, i, 1)
    plan_all(s, i, must, c.MOVE_ACTIONS, 1)
    mode = 1 if s.plans[1].value > value + c.SAME else 0
    change_mode(s, i, was)
    transform(s, i, mode, log)


def must_answer(s: State, i: int) -> int:
    """Return the enemy that unit i must attack first; NOBODY if it is free to choose. ST-046, ST-047, ledger 6.6."""
    b = s.battle
    partner = partner_of(s, i) if b.advanced else c.NOBODY
    if partner >= 0 and has_to_answer(s, i, partner):
        return partner
    if b.aggressor >= 0 and s.units[i].exempt == 0 and has_to_answer(s, i, b.aggressor):
        return b.aggressor
    return c.NOBODY


def may_be_picked(s: State, i: int, obliged: bool) -> bool:
    """Return True if the side may activate unit i now. ST-041, ST-045."""
    return is_obliged(s, i) if obliged else is_ready_to_act(s, i)


def pick(s: State, side: int, obliged: bool) -> int:
    """Return the unit that the side activates. Ledger 6.6."""
    b = s.battle
    found = c.NOBODY
    count = 0
    for i in range(first_unit(b, side), end_of_units(b, side)):
        if may_be_picked(s, i, obliged):
            found = i
            count += 1
    if count < 2:
        return found
    found = c.NOBODY
    top = 0.0
    for i in range(first_unit(b, side), end_of_units(b, side)):
        if not may_be_picked(s, i, obliged):
            continue
        value = -1.0
        if not is_shut_down(s.units[i]):
            mark_behind(s, i)
            plan_all(s, i, must_answer(s, i), c.MOVE_ACTIONS, 0)
            value = s.plans[0].value
        if found == c.NOBODY or value > top + c.SAME:
            found = i
            top = value
    return found


# --- attacks without moving -------------------------------------------------------------------------------------------


def value_here(s: State, i: int, weapon: int, e: int) -> float:
    """Return the value of an attack on e without moving; 0 if it isn't possible. Ledger 6.7."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    if v.status != c.STANDS or (s.battle.advanced and is_barred(s, i, e)):
        return 0.0
    if is_area(w):
        return strip_value(s, i, weapon, e, c.NOBODY)
    if w.melee:
        if u.locked == 0 or not are_engaged(u, v):
            return 0.0
        return best(s, i, weapon, e, u.x, u.y, 0) * s.sides[u.side].melee_weight
    if u.locked or not may_shoot(s, i, w, e):
        return 0.0
    return best(s, i, weapon, e, u.x, u.y, 0)


def is_ready_here(s: State, weapon: int) -> bool:
    """Return True if a weapon can be used without moving; with the advanced rules this includes area weapons."""
    w = s.weapons[weapon]
    return is_ready(w) or (s.battle.advanced == 1 and is_area(w) and w.remote == 0 and w.gone == 0 and w.reloading == 0)


def best_target_here(s: State, i: int, weapon: int) -> tuple[int, float]:
    """Return the best target for unit i's weapon without moving, and its value; NOBODY if none. Ledger 6.7."""
    found = c.NOBODY
    top = 0.0
    if is_ready_here(s, weapon):
        side = 1 - s.units[i].side
        for e in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            value = value_here(s, i, weapon, e)
            if value > c.SAME and goes_before(s, i, e, value, found, top):
                found = e
                top = value
    return found, top


def best_here(s: State, i: int, actions: int) -> tuple[int, int]:
    """Return the weapon and target with the highest value per Action, within `actions`; NOBODY if none. Ledger 6.7."""
    u = s.units[i]
    found = c.NOBODY
    target = c.NOBODY
    top = 0.0
    for weapon in range(u.weapon, u.weapon + u.weapons):
        price = attack_price(s.weapons[weapon])
        if price <= actions:
            e, value = best_target_here(s, i, weapon)
            if e >= 0 and goes_before(s, i, e, value / price, target, top):
                found = weapon
                target = e
                top = value / price
    return found, target


def zeal_here(s: State, i: int, actions: int) -> int:
    """Return how many Actions unit i, which has none left, would buy to attack without moving.

    A unit below 0 Actions must first buy the ones it lacks.
    """
    u = s.units[i]
    own = s.sides[u.side]
    lacks = max(0, -actions)
    left = min(3, own.momentum) - lacks
    bought = 0
    seen = 0  # bit n: the unit's weapon n has been considered
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
    return bought + lacks if bought else 0


# --- moves ------------------------------------------------------------------------------------------------------------

SPARE = 3  # Momentum that must be left after paying to leave a melee
INSIDE = 0.5  # inches that a unit moves into Cover
# as parts of the table's depth: 12, 8 and 4 of 48 inches, and 32 if units are placed in turns
ASSAULT_LINE, LINE, SHIP_LINE = 4.0, 6.0, 12.0
BOLD_ASSAULT_LINE = 1.5
MARGIN = 6.0


def column_of(s: State, i: int) -> float:
    """Return the distance from the left edge at which unit i deploys. Ledger 6.2, ST-412."""
    b = s.battle
    side = s.units[i].side
    first = first_unit(b, side)
    x = MARGIN + (s.battle.table - 2.0 * MARGIN) * (i - first + 0.5) / (end_of_units(b, side) - first)
    if s.units[i].column >= 0.0:
        x = s.units[i].column
    return s.battle.table - x if side == c.SIDE_B else x


def first_place(s: State, i: int) -> tuple[float, float]:
    """Return the place where unit i deploys. Ledger 6.2."""
    u = s.units[i]
    x = column_of(s, i)
    y = s.battle.table / (ASSAULT_LINE if u.assault else LINE)
    if u.kind == c.WARSHIP:
        y = s.battle.table / SHIP_LINE
    from_edge = 0.0
    ahead = 1.0
    if u.side == c.SIDE_B:
        from_edge = s.battle.table
        ahead = -1.0
    if s.battle.advanced:
        return dry_place(s, x, from_edge, ahead, y)
    return x, from_edge + ahead * y


def depth_of(s: State, i: int) -> float:
    """Return unit i's distance from its own edge if units are placed in turns."""
    u = s.units[i]
    deep = s.battle.table
    if u.kind == c.WARSHIP:
        return deep / SHIP_LINE
    if s.sides[u.side].bold and u.assault:
        return deep / BOLD_ASSAULT_LINE
    if s.sides[u.side].bold or u.assault:
        return deep / ASSAULT_LINE + deep / LINE
    return deep / ASSAULT_LINE


def place_by_turns(s: State, i: int) -> tuple[int, float, float]:
    """Return 1 and a place for unit i if units are placed in turns, otherwise 0.

    Of the possible places it is the one nearest to the unit's column and farthest forward.
    """
    x = column_of(s, i)
    y = 0.0
    aside = 0.0
    while aside <= s.battle.table:
        for sign in range(2):
            at = x + aside if sign == 0 else x - aside
            ahead = depth_of(s, i) if 0.0 <= at <= s.battle.table else -1.0
            while ahead >= 0.0:
                y = ahead if s.units[i].side == c.SIDE_A else s.battle.table - ahead
                if may_be_placed(s, i, at, y):
                    return 1, at, y
                ahead -= 1.0
        aside += 1.0
    return 0, x, y


def end_ordered_moves(s: State) -> None:
    """Switch units whose movement order has run out to its follow-up order, or to the AI's choice. ST-412."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.ordered_until and s.battle.round > u.ordered_until:
            u.ordered_until = 0
            u.ordered_move = u.ordered_then


def first_engaged(s: State, i: int) -> int:
    """Return the first enemy that unit i is engaged with; NOBODY if there is none."""
    u = s.units[i]
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if s.units[k].status == c.STANDS and are_engaged(u, s.units[k]):
            return k
    return c.NOBODY


def wants_out(s: State, i: int, must: int) -> bool:
    """Return True if unit i would pay to leave a melee. Ledger 6.7 step 4, ST-412."""
    u = s.units[i]
    own = s.sides[u.side]
    if u.kind == c.WARSHIP or u.locked == 0 or must >= 0:
        return False
    if keeps_away(u):
        return own.momentum >= u.locked
    if own.disengages == 0 or u.assault or u.ordered_move == c.ORDERED_HOLD:
        return False
    return own.momentum >= u.locked + SPARE


def way_out(s: State, i: int) -> tuple[int, float, float]:
    """Return 1 and where unit i's path out of its melee ends; 0 if there is no path. Ledger 6.7 step 4."""
    u = s.units[i]
    side = 1 - u.side
    sum_x = 0.0
    sum_y = 0.0
    for k in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        v = s.units[k]
        if v.status == c.STANDS and are_engaged(u, v):
            sum_x += v.x
            sum_y += v.y
    to_x, to_y = way(sum_x / u.locked, sum_y / u.locked, u.x, u.y)
    if to_x == 0.0 and to_y == 0.0:
        to_y = -1.0 if u.side == c.SIDE_A else 1.0
    length = path_length_on_table(s.battle.table, u.x, u.y, to_x, to_y, u.move)
    x = u.x + to_x * length
    y = u.y + to_y * length
    for k in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        v = s.units[k]
        if v.status == c.STANDS and are_engaged(u, v) and would_engage(u, x, y, v):
            return 0, x, y
    return (1 if is_others_clear(s, i, x, y) else 0), x, y


def is_others_clear(s: State, i: int, x: float, y: float) -> bool:
    """Return True if unit i's path stays clear of all enemies that it isn't engaged with."""
    u = s.units[i]
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status == c.STANDS and not are_engaged(u, v) and passes(u, x, y, v):
            return False
    return True


def is_on_foreign_point(s: State, u: Unit) -> bool:
    """Return True if a unit is within 3" of a control point that its side doesn't own."""
    for p in range(s.battle.points):
        point = s.points[p]
        if point.owner != u.side and is_within(point.x, point.y, u.x, u.y, c.CAPTURE):
            return True
    return False


def nearest_point(s: State, i: int) -> int:
    """Return the nearest control point not owned by unit i's side or held by a friend; NOBODY if there is none."""
    u = s.units[i]
    found = c.NOBODY
    least = 0.0
    for p in range(s.battle.points):
        point = s.points[p]
        if point.owner == u.side or is_held_by_friend(s, i, p):
            continue
        far = sqrt(squared(u.x, u.y, point.x, point.y))
        if found == c.NOBODY or far < least - c.NEAR:
            found = p
            least = far
    return found


def is_held_by_friend(s: State, i: int, p: int) -> bool:
    """Return True if another unit of unit i's side is within 3" of control point p."""
    u = s.units[i]
    point = s.points[p]
    for k in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side)):
        friend = s.units[k]
        if k != i and friend.status == c.STANDS and is_within(point.x, point.y, friend.x, friend.y, c.CAPTURE):
            return True
    return False


def nearest_disc(s: State, u: Unit) -> int:
    """Return the standing piece with the nearest edge; NOBODY if the unit is inside one or there is none."""
    found = c.NOBODY
    least = 0.0
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.gone or disc.kind == c.WATER:
            continue
        if is_inside(disc, u.x, u.y):
            return c.NOBODY
        edge = sqrt(squared(disc.x, disc.y, u.x, u.y)) - disc.radius
        if found == c.NOBODY or edge < least - c.NEAR:
            found = k
            least = edge
    return found


def cover_spot(s: State, i: int, moves: int) -> tuple[int, float, float]:
    """Return 1 and a place if unit i would enter Cover within `moves` Move Actions, else 0. Ledger 6.7 step 8 (v)."""
    u = s.units[i]
    if u.shield >= c.COVER_DEF or u.barrier >= c.COVER_DEF:
        return 0, 0.0, 0.0
    k = nearest_disc(s, u)
    if k == c.NOBODY:
        return 0, 0.0, 0.0
    disc = s.discs[k]
    to_x, to_y = way(disc.x, disc.y, u.x, u.y)
    x = disc.x + to_x * (disc.radius - INSIDE)
    y = disc.y + to_y * (disc.radius - INSIDE)
    if not is_within(u.x, u.y, x, y, u.move * moves):
        return 0, 0.0, 0.0
    if s.sides[u.side].momentum > 3:
        near = nearest_enemy(s, i, u.x, u.y)
        if near >= 0:
            v = s.units[near]
            end_x, end_y = step_towards(s, i, x, y)
            if sqrt(squared(end_x, end_y, v.x, v.y)) > sqrt(squared(u.x, u.y, v.x, v.y)) + c.NEAR:
                return 0, 0.0, 0.0
    return 1, x, y


def goal(s: State, i: int, attacked: int, moves: int) -> tuple[int, float, float]:
    """Return 1 and a place if unit i has a goal, otherwise 0; `attacked`: this turn. Ledger 6.7 step 8, ST-412."""
    u = s.units[i]
    own = s.sides[u.side]
    if keeps_away(u):
        return 1, u.x, s.battle.table if u.side == c.SIDE_B else 0.0
    if u.ordered_move == c.ORDERED_HOLD:
        return 0, 0.0, 0.0
    if u.ordered_move == c.ORDERED_CLOSE:
        k = nearest_enemy(s, i, u.x, u.y)
        if k >= 0:
            return 1, s.units[k].x, s.units[k].y
    if is_on_foreign_point(s, u):
        return 0, 0.0, 0.0
    p = nearest_point(s, i)
    if p >= 0:
        return 1, s.points[p].x, s.points[p].y
    if attacked == 0 or (own.bold and u.assault):
        k = nearest_enemy(s, i, u.x, u.y)
        if k >= 0:
            return 1, s.units[k].x, s.units[k].y
        return 0, 0.0, 0.0
    if own.bold == 0:
        return cover_spot(s, i, moves)
    return 0, 0.0, 0.0


def step_towards(s: State, i: int, x: float, y: float) -> tuple[float, float]:
    """Return where one of unit i's Move Actions towards a point ends. Ledger 6.7 step 8."""
    u = s.units[i]
    to_x, to_y = way(u.x, u.y, x, y)
    length = min(u.move, sqrt(squared(u.x, u.y, x, y)))
    length = free_path_length(s, i, to_x, to_y, length)
    if s.battle.advanced:
        length = dry_way(s, u.x, u.y, to_x, to_y, length)
    return u.x + to_x * length, u.y + to_y * length
