"""Detection and fire: targeting marks, ID for data links, infantry found; to-hit dice, kill dice, overheating.

Detection: MM-035 to MM-040, MM-074, MM-090. Fire: MM-041 to MM-050, MM-058 to MM-064, MM-066, MM-069, MM-071, MM-072.
Shots that hit wait in `shots` until everyone has fired (MM-026, MM-D35).
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import (
    count_units,
    end_of,
    first_of,
    is_unbroken,
    number_of,
    pair_of,
    rating_of,
    unit_in_order,
    weapon_of,
)
from systems.meks_and_mercs.battle.rules.firepower import (
    array_modifier,
    jammer_modifier,
    kills_of_die,
    mark_changed,
    phalanx_modifier,
    point_defense_modifier,
    terrain_modifier,
)
from systems.meks_and_mercs.battle.state import State, Unit, Weapon

IMPOSSIBLE = 7  # higher than any d6


def sensor_class(u: Unit) -> int:
    """Return BASIC, IMPROVED or ADVANCED, by the unit's working sensors (ledger 2.6)."""
    if u.systems & c.SENSOR_ADVANCED:
        return c.ADVANCED
    return c.IMPROVED if u.systems & c.SENSOR_IMPROVED else c.BASIC


def identification_reach(sensors: int) -> int:
    """Return the farthest band at which units are identified (MM-037)."""
    return c.MEDIUM if sensors == c.BASIC else c.LONG


def masked_targeting_number(sensors: int, band: int) -> int:
    """Return the face needed to target a masked unit, IMPOSSIBLE if out of reach (MM-036)."""
    if sensors == c.BASIC:
        return 4 if band <= c.MEDIUM else IMPOSSIBLE
    return 4 if sensors == c.IMPROVED else 2


def masked_identification_number(sensors: int, band: int) -> int:
    """Return the face needed to identify a masked unit, IMPOSSIBLE if out of reach (MM-037)."""
    if sensors == c.BASIC:
        return 4 if band == c.SHORT else IMPOSSIBLE
    if sensors == c.IMPROVED:
        return 3 if band <= c.MEDIUM else IMPOSSIBLE
    return 2


def infantry_number(sensors: int) -> int:
    """Return the result needed to find a strongpoint (MM-038)."""
    if sensors == c.BASIC:
        return 6
    return 5 if sensors == c.IMPROVED else 3


def search_masked(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Try once to target masked enemy e, then again with Hawkeye if still unused this round. MM-036, MM-074."""
    u = s.units[i]
    sight = s.sights[i * count_units(s) + e]
    needed = masked_targeting_number(sensor_class(u), pair_of(s, i, e).band)
    if needed != IMPOSSIBLE:
        face = roll(dice, 6)
        sight.targeted = 1 if face >= needed else 0
        note(log, "targeting-rolled", unit=i, target=e, face=face, needed=needed, success=sight.targeted)
    if sight.targeted == 0 and u.skills & c.HAWKEYE and u.hawkeye_spent == 0:
        u.hawkeye_spent = 1
        face = roll(dice, 6)
        sight.targeted = 1 if face >= 5 else 0
        note(log, "hawkeye-rolled", unit=i, target=e, face=face, needed=5, success=sight.targeted)


def identify(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Let a data link's carrier identify enemy e for its friends this round. MM-037, MM-040."""
    u = s.units[i]
    sight = s.sights[i * count_units(s) + e]
    band = pair_of(s, i, e).band
    if s.units[e].systems & c.MASKING == 0:
        if band <= identification_reach(sensor_class(u)):
            sight.identified = 1
            note(log, "unit-identified", unit=i, target=e)
        return
    needed = masked_identification_number(sensor_class(u), band)
    if needed != IMPOSSIBLE:
        face = roll(dice, 6)
        sight.identified = 1 if face >= needed else 0
        note(log, "identification-rolled", unit=i, target=e, face=face, needed=needed, success=sight.identified)


def search_infantry(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Try once to find a strongpoint, then again with Hawkeye if still unused this round. MM-038, MM-074."""
    u = s.units[i]
    target = s.units[e]
    band = pair_of(s, i, e).band
    sensors = sensor_class(u)
    needed = infantry_number(sensors)
    if band <= identification_reach(sensors) and needed + band <= 6:  # no roll if it can't succeed
        face = roll(dice, 6)
        target.detected = 1 if face - band >= needed else 0  # -1 at Medium, -2 at Long
        note(log, "infantry-searched", unit=i, target=e, face=face, range=-band, needed=needed, success=target.detected)
    if target.detected == 0 and u.skills & c.HAWKEYE and u.hawkeye_spent == 0:
        u.hawkeye_spent = 1
        face = roll(dice, 6)
        target.detected = 1 if face >= 5 else 0
        note(log, "hawkeye-rolled", unit=i, target=e, face=face, needed=5, success=target.detected)


def unmask_decoy(s: State, e: int, by: int, log: Log) -> None:
    """Take a decoy off the map that unit `by` has seen through (NOBODY: a drone has). MM-083."""
    b = s.battle
    decoy = s.units[e]
    decoy.present = 0
    decoy.lost_by = c.BY_IDENTIFICATION
    decoy.in_fight = 0
    for i in range(first_of(b, 1 - decoy.side), end_of(b, 1 - decoy.side)):
        pair_of(s, i, e).made = 0
    note(log, "decoy-removed", unit=e, by=by)


def use_sensors(s: State, dice: Dice, log: Log) -> None:
    """Play the detection step for all units in the fight that aren't stunned; commandos follow. MM-026, MM-A17."""
    b = s.battle
    for place in range(count_units(s)):
        i = unit_in_order(b, place)
        u = s.units[i]
        if u.in_fight == 0 or u.stunned or u.kind == c.INFANTRY:
            continue
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            if not is_unbroken(s, i, e):
                continue
            target = s.units[e]
            if target.decoy and pair_of(s, i, e).band <= identification_reach(sensor_class(u)):
                unmask_decoy(s, e, i, log)
                continue
            if target.systems & c.MASKING and target.exposed == 0 and s.sights[i * count_units(s) + e].targeted == 0:
                search_masked(s, i, e, dice, log)
            if u.systems & c.DATA_LINK and target.kind != c.INFANTRY:
                identify(s, i, e, dice, log)
            if target.kind == c.INFANTRY and target.detected == 0:
                search_infantry(s, i, e, dice, log)


def identify_for_links(s: State, e: int) -> None:
    """Let commandos identify a masked enemy for their friends in the zone. MM-040, MM-090.

    The effect is as if each data link's carrier there had identified it.
    """
    b = s.battle
    n = count_units(s)
    side = 1 - s.units[e].side
    for f in range(first_of(b, side), end_of(b, side)):
        u = s.units[f]
        if u.present and u.zone == s.units[e].zone and u.stunned == 0 and u.systems & c.DATA_LINK:
            s.sights[f * n + e].identified = 1


def act_commandos(s: State, i: int, e: int, mark: int, log: Log) -> None:
    """Let commandos i mark enemy e, a Mek or vehicle, for +1 to hit, or identify any e. MM-090, MM-D62."""
    target = s.units[e]
    if mark:
        target.marked += 1  # two marks add up
        note(log, "commandos-marked", unit=i, target=e)
    elif target.decoy:
        unmask_decoy(s, e, i, log)
    elif target.kind == c.INFANTRY:
        target.detected = 1
        note(log, "commandos-detected", unit=i, target=e)
    else:
        identify_for_links(s, e)
        note(log, "commandos-identified", unit=i, target=e)


def add_shot(s: State, i: int, e: int, slot: int, band: int) -> None:
    """Record one die that hit, for the damage step."""
    shot = s.shots[s.battle.shots]
    shot.shooter = i
    shot.target = e
    shot.slot = slot
    shot.band = band
    shot.attack = s.battle.attacks
    shot.overheat = 0
    s.battle.shots += 1


def is_hit(s: State, face: int, modifier: int, number: int) -> bool:
    """Return True if a to-hit die hits. MM-043; with house rule natural-rolls of MM-D26."""
    if s.battle.natural_rolls and (face == 6 or face == 1):
        return face == 6
    return face + modifier >= number


def aim_skill(family: int) -> int:
    """Return the skill that helps one attack per round with weapons of this family (MM-066)."""
    if family == c.CANNON:
        return c.ACCURACY
    if family == c.MISSILE:
        return c.GUIDANCE
    return c.STEADY_HAND if family == c.LASER else 0


def shoot(s: State, i: int, e: int, slot: int, primary: int, gunnery: int, dice: Dice, log: Log) -> None:
    """Roll the to-hit dice of one firing at a Mek or vehicle, at their actual band."""
    shoot_at(s, i, e, slot, pair_of(s, i, e).band, primary, gunnery, dice, log)


def shoot_at(s: State, i: int, e: int, slot: int, band: int, primary: int, gunnery: int, dice: Dice, log: Log) -> None:
    """Roll the to-hit dice of one firing at a Mek or vehicle at the given band. MM-043, MM-044, MM-048, MM-049."""
    shooter = s.units[i]
    target = s.units[e]
    weapon = weapon_of(s, i, slot)
    number = number_of(weapon, band)
    point_defense = point_defense_modifier(target, weapon, band)
    phalanx = phalanx_modifier(s, e, weapon, band)
    if phalanx < point_defense:  # MM-D11: only the worst single one applies
        point_defense = 0
    else:
        phalanx = 0
    skill = 0
    aim = aim_skill(weapon.family)
    if shooter.skills & aim and shooter.aim_spent & aim == 0:  # MM-D44: for all dice of one firing
        shooter.aim_spent |= aim
        skill = 1
    spoof = 0
    if weapon.family == c.MISSILE and target.skills & c.SPOOF and target.spoof_spent == 0:  # MM-072
        target.spoof_spent = 1
        spoof = -1
    modifiers = c.ToHitModifiers(
        level=shooter.level_to_hit,
        terrain=terrain_modifier(s, e, weapon, s.sights[i * count_units(s) + e].doubled),
        jammer=jammer_modifier(target),
        array=array_modifier(shooter, primary),
        computers=-shooter.computers,
        point_defense=point_defense,
        phalanx=phalanx,
        skill=skill,
        spoof=spoof,
        gunnery=-2 if gunnery else 0,  # MM-069
        marked=target.marked,
    )
    modifier = sum(modifiers)
    for _die in range(weapon.dice):
        first = roll(dice, 6)
        again = 0
        hit = is_hit(s, first, modifier, number)
        if not hit and weapon.rerolls_miss:  # MM-048
            again = roll(dice, 6)
            hit = is_hit(s, again, modifier, number)
        note(
            log,
            "shot-rolled",
            modifiers,
            unit=i,
            target=e,
            slot=slot,
            band=band,
            face1=first,
            face2=again,
            number=number,
            hit=hit,
        )
        if hit:
            add_shot(s, i, e, slot, band)


def shoot_infantry(s: State, i: int, e: int, slot: int, band: int, gunnery: int, dice: Dice, log: Log) -> None:
    """Roll the kill dice of one firing at a detected strongpoint. MM-064, MM-D53."""
    target = s.units[e]
    weapon = weapon_of(s, i, slot)
    terrain = terrain_modifier(s, e, weapon, s.sights[i * count_units(s) + e].doubled)
    extra = -2 if gunnery else 0
    if weapon.family == c.SMALL:
        face = roll(dice, 6)
        second = roll(dice, 6) if weapon.dice == 2 else 0
        kills = max(0, face + second + terrain + extra)
        target.round_kills += kills
        note(
            log,
            "kills-rolled",
            unit=i,
            target=e,
            slot=slot,
            band=band,
            face1=face,
            face2=second,
            terrain=terrain,
            gunnery=extra,
            kills=kills,
        )
        return
    for _die in range(weapon.dice):
        face = roll(dice, 6)
        kills = kills_of_die(weapon.family, face + terrain + extra)
        again = 0
        if kills == 0 and weapon.rerolls_miss:
            again = roll(dice, 6)
            kills = kills_of_die(weapon.family, again + terrain + extra)
        target.round_kills += kills
        note(
            log,
            "kills-rolled",
            unit=i,
            target=e,
            slot=slot,
            band=band,
            face1=face,
            face3=again,
            terrain=terrain,
            gunnery=extra,
            kills=kills,
        )


def add_heat(s: State, i: int, slot: int, weapon: Weapon, dice: Dice, log: Log) -> None:
    """Add a firing's heat, and roll for overheating above the heat rating. MM-059, MM-060, MM-071."""
    u = s.units[i]
    if u.kind != c.MEK or weapon.heat == 0:  # MM-062, MM-D37
        return
    u.heat += weapon.heat
    rating = rating_of(s, i)
    if u.heat <= rating:
        return
    face = roll(dice, 6)
    overheats = 1 if face <= u.heat - rating else 0
    saved = 0
    if overheats and u.skills & c.ICE_MAN and u.ice_man_spent == 0:
        u.ice_man_spent = 1
        overheats = 0
        saved = 1
    note(
        log,
        "heat-rolled",
        unit=i,
        slot=slot,
        face=face,
        heat=u.heat,
        rating=rating,
        overheated=overheats,
        ignored=saved,
    )
    if overheats:
        weapon.intact = 0
        mark_changed(s, i)
        shot = s.shots[s.battle.shots]
        shot.shooter = i
        shot.target = i
        shot.slot = slot
        shot.overheat = 2 if weapon.family == c.MISSILE else 1
        s.battle.shots += 1


def fire_unit(s: State, i: int, dice: Dice, log: Log) -> None:
    """Carry out one unit's fire plan. MM-041, MM-042, MM-059."""
    u = s.units[i]
    u.heat = u.carried_heat + 2 * u.jets
    if u.dodges:
        u.heat += 1  # MM-067: before the first weapon
        note(log, "agility-declared", unit=i, total=u.total)
    base = i * (c.WEAPON_SLOTS + 1)
    for k in range(u.firings):
        firing = s.firings[base + k]
        e = firing.target
        s.battle.attacks += 1
        if u.kind == c.INFANTRY:
            face = roll(dice, 6)
            hit = face < s.units[e].armor  # MM-063
            u.attacked = 1
            note(log, "infantry-attacked", unit=i, target=e, face=face, armor=s.units[e].armor, hit=hit)
            if hit:
                add_shot(s, i, e, c.NOBODY, pair_of(s, i, e).band)
            continue
        weapon = weapon_of(s, i, firing.slot)
        if firing.gunnery and weapon.intact == 0:  # MM-D35: it overheated at its first shot
            continue
        if s.units[e].kind == c.INFANTRY:
            shoot_infantry(s, i, e, firing.slot, pair_of(s, i, e).band, firing.gunnery, dice, log)
        else:
            primary = 1 if e == s.firings[base].target else 0
            shoot(s, i, e, firing.slot, primary, firing.gunnery, dice, log)
        add_heat(s, i, firing.slot, weapon, dice, log)
    if u.kind == c.MEK and u.heat > 0:
        note(log, "heat-used", unit=i, heat=u.heat, rating=rating_of(s, i))


def fire_off_board(s: State, side: int, slot: int, target: int, dice: Dice, log: Log) -> None:
    """Make one of a side's off-board attacks. MM-079, MM-080, MM-D58."""
    gun = count_units(s) + c.OFF_BOARD
    s.battle.attacks += 1
    note(log, "off-board-fired", unit=gun, target=target, side=side, slot=slot)
    if s.units[target].kind == c.INFANTRY:
        shoot_infantry(s, gun, target, slot, c.LONG, 0, dice, log)
    else:
        shoot_at(s, gun, target, slot, c.LONG, 0, 0, dice, log)
