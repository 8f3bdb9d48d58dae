"""Tactical zone combat and one-zone battles: contact, the movement roll, start and end of a round.

MM-024 to MM-034, MM-056, MM-A10, MM-A23, MM-A37.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import (
    count_units,
    end_of,
    first_of,
    has_contact,
    in_contact,
    is_unbroken,
    pair_of,
    unit_in_order,
    weapon_of,
)
from systems.meks_and_mercs.battle.rules.firepower import mark_changed
from systems.meks_and_mercs.battle.state import State


def make_contact(s: State, zone: int, log: Log) -> bool:
    """Bring units that meet in a zone into contact at Long; return True if any pair is in unbroken contact.

    MM-024, MM-039: undetected infantry makes contact too; infantry doesn't meet infantry; commandos meet nobody.
    """
    b = s.battle
    fight = False
    for a in range(b.attackers):
        for d in range(b.attackers, count_units(s)):
            u = s.units[a]
            e = s.units[d]
            if u.present == 0 or e.present == 0 or u.zone != zone or e.zone != zone:
                continue
            if u.hidden or e.hidden:  # MM-D60: nobody meets a Mek that they don't see
                continue
            if u.kind == c.COMMANDOS or e.kind == c.COMMANDOS or (u.kind == c.INFANTRY and e.kind == c.INFANTRY):
                continue
            pair = pair_of(s, a, d)
            if pair.made == 0:
                pair.made = 1
                pair.band = c.LONG
                pair.broken_by = 0
                note(log, "contact-made", unit=a, target=d)
            if pair.broken_by == 0:
                fight = True
    return fight


def roll_wounds(s: State, dice: Dice, log: Log) -> None:
    """Roll for wounded pilots; on less than 5 they do nothing this round. MM-056, MM-D30."""
    for place in range(count_units(s)):
        i = unit_in_order(s.battle, place)
        u = s.units[i]
        if u.in_fight and u.wounded:
            face = roll(dice, 6)
            u.stunned = 1 if face < 5 else 0
            note(log, "wound-rolled", unit=i, face=face, stunned=u.stunned)


def roll_total(s: State, i: int, jets: int, dice: Dice, log: Log) -> None:
    """Roll unit i's movement total, with or without its jump jets. MM-028, MM-029."""
    u = s.units[i]
    u.jets = jets
    first = roll(dice, 6)
    second = 0
    third = 0
    if u.movement_dice + u.jets >= 2:
        second = roll(dice, 6)
    if u.movement_dice + u.jets >= 3:
        third = roll(dice, 6)
    modifiers = c.MoveModifiers(
        bonus=u.movement_bonus,
        level=u.level_movement,
        maneuver=2 if u.skills & c.MANEUVER else 0,
        familiar=1 if u.skills & c.FAMILIARITY else 0,
        servo=1 if u.systems & c.SERVO_BOOSTERS else 0,
        legs=-u.legs,
        terrain=0 if u.jets else s.zones[u.zone].movement,  # MM-029: jets ignore the terrain
    )
    u.total = max(0, first + second + third + sum(modifiers))  # MM-D16
    note(log, "movement-rolled", modifiers, unit=i, face1=first, face2=second, face3=third, jets=u.jets, total=u.total)


def break_contact(s: State, log: Log) -> None:
    """Let units break contact that want to, are at Long from all enemies and beat every total. MM-032, MM-033."""
    b = s.battle
    n = count_units(s)
    for i in range(n):  # all are judged before any leaves (MM-A15)
        u = s.units[i]
        u.breaks = 0
        if u.in_fight == 0 or u.wants_break == 0:
            continue
        u.breaks = 1
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            if in_contact(s, i, e) and (pair_of(s, i, e).band != c.LONG or s.units[e].total >= u.total):
                u.breaks = 0
    for place in range(n):
        i = unit_in_order(b, place)
        u = s.units[i]
        if u.breaks == 0:
            continue
        u.withdrew = 1
        note(log, "contact-broken", unit=i, total=u.total)
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            if is_unbroken(s, i, e):
                pair_of(s, i, e).broken_by = u.side + 1
                s.sights[i * n + e].targeted = 0  # MM-036: until the pair is broken
                s.sights[e * n + i].targeted = 0


def faster_of(s: State, i: int, e: int) -> int:
    """Return the unit of a pair that may change its band, or NOBODY. MM-030, MM-A16."""
    u = s.units[i]
    target = s.units[e]
    if u.total == target.total or u.revealing or target.revealing or not is_unbroken(s, i, e):
        return c.NOBODY
    return i if u.total > target.total else e


def change_band(s: State, i: int, e: int, wanted: int, log: Log) -> None:
    """Let the faster unit i of a pair take the band it wants, or double the terrain. MM-030, MM-031."""
    total = s.units[i].total
    theirs = s.units[e].total
    twice = total > 2 * theirs  # MM-D17: strictly more
    pair = pair_of(s, i, e)
    before = pair.band
    steps = 2 if twice else 1
    if wanted > before:
        pair.band = min(wanted, before + steps)
    elif wanted < before:
        pair.band = max(wanted, before - steps)
    elif twice:
        s.sights[e * count_units(s) + i].doubled = 1
        note(log, "terrain-doubled", unit=i, target=e, total=total, theirs=theirs)
    if pair.band != before:
        note(log, "band-changed", unit=i, target=e, before=before, band=pair.band, total=total, theirs=theirs)


def tidy_pairs(s: State) -> None:
    """Drop the pairs of units that are gone or apart, with their targeting marks. MM-A03."""
    b = s.battle
    n = count_units(s)
    for a in range(b.attackers):
        for d in range(b.attackers, n):
            u = s.units[a]
            e = s.units[d]
            if u.present == 0 or e.present == 0 or u.zone != e.zone:
                pair_of(s, a, d).made = 0
                s.sights[a * n + d].targeted = 0
                s.sights[d * n + a].targeted = 0


def start_round(s: State, zone: int) -> None:
    """Clear the scratch fields of the previous round and find the units in the fight. MM-A10."""
    n = count_units(s)
    s.battle.attacks = 0
    for i in range(n):
        u = s.units[i]
        u.in_fight = 1 if u.zone == zone and has_contact(s, i) else 0
        u.stunned = u.decoy  # MM-D61: a decoy does nothing
        u.wants_break = 0
        u.breaks = 0
        u.jets = 0
        u.total = 0
        u.hawkeye_spent = 0
        u.marked = 0
        u.heat = 0
        u.firings = 0
        u.dodges = 0
        u.dodged_attack = 0
        u.aim_spent = 0
        u.spoof_spent = 0
        u.ice_man_spent = 0
        u.pinpoint_spent = 0
        u.sharpshooter_spent = 0
        u.round_kills = 0
        u.attacked = 0
        for slot in range(u.arms):
            weapon_of(s, i, slot).planned = 0
    for k in range(n * n):
        s.sights[k].identified = 0
        s.sights[k].doubled = 0


def end_round(s: State, zone: int, log: Log) -> None:
    """Carry over what lasts into the next round and end the rest. MM-A23."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.in_fight == 0:
            continue
        if u.attacked and u.detected == 0:
            u.detected = 1
            if u.present:
                note(log, "infantry-revealed", unit=i)
        if u.computers != u.computers_next or u.carried_heat:
            mark_changed(s, i)
        u.computers = u.computers_next
        u.computers_next = 0
        u.carried_heat = 0
        u.revealing = 0
    s.zones[zone].quiet = 0 if s.battle.attacks else s.zones[zone].quiet + 1
    tidy_pairs(s)


def holds_out(s: State, side: int) -> bool:
    """Return True if a side has a unit in the zone that hasn't broken contact; commandos don't count. MM-A37."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.present and u.withdrew == 0 and u.kind != c.COMMANDOS:
            return True
    return False


def judge_zone_battle(s: State, log: Log) -> None:
    """Decide the winner of a one-zone battle. MM-A37."""
    b = s.battle
    attackers = holds_out(s, c.ATTACKER)
    defenders = holds_out(s, c.DEFENDER)
    b.winner = c.NOBODY
    if attackers and defenders:  # two sides of infantry have no pairs (MM-024)
        b.reason = c.ROUND_LIMIT if b.round == c.ROUND_CAP else c.OUT_OF_CONTACT
    elif attackers or defenders:
        b.reason = c.SIDE_GONE
        b.winner = c.ATTACKER if attackers else c.DEFENDER
    else:
        b.reason = c.BOTH_GONE
    note(log, "battle-ended", winner=b.winner, reason=b.reason, rounds=b.round)
