"""The AI's choices before a battle, and in a turn before and besides attacks.

The rules carry out every choice; the AI sees no more than the rules allow.

The AI's choices before a battle: Objectives, marks, deployment. Ledger HX-A31 to HX-A33.
"""

from __future__ import annotations

from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.ground import can_fly
from systems.hex_core.battle.rules.ground import count_hexes
from systems.hex_core.battle.rules.ground import distance
from systems.hex_core.battle.rules.ground import ground_refusal
from systems.hex_core.battle.rules.ground import is_hazard
from systems.hex_core.battle.rules.ground import own_hex
from systems.hex_core.battle.rules.units import end_of_units
from systems.hex_core.battle.rules.units import first_unit
from systems.hex_core.battle.rules.units import vital_dp
from systems.hex_core.battle.rules.units import weapon_of
from systems.hex_core.battle.state import State
from systems.engine.dice import Dice
from systems.engine.dice import Log
from systems.engine.dice import note
from systems.engine.dice import roll
from systems.hex_core.battle.rules.attacks import attack
from systems.hex_core.battle.rules.attacks import attack_drone
from systems.hex_core.battle.rules.attacks import attack_with_drone
from systems.hex_core.battle.rules.attacks import damage_of
from systems.hex_core.battle.rules.attacks import evade_faces
from systems.hex_core.battle.rules.attacks import height_bonus
from systems.hex_core.battle.rules.attacks import hit_faces
from systems.hex_core.battle.rules.attacks import position_bonus
from systems.hex_core.battle.rules.attacks import watch
from systems.hex_core.battle.rules.commands import count_active_drones
from systems.hex_core.battle.rules.commands import drone_hex_refusal
from systems.hex_core.battle.rules.commands import drone_move_refusal
from systems.hex_core.battle.rules.commands import hand_for
from systems.hex_core.battle.rules.commands import kneel
from systems.hex_core.battle.rules.commands import kneel_refusal
from systems.hex_core.battle.rules.commands import move_drone
from systems.hex_core.battle.rules.commands import pay_deploy
from systems.hex_core.battle.rules.commands import place_drone
from systems.hex_core.battle.rules.commands import recall
from systems.hex_core.battle.rules.commands import swap
from systems.hex_core.battle.rules.commands import take_cover
from systems.hex_core.battle.rules.commands import take_object
from systems.hex_core.battle.rules.commands import take_refusal
from systems.hex_core.battle.rules.grapples import constrain
from systems.hex_core.battle.rules.grapples import contest
from systems.hex_core.battle.rules.grapples import d4
from systems.hex_core.battle.rules.grapples import grapple_refusal
from systems.hex_core.battle.rules.grapples import landing_refusal
from systems.hex_core.battle.rules.grapples import throw
from systems.hex_core.battle.rules.grapples import throw_damage
from systems.hex_core.battle.rules.ground import is_aloft
from systems.hex_core.battle.rules.ground import is_vehicle
from systems.hex_core.battle.rules.ground import penalty_of
from systems.hex_core.battle.rules.ground import sight
from systems.hex_core.battle.rules.rounds import may_act
from systems.hex_core.battle.rules.units import acc_now
from systems.hex_core.battle.rules.units import asl_now
from systems.hex_core.battle.rules.units import evasion_level
from systems.hex_core.battle.rules.units import flat_now
from systems.hex_core.battle.rules.units import is_in_hand
from systems.hex_core.battle.rules.units import is_usable
from systems.hex_core.battle.rules.units import near
from systems.hex_core.battle.rules.units import range_at
from systems.hex_core.battle.rules.units import reach_refusal
from systems.hex_core.battle.rules.units import shield_ready
from systems.hex_core.battle.rules.units import slot_at
from systems.hex_core.battle.rules.units import stance_reserve
from systems.hex_core.battle.rules.rounds import in_deployment
from systems.hex_core.battle.rules.rounds import mark_refusal
from systems.hex_core.battle.rules.rounds import objective_refusal
from systems.hex_core.battle.ai_moves import can_carry
from systems.hex_core.battle.ai_moves import exposure
from systems.hex_core.battle.ai_moves import is_at_its_object
from systems.hex_core.battle.ai_moves import look_around
from systems.hex_core.battle.ai_values import best_now
from systems.hex_core.battle.ai_values import drone_pair
from systems.hex_core.battle.ai_values import expected
from systems.hex_core.battle.ai_values import list_pairs
from systems.hex_core.battle.ai_values import look_at_enemies
from systems.hex_core.battle.ai_values import ready_weapons
from systems.hex_core.battle.ai_values import target_in
from systems.hex_core.battle.ai_values import weapon_in
from systems.hex_core.battle.ai_values import without_weapon
from systems.hex_core.battle.rules.damage import count_standing
from systems.hex_core.battle.rules.movement import change_level
from systems.hex_core.battle.rules.movement import level_refusal
from systems.hex_core.battle.rules.movement import transform
from systems.hex_core.battle.rules.movement import transform_refusal


LINE = (7, 9, 5, 11, 3, 13, 1, 15)  # the preferred column of each Unit of a side


def objective_hex(s: State, side: int) -> int:
    """Return the hex in which the winner of the roll-off places the next Objective or object. HX-A31."""
    best = -1
    chosen = c.NOBODY
    for k in range(count_hexes(s)):
        at = own_hex(s, side, k)
        own = s.hexes[k]
        key = (own.row * 64 + 63 - abs(own.column - 7)) * 64 + 63 - own.column
        if key > best and objective_refusal(s, at) == 0:
            best = key
            chosen = at
    return chosen


def mark_of(s: State, side: int) -> int:
    """Return the enemy that a side marks for destruction. HX-A32."""
    chosen = c.NOBODY
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        if mark_refusal(s, t) == 0 and (chosen < 0 or vital_dp(s, t) < vital_dp(s, chosen)):
            chosen = t
    return chosen


def shoots_first(s: State, i: int) -> bool:
    """Return True if the primary weapon is ranged. HX-A33, HX-A40."""
    u = s.units[i]
    return u.primary >= 0 and weapon_of(s, i, u.primary).melee == 0


def starts_aloft(s: State, i: int) -> bool:
    """Return True if the Unit starts aloft. HX-A33."""
    u = s.units[i]
    return can_fly(u) and (u.kind != c.MECH or shoots_first(s, i))


def count_deployed_friends(s: State, i: int, at: int) -> int:
    """Return how many friends stand in a hex."""
    u = s.units[i]
    found = 0
    for j in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side)):
        if s.units[j].at == at:
            found += 1
    return found


def deployment_refusal(s: State, i: int, at: int) -> int:
    """Return why the Unit can't start in a hex; 0 if it can. HX-059, HX-A33."""
    if not in_deployment(s, s.units[i].side, at):
        return c.NOT_ALLOWED
    if starts_aloft(s, i):
        return c.IS_BUILDING if s.hexes[at].dp > 0 else 0
    return ground_refusal(s, s.units[i], at)


def column_of(s: State, i: int) -> int:
    """Return the column for a Unit, from its side's view: the ordered one, else its place in the line. HX-A33, HX-A60."""
    u = s.units[i]
    if u.told_column >= 0:
        return u.told_column
    return min(LINE[i - first_unit(s.battle, u.side)], s.battle.columns - 1)


def deployment_hex(s: State, i: int) -> int:
    """Return the hex where a Unit starts: nearest to its place in the line. HX-A33."""
    u = s.units[i]
    b = s.battle
    row = 12 if u.marked else (11 if s.sides[u.side].doctrine == c.CAUTIOUS else 10)
    wanted = own_hex(s, u.side, (row + b.rows - 13) * b.columns + column_of(s, i))
    aloft = starts_aloft(s, i)
    chosen = c.NOBODY
    nearest = c.FAR
    for crowd in range(4):  # if all free hexes are hazards, take one of those; if all are full, share one
        for k in range(count_hexes(s)):
            at = own_hex(s, u.side, k)
            away = distance(s, wanted, at)
            if away >= nearest or deployment_refusal(s, i, at) or count_deployed_friends(s, i, at) > crowd // 2:
                continue
            if crowd % 2 or not is_hazard(s, u, aloft, at):
                chosen = at
                nearest = away
        if chosen >= 0:
            break
    return chosen


def can_go_on(s: State, i: int) -> bool:
    """Return True while the Unit's turn goes on."""
    u = s.units[i]
    return u.status == c.STANDS and u.done == 0 and s.battle.over == 0


def choose_unit(s: State, side: int) -> int:
    """Return the Unit that acts next: the nearest to an enemy if aggressive, the farthest if cautious. HX-A34."""
    chosen = c.NOBODY
    best = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if not may_act(s, i):
            continue
        away = near(s, side, s.units[i].at)
        key = away if s.sides[side].doctrine == c.CAUTIOUS else c.FAR - away
        if chosen < 0 or key > best:
            best = key
            chosen = i
    return chosen


def end_ordered_moves(s: State) -> None:
    """Switch Units whose movement order has run out to its follow-up, or to the AI's own choice. HX-A60."""
    for i in range(s.battle.count_a + s.battle.count_b):
        u = s.units[i]
        if u.told_until and s.battle.round > u.told_until:
            u.told_until = 0
            u.told_move = u.told_then


# --- before moving ----------------------------------------------------------------------------------------------------


def leave_prone(s: State, i: int, log: Log) -> None:
    """Let a prone Unit kneel, so that it can move in its next turn; the AI never goes prone. HX-106."""
    if s.units[i].prone and kneel_refusal(s, i) == 0:
        kneel(s, i, log)


def draw_weapon(s: State, i: int, log: Log) -> None:
    """Fill an empty hand with the first carried weapon that fits. HX-A38."""
    u = s.units[i]
    if is_vehicle(u) or u.carries >= 0 or u.pool < c.COMMAND or u.swapped:
        return
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.place == c.CARRIED and w.dp > 0 and hand_for(s, i, w.hands) != c.NOWHERE:
            swap(s, i, slot, c.NOBODY, log)
            return


def longest_range(s: State, i: int) -> int:
    """Return the longest range of a Unit's weapons that are not carried. HX-A39."""
    found = 0
    for slot in range(s.units[i].weapons):
        w = weapon_of(s, i, slot)
        if w.dp > 0 and (w.place >= c.MOUNTED or is_in_hand(w)):
            found = max(found, w.range)
    return found


def change_form(s: State, i: int, log: Log) -> None:
    """Transform for long distances, and back when the enemy is near. HX-A39."""
    u = s.units[i]
    if u.transform == c.MECH or u.down or u.holds >= 0 or transform_refusal(s, i):
        return
    away = near(s, u.side, u.at)
    is_far = away > u.sm + longest_range(s, i)
    if u.form == c.MECH:
        if is_far and u.level == 0 and s.hexes[u.at].colour != c.GREEN:
            transform(s, i, log)
    elif not is_far and not is_crowded(s, i):
        transform(s, i, log)


def is_crowded(s: State, i: int) -> bool:
    """Return True if another Unit is on the ground of the Unit's hex. HX-A39."""
    u = s.units[i]
    for t in range(s.battle.count_a + s.battle.count_b):
        other = s.units[t]
        if t != i and other.status == c.STANDS and other.at == u.at and other.level == s.hexes[u.at].level:
            return True
    return False


def cruising_level(s: State, i: int) -> int:
    """Return the level at which a flyer cruises. HX-A40."""
    u = s.units[i]
    if u.form != c.MECH:
        return 1
    if u.kind != c.MECH:
        return 2 if s.sides[u.side].doctrine == c.CAUTIOUS else 1
    return 1 if shoots_first(s, i) else 0


def climb(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let a flyer climb to its cruising level, as far as its SM points last; not above its object. HX-A40, HX-A43."""
    u = s.units[i]
    if not can_fly(u) or is_at_its_object(s, i):
        return
    while (
        can_go_on(s, i) and u.level < cruising_level(s, i) and u.sm_left >= 2 and level_refusal(s, i, u.level + 1) == 0
    ):
        change_level(s, i, u.level + 1, dice, log)


def land(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let a flyer descend to the object assigned to it, as far as its SM points last. HX-A43."""
    u = s.units[i]
    if not is_aloft(s, u) or not can_carry(s, i) or not is_at_its_object(s, i):
        return
    while can_go_on(s, i) and u.fell == 0 and is_aloft(s, u) and level_refusal(s, i, u.level - 1) == 0:
        change_level(s, i, u.level - 1, dice, log)


# --- after moving -----------------------------------------------------------------------------------------------------


def fetch_object(s: State, i: int, log: Log) -> None:
    """Pick up the object in the Unit's hex. HX-A43."""
    for k in range(s.battle.objects):
        if take_refusal(s, i, k) == 0:
            take_object(s, i, k, log)
            return


def drone_spot(s: State, i: int, d: int) -> int:
    """Return the hex where a drone is placed: beside its Unit, as near to an enemy as possible. HX-A44."""
    u = s.units[i]
    chosen = c.NOBODY
    best = c.FAR
    for k in range(count_hexes(s)):
        at = own_hex(s, u.side, k)
        if distance(s, u.at, at) > 1 or drone_hex_refusal(s, at):
            continue
        away = near(s, u.side, at)
        if away < best:
            best = away
            chosen = at
    return chosen


def drone_goal(s: State, d: int) -> int:
    """Return the goal of a drone with Artificial Intelligence: nearest to an enemy, the shorter path first. HX-A44."""
    drone = s.drones[d]
    u = s.units[drone.unit]
    chosen = c.NOBODY
    best = c.FAR * c.FAR
    for k in range(count_hexes(s)):
        at = own_hex(s, u.side, k)
        if drone_move_refusal(s, d, at, drone.move):
            continue
        key = near(s, u.side, at) * c.FAR + distance(s, drone.at, at)
        if key < best:
            best = key
            chosen = at
    return chosen


def is_astray(s: State, i: int) -> bool:
    """Return True if drones are active and all of them are too far away. HX-A44."""
    u = s.units[i]
    found = False
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.ACTIVE:
            if distance(s, s.drones[d].at, u.at) <= c.DRONE_REACH:
                return False
            found = True
    return found


def docked_reach(s: State, i: int) -> int:
    """Return the longest range of a docked drone, or -1. HX-A44."""
    u = s.units[i]
    found = -1
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.DOCKED:
            found = max(found, s.drones[d].range)
    return found


def send_drones(s: State, i: int, log: Log) -> None:
    """Recall and deploy drones, and move those with Artificial Intelligence. HX-A44."""
    u = s.units[i]
    if u.drones == 0 or u.thrust or u.holds >= 0:
        return
    if u.pool >= 2 * c.COMMAND and is_astray(s, i):
        recall(s, i, log)
    reach = docked_reach(s, i)
    if count_active_drones(s, i) == 0 and reach >= 0 and u.pool >= c.COMMAND and near(s, u.side, u.at) <= reach + 2:
        pay_deploy(s, i, log)
        for d in range(u.first_drone, u.first_drone + u.drones):
            if s.drones[d].status == c.DOCKED and count_active_drones(s, i) < c.MAX_DRONES:
                spot = drone_spot(s, i, d)
                if spot >= 0:
                    place_drone(s, i, d, spot, log)
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.ACTIVE and s.drones[d].ai and s.drones[d].move:
            goal = drone_goal(s, d)
            if goal >= 0 and goal != s.drones[d].at:
                move_drone(s, d, goal, 0, log)


def take_aim(s: State, i: int, log: Log) -> None:
    """Let a cautious mech kneel if it loses no attack and no enemy covers it. HX-A45."""
    u = s.units[i]
    if s.sides[u.side].doctrine != c.CAUTIOUS or u.thrust or u.holds >= 0 or is_vehicle(u) or is_aloft(s, u):
        return
    ap = u.pool - stance_reserve(s, i)
    if near(s, u.side, u.at) < 7:
        return
    best = pairs_of(s, i, 0, ap)
    look_around(s, i)
    if best == 0 or exposure(s, i, u.at, u.level):
        return
    cost = weapon_of(s, i, slot_at(u, weapon_in(best))).ap
    if ap - c.COMMAND >= cost and (ap - c.COMMAND) // cost == ap // cost:
        kneel(s, i, log)


# --- combat -----------------------------------------------------------------------------------------------------------


def pairs_of(s: State, i: int, melee: int, ap: int) -> int:
    """Return the value of the best pair of a kind with `ap` AP. HX-A25."""
    u = s.units[i]
    ready_weapons(s, i)
    look_at_enemies(s, u.side)
    count = list_pairs(s, i, u.at, u.level)
    return best_now(s, i, count, melee, ap)


def is_ready(s: State, d: int, melee: int, ai: int) -> bool:
    """Return True if a drone may attack now. HX-A46."""
    drone = s.drones[d]
    if drone.status != c.ACTIVE or drone.used or drone.melee != melee or drone.ai != ai:
        return False
    return distance(s, drone.at, s.units[drone.unit].at) <= c.DRONE_REACH


def use_clever_drones(s: State, i: int, melee: int, dice: Dice, log: Log) -> None:
    """Let each drone with Artificial Intelligence attack once. HX-A46, HX-A49."""
    u = s.units[i]
    for d in range(u.first_drone, u.first_drone + u.drones):
        if not can_go_on(s, i):
            return
        if is_ready(s, d, melee, 1):
            look_at_enemies(s, u.side)
            best = drone_pair(s, d)
            if best:
                attack_with_drone(s, d, target_in(best), dice, log)


def best_drone(s: State, i: int, melee: int, ap: int) -> int:
    """Return the drone without Artificial Intelligence with the most valuable attack, or -1. HX-A46."""
    u = s.units[i]
    chosen = c.NOBODY
    best = 0
    if u.holds >= 0:
        return chosen
    for d in range(u.first_drone, u.first_drone + u.drones):
        if is_ready(s, d, melee, 0) and s.drones[d].ap <= ap:
            value = without_weapon(drone_pair(s, d))
            if value > best:
                best = value
                chosen = d
    return chosen


def value_of_drone(s: State, d: int) -> int:
    """Return the value of a drone's best attack; 0 without one."""
    return without_weapon(drone_pair(s, d)) if d >= 0 else 0


def may_strike(s: State, i: int) -> bool:
    """Return False for a Unit that has only just grappled an enemy. HX-129, HX-A49."""
    u = s.units[i]
    return u.holds < 0 or u.held_since_turn == 1


def use_weapons(s: State, i: int, melee: int, dice: Dice, log: Log) -> None:
    """Attack repeatedly with the most valuable weapon; stop shooting if melee is worth more. HX-A46, HX-A49."""
    u = s.units[i]
    while can_go_on(s, i):
        ap = u.pool - stance_reserve(s, i)
        own = 0
        rival = 0
        if ap > 0 and may_strike(s, i):
            own = pairs_of(s, i, melee, ap)
            rival = without_weapon(pairs_of(s, i, 1, ap)) if melee == 0 else 0
        drone = best_drone(s, i, melee, ap)
        flown = value_of_drone(s, drone)
        if melee == 0:
            rival = max(rival, value_of_drone(s, best_drone(s, i, 1, ap)))
        most = max(without_weapon(own), flown)
        if most == 0 or rival > most:
            return
        if flown > without_weapon(own):
            attack_with_drone(s, drone, target_in(drone_pair(s, drone)), dice, log)
        else:
            attack(s, i, slot_at(u, weapon_in(own)), target_in(own), c.TORSO, dice, log)


def drone_worth(s: State, i: int, slot: int, d: int) -> int:
    """Return n x E of a weapon against an enemy drone; 0 if it can't attack the drone. HX-A47."""
    u = s.units[i]
    w = weapon_of(s, i, slot)
    drone = s.drones[d]
    ap = u.pool - stance_reserve(s, i)
    if (
        drone.status != c.ACTIVE
        or not is_usable(s, i, slot)
        or ap < w.ap
        or reach_refusal(s, i, slot, drone.at, drone.level)
    ):
        return 0
    if w.melee:
        h = hit_faces(asl_now(s, i), 1 if u.duellist and u.strikes == 0 else 0)
    else:
        seen = penalty_of(u, sight(s, u.at, u.level, drone.at, drone.level, u.filters))
        bonus = height_bonus(u.level) + position_bonus(s, i) + (1 if u.marksman and u.shots == 0 else 0)
        h = hit_faces(acc_now(s, i), bonus - seen)
    e = evade_faces(drone.eva, evasion_level(drone.level))
    under = 1 if drone.level < 0 and w.energy == 0 else 0
    flat = flat_now(s, i, slot)
    return ap // w.ap * expected(h, e, damage_of(flat, 0, under, 0), damage_of(flat, 1, under, 0))


def shoot_drones(s: State, i: int, melee: int, dice: Dice, log: Log) -> None:
    """Attack enemy drones while no enemy Unit can be attacked. HX-A47."""
    u = s.units[i]
    b = s.battle
    if u.holds >= 0:
        return
    while can_go_on(s, i):
        ap = u.pool - stance_reserve(s, i)
        if ap <= 0 or pairs_of(s, i, 0, ap) or pairs_of(s, i, 1, ap):
            return
        best = 0
        chosen = c.NOBODY
        with_slot = c.NOBODY
        for k in range(u.weapons + 1):
            slot = slot_at(u, k)
            if weapon_of(s, i, slot).melee != melee:
                continue
            for t in range(first_unit(b, 1 - u.side), end_of_units(b, 1 - u.side)):
                for d in range(s.units[t].first_drone, s.units[t].first_drone + s.units[t].drones):
                    worth = drone_worth(s, i, slot, d)
                    if worth > best:
                        best = worth
                        chosen = d
                        with_slot = slot
        if chosen < 0:
            return
        attack_drone(s, i, with_slot, chosen, dice, log)


def has_drones(s: State, side: int) -> bool:
    """Return True if a side has a drone out."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        for d in range(u.first_drone, u.first_drone + u.drones):
            if s.drones[d].status == c.ACTIVE:
                return True
    return False


# --- grapples ---------------------------------------------------------------------------------------------------------


def grapple_target(s: State, i: int) -> int:
    """Return the Unit to grapple, or -1. HX-A48."""
    u = s.units[i]
    chosen = c.NOBODY
    best = 0
    if u.pool - stance_reserve(s, i) < c.GRAPPLE_AP or count_standing(s, u.side) < 2:
        return chosen
    for t in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        other = s.units[t]
        if other.status != c.STANDS or distance(s, u.at, other.at) != 1 or grapple_refusal(s, i, t):
            continue
        if asl_now(s, i) - u.grip > asl_now(s, t) - other.grip:
            continue
        key = other.marked * 4096 + 1024 - vital_dp(s, t)
        if key > best:
            best = key
            chosen = t
    return chosen


def landing(s: State, i: int, t: int, limit: int) -> int:
    """Return the hex to throw a Unit to, as far as possible; -1 if there is none. HX-A48."""
    other = s.units[t]
    chosen = c.NOBODY
    best = 0
    for k in range(count_hexes(s)):
        at = own_hex(s, s.units[i].side, k)
        away = distance(s, other.at, at)
        if away > best and away <= limit and landing_refusal(s, i, t, at, limit) == 0:
            best = away
            chosen = at
    return chosen


def grapple(s: State, i: int, dice: Dice, log: Log) -> None:
    """Grapple once at the start of the Close Combat Phase. HX-124, HX-A48."""
    u = s.units[i]
    u.phase = c.CLOSE
    t = grapple_target(s, i)
    if t < 0 or contest(s, i, t, dice, log) != c.WIN:
        return
    spot = landing(s, i, t, u.klass + 1) if not is_aloft(s, u) else c.NOBODY
    if spot >= 0 and throw_damage(s, t, distance(s, s.units[t].at, spot)) >= vital_dp(s, t):
        face = roll(dice, c.D8)
        note(log, "throw-rolled", unit=i, target=t, face=face, limit=u.klass + d4(face))
        throw(s, i, t, landing(s, i, t, u.klass + d4(face)), log)
    else:
        constrain(s, i, t, log)


# --- stances ----------------------------------------------------------------------------------------------------------


def watch_slot(s: State, i: int) -> int:
    """Return the weapon of an Offensive Stance, the one with the longest range; -1 for none. HX-A50."""
    u = s.units[i]
    chosen = c.NOBODY
    best = -1
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.melee or u.pool < c.COMMAND + w.ap or not is_usable(s, i, slot):
            continue
        key = range_at(u, w, u.level) * 64 + flat_now(s, i, slot)
        if key > best:
            best = key
            chosen = slot
    return chosen


def take_stance(s: State, i: int, log: Log) -> None:
    """Take the stance at the end of a turn. HX-A50."""
    u = s.units[i]
    if u.holds >= 0 or u.down:
        return
    if s.sides[u.side].doctrine == c.CAUTIOUS and u.attacks == 0:
        slot = watch_slot(s, i)
        if slot >= 0:
            watch(s, i, slot, log)
            return
    if u.pool >= c.COMMAND and shield_ready(s, i):
        take_cover(s, i, c.SHIELD_COVER, log)
