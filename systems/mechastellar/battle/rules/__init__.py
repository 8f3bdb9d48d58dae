"""Queries of a state for all rules: facing, sides, engagement, sight, cover, control points. They change nothing.

Directions are unit vectors. ST-061, ST-064, ST-D95.
"""

from __future__ import annotations

from math import floor, sqrt

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.state import Battle, Disc, State, Unit
from systems.spaces.inches import squared, squared_to_way

FINE = 1000000.0  # distances are compared in millionths of an inch


def count_units(s: State) -> int:
    """Return how many units the two sides have in total."""
    return s.battle.count_a + s.battle.count_b


def first_unit(b: Battle, side: int) -> int:
    """Return the first unit of a side."""
    return 0 if side == c.SIDE_A else b.count_a


def end_of_units(b: Battle, side: int) -> int:
    """Return the index after the last unit of a side."""
    return b.count_a if side == c.SIDE_A else b.count_a + b.count_b


def is_shut_down(u: Unit) -> bool:
    """Return True for a unit below 0 Actions, counting those added by Zeal or orders this turn. ST-306, ST-D62."""
    return u.penalties > 1 + u.more


def count_standing(s: State, side: int) -> int:
    """Return how many of a side's units are on the table."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.STANDS:
            found += 1
    return found


def count_surviving(s: State, side: int) -> int:
    """Return how many of a side's units aren't destroyed. ST-371."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status != c.DESTROYED:
            found += 1
    return found


def is_to_activate(u: Unit) -> bool:
    """Return True if the unit is on the table and hasn't been active this Round. ST-041."""
    return u.status == c.STANDS and u.activated == 0


def distance(s: State, i: int, k: int) -> float:
    """Return the distance between the centres of two units. ST-091."""
    return sqrt(squared(s.units[i].x, s.units[i].y, s.units[k].x, s.units[k].y))


def is_within(ax: float, ay: float, bx: float, by: float, reach: float) -> bool:
    """Return True if two points are at most `reach` apart."""
    return squared(ax, ay, bx, by) <= (reach + c.NEAR) * (reach + c.NEAR)


def engagement(u: Unit, v: Unit) -> float:
    """Return the distance at which two enemies are engaged. ST-070, ST-D24."""
    return c.ENGAGEMENT + max(u.size, v.size)


def would_engage(u: Unit, x: float, y: float, v: Unit) -> bool:
    """Return True if u, at (x, y), would be engaged with v."""
    return is_within(x, y, v.x, v.y, engagement(u, v))


def are_engaged(u: Unit, v: Unit) -> bool:
    """Return True if two enemies on the table are engaged. ST-070."""
    return is_within(u.x, u.y, v.x, v.y, engagement(u, v))


def mark_engaged(s: State) -> None:
    """Count each unit's engaged enemies. ST-071."""
    b = s.battle
    for i in range(count_units(s)):
        s.units[i].locked = 0
    for i in range(b.count_a):
        u = s.units[i]
        if u.status != c.STANDS:
            continue
        for k in range(b.count_a, b.count_a + b.count_b):
            v = s.units[k]
            if v.status == c.STANDS and are_engaged(u, v):
                u.locked += 1
                v.locked += 1


def nearest_enemy(s: State, i: int, x: float, y: float) -> int:
    """Return i's enemy nearest to a place, on ties the first; NOBODY if there is none. Ledger 6.7."""
    u = s.units[i]
    found = c.NOBODY
    least = 0
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status == c.STANDS:
            far = floor(sqrt(squared(x, y, v.x, v.y)) * FINE + 0.5)
            if found == c.NOBODY or far < least:
                found = k
                least = far
    return found


def passes(u: Unit, x: float, y: float, v: Unit) -> bool:
    """Return True if u's straight path to (x, y) enters the engagement range of enemy v. ST-066."""
    reach = engagement(u, v) + c.NEAR
    return squared_to_way(v.x, v.y, u.x, u.y, x, y) <= reach * reach


def is_wet(s: State, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return True if a straight path leads through deep water. ST-351."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.kind == c.WATER and is_crossed(disc, ax, ay, bx, by):
            return True
    return False


def is_way_clear(s: State, i: int, x: float, y: float, but: int) -> bool:
    """Return True if unit i's straight path avoids water and engagement with all enemies except `but`. ST-066."""
    u = s.units[i]
    if s.battle.advanced and is_wet(s, u.x, u.y, x, y):
        return False
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if k != but and v.status == c.STANDS and passes(u, x, y, v):
            return False
    return True


def is_inside(disc: Disc, x: float, y: float) -> bool:
    """Return True if a point is inside a disc, not on its edge."""
    inner = disc.radius - c.NEAR
    return squared(disc.x, disc.y, x, y) < inner * inner


def is_crossed(disc: Disc, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return True if the straight path from a to b crosses the inside of a disc."""
    inner = disc.radius - c.NEAR
    return squared_to_way(disc.x, disc.y, ax, ay, bx, by) < inner * inner


def sees(s: State, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return True if there is a line of sight between two points; it is mutual. ST-093, ST-095, ST-D92."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        stands = disc.gone == 0 and (disc.kind == c.TALL or disc.kind == c.FOREST)
        blocks = stands and is_crossed(disc, ax, ay, bx, by)
        if blocks and not is_inside(disc, ax, ay) and not is_inside(disc, bx, by):
            return False
    return True


def is_up(u: Unit, x: float, y: float) -> bool:
    """Return True if a unit at (x, y) would be on High Ground: it is there and doesn't move. ST-081, ledger 6.9."""
    return u.high == 1 and u.x == x and u.y == y


def sees_from_above(s: State, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return the same as `sees`, to or from High Ground, where only High Ground blocks. ST-082."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        blocks = disc.high == 1 and disc.kind != c.LOW and disc.gone == 0 and is_crossed(disc, ax, ay, bx, by)
        if blocks and not is_inside(disc, ax, ay) and not is_inside(disc, bx, by):
            return False
    return True


def sees_past_wrecks(s: State, u: Unit, v: Unit, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return True if no wreck hides two smaller units from each other. ST-353."""
    if u.kind > c.SUPER_ROBOT or v.kind > c.SUPER_ROBOT:
        return True
    for k in range(s.battle.discs):
        disc = s.discs[k]
        blocks = disc.kind == c.WRECK and disc.gone == 0 and is_crossed(disc, ax, ay, bx, by)
        if blocks and not is_inside(disc, ax, ay) and not is_inside(disc, bx, by):
            return False
    return True


def can_see(s: State, i: int, x: float, y: float, e: int) -> bool:
    """Return True if unit i, at (x, y), has a line of sight to e. ST-082, ST-093, ST-096, ST-351, ST-353."""
    v = s.units[e]
    if s.battle.advanced == 0:
        return sees(s, x, y, v.x, v.y)
    u = s.units[i]
    if u.sunk != v.sunk:
        return False
    if is_up(u, x, y) or v.high:
        return sees_from_above(s, x, y, v.x, v.y)
    return sees(s, x, y, v.x, v.y) and sees_past_wrecks(s, u, v, x, y, v.x, v.y)


def hides_from_above(s: State, e: int) -> int:
    """Return the piece that gives e Cover from indirect fire; NOBODY if none does. ST-098."""
    v = s.units[e]
    found = c.NOBODY
    least = 0.0
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.gone or disc.kind == c.WATER:
            continue
        edge = sqrt(squared(disc.x, disc.y, v.x, v.y)) - disc.radius
        if edge <= c.COVER_REACH + v.size + c.NEAR and (found == c.NOBODY or edge < least):
            found = k
            least = edge
    return found


def is_roofed(s: State, e: int) -> bool:
    """Return True if e is under something that stops indirect fire. ST-097."""
    v = s.units[e]
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.roofed == 1 and disc.gone == 0 and v.high == 0 and is_inside(disc, v.x, v.y):
            return True
    return False


def partner_of(s: State, i: int) -> int:
    """Return unit i's enemy in a Challenge or Revenge; NOBODY if there is none. ST-047, ST-048."""
    b = s.battle
    if b.challenger == i or b.challenged == i:
        other = b.challenged if b.challenger == i else b.challenger
        if s.units[other].status == c.STANDS:
            return other
    for side in range(2):
        own = s.sides[side]
        if own.avenger >= 0 and (own.avenger == i or own.avenged_on == i):
            other = own.avenged_on if own.avenger == i else own.avenger
            if s.units[other].status == c.STANDS:
                return other
    return c.NOBODY


def cover_from(s: State, ax: float, ay: float, bx: float, by: float, size: int) -> int:
    """Return the piece that gives a unit of that Size at b Cover from a; NOBODY if none does. ST-341, ST-D93."""
    found = c.NOBODY
    least = 0.0
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.gone or disc.kind == c.WATER:
            continue
        reach = c.COVER_REACH + size + c.NEAR + disc.radius
        far = squared(disc.x, disc.y, bx, by)
        if far <= reach * reach and (is_inside(disc, bx, by) or is_crossed(disc, ax, ay, bx, by)):
            edge = sqrt(far) - disc.radius
            if found == c.NOBODY or edge < least:
                found = k
                least = edge
    return found


def holds_point(s: State, p: int, side: int) -> bool:
    """Return True if one of that side's units is within 3" of control point p. ST-363."""
    point = s.points[p]
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.status == c.STANDS and is_within(point.x, point.y, u.x, u.y, c.CAPTURE):
            return True
    return False


HALF_ROOT = 0.7071067811865476  # square root of 1/2, which is the sine and cosine of 45 degrees
ASIDE = 0.00000001745  # sine of a millionth of a degree, the tolerance for arcs


def is_ahead(x: float, y: float, face_x: float, face_y: float, tx: float, ty: float) -> bool:
    """Return True if a point is in the front arc from (x, y); the border and (x, y) itself are. ST-064."""
    to_x = tx - x
    to_y = ty - y
    along = face_x * to_x + face_y * to_y
    if along >= 0.0:
        return True
    return along * along <= ASIDE * ASIDE * (to_x * to_x + to_y * to_y)


def turned(face_x: float, face_y: float, to_x: float, to_y: float, rotations: int) -> tuple[float, float]:
    """Return the facing after `rotations` of up to 90 degrees towards a direction; (0, 0) is no direction. ST-061."""
    if rotations == 0 or (to_x == 0.0 and to_y == 0.0):
        return face_x, face_y
    if rotations > 1 or face_x * to_x + face_y * to_y >= 0.0:
        return to_x, to_y
    if face_x * to_y - face_y * to_x > 0.0:
        return -face_y, face_x
    return face_y, -face_x


def half_turned(face_x: float, face_y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """Return the facing after a rotation of up to 45 degrees towards a direction. ST-062."""
    if to_x == 0.0 and to_y == 0.0:
        return face_x, face_y
    ahead = face_x * to_x + face_y * to_y
    aside = face_x * to_y - face_y * to_x
    if abs(aside) <= ahead:
        return to_x, to_y
    sign = 1.0 if aside > 0.0 else -1.0
    return (face_x - sign * face_y) * HALF_ROOT, (face_y + sign * face_x) * HALF_ROOT
