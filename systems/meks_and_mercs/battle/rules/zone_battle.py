"""The round of a tactical zone combat, and a whole battle in one zone. MM-025, MM-026, MM-A07 to MM-A23, MM-A37."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.doctrine import plan_fire, wants_to_break
from systems.meks_and_mercs.battle.rules.contact import (
    break_contact,
    change_bands,
    make_contact,
    roll_movement,
    roll_wounds,
    tidy_pairs,
)
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.detection import detect
from systems.meks_and_mercs.battle.rules.facts import count_units, end_of, first_of, has_contact, weapon_of
from systems.meks_and_mercs.battle.rules.fire import fire
from systems.meks_and_mercs.battle.rules.firepower import touch
from systems.meks_and_mercs.battle.rules.support import reveal_hidden, spring_ambush
from systems.meks_and_mercs.battle.state import State


def muster(s: State, zone: int) -> None:
    """Clears the scratch of the last round and finds who is in the fight. MM-A10."""
    n = count_units(s)
    s.battle.attacks = 0
    for i in range(n):
        u = s.units[i]
        u.in_fight = 1 if u.zone == zone and has_contact(s, i) else 0
        u.stunned = u.decoy  # MM-D61: it does nothing at all
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


def decide_breaks(s: State) -> None:
    """Who wants to break contact, from the state before anybody rolls. MM-A12."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.in_fight and u.stunned == 0:
            u.wants_break = 1 if wants_to_break(s, i) else 0


def plan(s: State) -> None:
    """Fire plans of everybody in the fight, all from the state after detection. MM-A18."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.in_fight and u.stunned == 0 and has_contact(s, i):
            plan_fire(s, i)


def end_round(s: State, zone: int, log: Log) -> None:
    """What lasts into the next round, and what ends. MM-A23."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.in_fight == 0:
            continue
        if u.attacked and u.detected == 0:
            u.detected = 1
            if u.present:
                note(log, "infantry-revealed", unit=i)
        if u.computers != u.computers_next or u.carried_heat:
            touch(s, i)
        u.computers = u.computers_next
        u.computers_next = 0
        u.carried_heat = 0
        u.revealing = 0
    s.zones[zone].quiet = 0 if s.battle.attacks else s.zones[zone].quiet + 1
    tidy_pairs(s)


def fight_round(s: State, zone: int, dice: Dice, log: Log) -> bool:
    """One round in a zone; False, and no round, if no pair there is in unbroken contact. MM-A07 to MM-A23."""
    if s.battle.turn:
        reveal_hidden(s, zone, log)
    if not make_contact(s, zone, log):
        return False
    s.battle.round += 1
    note(log, "round-began", number=s.battle.round)
    muster(s, zone)
    if s.battle.ambush_open:
        spring_ambush(s, s.battle.phasing, zone, dice, log)
        spring_ambush(s, 1 - s.battle.phasing, zone, dice, log)
        s.battle.ambush_open = 0
        for i in range(count_units(s)):
            if not has_contact(s, i):
                s.units[i].in_fight = 0
    roll_wounds(s, dice, log)
    decide_breaks(s)
    roll_movement(s, dice, log)
    break_contact(s, log)
    change_bands(s, log)
    detect(s, zone, dice, log)
    plan(s)
    fire(s, dice, log)
    apply_damage(s, dice, log)
    end_round(s, zone, log)
    return True


def holds_out(s: State, side: int) -> bool:
    """True if a side has a unit in the zone that has not broken contact; commandos do not count. MM-A37."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.present and u.withdrew == 0 and u.kind != c.COMMANDOS:
            return True
    return False


def fight_zone_battle(s: State, dice: Dice, log: Log) -> None:
    """A whole battle in one zone, to its end. MM-025, MM-A37."""
    b = s.battle
    while b.round < c.ROUND_CAP and fight_round(s, 0, dice, log):
        pass
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
