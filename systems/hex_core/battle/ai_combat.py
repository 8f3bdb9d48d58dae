"""The AI's choices after moving: weapons, drones, attacks, grapples, stances. Ledger HX-A38 to HX-A50."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_moves import exposure, look_around
from systems.hex_core.battle.ai_values import (
    best_now,
    drone_pair,
    expected,
    list_pairs,
    look_at_enemies,
    ready_weapons,
    target_in,
    weapon_in,
    without_weapon,
)
from systems.hex_core.battle.rules import (
    acc_now,
    asl_now,
    count_hexes,
    distance,
    end_of_units,
    evasion_level,
    first_unit,
    flat_now,
    is_aloft,
    is_usable,
    is_vehicle,
    near,
    own_hex,
    penalty_of,
    range_at,
    reach_refusal,
    shield_ready,
    sight,
    slot_at,
    stance_reserve,
    vital_dp,
    weapon_of,
)
from systems.hex_core.battle.rules.attacks import (
    attack,
    attack_drone,
    attack_with_drone,
    damage_of,
    evade_faces,
    height_bonus,
    hit_faces,
    position_bonus,
    watch,
)
from systems.hex_core.battle.rules.commands import (
    kneel,
    take_cover,
)
from systems.hex_core.battle.rules.damage import count_standing
from systems.hex_core.battle.rules.grapples import (
    constrain,
    contest,
    d4,
    grapple_refusal,
    landing_refusal,
    throw,
    throw_damage,
)
from systems.hex_core.battle.state import State


def can_go_on(s: State, i: int) -> bool:
    """Return True as long as the Unit's turn goes on."""
    u = s.units[i]
    return u.status == c.STANDS and u.done == 0 and s.battle.over == 0


def take_aim(s: State, i: int, log: Log) -> None:
    """Let a cautious mech kneel if this costs it no attack and no enemy covers it. HX-A45."""
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
    """Return the value of the best pair of that kind within `ap` AP. HX-A25."""
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
    """Return the drone without Artificial Intelligence that has the most valuable attack, or -1. HX-A46."""
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
    """Return the value of a drone's best attack; 0 if it has none."""
    return without_weapon(drone_pair(s, d)) if d >= 0 else 0


def may_strike(s: State, i: int) -> bool:
    """Return False for a Unit that has just grappled an enemy. HX-129, HX-A49."""
    u = s.units[i]
    return u.holds < 0 or u.held_since_turn == 1


def use_weapons(s: State, i: int, melee: int, dice: Dice, log: Log) -> None:
    """Attack repeatedly with the most valuable weapon; stop shooting once melee is worth more. HX-A46, HX-A49."""
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
    """Return n x E for a weapon against an enemy drone; 0 if it can't attack the drone. HX-A47."""
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
    """Attack enemy drones as long as no enemy Unit can be attacked. HX-A47."""
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
    """Return the Unit to grapple; -1 if none. HX-A48."""
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
    """Return the hex to throw a Unit to, as far away as possible; -1 if there is none. HX-A48."""
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
    """Make one grapple at the start of the Close Combat Phase. HX-124, HX-A48."""
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
    """Return the weapon for an Offensive Stance, which has the longest range; -1 if none. HX-A50."""
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
    """Take a stance at the end of a turn. HX-A50."""
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
