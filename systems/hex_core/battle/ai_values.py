"""The AI's values: weapons against targets, exposure, the best pair. Ledger HX-A19 to HX-A27.

A pair's value is one number that orders pairs by M, K, W, remaining vital DP, roster index and weapon; 0 is no pair.
"""

from __future__ import annotations

from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    acc_now,
    asl_now,
    can_evade,
    distance,
    end_of_units,
    eva_now,
    evasion_level,
    first_unit,
    flat_now,
    front_mask,
    is_usable,
    penalty_of,
    range_at,
    sight,
    slot_at,
    vital_dp,
    weapon_of,
)
from systems.hex_core.battle.rules.attacks import (
    damage_of,
    drone_reaches,
    evade_faces,
    flank_bonus,
    height_bonus,
    hit_faces,
    position_bonus,
)
from systems.hex_core.battle.state import Pair, State

SLOT_BITS = 32  # part of a value that holds the weapon
INDEX_BITS = 32  # part of a value that holds the target
VITAL_BITS = 1024
WORTH_BITS = 1 << 24
REST = SLOT_BITS * INDEX_BITS * VITAL_BITS
KILL = REST * WORTH_BITS  # K; twice this is M
MARK_BITS = 64  # part of a value that holds M and K


def expected(h: int, e: int, plain: int, critical: int) -> int:
    """Return 512 times the expected damage of an attack. HX-A24."""
    return (8 + (h - 1) * (8 - e)) * (7 * plain + critical)


def evades_on(s: State, t: int) -> int:
    """Return on how many faces Unit t evades in its present state. HX-A22."""
    u = s.units[t]
    return evade_faces(eva_now(s, t), evasion_level(u.level)) if can_evade(u) else 0


def value_of(pair: Pair, n: int) -> int:
    """Return a pair's value with n attacks. HX-A25."""
    kills = KILL if pair.damage and n * pair.damage >= pair.vital else 0
    return pair.mark * 2 * KILL + kills + n * pair.worth * REST + pair.rest


def without_weapon(value: int) -> int:
    """Return a value without the part that distinguishes weapons. HX-A46."""
    return value // SLOT_BITS


def rest_of(s: State, t: int, k: int) -> int:
    """Return the tie-breaker between pairs. HX-A25."""
    return ((VITAL_BITS - 1 - vital_dp(s, t)) * INDEX_BITS + INDEX_BITS - 1 - t) * SLOT_BITS + SLOT_BITS - 1 - k


def target_in(value: int) -> int:
    """Return the target from a pair's value."""
    return INDEX_BITS - 1 - value // SLOT_BITS % INDEX_BITS


def weapon_in(value: int) -> int:
    """Return the weapon's list position from a pair's value."""
    return SLOT_BITS - 1 - value % SLOT_BITS


def ready_weapons(s: State, i: int) -> None:
    """Record each weapon's present flat damage and its range before levels; range 0 if it can't be used."""
    u = s.units[i]
    for k in range(u.weapons + 1):
        w = weapon_of(s, i, slot_at(u, k))
        w.reach = 0
        if is_usable(s, i, slot_at(u, k)):
            w.reach = range_at(u, w, 0)
            w.hit = flat_now(s, i, slot_at(u, k))


def look_at_enemies(s: State, side: int) -> None:
    """Record on how many faces each enemy of a side evades."""
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        s.units[t].evades = evades_on(s, t)


def longest_reach(s: State, i: int) -> int:
    """Return how far an enemy can shoot or strike from its present hex, without fists. HX-A26."""
    u = s.units[i]
    found = -1
    for slot in range(u.weapons):
        if is_usable(s, i, slot):
            found = max(found, range_at(u, weapon_of(s, i, slot), u.level))
    return found


def target_preference(s: State, i: int, e: int) -> int:
    """Return how well enemy e fits Unit i's target orders; higher is better. HX-A60."""
    t = s.units[e]
    wanted = s.units[i].ordered_target
    if wanted == c.ORDERED_DEAREST:
        return t.cost
    if wanted == c.ORDERED_CHEAPEST:
        return -t.cost
    if wanted == c.ORDERED_WEAKEST:
        return -vital_dp(s, e)
    if wanted == c.ORDERED_TOUGHEST:
        return vital_dp(s, e)
    return -distance(s, s.units[i].at, t.at)


def mark_on(s: State, i: int, e: int) -> int:
    """Return M of a pair of Unit i and enemy e: its mark, or how well e fits target orders, if any. HX-A60."""
    u = s.units[i]
    if u.ordered_target == 0:
        return s.units[e].marked
    mark = 1
    for t in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if s.units[t].status == c.STANDS and target_preference(s, i, t) < target_preference(s, i, e):
            mark += 1
    return mark


def list_pairs(s: State, i: int, at: int, level: int) -> int:
    """List all pairs within Unit i's reach from a hex, for any facing; return their number. HX-A20 to HX-A25."""
    b = s.battle
    u = s.units[i]
    acc = acc_now(s, i)
    asl = asl_now(s, i)
    shot_bonus = height_bonus(level) + position_bonus(s, i) + (1 if u.marksman and u.shots == 0 else 0)
    strike_bonus = 1 if u.duellist and u.strikes == 0 else 0
    high = 1 if level >= 2 else 0
    found = 0
    for t in range(first_unit(b, 1 - u.side), end_of_units(b, 1 - u.side)):
        other = s.units[t]
        if other.status != c.STANDS or (u.holds >= 0 and u.holds != t):
            continue
        away = distance(s, at, other.at)
        far = away + abs(level - other.level)
        mark = mark_on(s, i, t)
        seen = -2  # not yet calculated
        for k in range(u.weapons + 1):
            w = weapon_of(s, i, slot_at(u, k))
            if w.reach == 0 or far > w.reach + (0 if w.melee else high):
                continue
            if seen == -2:
                seen = sight(s, at, level, other.at, other.level, u.filters)
            if seen < 0:
                break
            h = hit_faces(asl, strike_bonus) if w.melee else hit_faces(acc, shot_bonus - penalty_of(u, seen))
            flank = flank_bonus(s, t, at)
            under = 1 if other.level < 0 and w.energy == 0 else 0
            plain = damage_of(w.hit, 0, under, flank)
            worth = expected(h, other.evades, plain, damage_of(w.hit, 1, under, flank))
            pair = s.pairs[found]
            pair.mask = front_mask(s, at, other.at)
            pair.ap = w.ap
            pair.worth = worth if other.cover else 2 * worth
            pair.damage = 0 if other.cover else plain
            pair.vital = vital_dp(s, t)
            pair.rest = rest_of(s, t, k)
            pair.near = away
            pair.mark = mark
            found += 1
    return found


def best_pair_value(s: State, count: int, facing: int, ap: int) -> int:
    """Return the value of the best listed pair in view within `ap` AP; 0 if there is none. HX-A25."""
    best = 0
    for k in range(count):
        pair = s.pairs[k]
        if pair.mask & (1 << facing) == 0 or pair.ap > ap:
            continue
        best = max(best, value_of(pair, ap // pair.ap))
    return best


def best_now(s: State, i: int, count: int, melee: int, ap: int) -> int:
    """Return the value of Unit i's best listed pair of one kind from its hex, within `ap` AP. HX-A46, HX-A49."""
    u = s.units[i]
    best = 0
    for k in range(count):
        pair = s.pairs[k]
        if pair.mask & (1 << u.facing) == 0 or pair.ap > ap:
            continue
        if weapon_of(s, i, slot_at(u, weapon_in(pair.rest))).melee == melee:
            best = max(best, value_of(pair, ap // pair.ap))
    return best


def drone_pair(s: State, d: int) -> int:
    """Return the value of a drone's best attack, n = 1; 0 if it has none. HX-A46."""
    b = s.battle
    drone = s.drones[d]
    side = s.units[drone.unit].side
    best = 0
    for t in range(first_unit(b, 1 - side), end_of_units(b, 1 - side)):
        other = s.units[t]
        if other.status != c.STANDS or not drone_reaches(s, drone, other.at, other.level):
            continue
        seen = sight(s, drone.at, drone.level, other.at, other.level, 0)
        if seen < 0:
            continue
        h = hit_faces(drone.asl, 0) if drone.melee else hit_faces(drone.acc, height_bonus(drone.level) - seen)
        flank = flank_bonus(s, t, drone.at)
        under = 1 if other.level < 0 and drone.energy == 0 else 0
        plain = damage_of(drone.flat, 0, under, flank)
        worth = expected(h, other.evades, plain, damage_of(drone.flat, 1, under, flank))
        value = mark_on(s, drone.unit, t) * 2 * KILL + (worth if other.cover else 2 * worth) * REST + rest_of(s, t, 0)
        if other.cover == 0 and plain >= vital_dp(s, t):
            value += KILL
        best = max(best, value)
    return best
