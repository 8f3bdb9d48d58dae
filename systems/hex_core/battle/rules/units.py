"""Queries of Units: sides, current values, hands, usable weapons, shields. They change nothing.

HX-003, HX-004, HX-044 to HX-048, HX-053, HX-086, HX-104, HX-109 to HX-118, HX-129, HX-A16 to HX-A20, HX-A30.
"""

from __future__ import annotations

from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.ground import can_swim, distance, in_front, is_vehicle, sight
from systems.hex_core.battle.state import Battle, State, Unit, Weapon


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
