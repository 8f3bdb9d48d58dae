"""Queries of a state for all rules: the map, and the Units on it. They change nothing.

The map has distances, arcs, each side's view, terrain that Units can enter, lines of sight and what they cross: HX-016,
HX-017, HX-066 to HX-069, HX-074 to HX-079, HX-139 to HX-147, HX-151, HX-155, HX-D58, HX-D59, HX-D64, HX-A03 to HX-A09.
Units have sides, current values, hands, usable weapons, shields: HX-003, HX-004, HX-044 to HX-048, HX-053, HX-086,
HX-104, HX-109 to HX-118, HX-129, HX-A16 to HX-A20, HX-A30.
"""

from __future__ import annotations

from systems.hex_core.battle import state as c
from systems.hex_core.battle.state import Battle, State, Unit, Weapon
from systems.spaces.hexes import direction_towards, hex_on_line


def count_hexes(s: State) -> int:
    """Return how many hexes the map has."""
    return s.battle.columns * s.battle.rows


def own_hex(s: State, side: int, at: int) -> int:
    """Convert a hex to a side's view, and back; side B sees the map from the other end. HX-A05."""
    return at if side == c.SIDE_A else s.battle.columns * s.battle.rows - 1 - at


def own_facing(side: int, facing: int) -> int:
    """Convert a facing to a side's view, and back. HX-A05."""
    return facing if side == c.SIDE_A else (facing + 3) % 6


def distance(s: State, a: int, b: int) -> int:
    """Return the distance between two hexes. HX-078, HX-A03."""
    one = s.hexes[a]
    other = s.hexes[b]
    q = other.column - one.column
    r = other.diagonal - one.diagonal
    return max(abs(q), abs(r), abs(q + r))


def front_mask(s: State, a: int, b: int) -> int:
    """Return a mask with bit f set if b is in view of a Unit on a with facing f. HX-076, HX-A04."""
    one = s.hexes[a]
    other = s.hexes[b]
    q = other.column - one.column
    r = other.diagonal - one.diagonal
    t = -q - r
    mask = 0
    if r <= 0:
        if t >= 0:
            mask |= 1
        if q >= 0:
            mask |= 2
    if r >= 0:
        if t <= 0:
            mask |= 8
        if q <= 0:
            mask |= 16
    if q >= 0 and t <= 0:
        mask |= 4
    if q <= 0 and t >= 0:
        mask |= 32
    return mask


def opposite_mask(mask: int) -> int:
    """Return the facings opposite to those in a mask."""
    return ((mask << 3) | (mask >> 3)) & 63


def in_front(s: State, a: int, facing: int, b: int) -> bool:
    """Return True if b is in view of a Unit on a with that facing. HX-076."""
    return front_mask(s, a, b) & (1 << facing) != 0


def behind(s: State, a: int, facing: int, b: int) -> bool:
    """Return True if b is in the Flank of a Unit on a with that facing. HX-077."""
    return a != b and front_mask(s, a, b) & (1 << ((facing + 3) % 6)) != 0


def neighbour(s: State, at: int, direction: int) -> int:
    """Return the neighbouring hex; -1 if it is off the map."""
    return s.links[at * 6 + direction].to


def toward(s: State, a: int, b: int, side: int) -> int:
    """Return the direction leading most directly from a to b. HX-A09."""
    one = s.hexes[a]
    other = s.hexes[b]
    return direction_towards(one.column, one.row, other.column, other.row, own_facing(side, 0))


def ahead_of(s: State, at: int, direction: int, steps: int) -> int:
    """Return the hex `steps` away in a direction; -1 if it is off the map."""
    there = at
    for _ in range(steps):
        if there >= 0:
            there = neighbour(s, there, direction)
    return there


def is_adjacent(s: State, a: int, b: int) -> bool:
    """Return True if two hexes are neighbours."""
    return distance(s, a, b) == 1


def top_level(ground: int, floors: int) -> int:
    """Return the top level of a building with `floors` floors on that ground. HX-148, HX-151."""
    return ground + floors // 5


# --- Units on the ground ------------------------------------------------------------------------------------------------


def kind_of(u: Unit) -> int:
    """Return the kind that a Unit counts as: a transformed mech is a vehicle. HX-104."""
    return u.form if u.form != c.MECH else u.kind


def is_vehicle(u: Unit) -> bool:
    """Return True for vehicles, including transformed mechs. HX-012, HX-104."""
    return u.kind != c.MECH or u.form != c.MECH


def can_fly(u: Unit) -> bool:
    """Return True if the Unit can fly. HX-155, HX-A18."""
    kind = u.form if u.form != c.MECH else u.kind
    return u.flight_lost == 0 and (u.flight != 0 or kind == c.AERIAL or kind == c.EXTRATERRESTRIAL)


def can_swim(u: Unit) -> bool:
    """Return True if the Unit can swim. HX-146, HX-147."""
    kind = u.form if u.form != c.MECH else u.kind
    return u.swim != 0 or kind == c.AQUATIC


def is_aloft(s: State, u: Unit) -> bool:
    """Return True if the Unit is above the ground. HX-155, HX-D26.

    A flying vehicle always is, even above a hill of the same level.
    """
    return u.level > s.hexes[u.at].level or (u.level > 0 and is_vehicle(u) and can_fly(u))


def is_blue(colour: int) -> bool:
    """Return True for water. HX-146, HX-147."""
    return colour >= c.LIGHT_BLUE


def ground_refusal(s: State, u: Unit, at: int) -> int:
    """Return why the Unit can't be on the ground of a hex; 0 if it can. HX-016, HX-017, HX-024, HX-068, HX-141."""
    h = s.hexes[at]
    if h.colour == c.RED:
        return c.RED_HEX
    if h.dp > 0:
        return c.IS_BUILDING
    if not is_vehicle(u):
        return 0
    if h.colour == c.GREEN:
        return c.GREEN_VEHICLE
    if kind_of(u) == c.AQUATIC and not is_blue(h.colour):
        return c.NO_ELEVATION
    if is_blue(h.colour) and not can_swim(u):
        return c.NO_ELEVATION
    return 0


def entry_refusal(s: State, u: Unit, aloft: bool, a: int, b: int) -> int:
    """Return why the Unit can't enter the next hex, ignoring occupants; 0 if it can. HX-068, HX-155."""
    if b < 0:
        return c.OFF_BOARD
    h = s.hexes[b]
    if aloft:
        if h.dp > 0 and u.level <= top_level(h.level, h.floors):
            return c.IS_BUILDING
        return c.NO_ELEVATION if h.level > u.level else 0
    refusal = ground_refusal(s, u, b)
    if refusal:
        return refusal
    change = abs(h.level - s.hexes[a].level)
    if change:
        if is_vehicle(u) and (not can_swim(u) or max(h.level, s.hexes[a].level) > 0):
            return c.NO_ELEVATION
        if change > (2 if u.jump or can_swim(u) else 1):
            return c.NO_ELEVATION
    return 0


def entry_cost(s: State, u: Unit, aloft: bool, a: int, b: int) -> int:
    """Return a step's cost in SM points. HX-067, HX-144, HX-153."""
    if aloft:
        return 1
    h = s.hexes[b]
    change = abs(h.level - s.hexes[a].level)
    cost = 2 * change if change else 1
    return 2 * cost if h.colour == c.BLACK and not is_vehicle(u) else cost


def is_hazard(s: State, u: Unit, aloft: bool, at: int) -> bool:
    """Return True if the AI keeps the Unit out of that hex. HX-A28."""
    colour = s.hexes[at].colour
    if colour < c.TAN or colour == c.BLACK or aloft or is_vehicle(u):
        return False
    if colour == c.TAN:
        return u.coolant == 0
    if colour == c.WHITE:
        return u.winter == 0
    return not can_swim(u)


# --- lines ------------------------------------------------------------------------------------------------------------


def line_of(s: State, a: int, ea: int, b: int, eb: int, lean: int, filters: int) -> int:
    """Return a line's penalty to the Accuracy Roll; -1 if it is blocked. HX-075, HX-142, HX-144, HX-A07, HX-A08."""
    one = s.hexes[a]
    other = s.hexes[b]
    length = distance(s, a, b)
    groups = 0
    smoke = 0
    wood = 0  # the woods that the line is in: 1 free, 2 counted
    for i in range(length + 1):
        at = hex_on_line(one.column, one.row, other.column, other.row, i, lean, s.battle.columns, s.battle.rows)
        if at < 0:
            wood = 0
            continue
        h = s.hexes[at]
        height = ea * length + (eb - ea) * i if length else ea
        above = height - h.level * max(1, length)  # ground of this hex
        if 0 < i < length and h.dp > 0 and height <= top_level(h.level, h.floors) * length:
            return -1
        if above > 0 or h.colour != c.GREEN:
            wood = 0
        elif wood == 0:
            wood = 1 if i == 0 else 2
            if wood == 2:
                groups += 1
        if above <= 0 and h.colour == c.BLACK and filters == 0:
            smoke = 1
    return 2 * groups + smoke


def sight(s: State, a: int, ea: int, b: int, eb: int, filters: int) -> int:
    """Return the penalty of a shot from a to b at those levels; -1 without line of sight. HX-075, HX-A07, HX-A08."""
    if s.battle.has_cover == 0:
        return 0
    plus = line_of(s, a, ea, b, eb, 1, filters)
    if plus == 0:
        return 0
    minus = line_of(s, a, ea, b, eb, -1, filters)
    if plus < 0:
        return minus
    return plus if minus < 0 else min(plus, minus)


def penalty_of(u: Unit, seen: int) -> int:
    """Return a shot's penalty for that Unit; vehicles ignore woods and smoke. HX-014, HX-A08."""
    return 0 if is_vehicle(u) else seen


def count_units(b: Battle) -> int:
    """Return how many Units the two sides have in total."""
    return b.count_a + b.count_b


def first_unit(b: Battle, side: int) -> int:
    """Return the first Unit of a side."""
    return 0 if side == c.SIDE_A else b.count_a


def end_of_units(b: Battle, side: int) -> int:
    """Return the index after the last Unit of a side."""
    return b.count_a if side == c.SIDE_A else b.count_a + b.count_b


def area_dp(s: State, i: int, area: int) -> int:
    """Return an area's remaining DP."""
    return s.areas[i * c.AREAS + area].dp


def vital_dp(s: State, i: int) -> int:
    """Return the remaining DP of Torso or Cockpit."""
    return s.areas[i * c.AREAS + c.TORSO].dp


def core_dp(s: State, i: int) -> int:
    """Return the remaining DP of all areas."""
    found = 0
    for area in range(c.AREAS):
        found += s.areas[i * c.AREAS + area].dp
    return found


def weapon_of(s: State, i: int, slot: int) -> Weapon:
    """Return the contents of a slot of a Unit."""
    return s.weapons[i * c.SLOTS + slot]


def slot_at(u: Unit, k: int) -> int:
    """Return the k-th slot in list order: weapons, then the unarmed strike. HX-A25."""
    return k if k < u.weapons else c.UNARMED


def legs_lost(s: State, i: int) -> int:
    """Return how many legs or Outer Wings are lost. HX-113, HX-114."""
    lost = 1 if area_dp(s, i, c.LEG_L) == 0 else 0
    return lost + (1 if area_dp(s, i, c.LEG_R) == 0 else 0)


def acc_now(s: State, i: int) -> int:
    """Return the current Accuracy. HX-110."""
    u = s.units[i]
    return u.acc + (2 if area_dp(s, i, c.HEAD) == 0 and u.ironside == 0 else 0)


def asl_now(s: State, i: int) -> int:
    """Return the current Assault. HX-113, HX-114."""
    return s.units[i].asl + (2 if legs_lost(s, i) else 0)


def eva_now(s: State, i: int) -> int:
    """Return the current Evasion. HX-104, HX-113, HX-114."""
    u = s.units[i]
    return u.eva + (2 if legs_lost(s, i) else 0) - (1 if u.form == c.EXTRATERRESTRIAL else 0)


def form_bonus(u: Unit) -> int:
    """Return the SM points that a form adds. HX-104."""
    if u.form == c.MECH:
        return 0
    return 3 if u.form == c.AERIAL else 2


def sm_now(s: State, i: int) -> int:
    """Return the SM points at the start of the Movement Phase. HX-113, HX-114, HX-135, HX-146, HX-161, HX-A17."""
    u = s.units[i]
    lost = legs_lost(s, i)
    points = u.sm + form_bonus(u) - lost if lost < 2 else 1
    if u.level < 0 and not is_vehicle(u) and not can_swim(u):
        points -= 2
    if u.slowed:
        points -= 2
    if u.level == -2:
        points += 1
    return max(1, points)


def evasion_level(level: int) -> int:
    """Return a level's modifier to Evasion Rolls. HX-156, HX-160, HX-161."""
    if level == 3 or level == -1:
        return 1
    return 2 if level == -2 else 0


def can_evade(u: Unit) -> bool:
    """Return True if the Unit can evade. HX-086."""
    return u.kneeling == 0 and u.prone == 0 and u.down == 0 and u.held_by < 0 and u.immobile == 0 and u.stunned == 0


def has_hand(s: State, i: int, hand: int) -> bool:
    """Return True if the arm is intact and its hand carries no object. HX-112, HX-D67."""
    if hand == c.LEFT:
        return area_dp(s, i, c.ARM_L) > 0 and s.units[i].carries < 0
    return area_dp(s, i, c.ARM_R) > 0


def has_arm(s: State, i: int) -> bool:
    """Return True for a mech in mech form that has an arm left. HX-121, HX-D47."""
    return not is_vehicle(s.units[i]) and (area_dp(s, i, c.ARM_L) > 0 or area_dp(s, i, c.ARM_R) > 0)


def can_strike_unarmed(s: State, i: int) -> bool:
    """Return True if the Unit can strike unarmed. HX-053."""
    if is_vehicle(s.units[i]):
        return False
    return has_arm(s, i) or area_dp(s, i, c.LEG_L) > 0 or area_dp(s, i, c.LEG_R) > 0


def is_in_hand(w: Weapon) -> bool:
    """Return True for an equipped weapon. HX-044."""
    return w.place == c.LEFT or w.place == c.RIGHT or w.place == c.BOTH


def is_usable(s: State, i: int, slot: int) -> bool:
    """Return True if the weapon can be used. HX-015, HX-045 to HX-048, HX-104, HX-112, HX-118, HX-128, HX-129, HX-A19."""
    u = s.units[i]
    if u.held_by >= 0 or u.stunned:
        return False
    if slot == c.UNARMED:
        return can_strike_unarmed(s, i)
    w = weapon_of(s, i, slot)
    if w.dp <= 0 or u.cover == slot + c.WEAPON_COVER:
        return False
    if w.place >= c.MOUNTED:
        area = w.place - c.MOUNTED
        if u.holds >= 0 or (u.form != c.MECH and area > c.TORSO):
            return False
        return area_dp(s, i, area) > 0
    if not is_in_hand(w) or is_vehicle(u):
        return False
    if u.holds >= 0 and (w.hands != 1 or w.place == c.BOTH):
        return False
    if w.place == c.BOTH:
        return has_hand(s, i, c.LEFT) or has_hand(s, i, c.RIGHT)
    return has_hand(s, i, w.place)


def flat_now(s: State, i: int, slot: int) -> int:
    """Return the weapon's flat damage as it would now be used. HX-047, HX-053, HX-D35."""
    if slot == c.UNARMED:
        return c.UNARMED_FLAT
    w = weapon_of(s, i, slot)
    if w.hands < 2 or w.place >= c.MOUNTED:
        return w.flat
    if w.place == c.BOTH and has_hand(s, i, c.LEFT) and has_hand(s, i, c.RIGHT):
        return w.flat
    return (w.flat + 1) // 2


def range_at(u: Unit, w: Weapon, level: int) -> int:
    """Return a weapon's range from a level. HX-156, HX-157, HX-D66, HX-A20."""
    if w.melee:
        return w.range
    return w.range + u.finder + (1 if level >= 2 else 0)


def reach_refusal(s: State, i: int, slot: int, at: int, level: int) -> int:
    """Return why the weapon can't reach a hex at a level from the Unit's hex; 0 if it can. HX-074 to HX-079, HX-A20."""
    u = s.units[i]
    if u.holds >= 0 and at != u.at:
        return c.CANNOT_ACT
    if not in_front(s, u.at, u.facing, at):
        return c.NOT_IN_FOV
    if distance(s, u.at, at) + abs(level - u.level) > range_at(u, weapon_of(s, i, slot), u.level):
        return c.OUT_OF_RANGE
    return c.NO_LOS if sight(s, u.at, u.level, at, level, 0) < 0 else 0


def shield_ready(s: State, i: int) -> bool:
    """Return True if the shield can be used. HX-108, HX-A30."""
    u = s.units[i]
    return u.shield > 0 and u.shield_hand != c.NOWHERE and not is_vehicle(u) and has_hand(s, i, u.shield_hand)


def stance_reserve(s: State, i: int) -> int:
    """Return the AP that a cautious AI reserves for Defensive Stance. HX-A30."""
    u = s.units[i]
    return c.COMMAND if s.sides[u.side].doctrine == c.CAUTIOUS and shield_ready(s, i) else 0


def hand_is_free(s: State, i: int, hand: int) -> bool:
    """Return True if the hand is intact and holds nothing that works. HX-102, HX-A38."""
    u = s.units[i]
    if not has_hand(s, i, hand):
        return False
    if u.shield > 0 and u.shield_hand == hand:
        return False
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.dp > 0 and (w.place == hand or w.place == c.BOTH):
            return False
    return True


def is_contestable(s: State, i: int) -> bool:
    """Return True if the enemy may declare the Unit Inoperative. HX-115, HX-A16."""
    u = s.units[i]
    mech = u.kind == c.MECH
    arm = area_dp(s, i, c.ARM_L) > 0 or area_dp(s, i, c.ARM_R) > 0
    if s.battle.mission == c.DOMINATION or (s.battle.mission == c.RETRIEVAL and mech and arm):
        return False
    if mech and (arm or area_dp(s, i, c.LEG_L) > 0 or area_dp(s, i, c.LEG_R) > 0):
        return False
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.dp > 0 and w.place >= c.MOUNTED and area_dp(s, i, w.place - c.MOUNTED) > 0:
            return False
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.DOCKED or s.drones[d].status == c.ACTIVE:
            return False
    return True


def near(s: State, side: int, at: int) -> int:
    """Return the shortest distance from a hex to a side's enemy, ignoring levels. HX-A27."""
    found = c.FAR
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        if s.units[t].status == c.STANDS:
            found = min(found, distance(s, at, s.units[t].at))
    return found
