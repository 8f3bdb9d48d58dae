"""Support results: what set-up rolls bring, and each result's effect in play. MM-014, MM-075 to MM-090."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, overwrite, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import count_units, end_of, first_of, is_mek, is_visible, pair_of
from systems.meks_and_mercs.battle.rules.damage import check_critical, destroy, suffer_critical, take_hit, work_critical
from systems.meks_and_mercs.battle.rules.fire import shoot_at, unmask_decoy
from systems.meks_and_mercs.battle.rules.firepower import mark_changed
from systems.meks_and_mercs.battle.state import State

BY_DRONE_INFANTRY, BY_DRONE_MEK, BY_DRONE_MASKED = 1, 2, 3  # what a drone found


def roll_terrain(s: State, dice: Dice, log: Log) -> None:
    """Roll the terrain, house rule random-terrain: 1-2 plain, 3 wood, 4 urban, 5 highlands, 6 moors. MM-D72."""
    for zone in range(1, c.LAST_ZONE + 1):
        face = roll(dice, 6)
        kind = max(0, face - 2)
        overwrite(s.zones[zone], s.zones[c.TERRAIN_STOCK + kind])
        note(log, "terrain-rolled", zone=zone, face=face, terrain=kind)
    for i in range(count_units(s)):
        mark_changed(s, i)


def issue(s: State, i: int, k: int) -> None:
    """Turn unit i, held ready, into the k-th unit in support table C. MM-088."""
    row = count_units(s) + c.STOCK + k
    u = s.units[i]
    side = u.side
    cost = u.cost
    version = u.version
    overwrite(u, s.units[row])
    u.side = side
    u.cost = cost
    u.version = version
    overwrite(s.weapons[i * c.WEAPON_SLOTS], s.weapons[row * c.WEAPON_SLOTS])
    overwrite(s.fittings[i * c.FITTING_SLOTS], s.fittings[row * c.FITTING_SLOTS])
    mark_changed(s, i)


def gain_support(s: State, k: int, result: int) -> None:
    """Give a side the result of its k-th support roll. MM-014; a Rich Uncle is no use to a fixed roster (MM-087)."""
    r = s.rolls[k]
    own = s.sides[r.side]
    if result == c.AMBUSH:
        own.ambushes += 1
    elif result == c.BATTLE_DAMAGE:
        own.battle_damages += 1
    elif result == c.SURPRISE:
        own.surprises += 1
    elif result == c.SUPPORT_FIRE:
        own.support_fires += 1
    elif result == c.AIR_STRIKE:
        own.air_strikes += 1
    elif result == c.MINEFIELD:
        own.minefields += 1
    elif result == c.HIDDEN_MEK:
        own.hidden_meks += 1
    elif result == c.DECOY:
        s.units[r.decoy].off = c.GAINED
    elif result == c.RECON_DRONE:
        own.drones += 1
    elif result == c.REPAIR_TRUCK:
        own.trucks += 1
    elif result == c.DIGGING_IN:
        own.diggings += 1
    elif result >= c.GUN_SLED:
        issue(s, r.vehicle, result - c.GUN_SLED)
        s.units[r.vehicle].off = c.GAINED
        if result == c.MECH_INFANTRY:
            s.units[r.vehicle].cargo = r.landing + 1


def support_result(table: int, entry: int) -> int:
    """Return the support result for a table die and an entry die, 0 to 17. MM-014."""
    return (table + 1) // 2 * 6 - 7 + entry


def roll_support(s: State, dice: Dice, log: Log) -> None:
    """Make the support rolls, side A's first: table die, then entry die. MM-014, MM-075."""
    for k in range(s.battle.rolls):
        table = roll(dice, 6)
        entry = roll(dice, 6)
        result = support_result(table, entry)
        unit = c.NOBODY
        if result >= c.GUN_SLED and result <= c.COMMANDO_SQUAD:
            unit = s.rolls[k].vehicle
        elif result == c.DECOY:
            unit = s.rolls[k].decoy
        note(log, "support-rolled", unit=unit, face1=table, face2=entry, side=s.rolls[k].side, support=result)
        gain_support(s, k, result)


def log_starts(s: State, side: int, log: Log) -> None:
    """Log where a side's units start, except those from support; OFF_MAP: they wait. MM-013."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.present or u.off == c.WAITING:
            note(log, "unit-placed", unit=i, zone=u.zone)


def place_support(s: State, log: Log) -> None:
    """Put each side's support units at their starts; the defender's APCs unload. MM-013, MM-083, MM-089."""
    b = s.battle
    log_starts(s, c.DEFENDER, log)
    log_starts(s, c.ATTACKER, log)
    for i in range(count_units(s)):
        u = s.units[i]
        if u.off != c.GAINED:
            continue
        own = s.sides[u.side]
        u.zone = own.support_zone
        u.start_zone = u.zone
        u.order = own.support_order
        u.goal = own.support_goal
        if u.decoy:
            first = s.units[first_of(b, u.side)]
            u.zone = first.zone
            u.start_zone = u.zone
        u.off = 0
        u.present = 1
        if u.zone == c.OFF_MAP:
            u.off = c.WAITING
            u.present = 0
        if u.cargo:
            s.units[u.cargo - 1].off = c.ABOARD
        mark_changed(s, i)
        note(log, "unit-placed", unit=i, zone=u.zone)
    for i in range(first_of(b, c.DEFENDER), end_of(b, c.DEFENDER)):
        if s.units[i].present and s.units[i].cargo:
            land_infantry(s, i, log)


def land_infantry(s: State, i: int, log: Log) -> None:
    """Unload an APC's infantry as a strongpoint. MM-089."""
    apc = s.units[i]
    e = apc.cargo - 1
    apc.cargo = 0
    infantry = s.units[e]
    infantry.off = 0
    infantry.present = 1
    infantry.zone = apc.zone
    infantry.start_zone = apc.zone
    mark_changed(s, e)
    note(log, "infantry-landed", unit=e, target=i, zone=apc.zone)


def hide(s: State, i: int, log: Log) -> None:
    """Start a Mek hidden. MM-082."""
    s.units[i].hidden = 1
    note(log, "mek-hidden", unit=i, zone=s.units[i].zone)


def lay_mines(s: State, side: int, log: Log) -> None:
    """Lay a side's mines, all in one zone. MM-081."""
    own = s.sides[side]
    if own.minefields:
        own.mines = own.minefields
        note(log, "mines-laid", side=side, zone=own.mine_zone, count=own.mines)


def settle_computers(s: State, i: int) -> None:
    """Make computers that were damaged between rounds affect the unit in its next round. MM-056, MM-D31."""
    u = s.units[i]
    if u.computers_next:
        u.computers = 1
        u.computers_next = 0
        mark_changed(s, i)


def damage_mek(s: State, side: int, e: int, dice: Dice, log: Log) -> None:
    """Apply a side's Battle Damage: a critical on an enemy Mek; Reactor is re-rolled. MM-077, MM-D57."""
    note(log, "battle-damage-done", unit=e, side=side)
    if s.units[e].skills & c.DAMAGE_CONTROL and s.units[e].damage_control_used == 0:
        s.units[e].damage_control_used = 1  # MM-070
        note(log, "damage-control-used", unit=e)
        return
    face = roll(dice, 6)
    while face == 4:
        face = roll(dice, 6)
    work_critical(s, e, c.NOBODY, face, dice, log)
    settle_computers(s, e)


def step_on_mines(s: State, i: int, dice: Dice, log: Log) -> None:
    """Set off the mines when the first enemy Mek enters their zone: 3+ is a Hit without a save. MM-081, MM-D59."""
    u = s.units[i]
    field = s.sides[1 - u.side]
    if field.mines == 0 or field.mine_zone != u.zone or not is_mek(u):
        return
    while field.mines > 0 and u.present:
        field.mines -= 1
        face = roll(dice, 6)
        note(log, "mine-triggered", unit=i, zone=u.zone, face=face, hit=face >= 3)
        if face < 3:
            continue
        mine = count_units(s) + c.MINES
        u.hits -= 1
        note(log, "hit-taken", unit=i, target=mine, hits=u.hits)
        shot = s.shots[0]
        shot.shooter = mine
        shot.target = i
        shot.slot = c.NOBODY
        shot.band = c.SHORT
        shot.overheat = 0
        if u.hits == 0:
            destroy(s, i, mine, c.BY_HITS, log)
        elif check_critical(s, shot, dice, log):
            suffer_critical(s, i, mine, dice, log)
            settle_computers(s, i)


def send_drone(s: State, side: int, zone: int, log: Log) -> None:
    """Uncover everything in a zone with a side's recon drone. MM-084, MM-D63."""
    b = s.battle
    s.sides[side].drones -= 1
    note(log, "drone-sent", side=side, zone=zone)
    for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
        target = s.units[e]
        if target.present == 0 or target.zone != zone:
            continue
        if target.decoy:
            unmask_decoy(s, e, c.NOBODY, log)
            continue
        if target.kind == c.INFANTRY and target.detected == 0:
            target.detected = 1
            note(log, "thing-found", unit=e, what=BY_DRONE_INFANTRY)
        if target.hidden:
            target.hidden = 0
            note(log, "thing-found", unit=e, what=BY_DRONE_MEK)
        if target.systems & c.MASKING:
            target.exposed = 1
            note(log, "thing-found", unit=e, what=BY_DRONE_MASKED)


def repair(s: State, i: int, log: Log) -> None:
    """Fully repair a Mek, but not its pilot. MM-085, MM-D64."""
    u = s.units[i]
    u.hits = u.full_hits
    u.legs = 0
    u.computers = 0
    u.computers_next = 0
    u.sinks = 0
    for slot in range(u.arms):
        s.weapons[i * c.WEAPON_SLOTS + slot].intact = 1
    for slot in range(c.FITTING_SLOTS):
        fitting = s.fittings[i * c.FITTING_SLOTS + slot]
        if fitting.system:
            fitting.intact = 1
            u.systems |= fitting.system
            if fitting.system == c.HEAT_SINK:
                u.sinks += 1
    for f in range(first_of(s.battle, u.side), end_of(s.battle, u.side)):
        mark_changed(s, f)  # a Phalanx may work again
    note(log, "unit-repaired", unit=i, hits=u.hits)


def dig_in(s: State, i: int, log: Log) -> None:
    """Dig a Mek in where it is. MM-086."""
    s.units[i].dug_in = 1
    mark_changed(s, i)
    note(log, "unit-dug-in", unit=i, zone=s.units[i].zone)


def reveal(s: State, i: int, band: int, log: Log) -> None:
    """Reveal a hidden Mek, at the same band to every visible enemy in its zone. MM-082, MM-A07, MM-D60."""
    b = s.battle
    u = s.units[i]
    u.hidden = 0
    u.revealing = 1
    b.revealing = 1
    note(log, "unit-revealed", unit=i, zone=u.zone, band=band)
    for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
        if s.units[e].zone == u.zone and is_visible(s.units[e]):
            pair = pair_of(s, i, e)
            pair.made = 1
            pair.band = band
            pair.broken_by = 0
            if u.side == c.ATTACKER:
                note(log, "revealed-at", unit=i, target=e, band=band)
            else:
                note(log, "revealed-at", unit=e, target=i, band=band)


def fire_from_ambush(s: State, i: int, e: int, slot: int, dice: Dice, log: Log) -> None:
    """Fire a side's ambush in a new fight: one weapon as if at Short, without heat. MM-076, MM-A09, MM-D56."""
    b = s.battle
    side = s.units[i].side
    s.sides[side].ambushes -= 1
    note(log, "ambush-sprung", unit=i, target=e, slot=slot)
    b.shots = 0
    b.attacks += 1
    shoot_at(s, i, e, slot, c.SHORT, 1, 0, dice, log)
    for k in range(b.shots):
        take_hit(s, s.shots[k], dice, log)
    b.shots = 0
    if s.units[e].present == 0:
        for f in range(first_of(b, side), end_of(b, side)):
            pair_of(s, f, e).made = 0
