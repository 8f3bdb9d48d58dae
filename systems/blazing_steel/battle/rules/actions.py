"""Activation, available and declared actions, and their targets. BS-022 to BS-037, BS-047 to BS-057, BS-128, BS-174, BS-175.

Every action goes through `declare`. If the action is refused, it changes nothing and returns the reason. Strikes:
BS-049, BS-135 to BS-139, BS-163.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules import (
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
    can_walk,
    count_blades,
    count_flak_guns,
    distance,
    end_of_units,
    first_unit,
    flank_of,
    gap,
    has_peripheral,
    in_contact,
    is_crippled,
    is_eligible,
    is_loaded,
    is_spotted,
    line,
    melee_value,
    move_value,
    sees,
    spots,
    weapon_of,
)
from systems.blazing_steel.battle.rules.movement import is_movement, is_path_clear_to_charge
from systems.blazing_steel.battle.state import State, Unit, Weapon
from systems.engine.dice import Log, note

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


def is_offensive(action: int) -> bool:
    """Return True for Shoot, Charge and Strike. BS-057."""
    return action in (c.SHOOT, c.CHARGE, c.STRIKE)


def heat_of(action: int) -> int:
    """Return the heat of an action. BS-056."""
    if action == c.JUMP:
        return 2
    return 1 if action == c.SPRINT or is_offensive(action) else 0


def heat_of_order(s: State, i: int, action: int, slot: int) -> int:
    """Return the heat of an action by Warmech i, including a second Energy weapon's. BS-056, BS-127."""
    heat = heat_of(action)
    if action == c.SHOOT and weapon_of(s, i, slot).energy:
        first = s.units[i].energy_slot
        if first != c.NOBODY and first != slot:
            heat += 1
    return heat


def must_cool(s: State, u: Unit) -> bool:
    """Return True in a round's last activation, which must include a Cool. BS-037."""
    return s.battle.most_activations > 0 and u.activations >= s.battle.most_activations


def activate(s: State, k: int, i: int, log: Log) -> int:
    """Activate Warmech i in order k; return 0, or the reason for refusal. BS-022, BS-023, BS-174."""
    u = s.units[i]
    if not is_eligible(u):
        return c.NOT_ACTIVE
    u.activations += 1
    u.heat_made = 0
    u.energy_slot = c.NOBODY
    u.smoke = 0
    u.ban = c.BANNED if u.ban == c.BAN_NEXT else c.NO_BAN
    s.orders[k].unit = i
    note(log, "unit-activated", unit=i, role=k, activations=u.activations, must_cool=must_cool(s, u))
    return 0


def turn_refusal(s: State, k: int, action: int) -> int:
    """Return why order k's active Warmech can't take this kind of action now; 0 if it can.

    BS-023, BS-035, BS-037, BS-052, BS-174.
    """
    i = s.orders[k].unit
    if i == c.NOBODY:
        return c.NOT_ACTIVE
    u = s.units[i]
    if u.status != c.STANDS or u.cooling:
        return c.NO_ACTION_LEFT
    if action == c.COOL:
        return c.COOL_FIRST if s.battle.slot == 2 and s.battle.cool_second == 0 else 0
    if must_cool(s, u) and (s.battle.slot == 2 or s.battle.cool_second == 0):
        return c.MUST_COOL
    return c.BANNED_FROM_HEAT if u.ban == c.BANNED and heat_of(action) else 0


def target_refusal(s: State, k: int, i: int, action: int, slot: int, e: int) -> int:
    """Return why Warmech i can't attack e like this in order k; 0 if it can. BS-026, BS-036, BS-047, BS-049, BS-110."""
    if k == c.FOLLOW and e != s.orders[c.LEAD].unit:
        return c.FOLLOWER_TARGET
    if action == c.CHARGE and s.battle.slot == 1 and s.battle.contact_first == 0:
        return c.NO_CONTACT_IN_ACTION_ONE
    if e == c.NOBODY or s.units[e].status != c.STANDS or s.units[e].side == s.units[i].side:
        return c.NOT_ON_TABLE
    if action == c.SHOOT:
        return shot_refusal(s, i, slot, e)
    if action == c.STRIKE:
        return strike_refusal(s, i, e)
    return charge_refusal(s, i, e)


def charge_refusal(s: State, i: int, e: int) -> int:
    """Return why Warmech i can't charge enemy e; 0 if it can. BS-047."""
    u = s.units[i]
    t = s.units[e]
    if not can_walk(s, u):
        return c.CANNOT_MOVE
    if arc_of(u.x, u.y, u.face_x, u.face_y, t.x, t.y) != FRONT:
        return c.OUT_OF_ARC
    if distance(s, i, e) > move_value(u) + TINY:
        return c.TOO_FAR
    return 0 if is_path_clear_to_charge(s, i, e) else c.WAY_BLOCKED


def special_refusal(s: State, i: int, action: int) -> int:
    """Return why Warmech i doesn't have this special action; 0 if it does. BS-010, BS-054, BS-058, BS-128, BS-175."""
    u = s.units[i]
    has = False
    if action == c.FORTIFY:
        has = u.locomotion == c.QUADRUPED
    elif action == c.FLAK:
        has = count_flak_guns(s, i) > 0
    elif action == c.SMOKE:
        has = has_peripheral(u, c.CANISTERS) and u.used == 0
    return 0 if has else c.NO_SUCH_SPECIAL


def refusal(s: State, k: int, action: int, slot: int, e: int) -> int:
    """Return the first reason why order k's active Warmech can't take an action; 0 if it can.

    `slot` is the weapon of a Shoot, `e` the target of a Shoot, Charge or Strike. Where a movement ends is checked when
    it is carried out. BS-032.
    """
    found = turn_refusal(s, k, action)
    if found:
        return found
    if is_offensive(action):
        return target_refusal(s, k, s.orders[k].unit, action, slot, e)
    i = s.orders[k].unit
    if is_movement(action):
        return 0 if can_walk(s, s.units[i]) else c.CANNOT_MOVE
    if action in (c.FORTIFY, c.FLAK, c.SMOKE):
        return special_refusal(s, i, action)
    return 0


def declare(s: State, k: int, action: int, slot: int, e: int, log: Log) -> int:
    """Declare an action of order k's active Warmech; return 0, or the reason for refusal.

    BS-024, BS-025, BS-031, BS-032.
    """
    found = refusal(s, k, action, slot, e)
    if found == 0:
        order = s.orders[k]
        order.action = action
        order.slot = slot if action == c.SHOOT else c.NOBODY
        order.target = e if is_offensive(action) else c.NOBODY
        note(log, "action-declared", unit=order.unit, target=order.target, action=action, slot=order.slot)
    return found


def clear_orders(s: State) -> None:
    """Clear both orders for the next step."""
    for k in range(2):
        order = s.orders[k]
        order.action = c.NO_ACTION
        order.slot = c.NOBODY
        order.target = c.NOBODY
