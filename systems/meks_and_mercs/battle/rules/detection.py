"""Detection: targeting marks on masked units, ID for data links, infantry found. MM-035 to MM-040, MM-074, MM-090."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.facts import (
    count_units,
    end_of,
    first_of,
    is_unbroken,
    pair_of,
    unit_in_order,
)
from systems.meks_and_mercs.battle.state import State, Unit

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
