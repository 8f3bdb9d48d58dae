"""The AI's movement: goals, candidates, choice. Ledger HX-A26, HX-A27, HX-A41, HX-A53 to HX-A59.

Each candidate is one number whose digits are the ledger's criteria, in order; on ties the first candidate as seen by
the side wins.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_paths import (
    ENEMY_GOAL,
    MISSION_GOAL,
    best_state,
    falls_back,
    search,
    set_enemy_goals,
    set_goals,
    walk,
    window_hex,
    window_hexes,
)
from systems.hex_core.battle.ai_values import (
    MARK_BITS,
    REST,
    WORTH_BITS,
    best_pair_value,
    list_pairs,
    longest_reach,
    look_at_enemies,
    ready_weapons,
    target_in,
)
from systems.hex_core.battle.rules import (
    distance,
    end_of_units,
    first_unit,
    front_mask,
    is_aloft,
    near,
    neighbour,
    opposite_mask,
    own_facing,
    shield_ready,
    sight,
    stance_reserve,
)
from systems.hex_core.battle.rules.movement import end_refusal, press_on, step, thrust, turn_to, way_refusal
from systems.hex_core.battle.state import State

NO_END = -2  # in place of a pair's number: Units can't end in that hex


# --- visibility from a hex ---------------------------------------------------------------------------------------------


def look_around(s: State, i: int) -> None:
    """Record all enemies' threats to Unit i, for the current choice. HX-A26."""
    side = s.units[i].side
    look_at_enemies(s, side)
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        s.units[t].threat = longest_reach(s, t) if s.units[t].status == c.STANDS else -1


def level_at(s: State, i: int, aloft: bool, at: int) -> int:
    """Return the level that Unit i would have in a hex."""
    return s.units[i].level if aloft else s.hexes[at].level


def exposure(s: State, i: int, at: int, level: int) -> int:
    """Return how many enemies cover a hex at a level from where they are. HX-A26."""
    side = s.units[i].side
    found = 0
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        other = s.units[t]
        if other.status != c.STANDS or distance(s, other.at, at) + abs(level - other.level) > other.threat:
            continue
        if front_mask(s, other.at, at) & (1 << other.facing) == 0:
            continue
        if sight(s, other.at, other.level, at, level, 1) >= 0:
            found += 1
    return found


def count_seen(s: State, i: int, at: int, facing: int) -> int:
    """Return how many enemies are in the field of view from a hex with a facing. HX-A27."""
    side = s.units[i].side
    found = 0
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        if s.units[t].status == c.STANDS and front_mask(s, at, s.units[t].at) & (1 << facing):
            found += 1
    return found


def count_rear(s: State, i: int, at: int, facing: int) -> int:
    """Return how many enemies are in the rear arc of a hex with a facing. HX-A27."""
    side = s.units[i].side
    found = 0
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        other = s.units[t]
        if other.status != c.STANDS or other.at == at:
            continue
        if opposite_mask(front_mask(s, at, other.at)) & (1 << facing):
            found += 1
    return found


def most_presses(s: State, i: int, goal: int) -> int:
    """Return how many times the AI would Press On. HX-A53."""
    u = s.units[i]
    fetches = goal == MISSION_GOAL and s.battle.mission == c.RETRIEVAL
    if s.sides[u.side].doctrine == c.CAUTIOUS and not fetches:
        return 0
    kept = c.COMMAND if shield_ready(s, i) else 0
    return max(0, min(2, (u.pool - kept) // c.COMMAND))


# --- candidates -------------------------------------------------------------------------------------------------------


def may_end(s: State, i: int, at: int) -> bool:
    """Return True if the Unit may end its movement in a hex. HX-069, HX-A53."""
    return at == s.units[i].at or not end_refusal(s, i, at)


def reaches(s: State, at: int) -> bool:
    """Return True if the search has reached a hex."""
    for state in range(at * c.STATES, at * c.STATES + c.STATES):
        way = s.ways[state]
        if way.cost < c.COSTS:
            return True
    return False


def nearest_goal(s: State, i: int) -> int:
    """Return the shortest walking distance of all candidates. HX-A55."""
    b = s.battle
    found = c.FAR
    for k in range(window_hexes(b)):
        at = window_hex(b, s.units[i].side, k)
        if s.hexes[at].away < found and reaches(s, at) and may_end(s, i, at):
            found = s.hexes[at].away
    return found


def weigh_pairs(s: State, i: int, most_away: int) -> int:
    """Find each candidate's best pair, up to `most_away` from the goal; return the best M, K and W. HX-A54."""
    b = s.battle
    u = s.units[i]
    aloft = is_aloft(s, u)
    reserve = stance_reserve(s, i)
    most = 0
    for k in range(window_hexes(b)):
        at = window_hex(b, u.side, k)
        pairs = -1
        for facing in range(6):
            number = best_state(s, at, facing)
            way = s.ways[number]
            way.best = -1
            if pairs == NO_END or way.cost == c.COSTS or s.hexes[at].away > most_away:
                continue
            if at != u.at and is_ordered_to_stay(s, i):
                continue
            if pairs < 0:
                if not may_end(s, i, at):
                    pairs = NO_END  # not a candidate: its `way.best` stays -1
                    continue
                pairs = list_pairs(s, i, at, level_at(s, i, aloft, at))
            ap = u.pool - c.COMMAND * max(0, way.cost - u.sm_left) - reserve
            way.best = best_pair_value(s, pairs, own_facing(u.side, facing), ap) if ap > 0 else 0
            most = max(most, way.best // REST)
    return most


def choose_marked(s: State, i: int) -> int:
    """Choose the hex for a Unit that is the enemy's mark: first of all out of sight. HX-A56."""
    b = s.battle
    u = s.units[i]
    aloft = is_aloft(s, u)
    chosen = c.NOBODY
    best = -1
    for k in range(window_hexes(b)):
        at = window_hex(b, u.side, k)
        danger = -1
        for facing in range(6):
            number = best_state(s, at, facing)
            way = s.ways[number]
            if way.cost > u.sm_left or way.best < 0:
                continue
            if danger < 0:
                danger = exposure(s, i, at, level_at(s, i, aloft, at))
                room = near(s, u.side, at)
            rear = count_rear(s, i, at, own_facing(u.side, facing))
            key = (15 - danger) * MARK_BITS * WORTH_BITS + way.best // REST
            key = ((key * 128 + room) * 16 + 15 - rear) * 32 + 31 - way.cost
            if key > best:
                best = key
                chosen = number
    return chosen


def choose_bold(s: State, i: int) -> int:
    """Choose the hex for an aggressive Unit with a pair. HX-A57."""
    b = s.battle
    u = s.units[i]
    chosen = c.NOBODY
    best = -1
    for k in range(window_hexes(b)):
        at = window_hex(b, u.side, k)
        for facing in range(6):
            number = best_state(s, at, facing)
            way = s.ways[number]
            if way.cost == c.COSTS or way.best <= 0:
                continue
            key = way.best // REST
            if key * 65536 + 65535 <= best:
                continue
            rear = count_rear(s, i, at, own_facing(u.side, facing))
            away = distance(s, at, s.units[target_in(way.best)].at)
            key = ((key * 16 + 15 - rear) * 128 + 127 - away) * 32 + 31 - way.cost
            if key > best:
                best = key
                chosen = number
    return chosen


def choose_careful(s: State, i: int, most: int) -> int:
    """Choose the hex for a cautious Unit with a pair. HX-A58."""
    b = s.battle
    u = s.units[i]
    aloft = is_aloft(s, u)
    chosen = c.NOBODY
    best = -1
    for k in range(window_hexes(b)):
        at = window_hex(b, u.side, k)
        danger = -1
        for facing in range(6):
            number = best_state(s, at, facing)
            way = s.ways[number]
            if way.cost == c.COSTS or way.best <= 0:
                continue
            worth = way.best // REST
            if worth // WORTH_BITS != most // WORTH_BITS or 4 * (worth % WORTH_BITS) < 3 * (most % WORTH_BITS):
                continue
            if danger < 0:
                danger = exposure(s, i, at, level_at(s, i, aloft, at))
                room = near(s, u.side, at)
            rear = count_rear(s, i, at, own_facing(u.side, facing))
            key = ((15 - danger) * 128 + room) * 16 + 15 - rear
            key = (key * WORTH_BITS + worth % WORTH_BITS) * 32 + 31 - way.cost
            if key > best:
                best = key
                chosen = number
    return chosen


def choose_nearer(s: State, i: int, most_away: int) -> int:
    """Choose the hex for a Unit that has no pair anywhere. HX-A59."""
    b = s.battle
    u = s.units[i]
    chosen = c.NOBODY
    best = -1
    for k in range(window_hexes(b)):
        at = window_hex(b, u.side, k)
        if s.hexes[at].away > most_away:
            continue
        for facing in range(6):
            number = best_state(s, at, facing)
            way = s.ways[number]
            if way.cost == c.COSTS or way.best < 0:
                continue
            presses = max(0, way.cost - u.sm_left)
            seen = count_seen(s, i, at, own_facing(u.side, facing))
            key = (((c.FAR - s.hexes[at].away) * 8 + 7 - presses) * 16 + seen) * 32 + 31 - way.cost
            if key > best:
                best = key
                chosen = number
    return chosen


# --- the move ---------------------------------------------------------------------------------------------------------


def follow(s: State, i: int, chosen: int, dice: Dice, log: Log) -> None:
    """Pay for Press On and follow the chosen path hex by hex. HX-100, HX-A52."""
    u = s.units[i]
    count = 0
    state = chosen
    while s.ways[state].by >= 0:
        s.steps[count].way = state
        count += 1
        state = s.ways[state].by
    for _ in range(s.ways[chosen].cost - u.sm_left):
        press_on(s, i, log)
    while count and u.status == c.STANDS and u.fell == 0 and s.battle.over == 0:
        count -= 1
        at = s.steps[count].way // c.STATES
        if at != u.at:
            step(s, i, at, dice, log)
        else:
            turn_to(s, i, own_facing(u.side, s.steps[count].way % c.STATES >> 1), log)


def thrust_to(s: State, i: int, most_away: int) -> int:
    """Return 8 x direction + hexes for Thruster Movement that ends nearer than `most_away`; 0 if none does. HX-A59."""
    u = s.units[i]
    best = most_away
    found = 0
    start = u.at
    level = u.level
    for turn in range(6):
        direction = own_facing(u.side, turn)
        for hexes in range(1, u.tm + 1):
            to = neighbour(s, u.at, direction)
            if way_refusal(s, i, to):
                break
            u.at = to
            u.level = s.hexes[to].level
            if s.hexes[to].away < best and not end_refusal(s, i, to):
                best = s.hexes[to].away
                found = 8 * direction + hexes
        u.at = start
        u.level = level
    return found


def face_enemies(s: State, i: int, log: Log) -> None:
    """Rotate for free after Thruster Movement, to see most enemies and have fewest behind. HX-A59."""
    u = s.units[i]
    chosen = u.facing
    best = -1
    for turn in range(6):
        facing = own_facing(u.side, turn)
        key = count_seen(s, i, u.at, facing) * 16 + 15 - count_rear(s, i, u.at, facing)
        if key > best:
            best = key
            chosen = facing
    if chosen != u.facing:
        turn_to(s, i, chosen, log)


def use_thrusters(s: State, i: int, away: int, dice: Dice, log: Log) -> bool:
    """Use Thruster Movement if it ends nearer than the chosen path does. HX-A59."""
    u = s.units[i]
    if s.sides[u.side].doctrine == c.CAUTIOUS or u.tm == 0 or u.form != c.MECH or is_aloft(s, u):
        return False
    found = thrust_to(s, i, away)
    if found == 0:
        return False
    thrust(s, i, found // 8, found % 8, dice, log)
    if u.status == c.STANDS and u.fell == 0 and s.battle.over == 0:
        face_enemies(s, i, log)
    return True


def is_ordered_to_stay(s: State, i: int) -> bool:
    """Return True if the Unit is ordered to stay in its hex and isn't falling back. HX-A60."""
    return s.units[i].ordered_move == c.ORDERED_HOLD and not falls_back(s, i)


def choose_way(s: State, i: int, most: int) -> int:
    """Return the state chosen among those with a pair; -1 if there is none. HX-A56 to HX-A58, HX-A60."""
    u = s.units[i]
    if falls_back(s, i):
        return choose_marked(s, i)
    if u.ordered_move == c.ORDERED_CLOSE:
        return c.NOBODY
    if s.battle.mission == c.ASSASSINATION and u.marked:
        return choose_marked(s, i)
    if most == 0:
        return c.NOBODY
    if s.sides[u.side].doctrine == c.CAUTIOUS:
        return choose_careful(s, i, most)
    return choose_bold(s, i)


def move(s: State, i: int, dice: Dice, log: Log) -> None:
    """Move Unit i according to its AI style and orders. HX-A41, HX-A53 to HX-A60."""
    u = s.units[i]
    goal = set_goals(s, i)
    is_walked = goal == MISSION_GOAL or s.battle.has_hazards != 0
    hazards = walk(s, i) if is_walked else 0
    look_around(s, i)
    ready_weapons(s, i)
    search(s, i, u.sm_left + most_presses(s, i, goal), hazards)
    if u.ordered_move or falls_back(s, i):
        goal = ENEMY_GOAL  # leaves its mission's goals to others
        if u.ordered_move == c.ORDERED_CLOSE:
            set_enemy_goals(s, i)
            is_walked = False
    most_away = nearest_goal(s, i) if goal == MISSION_GOAL else c.FAR
    most = weigh_pairs(s, i, most_away if goal == MISSION_GOAL else 2 * c.FAR)
    chosen = choose_way(s, i, most)
    if chosen >= 0:
        follow(s, i, chosen, dice, log)
        return
    if not is_walked:
        walk(s, i)
    chosen = choose_nearer(s, i, most_away)
    if is_ordered_to_stay(s, i) or not use_thrusters(s, i, s.hexes[chosen // c.STATES].away, dice, log):
        follow(s, i, chosen, dice, log)
