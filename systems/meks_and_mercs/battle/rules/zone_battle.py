"""The start and end of a round of tactical zone combat, and of a battle in one zone.

MM-025, MM-A10, MM-A23, MM-A37.
"""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.contact import tidy_pairs
from systems.meks_and_mercs.battle.rules.facts import count_units, end_of, first_of, has_contact, weapon_of
from systems.meks_and_mercs.battle.rules.firepower import mark_changed
from systems.meks_and_mercs.battle.state import State


def start_round(s: State, zone: int) -> None:
    """Clear the scratch fields of the last round and find the units in the fight. MM-A10."""
    n = count_units(s)
    s.battle.attacks = 0
    for i in range(n):
        u = s.units[i]
        u.in_fight = 1 if u.zone == zone and has_contact(s, i) else 0
        u.stunned = u.decoy  # MM-D61: a decoy does nothing at all
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
    """Keep what lasts into the next round, and end the rest. MM-A23."""
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
    """Return True if a side has a unit in the zone that has not broken contact; commandos don't count. MM-A37."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.present and u.withdrew == 0 and u.kind != c.COMMANDOS:
            return True
    return False


def judge_zone_battle(s: State, log: Log) -> None:
    """Decide the winner of a battle in one zone. MM-A37."""
    b = s.battle
    attackers = holds_out(s, c.ATTACKER)
    defenders = holds_out(s, c.DEFENDER)
    b.winner = c.NOBODY
    if attackers and defenders:  # infantry that faces infantry has no pair (MM-024)
        b.reason = c.ROUND_LIMIT if b.round == c.ROUND_CAP else c.OUT_OF_CONTACT
    elif attackers or defenders:
        b.reason = c.SIDE_GONE
        b.winner = c.ATTACKER if attackers else c.DEFENDER
    else:
        b.reason = c.BOTH_GONE
    note(log, "battle-ended", winner=b.winner, reason=b.reason, rounds=b.round)
