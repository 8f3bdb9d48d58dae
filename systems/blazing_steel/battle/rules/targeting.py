"""Valid targets and target numbers of shots and strikes.

Strikes: BS-049, BS-135 to BS-139, BS-163.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.facts import (
    COVERS_B,
    FRONT,
    LEFT,
    REAR,
    REAR_FLANK,
    RIGHT,
    SIDE_FLANK,
    TINY,
    arc_of,
    armor_value,
    count_blades,
    count_flak_guns,
    end_of_units,
    first_unit,
    flank_of,
    gap,
    has_peripheral,
    in_contact,
    is_crippled,
    is_loaded,
    is_spotted,
    line,
    melee_value,
    sees,
    spots,
    weapon_of,
)
from systems.blazing_steel.battle.state import State, Unit, Weapon

BASE_TN = 6
SAMPLES = 4  # number of parts into which a path is divided


def fires_into(w: Weapon, arc: int) -> bool:
    """Return True if the weapon's mount allows fire into an arc. BS-073, BS-074."""
    if arc == FRONT:
        return True
    if arc == REAR:
        return False
    if w.mount == c.SHOULDER:
        return True
    return (arc == LEFT and w.mount == c.ARM_LEFT) or (arc == RIGHT and w.mount == c.ARM_RIGHT)


def shot_refusal(s: State, i: int, slot: int, e: int) -> int:
    """Return why Warmech i can't shoot enemy e with a slot's weapon; 0 if it can. BS-050, BS-110, BS-111, BS-130."""
    u = s.units[i]
    t = s.units[e]
    w = weapon_of(s, i, slot)
    if w.kind != c.GUN or w.lost:
        return c.NO_WEAPON
    if not is_loaded(w):
        return c.NO_AMMO
    if not fires_into(w, arc_of(u.x, u.y, u.face_x, u.face_y, t.x, t.y)):
        return c.OUT_OF_ARC
    is_seen = sees(s, u.x, u.y, t.x, t.y)
    if not is_seen and (w.indirect == 0 or not is_spotted(s, i, e)):
        return c.NO_LINE_OF_SIGHT
    if w.short and gap(u.x, u.y, u.radius, t.x, t.y, t.radius) > w.range + TINY:
        return c.SHORT_OUT_OF_RANGE
    if w.guided and not is_spotted(s, i, e) and not spots(s, i, t.x, t.y, t.radius):
        return c.NOT_SPOTTED
    return 0


def cover_of(t: Unit) -> int:
    """Return how much cover reduces a TN. BS-058, BS-122."""
    return 2 if t.fortified else 1


def is_hidden(t: Unit) -> bool:
    """Return True if working Optical Camo hides the Warmech, which needs it to have no heat die. BS-176."""
    return has_peripheral(t, c.CAMO) and t.heat == 0


def sample(start: float, end: float, at: int) -> float:
    """Return a coordinate of a sample point, `at` quarters along a path. BS-121."""
    return start + (end - start) * (0.25 * at)


def samples_of(t: Unit) -> int:
    """Return how many sample points a Warmech's path in this step has. BS-121."""
    return 1 if t.x == t.from_x and t.y == t.from_y else SAMPLES + 1


def is_beyond_range(s: State, i: int, w: Weapon, e: int) -> bool:
    """Return True if enemy e is beyond a weapon's ideal range along its whole path. BS-111, BS-122, BS-132."""
    u = s.units[i]
    t = s.units[e]
    for at in range(samples_of(t)):
        x = sample(t.from_x, t.x, at)
        y = sample(t.from_y, t.y, at)
        if gap(u.x, u.y, u.radius, x, y, t.radius) <= w.range + TINY:
            return False
    return True


def is_in_cover(s: State, i: int, e: int) -> bool:
    """Return True if enemy e is in cover from Warmech i anywhere along its path. BS-087, BS-122."""
    u = s.units[i]
    t = s.units[e]
    for at in range(samples_of(t)):
        x = sample(t.from_x, t.x, at)
        y = sample(t.from_y, t.y, at)
        if line(s, u.x, u.y, u.radius, x, y, t.radius) & COVERS_B:
            return True
    return False


def is_scoped(s: State, i: int, e: int) -> bool:
    """Return True if another Warmech on i's side spots e anywhere along its path through a Targeting Scope. BS-171."""
    t = s.units[e]
    for q in range(first_unit(s.battle, s.units[i].side), end_of_units(s.battle, s.units[i].side)):
        if q == i or not has_peripheral(s.units[q], c.SCOPE):
            continue
        for at in range(samples_of(t)):
            if spots(s, q, sample(t.from_x, t.x, at), sample(t.from_y, t.y, at), t.radius):
                return True
    return False


def targeting_of(u: Unit) -> int:
    """Return how much the Targeting cripple reduces offensive TNs. BS-154."""
    return 1 if is_crippled(u, c.CRIPPLED_TARGETING) else 0


def impact_on(s: State, k: int) -> int:
    """Return the Impact on order k's Warmech from the other active Warmech's fire in this step. BS-123."""
    other = s.orders[1 - k]
    if other.action != c.SHOOT or other.target != s.orders[k].unit or other.unit == c.NOBODY:
        return 0
    return weapon_of(s, other.unit, other.slot).impact


def can_flak(s: State, i: int, e: int) -> bool:
    """Return True if Warmech i can throw flak for e: itself, or a friend in sight within 4 inches. BS-128."""
    u = s.units[i]
    t = s.units[e]
    if t.side != u.side or count_flak_guns(s, i) == 0:
        return False
    return e == i or (
        gap(u.x, u.y, u.radius, t.x, t.y, t.radius) <= c.FLAK_REACH + TINY and sees(s, u.x, u.y, t.x, t.y)
    )


def strike_dice(s: State, i: int) -> int:
    """Return how many dice a strike rolls. BS-135."""
    return 1 + count_blades(s, i)


def strike_tn(s: State, i: int, e: int) -> int:
    """Return the TN of a strike from the Melee values, less the Targeting cripple. BS-136."""
    own = melee_value(s, i)
    theirs = melee_value(s, e)
    tn = 6 if own > theirs else 5 if own == theirs else 4
    return tn - targeting_of(s.units[i])


def strike_ap(s: State, i: int) -> int:
    """Return the AP of a strike. BS-139."""
    return s.units[i].strike_ap + (1 if count_blades(s, i) else 0)


def strike_damage(s: State, i: int) -> int:
    """Return the Damage of a strike. BS-139."""
    return s.units[i].strike_damage + (1 if count_blades(s, i) else 0)


def strike_refusal(s: State, i: int, e: int) -> int:
    """Return why Warmech i can't strike enemy e from where it is; 0 if it can. BS-049."""
    u = s.units[i]
    t = s.units[e]
    if not in_contact(s, i, e):
        return c.NOT_IN_CONTACT
    return c.OUT_OF_ARC if arc_of(u.x, u.y, u.face_x, u.face_y, t.x, t.y) == REAR else 0


def facing_armor(
    t: Unit, x: float, y: float, face_x: float, face_y: float, ax: float, ay: float, a_radius: float
) -> int:
    """Return the effective Armor of t at (x, y) against a base at a. BS-161 to BS-164."""
    flank = flank_of(x, y, face_x, face_y, ax, ay, a_radius)
    less = 2 if flank == REAR_FLANK else 1 if flank == SIDE_FLANK else 0
    return max(1, armor_value(t) - less)
