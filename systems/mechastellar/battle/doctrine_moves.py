"""The AI's moves for a unit without an attack. Ledger 6.2, 6.7 step 4 and step 8."""

from __future__ import annotations

from math import sqrt

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_plan import keeps_away
from systems.mechastellar.battle.rules.deployment import may_be_placed
from systems.mechastellar.battle.rules.facts import (
    are_engaged,
    count_units,
    end_of_units,
    first_unit,
    is_inside,
    is_within,
    nearest_enemy,
    passes,
    would_engage,
)
from systems.mechastellar.battle.rules.movement import free_path_length, path_length_on_table
from systems.mechastellar.battle.rules.terrain import dry_place, dry_way
from systems.mechastellar.battle.state import State, Unit
from systems.spaces.inches import squared, way

SPARE = 3  # Momentum that remains after paying to leave a melee
INSIDE = 0.5  # inches that a unit goes into Cover
# parts of the table's depth: 12, 8 and 4 of 48 inches, and 32 by turns
ASSAULT_LINE, LINE, SHIP_LINE = 4.0, 6.0, 12.0
BOLD_ASSAULT_LINE = 1.5
MARGIN = 6.0


def column_of(s: State, i: int) -> float:
    """Return the distance from the left edge at which unit i is deployed. Ledger 6.2, ST-412."""
    b = s.battle
    side = s.units[i].side
    first = first_unit(b, side)
    x = MARGIN + (s.battle.table - 2.0 * MARGIN) * (i - first + 0.5) / (end_of_units(b, side) - first)
    if s.units[i].column >= 0.0:
        x = s.units[i].column
    return s.battle.table - x if side == c.SIDE_B else x


def first_place(s: State, i: int) -> tuple[float, float]:
    """Return the place where unit i is deployed. Ledger 6.2."""
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
    """Return the distance of unit i from its own edge if units are placed in turns."""
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
    """Return 1 and a place for unit i if units are placed in turns, else 0.

    The place is the nearest to its column and the farthest forward.
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
    """Switch units whose movement order has run out to its follow-up, or to the AI's own choice. ST-412."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.told_until and s.battle.round > u.told_until:
            u.told_until = 0
            u.told_move = u.told_then


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
    if own.disengages == 0 or u.assault or u.told_move == c.TOLD_HOLD:
        return False
    return own.momentum >= u.locked + SPARE


def way_out(s: State, i: int) -> tuple[int, float, float]:
    """Return 1 if unit i finds a path out of its melee, and where it ends. Ledger 6.7 step 4."""
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
    """Return True if the path of unit i keeps clear of all enemies that it is not engaged with."""
    u = s.units[i]
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status == c.STANDS and not are_engaged(u, v) and passes(u, x, y, v):
            return False
    return True


def is_on_foreign_point(s: State, u: Unit) -> bool:
    """Return True if a unit is within 3" of a control point that its side does not own."""
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
    """Return True if another unit of the side of unit i is within 3" of control point p."""
    u = s.units[i]
    point = s.points[p]
    for k in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side)):
        friend = s.units[k]
        if k != i and friend.status == c.STANDS and is_within(point.x, point.y, friend.x, friend.y, c.CAPTURE):
            return True
    return False


def nearest_disc(s: State, u: Unit) -> int:
    """Return the standing piece with the nearest edge; NOBODY if the unit is inside one, or there is none."""
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
    """Return 1 if unit i would go into Cover with `moves` Move Actions, and where. Ledger 6.7 step 8 (v)."""
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
    """Return 1 if unit i has a goal, and where; `attacked`: it attacked in this turn. Ledger 6.7 step 8, ST-412."""
    u = s.units[i]
    own = s.sides[u.side]
    if keeps_away(u):
        return 1, u.x, s.battle.table if u.side == c.SIDE_B else 0.0
    if u.told_move == c.TOLD_HOLD:
        return 0, 0.0, 0.0
    if u.told_move == c.TOLD_CLOSE:
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
    """Return where one Move Action of unit i towards a point ends. Ledger 6.7 step 8."""
    u = s.units[i]
    to_x, to_y = way(u.x, u.y, x, y)
    length = min(u.move, sqrt(squared(u.x, u.y, x, y)))
    length = free_path_length(s, i, to_x, to_y, length)
    if s.battle.advanced:
        length = dry_way(s, u.x, u.y, to_x, to_y, length)
    return u.x + to_x * length, u.y + to_y * length
