"""The AI's choices before a battle, and those in a turn other than attacks. Ledger HX-A31 to HX-A33.

The rules carry out every choice; the AI knows no more than the rules allow.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_combat import can_go_on
from systems.hex_core.battle.ai_paths import can_carry, is_at_its_object
from systems.hex_core.battle.rules import (
    can_fly,
    count_hexes,
    distance,
    end_of_units,
    first_unit,
    ground_refusal,
    is_aloft,
    is_hazard,
    is_in_hand,
    is_vehicle,
    near,
    own_hex,
    vital_dp,
    weapon_of,
)
from systems.hex_core.battle.rules.commands import (
    count_active_drones,
    drone_hex_refusal,
    drone_move_refusal,
    hand_for,
    kneel,
    kneel_refusal,
    move_drone,
    pay_deploy,
    place_drone,
    recall,
    swap,
    take_object,
    take_refusal,
)
from systems.hex_core.battle.rules.movement import change_level, level_refusal, transform, transform_refusal
from systems.hex_core.battle.rules.rounds import in_deployment, mark_refusal, may_act, objective_refusal
from systems.hex_core.battle.state import State

LINE = (7, 9, 5, 11, 3, 13, 1, 15)  # the preferred column for each of a side's Units


def objective_hex(s: State, side: int) -> int:
    """Return the hex where the winner of the roll-off places the next Objective or object. HX-A31."""
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
    """Return the enemy that a side chooses as its mark. HX-A32."""
    chosen = c.NOBODY
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        if mark_refusal(s, t) == 0 and (chosen < 0 or vital_dp(s, t) < vital_dp(s, chosen)):
            chosen = t
    return chosen


def shoots_first(s: State, i: int) -> bool:
    """Return True if the primary weapon is a ranged one. HX-A33, HX-A40."""
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
    """Return why a Unit can't start in a hex; 0 if it can. HX-059, HX-A33."""
    if not in_deployment(s, s.units[i].side, at):
        return c.NOT_ALLOWED
    if starts_aloft(s, i):
        return c.IS_BUILDING if s.hexes[at].dp > 0 else 0
    return ground_refusal(s, s.units[i], at)


def column_of(s: State, i: int) -> int:
    """Return a Unit's column as its side sees it: ordered, otherwise by its place in the line. HX-A33, HX-A60."""
    u = s.units[i]
    if u.ordered_column >= 0:
        return u.ordered_column
    return min(LINE[i - first_unit(s.battle, u.side)], s.battle.columns - 1)


def deployment_hex(s: State, i: int) -> int:
    """Return the hex where a Unit starts: the nearest to its place in the line. HX-A33."""
    u = s.units[i]
    b = s.battle
    row = 12 if u.marked else (11 if s.sides[u.side].doctrine == c.CAUTIOUS else 10)
    wanted = own_hex(s, u.side, (row + b.rows - 13) * b.columns + column_of(s, i))
    aloft = starts_aloft(s, i)
    chosen = c.NOBODY
    nearest = c.FAR
    for crowd in range(4):  # if all free hexes are hazards, one of those; if all are full, share one
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


def choose_unit(s: State, side: int) -> int:
    """Return the Unit that acts next: nearest to an enemy if aggressive, farthest if cautious. HX-A34."""
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
    """Switch Units whose movement order has run out to its follow-up order, or to the AI's choice. HX-A60."""
    for i in range(s.battle.count_a + s.battle.count_b):
        u = s.units[i]
        if u.ordered_until and s.battle.round > u.ordered_until:
            u.ordered_until = 0
            u.ordered_move = u.ordered_then


# --- before moving ----------------------------------------------------------------------------------------------------


def leave_prone(s: State, i: int, log: Log) -> None:
    """Let a prone Unit kneel, so that it can move next turn; the AI never goes prone. HX-106."""
    if s.units[i].prone and kneel_refusal(s, i) == 0:
        kneel(s, i, log)


def draw_weapon(s: State, i: int, log: Log) -> None:
    """Fill an empty hand with the first carried weapon that fits it. HX-A38."""
    u = s.units[i]
    if is_vehicle(u) or u.carries >= 0 or u.pool < c.COMMAND or u.swapped:
        return
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.place == c.CARRIED and w.dp > 0 and hand_for(s, i, w.hands) != c.NOWHERE:
            swap(s, i, slot, c.NOBODY, log)
            return


def longest_range(s: State, i: int) -> int:
    """Return the longest range of a Unit's weapons in hand or mounted. HX-A39."""
    found = 0
    for slot in range(s.units[i].weapons):
        w = weapon_of(s, i, slot)
        if w.dp > 0 and (w.place >= c.MOUNTED or is_in_hand(w)):
            found = max(found, w.range)
    return found


def change_form(s: State, i: int, log: Log) -> None:
    """Transform for long distances, and back when an enemy is near. HX-A39."""
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
    """Return True if another Unit is on the ground in the Unit's hex. HX-A39."""
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
    """Let a flyer climb to its cruising level, as far as its SM points allow; not above its object. HX-A40, HX-A43."""
    u = s.units[i]
    if not can_fly(u) or is_at_its_object(s, i):
        return
    while (
        can_go_on(s, i) and u.level < cruising_level(s, i) and u.sm_left >= 2 and level_refusal(s, i, u.level + 1) == 0
    ):
        change_level(s, i, u.level + 1, dice, log)


def land(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let a flyer descend to its assigned object, as far as its SM points allow. HX-A43."""
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
    """Return the hex where a drone is placed: next to its Unit, as near to an enemy as possible. HX-A44."""
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
    """Return where a drone with Artificial Intelligence goes: nearest to an enemy, on ties the shorter path. HX-A44."""
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
    """Return True if there are active drones and all are too far away. HX-A44."""
    u = s.units[i]
    found = False
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.ACTIVE:
            if distance(s, s.drones[d].at, u.at) <= c.DRONE_REACH:
                return False
            found = True
    return found


def docked_reach(s: State, i: int) -> int:
    """Return the longest range of a docked drone; -1 if there is none. HX-A44."""
    u = s.units[i]
    found = -1
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.DOCKED:
            found = max(found, s.drones[d].range)
    return found


def send_drones(s: State, i: int, log: Log) -> None:
    """Recall and deploy drones, and move the ones with Artificial Intelligence. HX-A44."""
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
