"""Attacks: possible targets, to-hit rolls, evasion, counters, criticals, damage.

HX-005, HX-006, HX-029, HX-047, HX-074 to HX-097, HX-107, HX-150, HX-152, HX-A20 to HX-A24.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    acc_now,
    area_dp,
    asl_now,
    behind,
    can_evade,
    distance,
    eva_now,
    evasion_level,
    flat_now,
    is_usable,
    penalty_of,
    reach_refusal,
    sight,
    top_level,
    weapon_of,
)
from systems.hex_core.battle.rules.damage import hurt, hurt_building, hurt_drone
from systems.hex_core.battle.state import Drone, State

FLANK = 2
ROLLED = (c.HEAD, c.TORSO, c.TORSO, c.TORSO, c.ARM_L, c.ARM_R, c.LEG_L, c.LEG_R)  # the area hit, by face


def passes(face: int, modifier: int, need: int) -> bool:
    """Return whether a roll passes. HX-003 to HX-005."""
    return face + modifier >= need


def hits(face: int, modifier: int, need: int) -> bool:
    """Return whether an Accuracy or Assault Roll hits; a natural 8 is a Perfect hit. HX-006."""
    return face == c.D8 or face + modifier >= need


def hit_faces(need: int, modifier: int) -> int:
    """Return on how many faces an Accuracy or Assault Roll passes. HX-A22."""
    return min(8, max(1, 9 - need + modifier))


def evade_faces(need: int, modifier: int) -> int:
    """Return on how many faces an Evasion Roll passes. HX-A22."""
    return min(8, max(0, 9 - need + modifier))


def damage_of(flat: int, critical: int, submerged: int, flank: int) -> int:
    """Return a hit's damage. HX-007, HX-089 to HX-091, HX-D23."""
    amount = flat + ((flat + 1) // 2 if critical else 0)
    return ((amount + 1) // 2 if submerged else amount) + flank


def height_bonus(level: int) -> int:
    """Return a level's modifier to Accuracy Rolls. HX-156 to HX-158."""
    return 1 if level >= 1 else 0


def position_bonus(s: State, i: int) -> int:
    """Return the modifier for kneeling or prone. HX-105, HX-106."""
    u = s.units[i]
    return 3 if u.prone else (1 if u.kneeling else 0)


def flank_bonus(s: State, t: int, a: int) -> int:
    """Return the extra damage of an attack from a hex. HX-077."""
    u = s.units[t]
    if not behind(s, u.at, u.facing, a):
        return 0
    return 1 if u.wary else FLANK


# --- possible targets -------------------------------------------------------------------------------------------------


def phase_refusal(s: State, i: int, melee: int) -> int:
    """Return why no attack of that kind is possible now; 0 if one is. HX-062, HX-070, HX-096."""
    u = s.units[i]
    phase = c.CLOSE if melee else c.RANGED
    if u.done or u.held_by >= 0 or u.stunned:
        return c.CANNOT_ACT
    if u.thrust:
        return c.PHASE_FORFEITED
    return c.PHASE_PASSED if u.phase > phase else 0


def weapon_refusal(s: State, i: int, slot: int) -> int:
    """Return why the weapon can't be used for an attack now; 0 if it can. HX-082, HX-118."""
    refusal = phase_refusal(s, i, weapon_of(s, i, slot).melee)
    if refusal:
        return refusal
    if not is_usable(s, i, slot):
        return c.WEAPON_NOT_READY
    return c.NOT_ENOUGH_AP if s.units[i].pool < weapon_of(s, i, slot).ap else 0


def area_refusal(s: State, t: int, area: int) -> int:
    """Return why an area, shield or weapon can't be called as target; 0 if it can. HX-081, HX-093."""
    if area < c.AREAS:
        return 0 if area_dp(s, t, area) > 0 else c.AREA_DESTROYED
    u = s.units[t]
    if area == c.SHIELD:
        return 0 if u.shield > 0 and u.shield_hand != c.NOWHERE else c.AREA_DESTROYED
    w = weapon_of(s, t, area - c.WEAPONS)
    is_seen = w.place != c.NOWHERE and w.place != c.CARRIED and w.place != c.LYING
    return 0 if w.dp > 0 and is_seen else c.AREA_DESTROYED


def attack_refusal(s: State, i: int, slot: int, t: int, area: int) -> int:
    """Return why Unit i can't attack that area of Unit t; 0 if it can. HX-080 to HX-083, HX-096, HX-129."""
    u = s.units[i]
    refusal = weapon_refusal(s, i, slot)
    if refusal == 0:
        refusal = area_refusal(s, t, area)
    if refusal == 0 and u.holds >= 0 and (u.holds != t or u.held_since_turn == 0):
        refusal = c.CANNOT_ACT
    if refusal:
        return refusal
    return reach_refusal(s, i, slot, s.units[t].at, s.units[t].level)


def building_refusal(s: State, i: int, slot: int, at: int) -> int:
    """Return why Unit i can't attack the building in a hex at the Unit's own level; 0 if it can. HX-150."""
    refusal = weapon_refusal(s, i, slot)
    if refusal:
        return refusal
    h = s.hexes[at]
    if h.dp <= 0:
        return c.AREA_DESTROYED
    level = max(h.level, min(s.units[i].level, top_level(h.level, h.floors)))
    return reach_refusal(s, i, slot, at, level) if s.units[i].holds < 0 else c.CANNOT_ACT


def drone_refusal(s: State, d: int, t: int) -> int:
    """Return why a drone can't attack Unit t; 0 if it can. HX-028 to HX-031."""
    drone = s.drones[d]
    u = s.units[drone.unit]
    refusal = phase_refusal(s, drone.unit, drone.melee)
    if refusal:
        return refusal
    if drone.status != c.ACTIVE or distance(s, drone.at, u.at) > c.DRONE_REACH:
        return c.OUT_OF_RANGE
    if drone.used:
        return c.ONCE_PER_TURN
    if drone.ai == 0 and u.pool < drone.ap:
        return c.NOT_ENOUGH_AP
    if not drone_reaches(s, drone, s.units[t].at, s.units[t].level):
        return c.OUT_OF_RANGE
    return c.NO_LOS if sight(s, drone.at, drone.level, s.units[t].at, s.units[t].level, 0) < 0 else 0


def drone_reaches(s: State, drone: Drone, at: int, level: int) -> bool:
    """Return True if a hex at a level is within a drone's range. HX-031, HX-078."""
    far = drone.range + (1 if drone.level >= 2 and drone.melee == 0 else 0)
    return distance(s, drone.at, at) + abs(level - drone.level) <= far


# --- the dice of one attack -------------------------------------------------------------------------------------------


def aim_with(s: State, i: int, slot: int, at: int, level: int) -> None:
    """Aim one of Unit i's weapons at a hex and level. HX-084, HX-095, HX-A21."""
    u = s.units[i]
    w = weapon_of(s, i, slot)
    shot = s.shots[0]
    shot.by = i
    shot.slot = slot
    shot.drone = c.NOBODY
    shot.target = c.NOBODY
    shot.prey = c.NOBODY
    shot.hex = c.NOBODY
    shot.start = u.at
    shot.height = u.level
    shot.melee = w.melee
    shot.energy = w.energy
    shot.flat = flat_now(s, i, slot)
    shot.flank = 0
    shot.paid = 0
    shot.evades = 0
    shot.terrain = 0
    shot.level = 0
    shot.position = 0
    if w.melee:
        shot.need = asl_now(s, i)
        shot.trait = 1 if u.duellist and u.strikes == 0 else 0
    else:
        shot.need = acc_now(s, i)
        shot.trait = 1 if u.marksman and u.shots == 0 else 0
        shot.terrain = -penalty_of(u, max(0, sight(s, u.at, u.level, at, level, u.filters)))
        shot.level = height_bonus(u.level)
        shot.position = position_bonus(s, i)
    shot.submerged = 1 if level < 0 and w.energy == 0 else 0


def aim_drone(s: State, d: int, at: int, level: int) -> None:
    """Aim a drone's attack at a hex and level. HX-031, HX-A08."""
    drone = s.drones[d]
    shot = s.shots[0]
    shot.by = drone.unit
    shot.slot = c.NOBODY
    shot.drone = d
    shot.target = c.NOBODY
    shot.prey = c.NOBODY
    shot.hex = c.NOBODY
    shot.start = drone.at
    shot.height = drone.level
    shot.melee = drone.melee
    shot.energy = drone.energy
    shot.flat = drone.flat
    shot.flank = 0
    shot.paid = 0
    shot.evades = 0
    shot.position = 0
    shot.trait = 0
    shot.need = drone.asl if drone.melee else drone.acc
    shot.terrain = 0
    shot.level = 0
    if drone.melee == 0:
        shot.terrain = -max(0, sight(s, drone.at, drone.level, at, level, 0))
        shot.level = height_bonus(drone.level)
    shot.submerged = 1 if level < 0 and drone.energy == 0 else 0


def aim_at_unit(s: State, t: int, area: int, a: int) -> None:
    """Make a Unit the target of the attack, which is made from hex a. HX-077, HX-086, HX-087."""
    shot = s.shots[0]
    u = s.units[t]
    shot.target = t
    shot.area = area
    shot.flank = flank_bonus(s, t, a)
    shot.evades = 1 if can_evade(u) else 0
    shot.eva = eva_now(s, t)
    shot.eva_level = evasion_level(u.level)


def aim_at_drone(s: State, d: int) -> None:
    """Make a drone the target of the attack. HX-031, HX-081."""
    shot = s.shots[0]
    drone = s.drones[d]
    shot.target = drone.unit
    shot.prey = d
    shot.area = 0
    shot.evades = 1
    shot.eva = drone.eva
    shot.eva_level = evasion_level(drone.level)


def rolled_area(s: State, t: int, area: int, dice: Dice, log: Log) -> int:
    """Return the area that is hit, which the house rule rolls for. HX-D19."""
    if s.battle.rolled_areas == 0:
        return area
    face = roll(dice, c.D8)
    found = ROLLED[face - 1]
    if area_dp(s, t, found) == 0:
        found = c.TORSO
    note(log, "location-rolled", unit=t, face=face, area=found)
    return found


def counter(s: State, dice: Dice, log: Log) -> None:
    """Let a Unit that evaded fire back, if it can. HX-048, HX-092, HX-D21."""
    shot = s.shots[0]
    t = shot.target
    u = s.units[t]
    slot = u.primary
    if s.battle.no_counters or slot < 0 or not is_usable(s, t, slot):
        return
    at = s.drones[shot.drone].at if shot.drone >= 0 else s.units[shot.by].at
    level = s.drones[shot.drone].level if shot.drone >= 0 else s.units[shot.by].level
    if reach_refusal(s, t, slot, at, level):
        return
    face = roll(dice, c.D8)
    made = passes(face, 0, u.ctr)
    note(log, "counter-rolled", unit=t, target=shot.by, face=face, need=u.ctr, slot=slot, made=made)
    if not made:
        return
    submerged = 1 if level < 0 and weapon_of(s, t, slot).energy == 0 else 0
    amount = damage_of(flat_now(s, t, slot), 0, submerged, 0)
    if shot.drone >= 0:
        hurt_drone(s, shot.drone, amount, t, log)
    else:
        hurt(s, shot.by, rolled_area(s, shot.by, c.TORSO, dice, log), amount, t, c.BY_COUNTER, log)


def is_perfect_or_plain(s: State, face: int, dice: Dice, log: Log) -> bool:
    """Return True if the attack, which has hit, isn't evaded; if it is, make the counter. HX-086, HX-087."""
    shot = s.shots[0]
    if face == c.D8 or shot.evades == 0:
        return True
    other = roll(dice, c.D8)
    made = passes(other, shot.eva_level, shot.eva)
    level = s.drones[shot.prey].level if shot.prey >= 0 else s.units[shot.target].level
    note(
        log,
        "evasion-rolled",
        unit=shot.target,
        target=shot.by,
        drone=drone_number(s, shot.prey),
        face=other,
        plus3=modifier_if(level == 3, shot.eva_level),
        minus1=modifier_if(level == -1, shot.eva_level),
        minus2=modifier_if(level == -2, shot.eva_level),
        need=shot.eva,
        made=made,
    )
    if made and shot.prey < 0:
        counter(s, dice, log)
    return not made


def drone_number(s: State, d: int) -> int:
    """Return a drone's list position on its Unit, or -1."""
    return d - s.units[s.drones[d].unit].first_drone if d >= 0 else c.NOBODY


def modifier_if(holds: bool, value: int) -> int:
    """Return a modifier if its cause applies, otherwise 0."""
    return value if holds else 0


def resolve_shot(s: State, dice: Dice, log: Log) -> None:
    """Roll the dice for the attack that has been aimed. HX-084 to HX-097."""
    shot = s.shots[0]
    at = s.drones[shot.prey].at if shot.prey >= 0 else s.units[shot.target].at
    level = s.drones[shot.prey].level if shot.prey >= 0 else s.units[shot.target].level
    face = roll(dice, c.D8)
    made = hits(face, shot.terrain + shot.level + shot.position + shot.trait, shot.need)
    note(
        log,
        "attack-rolled",
        unit=shot.by,
        target=shot.target,
        slot=shot.slot,
        drone=drone_number(s, shot.drone),
        prey=drone_number(s, shot.prey),
        area=shot.area,
        melee=shot.melee,
        face=face,
        woods=shot.terrain + -shot.terrain % 2,
        smoke=-(-shot.terrain % 2),
        plus1=modifier_if(shot.height == 1, shot.level),
        plus2=modifier_if(shot.height == 2, shot.level),
        plus3=modifier_if(shot.height == 3, shot.level),
        kneeling=modifier_if(s.units[shot.by].prone == 0, shot.position),
        prone=modifier_if(s.units[shot.by].prone != 0, shot.position),
        trait=shot.trait,
        need=shot.need,
        made=made,
        paid=shot.paid,
        left=s.units[shot.by].pool,
        distance=distance(s, shot.start, at),
        rise=abs(level - shot.height),
    )
    if not made or not is_perfect_or_plain(s, face, dice, log):
        return
    area = shot.area
    if shot.prey < 0:
        area = rolled_area(s, shot.target, area, dice, log)
    die = roll(dice, c.D8)
    critical = 1 if die == c.D8 else 0
    amount = damage_of(shot.flat, critical, shot.submerged, shot.flank)
    note(
        log,
        "critical-rolled",
        unit=shot.by,
        target=shot.target,
        face=die,
        made=critical,
        flank=shot.flank,
        amount=amount,
    )
    if shot.prey >= 0:
        hurt_drone(s, shot.prey, amount, shot.by, log)
    else:
        hurt(s, shot.target, area, amount, shot.by, c.BY_ATTACK, log)


def count_attack(s: State, i: int, melee: int) -> None:
    """Count another attack in this turn."""
    u = s.units[i]
    u.attacks += 1
    if melee:
        u.strikes += 1
        u.phase = c.CLOSE
    else:
        u.shots += 1
        u.phase = max(u.phase, c.RANGED)


def attack(s: State, i: int, slot: int, t: int, area: int, dice: Dice, log: Log) -> None:
    """Make one attack on a Unit, paid from the AP pool. HX-082, HX-083."""
    u = s.units[i]
    aim_with(s, i, slot, s.units[t].at, s.units[t].level)
    aim_at_unit(s, t, area, u.at)
    s.shots[0].paid = weapon_of(s, i, slot).ap
    u.pool -= s.shots[0].paid
    count_attack(s, i, weapon_of(s, i, slot).melee)
    resolve_shot(s, dice, log)


def attack_drone(s: State, i: int, slot: int, d: int, dice: Dice, log: Log) -> None:
    """Make one attack on an enemy drone. HX-081."""
    drone = s.drones[d]
    aim_with(s, i, slot, drone.at, drone.level)
    aim_at_drone(s, d)
    s.shots[0].paid = weapon_of(s, i, slot).ap
    s.units[i].pool -= s.shots[0].paid
    count_attack(s, i, weapon_of(s, i, slot).melee)
    resolve_shot(s, dice, log)


def attack_building(s: State, i: int, slot: int, at: int, dice: Dice, log: Log) -> None:
    """Make one attack on a building, which always hits. HX-150, HX-152."""
    w = weapon_of(s, i, slot)
    s.units[i].pool -= w.ap
    count_attack(s, i, w.melee)
    die = roll(dice, c.D8)
    critical = 1 if die == c.D8 else 0
    amount = damage_of(flat_now(s, i, slot), critical, 0, 0)
    note(log, "building-attacked", unit=i, slot=slot, face=die, made=critical, at=at, amount=amount, paid=w.ap)
    hurt_building(s, at, amount, log)


def attack_with_drone(s: State, d: int, t: int, dice: Dice, log: Log) -> None:
    """Make one attack on a Unit with a drone; without Artificial Intelligence its Unit pays. HX-029, HX-030."""
    drone = s.drones[d]
    u = s.units[drone.unit]
    aim_drone(s, d, s.units[t].at, s.units[t].level)
    aim_at_unit(s, t, c.TORSO, drone.at)
    if drone.ai == 0:
        s.shots[0].paid = drone.ap
        u.pool -= drone.ap
    drone.used = 1
    u.attacks += 1
    u.phase = max(u.phase, c.CLOSE if drone.melee else c.RANGED)
    resolve_shot(s, dice, log)


# --- Offensive Stance -------------------------------------------------------------------------------------------------


def watch_refusal(s: State, i: int, slot: int) -> int:
    """Return why the Unit can't take an Offensive Stance with that weapon; 0 if it can. HX-107."""
    u = s.units[i]
    if u.done or u.held_by >= 0 or u.stunned or u.holds >= 0:
        return c.CANNOT_ACT
    if not is_usable(s, i, slot):
        return c.WEAPON_NOT_READY
    return c.NOT_ENOUGH_AP if u.pool < c.COMMAND + weapon_of(s, i, slot).ap else 0


def watch(s: State, i: int, slot: int, log: Log) -> None:
    """Take an Offensive Stance and pay for its attack. HX-107, HX-D33."""
    u = s.units[i]
    paid = c.COMMAND + weapon_of(s, i, slot).ap
    u.pool -= paid
    u.watch = slot
    u.cover = c.NO_COVER
    note(log, "offensive-stance", unit=i, slot=slot, paid=paid)


def answer_movement(s: State, mover: int, dice: Dice, log: Log) -> None:
    """Let every enemy in Offensive Stance attack the mover if it can now. HX-107, HX-A52."""
    b = s.battle
    m = s.units[mover]
    first = 0 if m.side == c.SIDE_B else b.count_a
    last = b.count_a if m.side == c.SIDE_B else b.count_a + b.count_b
    for i in range(first, last):
        u = s.units[i]
        if u.status != c.STANDS or u.watch < 0 or m.status != c.STANDS or b.over:
            continue
        slot = u.watch
        if not is_usable(s, i, slot) or reach_refusal(s, i, slot, m.at, m.level):
            continue
        u.watch = c.NOBODY
        note(log, "stance-triggered", unit=i, target=mover)
        aim_with(s, i, slot, m.at, m.level)
        aim_at_unit(s, mover, c.TORSO, u.at)
        resolve_shot(s, dice, log)
