"""The AI's path-finding: walking distances, and a search over hex, facing and free rotation. HX-A28, HX-A29, HX-A53.

A state of the search is a hex, a facing as its side sees it, and whether the free rotation has been used. Its number is
12 x hex + 2 x facing + used, so the lowest bit of a hex's waiting states is the first state.
"""

from __future__ import annotations

from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    area_dp,
    count_hexes,
    distance,
    end_of_units,
    entry_cost,
    entry_refusal,
    first_unit,
    is_aloft,
    is_hazard,
    is_vehicle,
    neighbour,
    own_facing,
    sm_now,
    vital_dp,
)
from systems.hex_core.battle.rules.rounds import count_around, in_deployment
from systems.hex_core.battle.state import Battle, State

TURNS = (0, 5, 1, 4, 2, 3)  # front, front-left, front-right, and if the house rule allows it behind


# --- walking distances ------------------------------------------------------------------------------------------------


def clear_goals(s: State) -> None:
    """Clear the goals of the search."""
    for at in range(count_hexes(s)):
        s.hexes[at].is_goal = 0


def begin_walk(s: State) -> int:
    """Mark all hexes except the goals as out of reach and queue the goals; return how many there are."""
    found = 0
    for at in range(count_hexes(s)):
        h = s.hexes[at]
        h.away = c.FAR
        if h.is_goal:
            h.away = 0
            s.steps[found].way = at
            found += 1
    return found


def walk_plain(s: State) -> None:
    """Calculate walking distances on a map where every step costs 1 and every hex is open."""
    last = begin_walk(s)
    first = 0
    while first < last:
        at = s.steps[first].way
        first += 1
        away = s.hexes[at].away + 1
        for direction in range(6):
            beside = s.links[at * 6 + direction].to
            if beside >= 0 and s.hexes[beside].away > away:
                s.hexes[beside].away = away
                s.steps[last].way = beside
                last += 1


def walk_from_goals(s: State, i: int, hazards: int) -> None:
    """Calculate Unit i's walking distances to its nearest goal; FAR without a path. HX-A29."""
    u = s.units[i]
    aloft = is_aloft(s, u)
    begin_walk(s)
    away = 0
    last = 0
    while away <= last:
        for at in range(count_hexes(s)):
            h = s.hexes[at]
            if h.away != away or (h.is_goal == 0 and hazards == 0 and is_hazard(s, u, aloft, at)):
                continue
            for direction in range(6):
                beside = s.links[at * 6 + direction].to
                if beside < 0:
                    continue
                if h.is_goal:
                    cost = 1
                elif entry_refusal(s, u, aloft, beside, at):
                    continue
                else:
                    cost = entry_cost(s, u, aloft, beside, at)
                if away + cost < s.hexes[beside].away:
                    s.hexes[beside].away = away + cost
                    last = max(last, away + cost)
        away += 1


def measure_from_goals(s: State) -> None:
    """Use the plain distance to the goals if there is no path to any. HX-A29."""
    for at in range(count_hexes(s)):
        s.hexes[at].away = c.FAR
        for goal in range(count_hexes(s)):
            if s.hexes[goal].is_goal:
                s.hexes[at].away = min(s.hexes[at].away, distance(s, at, goal))


def walk(s: State, i: int) -> int:
    """Calculate Unit i's walking distances to its nearest goal; return 1 if it has to cross hazards. HX-A29."""
    if s.battle.is_plain:
        walk_plain(s)
        return 0
    walk_from_goals(s, i, 0)
    if s.hexes[s.units[i].at].away < c.FAR:
        return 0
    walk_from_goals(s, i, 1)
    if s.hexes[s.units[i].at].away == c.FAR:
        measure_from_goals(s)
    return 1


def walk_any(s: State, i: int) -> int:
    """Return Unit i's walking distance to its nearest goal, with hazards allowed. HX-A55."""
    if s.battle.is_plain:
        walk_plain(s)
    else:
        walk_from_goals(s, i, 1)
        if s.hexes[s.units[i].at].away == c.FAR:
            measure_from_goals(s)
    return s.hexes[s.units[i].at].away


# --- the search -------------------------------------------------------------------------------------------------------


def open_window(s: State, i: int, limit: int) -> None:
    """Clear the previous search in the part of the map that this one can reach."""
    b = s.battle
    h = s.hexes[s.units[i].at]
    b.left = max(0, h.column - limit)
    b.right = min(b.columns - 1, h.column + limit)
    b.top = max(0, h.row - limit)
    b.bottom = min(b.rows - 1, h.row + limit)
    for row in range(b.top, b.bottom + 1):
        for column in range(b.left, b.right + 1):
            at = row * b.columns + column
            for state in range(at * c.STATES, at * c.STATES + c.STATES):
                s.ways[state].cost = c.COSTS


def window_hexes(b: Battle) -> int:
    """Return how many hexes the latest search covers."""
    return (b.bottom - b.top + 1) * (b.right - b.left + 1)


def window_hex(b: Battle, side: int, k: int) -> int:
    """Return hex k of the latest search, in the order in which a side sees the map. HX-A05."""
    wide = b.right - b.left + 1
    down = k // wide
    across = k - down * wide
    if side == c.SIDE_A:
        return (b.top + down) * b.columns + b.left + across
    return (b.bottom - down) * b.columns + b.right - across


def take_hexes(s: State, i: int, taken: int) -> None:
    """Set or clear the hexes that enemies hold at the level that Unit i would have there. HX-068."""
    u = s.units[i]
    aloft = is_aloft(s, u)
    for t in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        other = s.units[t]
        if other.status == c.STANDS and other.level == (u.level if aloft else s.hexes[other.at].level):
            s.hexes[other.at].taken = taken


def wait(s: State, at: int, state: int, cost: int, by: int) -> None:
    """Queue a state found at that cost; an earlier cost is only replaced by a strictly lower one."""
    way = s.ways[at * c.STATES + state]
    if cost < way.cost:
        way.cost = cost
        way.by = by
        s.queues[cost * s.battle.columns * s.battle.rows + at].waiting |= 1 << state


def step_on(s: State, i: int, aloft: bool, hazards: int, at: int, state: int, cost: int, limit: int) -> None:
    """Queue the steps from a state. HX-065, HX-067, HX-068."""
    u = s.units[i]
    facing = own_facing(u.side, state >> 1)
    for turn in range(6 if s.battle.any_arc else 3):
        to = neighbour(s, at, (facing + TURNS[turn]) % 6)
        if to < 0 or s.hexes[to].taken:
            continue
        paid = 1
        if s.battle.is_plain == 0:
            if entry_refusal(s, u, aloft, at, to) or (hazards == 0 and is_hazard(s, u, aloft, to)):
                continue
            paid = entry_cost(s, u, aloft, at, to)
        if cost + paid <= limit:
            wait(s, to, state, cost + paid, at * c.STATES + state)


def lowest(mask: int) -> int:
    """Return the position of the lowest bit in a mask other than 0."""
    found = 0
    while mask & 1 == 0:
        mask >>= 1
        found += 1
    return found


def leave_hex(s: State, i: int, aloft: bool, hazards: int, at: int, cost: int, limit: int) -> None:
    """Expand a hex's states waiting at a cost, in order, and those that they add at the same cost. HX-A53."""
    queue = s.queues[cost * s.battle.columns * s.battle.rows + at]
    turned = False
    while queue.waiting:
        state = lowest(queue.waiting)
        queue.waiting &= ~(1 << state)
        number = at * c.STATES + state
        if s.ways[number].cost < cost:
            continue
        if state & 1 == 0:
            for facing in range(6):
                if facing != state >> 1:
                    wait(s, at, facing * 2 + 1, cost, number)
        elif not turned and cost < limit:
            turned = True
            for facing in range(6):
                if facing != state >> 1:
                    wait(s, at, facing * 2 + 1, cost + 1, number)
        step_on(s, i, aloft, hazards, at, state, cost, limit)


def search(s: State, i: int, limit: int, hazards: int) -> None:
    """Find the cheapest path to each hex and facing within `limit` SM points. HX-A53."""
    b = s.battle
    u = s.units[i]
    aloft = is_aloft(s, u)
    open_window(s, i, limit)
    take_hexes(s, i, 1)
    wait(s, u.at, own_facing(u.side, u.facing) * 2 + (0 if u.free_turn else 1), 0, c.NOBODY)
    for cost in range(limit + 1):
        for k in range(window_hexes(b)):
            at = window_hex(b, u.side, k)
            if s.queues[cost * b.columns * b.rows + at].waiting:
                leave_hex(s, i, aloft, hazards, at, cost, limit)
    take_hexes(s, i, 0)


def best_state(s: State, at: int, facing: int) -> int:
    """Return the cheaper of the two states with that hex and facing; on ties the unused free rotation. HX-A53."""
    number = at * c.STATES + facing * 2
    return number if s.ways[number].cost <= s.ways[number + 1].cost else number + 1


MISSION_GOAL, ENEMY_GOAL = 1, 2


# --- goals ------------------------------------------------------------------------------------------------------------


def set_objective_goals(s: State, i: int) -> bool:
    """Set the goals in Domination: the hexes around each Objective that the enemy keeps without Unit i. HX-A55."""
    side = s.units[i].side
    any_goal = False
    for k in range(s.battle.objects):
        there = s.objects[k].at
        if count_around(s, side, there, i) > count_around(s, 1 - side, there, c.NOBODY):
            continue
        any_goal = True
        s.hexes[there].is_goal = 1
        for direction in range(6):
            beside = neighbour(s, there, direction)
            if beside >= 0:
                s.hexes[beside].is_goal = 1
    return any_goal


def can_carry(s: State, i: int) -> bool:
    """Return True for a mech with intact left arm, no object, and 2 SM to land if it is aloft. HX-A43, HX-A55."""
    u = s.units[i]
    if u.status != c.STANDS or is_vehicle(u) or u.carries >= 0 or area_dp(s, i, c.ARM_L) == 0:
        return False
    return not is_aloft(s, u) or sm_now(s, i) >= 2


def object_for(s: State, i: int) -> int:
    """Return the free object assigned to Unit i, or -1. HX-A55."""
    side = s.units[i].side
    given = 0  # bit n: the side's Unit n has one
    first = first_unit(s.battle, side)
    for k in range(s.battle.objects):
        if s.objects[k].status != c.FREE:
            continue
        chosen = c.NOBODY
        nearest = 0
        clear_goals(s)
        s.hexes[s.objects[k].at].is_goal = 1
        for j in range(first, end_of_units(s.battle, side)):
            if given & (1 << (j - first)) or not can_carry(s, j):
                continue
            away = walk_any(s, j)
            if chosen < 0 or away < nearest:
                chosen = j
                nearest = away
        if chosen == i:
            return k
        if chosen >= 0:
            given |= 1 << (chosen - first)
    return c.NOBODY


def is_at_its_object(s: State, i: int) -> bool:
    """Return True if Unit i wants its assigned object and is in the object's hex, at any level. HX-A43."""
    if s.battle.mission != c.RETRIEVAL or s.units[i].ordered_move or falls_back(s, i):
        return False
    for k in range(s.battle.objects):
        if s.objects[k].status == c.FREE and s.objects[k].at == s.units[i].at:
            return object_for(s, i) == k
    return False


def set_retrieval_goals(s: State, i: int) -> bool:
    """Set the goals in Retrieval: home for carriers, for others their assigned objects. HX-A55."""
    u = s.units[i]
    if u.carries >= 0:
        for at in range(count_hexes(s)):
            s.hexes[at].is_goal = 1 if in_deployment(s, u.side, at) else 0
        return True
    k = object_for(s, i)
    clear_goals(s)
    if k >= 0:
        s.hexes[s.objects[k].at].is_goal = 1
    return k >= 0


def set_goals(s: State, i: int) -> int:
    """Set Unit i's goals: its mission's, otherwise the enemy's mark or all enemies. HX-A55."""
    b = s.battle
    clear_goals(s)
    if b.mission == c.DOMINATION and set_objective_goals(s, i):
        return MISSION_GOAL
    if b.mission == c.RETRIEVAL and set_retrieval_goals(s, i):
        return MISSION_GOAL
    set_enemy_goals(s, i)
    return ENEMY_GOAL


def set_enemy_goals(s: State, i: int) -> None:
    """Set the enemy's mark, or all enemies, as Unit i's goals. HX-A55."""
    b = s.battle
    side = s.units[i].side
    clear_goals(s)
    for t in range(first_unit(b, 1 - side), end_of_units(b, 1 - side)):
        other = s.units[t]
        if other.status == c.STANDS and (b.mission != c.ASSASSINATION or other.marked):
            s.hexes[other.at].is_goal = 1


def falls_back(s: State, i: int) -> bool:
    """Return True if the Unit's orders make it keep away, fall back or save itself now. HX-A60.

    It falls back once its DP are down to a given number.
    """
    u = s.units[i]
    if u.ordered_preserve and u.damage:
        return True
    return u.ordered_move == c.ORDERED_AWAY or (u.ordered_retreat > 0 and vital_dp(s, i) <= u.ordered_retreat)
