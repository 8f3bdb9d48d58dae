"""Damage: dodges, saves, Hits, criticals, overheating, infantry losses. MM-051 to MM-057, MM-061, MM-065."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, pick, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import count_units, unit_in_order, weapon_of
from systems.meks_and_mercs.battle.rules.firepower import mark_changed, rerolls_save, save_modifier, touch_side
from systems.meks_and_mercs.battle.state import Shot, State

# why a critical check was re-rolled
BY_SPAUL_LINER, BY_PPC, BY_SHARPSHOOTER = 1, 2, 3


def destroy(s: State, e: int, by: int, how: int, log: Log) -> None:
    """Take unit e off the map; a Mek that destroys another Mek scores a kill (MM-099, MM-D85)."""
    target = s.units[e]
    target.present = 0
    target.lost_by = how
    target.destroyer = by
    if by != c.NOBODY and target.kind == c.MEK and s.units[by].kind == c.MEK:
        s.units[by].scored += 1
    if target.systems & c.PHALANX:
        touch_side(s, target.side)
    note(log, "unit-destroyed", unit=e, by=by, how=how)
    if target.cargo:  # MM-089: infantry still aboard is lost with its APC
        i = target.cargo - 1
        aboard = s.units[i]
        aboard.off = 0
        aboard.lost_by = c.BY_TRANSPORT
        aboard.destroyer = by
        target.cargo = 0
        note(log, "unit-destroyed", unit=i, by=by, how=c.BY_TRANSPORT)


def roll_save(s: State, shot: Shot, dice: Dice, log: Log) -> bool:
    """Return True if the target's armor stops one hit. MM-051, MM-052."""
    target = s.units[shot.target]
    weapon = weapon_of(s, shot.shooter, shot.slot)
    modifier = save_modifier(target, weapon)
    face = roll(dice, 6)
    saved = face + modifier >= target.armor
    again = 0
    if not saved and rerolls_save(target, weapon):
        again = roll(dice, 6)
        saved = again + modifier >= target.armor
    note(
        log,
        "save-rolled",
        unit=shot.target,
        target=shot.shooter,
        slot=shot.slot,
        face1=face,
        face2=again,
        weapon=modifier,
        armor=target.armor,
        saved=saved,
    )
    return saved


def check_critical(s: State, shot: Shot, dice: Dice, log: Log) -> bool:
    """Return True if the Hit just taken is critical. MM-054, MM-055, MM-068.

    A check is re-rolled at most once.
    """
    e = shot.target
    target = s.units[e]
    shooter = s.units[shot.shooter]
    spaul = target.systems & c.SPAUL_LINER != 0
    if shooter.skills & c.PINPOINT_ATTACK and shooter.pinpoint_spent == 0:
        shooter.pinpoint_spent = 1
        note(log, "pinpoint-used", unit=shot.shooter, target=e, checked=spaul)
        if not spaul:
            return True
        face = roll(dice, 6)  # an ordinary check in place of a certain success: the Spaul Liner's re-roll
        critical = face > target.hits
        note(log, "critical-checked", unit=e, target=shot.shooter, face1=face, hits=target.hits, critical=critical)
        return critical
    face = roll(dice, 6)
    critical = face > target.hits
    again = 0
    reason = 0
    if critical and spaul:
        reason = BY_SPAUL_LINER
    elif not critical and shot.slot != c.NOBODY and shot.band == c.LONG and weapon_of(s, shot.shooter, shot.slot).ppc:
        reason = BY_PPC
    elif not critical and shooter.skills & c.SHARPSHOOTER and shooter.sharpshooter_spent == 0:
        shooter.sharpshooter_spent = 1
        reason = BY_SHARPSHOOTER
    if reason:
        again = roll(dice, 6)
        critical = again > target.hits
    note(
        log,
        "critical-checked",
        unit=e,
        target=shot.shooter,
        face1=face,
        face2=again,
        hits=target.hits,
        reroll=reason,
        critical=critical,
    )
    return critical


def lose_weapon(s: State, e: int, dice: Dice, log: Log) -> bool:
    """Destroy one random intact weapon; return False if there is none. MM-056."""
    intact = 0
    for slot in range(s.units[e].arms):
        intact += weapon_of(s, e, slot).intact
    if intact == 0:
        return False
    left = pick(dice, intact)
    for slot in range(s.units[e].arms):
        weapon = weapon_of(s, e, slot)
        if weapon.intact:
            if left == 0:
                weapon.intact = 0
                note(log, "weapon-destroyed", unit=e, slot=slot, among=intact)
            left -= 1
    mark_changed(s, e)
    return True


def lose_system(s: State, e: int, dice: Dice, log: Log) -> bool:
    """Destroy one random intact system other than armor; return False if there is none. MM-056."""
    target = s.units[e]
    intact = 0
    for slot in range(c.FITTING_SLOTS):
        fitting = s.fittings[e * c.FITTING_SLOTS + slot]
        if fitting.intact and fitting.system & c.ARMOR_SYSTEMS == 0:
            intact += 1
    if intact == 0:
        return False
    left = pick(dice, intact)
    for slot in range(c.FITTING_SLOTS):
        fitting = s.fittings[e * c.FITTING_SLOTS + slot]
        if fitting.intact and fitting.system & c.ARMOR_SYSTEMS == 0:
            if left == 0:
                fitting.intact = 0
                if fitting.system == c.HEAT_SINK:
                    target.sinks -= 1
                if fitting.system != c.HEAT_SINK or target.sinks == 0:
                    target.systems &= ~fitting.system
                if fitting.system == c.PHALANX:
                    touch_side(s, target.side)
                note(log, "system-lost", unit=e, slot=slot, among=intact)
            left -= 1
    mark_changed(s, e)
    return True


def suffer_critical(s: State, e: int, by: int, dice: Dice, log: Log) -> None:
    """Apply one critical hit to unit e, with Damage Control or the table. MM-056, MM-057, MM-070."""
    target = s.units[e]
    if target.skills & c.DAMAGE_CONTROL and target.damage_control_used == 0:
        target.damage_control_used = 1
        note(log, "damage-control-used", unit=e)
        return
    work_critical(s, e, by, roll(dice, 6), dice, log)


def work_critical(s: State, e: int, by: int, face: int, dice: Dice, log: Log) -> None:
    """Apply a face of the critical table to unit e. MM-056, MM-057."""
    target = s.units[e]
    note(log, "critical-rolled", unit=e, by=by, face=face)
    if face == 1 and target.wounded == 0:
        target.wounded = 1
        note(log, "pilot-wounded", unit=e)
    elif face == 2:
        target.legs += 1
        note(log, "leg-damaged", unit=e, legs=target.legs)
    elif face == 3:
        lose_weapon(s, e, dice, log)
    elif face == 4:
        reactor = roll(dice, 6)
        exploded = 1 if reactor <= 3 else 0
        note(log, "reactor-rolled", unit=e, face=reactor, exploded=exploded)
        if exploded:
            destroy(s, e, by, c.BY_EXPLOSION, log)
    elif face == 5:
        target.computers_next = 1
        note(log, "computers-damaged", unit=e)
    elif face == 6:
        lose_system(s, e, dice, log)


def take_hit(s: State, shot: Shot, dice: Dice, log: Log) -> None:
    """Apply one hit to a Mek or vehicle: dodge, save, Hit, critical. MM-051 to MM-056, MM-067."""
    e = shot.target
    target = s.units[e]
    if target.present == 0 or target.decoy:  # MM-053, MM-D61: shots at a decoy are wasted
        return
    if target.dodges and (target.dodged_attack == 0 or target.dodged_attack == shot.attack):
        target.dodged_attack = shot.attack
        note(log, "attack-dodged", unit=e, target=shot.shooter, slot=shot.slot)
        return
    if shot.slot != c.NOBODY and roll_save(s, shot, dice, log):  # MM-063: no save against infantry
        return
    target.hits -= 1
    note(log, "hit-taken", unit=e, target=shot.shooter, hits=target.hits)
    if target.hits == 0:
        destroy(s, e, shot.shooter, c.BY_HITS, log)
    elif check_critical(s, shot, dice, log):
        suffer_critical(s, e, shot.shooter, dice, log)


def overheat(s: State, shot: Shot, log: Log) -> None:
    """Apply the Hits from one overheated weapon, without save or critical check. MM-061."""
    u = s.units[shot.shooter]
    if u.present == 0:
        return
    u.hits = max(0, u.hits - shot.overheat)
    note(log, "overheat-taken", unit=shot.shooter, slot=shot.slot, taken=shot.overheat, hits=u.hits)
    if u.hits == 0:
        destroy(s, shot.shooter, c.NOBODY, c.BY_OVERHEATING, log)


def count_infantry_losses(s: State, dice: Dice, log: Log) -> None:
    """Add the round's kills; strongpoints with losses may break. MM-065."""
    for place in range(count_units(s)):
        i = unit_in_order(s.battle, place)
        u = s.units[i]
        if u.in_fight == 0 or u.kind != c.INFANTRY or u.round_kills == 0:
            continue
        u.kills += u.round_kills
        u.hits = max(0, u.full_hits - u.kills)
        note(log, "kills-taken", unit=i, kills=u.round_kills, total=u.kills)
        if u.kills >= 6:
            destroy(s, i, c.NOBODY, c.BY_MORALE, log)
            continue
        face = roll(dice, 6)
        broke = 1 if face <= u.kills else 0
        note(log, "morale-rolled", unit=i, face=face, kills=u.kills, broke=broke)
        if broke:
            destroy(s, i, c.NOBODY, c.BY_MORALE, log)


def apply_damage(s: State, dice: Dice, log: Log) -> None:
    """Apply all hits in the order scored, then overheating, then infantry losses. MM-026, MM-A20 to MM-A22."""
    for k in range(s.battle.shots):
        if s.shots[k].overheat == 0:
            take_hit(s, s.shots[k], dice, log)
    for k in range(s.battle.shots):
        if s.shots[k].overheat:
            overheat(s, s.shots[k], log)
    count_infantry_losses(s, dice, log)
