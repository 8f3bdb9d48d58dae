"""Queries of a state for all rules: geometry of bases, sides, values of a Warmech, sight, cover. They change nothing.

Gaps, arcs and turns: BS-070 to BS-073, BS-161 to BS-163, ledger 6.1. Directions are vectors.
"""

from __future__ import annotations

from math import sqrt

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.state import Battle, State, Unit, Weapon
from systems.spaces.inches import squared, squared_to_way

TINY = 1e-9  # tolerance in inches: "at most" includes it, "less than" excludes it
HALF_ROOT = 0.7071067811865476  # square root of 1/2, which is the sine and cosine of 45 degrees
FRONT, LEFT, RIGHT, REAR = 1, 2, 3, 4
NO_FLANK, SIDE_FLANK, REAR_FLANK = 0, 1, 2


def gap(ax: float, ay: float, a_radius: float, bx: float, by: float, b_radius: float) -> float:
    """Return the edge-to-edge distance of two bases, at least 0. BS-070."""
    return max(0.0, sqrt(squared(ax, ay, bx, by)) - a_radius - b_radius)


def arc_of(x: float, y: float, face_x: float, face_y: float, tx: float, ty: float) -> int:
    """Return the arc that a point is in, seen from (x, y); on a line, the arc nearer the front. BS-072, ledger 2.12."""
    ahead = face_x * (tx - x) + face_y * (ty - y)
    left = face_x * (ty - y) - face_y * (tx - x)
    beside = abs(left)
    if beside <= ahead + TINY:
        return FRONT
    if beside + ahead < -TINY:
        return REAR
    return LEFT if left > 0.0 else RIGHT


def flank_of(x: float, y: float, face_x: float, face_y: float, ax: float, ay: float, a_radius: float) -> int:
    """Return the side on which a base at a, attacking, hits a target at (x, y). BS-161 to BS-163."""
    ahead = face_x * (ax - x) + face_y * (ay - y)
    beside = abs(face_x * (ay - y) - face_y * (ax - x))
    if beside + ahead < -TINY:
        return REAR_FLANK
    if (beside - ahead) * HALF_ROOT >= a_radius - TINY and (beside + ahead) * HALF_ROOT >= a_radius - TINY:
        return SIDE_FLANK
    return NO_FLANK


def turned(face_x: float, face_y: float, to_x: float, to_y: float, left: int, right: int) -> tuple[float, float]:
    """Return the facing after turning towards a direction by at most `left` or `right` degrees. BS-044, BS-AR03.

    Each limit is 0, 45 or 90.
    """
    if to_x == 0.0 and to_y == 0.0:
        return face_x, face_y
    ahead = face_x * to_x + face_y * to_y
    aside = face_x * to_y - face_y * to_x
    most = left if aside >= -TINY else right
    sign = 1.0 if aside >= -TINY else -1.0
    beside = abs(aside)
    if most == 90:
        return (to_x, to_y) if ahead >= -TINY else (-sign * face_y, sign * face_x)
    if most == 45:
        if beside <= ahead + TINY:
            return to_x, to_y
        return (face_x - sign * face_y) * HALF_ROOT, (face_y + sign * face_x) * HALF_ROOT
    return face_x, face_y


SEEN = 1
COVERS_B, COVERS_A = 2, 4  # bits that `line` adds


def count_units(s: State) -> int:
    """Return how many Warmechs the two sides have in total."""
    return s.battle.count_a + s.battle.count_b


def first_unit(b: Battle, side: int) -> int:
    """Return the first Warmech of a side."""
    return 0 if side == c.SIDE_A else b.count_a


def end_of_units(b: Battle, side: int) -> int:
    """Return the index after the last Warmech of a side."""
    return b.count_a if side == c.SIDE_A else b.count_a + b.count_b


def is_eligible(u: Unit) -> bool:
    """Return True if the Warmech may be activated. BS-023."""
    return u.status == c.STANDS and u.cooling == 0 and u.overheated == 0 and u.sits_out == 0


def has_eligible(s: State, side: int) -> bool:
    """Return True if a side has a Warmech that may be activated. BS-029, BS-030."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if is_eligible(u):
            return True
    return False


def count_standing(s: State, side: int) -> int:
    """Return how many Warmechs of a side are on the table."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.STANDS:
            found += 1
    return found


def is_crippled(u: Unit, result: int) -> bool:
    """Return True if a crippling result applies to the Warmech. BS-153."""
    return u.cripples & (1 << result) != 0


def has_peripheral(u: Unit, peripheral: int) -> bool:
    """Return True if the Warmech has that peripheral in working order. BS-165, BS-170."""
    return u.peripheral == peripheral and u.peripheral_lost == 0


def weapon_of(s: State, i: int, slot: int) -> Weapon:
    """Return the contents of a slot of a Warmech."""
    return s.weapons[i * c.SLOTS + slot]


def is_loaded(w: Weapon) -> bool:
    """Return True for a working ranged weapon that can fire now. BS-050, BS-113."""
    return w.kind == c.GUN and w.lost == 0 and (w.limited == 0 or w.ammo > 0)


def count_blades(s: State, i: int) -> int:
    """Return how many of a Warmech's melee weapons work."""
    found = 0
    for slot in range(c.SLOTS):
        w = s.weapons[i * c.SLOTS + slot]
        if w.kind == c.BLADE and w.lost == 0:
            found += 1
    return found


def count_flak_guns(s: State, i: int) -> int:
    """Return how many of a Warmech's flak weapons work. BS-128."""
    found = 0
    for slot in range(c.SLOTS):
        w = s.weapons[i * c.SLOTS + slot]
        if w.kind == c.GUN and w.lost == 0 and w.flak:
            found += 1
    return found


def melee_value(s: State, i: int) -> int:
    """Return the Melee value. BS-008, BS-011, BS-016, BS-172."""
    u = s.units[i]
    value = u.melee + count_blades(s, i)
    if u.locomotion == c.BIPEDAL:
        value += 1
    if has_peripheral(u, c.GYROS):
        value += 1
    return value


def can_walk(s: State, u: Unit) -> bool:
    """Return False for a biped without legs, if the house rule leaves it standing immobile. BS-160."""
    return s.battle.immobile == 0 or u.locomotion != c.BIPEDAL or not has_no_legs(u)


def has_no_legs(u: Unit) -> bool:
    """Return True if both Locomotion results apply."""
    return is_crippled(u, c.CRIPPLED_RIGHT_LEG) and is_crippled(u, c.CRIPPLED_LEFT_LEG)


def move_value(u: Unit) -> int:
    """Return the Movement value, which each Locomotion result halves, rounding down. BS-155."""
    value = u.move
    if is_crippled(u, c.CRIPPLED_RIGHT_LEG):
        value //= 2
    if is_crippled(u, c.CRIPPLED_LEFT_LEG):
        value //= 2
    return value


def sprint_of(u: Unit) -> int:
    """Return the total length of a Sprint. BS-009, BS-041, BS-155."""
    return move_value(u) + u.sprint + (2 if u.locomotion == c.TRACKED else 0)


def jump_of(u: Unit) -> int:
    """Return the length of a Jump. BS-042, BS-173."""
    return u.jump + (2 if has_peripheral(u, c.BOOSTERS) else 0)


def allowance(u: Unit, action: int) -> int:
    """Return the length of a Move, Sprint or Jump. Ledger 2.2."""
    if action == c.SPRINT:
        return sprint_of(u)
    return jump_of(u) if action == c.JUMP else move_value(u)


def dodge_value(u: Unit) -> int:
    """Return the Dodge value, which is the TN of dodge dice. BS-146, BS-172."""
    value = u.dodge
    if has_peripheral(u, c.AGILITY):
        value += 1
    if is_crippled(u, c.CRIPPLED_RIGHT_LEG):
        value -= 1
    if is_crippled(u, c.CRIPPLED_LEFT_LEG):
        value -= 1
    return max(0, value)


def armor_value(u: Unit) -> int:
    """Return the Armor value. BS-154."""
    return 1 if is_crippled(u, c.CRIPPLED_ARMOR) else u.armor


def turn_left(u: Unit, action: int) -> int:
    """Return how many degrees a movement lets the Warmech turn left. BS-040 to BS-042, BS-044, BS-155."""
    most = 45 if action == c.SPRINT else 90
    return max(0, most - 45) if is_crippled(u, c.CRIPPLED_LEFT_LEG) else most


def turn_right(u: Unit, action: int) -> int:
    """Return how many degrees a movement lets the Warmech turn right."""
    most = 45 if action == c.SPRINT else 90
    return max(0, most - 45) if is_crippled(u, c.CRIPPLED_RIGHT_LEG) else most


def distance(s: State, i: int, e: int) -> float:
    """Return the edge-to-edge distance of two Warmechs. BS-070."""
    u = s.units[i]
    t = s.units[e]
    return gap(u.x, u.y, u.radius, t.x, t.y, t.radius)


def in_contact(s: State, i: int, e: int) -> bool:
    """Return True if two Warmechs are in base contact. BS-071."""
    return distance(s, i, e) <= c.CONTACT + TINY


def line(s: State, ax: float, ay: float, a_radius: float, bx: float, by: float, b_radius: float) -> int:
    """Return the line between two bases: SEEN if it isn't blocked, COVERS_B if b is in cover from a, COVERS_A.

    A line that only touches an edge doesn't enter it. BS-075, BS-085 to BS-087.
    """
    found = SEEN
    for k in range(s.battle.discs):
        disc = s.discs[k]
        near = squared_to_way(disc.x, disc.y, ax, ay, bx, by)
        inside = disc.radius - TINY
        if disc.kind == c.WOODS:
            if near < inside * inside:
                is_a_inside = squared(disc.x, disc.y, ax, ay) < inside * inside
                is_b_inside = squared(disc.x, disc.y, bx, by) < inside * inside
                if is_b_inside or not is_a_inside:
                    found |= COVERS_B
                if is_a_inside or not is_b_inside:
                    found |= COVERS_A
            continue
        edge = inside + c.COVER_EDGE
        if near >= edge * edge:
            continue
        if near < inside * inside:
            found &= ~SEEN
        reach = disc.radius + c.COVER_NEAR + TINY
        if squared(disc.x, disc.y, bx, by) <= (reach + b_radius) * (reach + b_radius):
            found |= COVERS_B
        if squared(disc.x, disc.y, ax, ay) <= (reach + a_radius) * (reach + a_radius):
            found |= COVERS_A
    return found


def sees(s: State, ax: float, ay: float, bx: float, by: float) -> bool:
    """Return True if there is a line of sight between two centres. BS-075."""
    for k in range(s.battle.discs):
        disc = s.discs[k]
        inside = disc.radius - TINY
        if disc.kind == c.BLOCK and squared_to_way(disc.x, disc.y, ax, ay, bx, by) < inside * inside:
            return False
    return True


def spots(s: State, i: int, x: float, y: float, radius: float) -> bool:
    """Return True if Warmech i, with its present place and facing, spots a base at (x, y). BS-053, BS-076."""
    u = s.units[i]
    return (
        u.status == c.STANDS and gap(u.x, u.y, u.radius, x, y, radius) <= c.SPOTTING + TINY and sees(s, u.x, u.y, x, y)
    )


def is_spotted(s: State, i: int, e: int) -> bool:
    """Return True if another Warmech on i's side spots enemy e. BS-077."""
    t = s.units[e]
    for q in range(first_unit(s.battle, s.units[i].side), end_of_units(s.battle, s.units[i].side)):
        if q != i and spots(s, q, t.x, t.y, t.radius):
            return True
    return False
