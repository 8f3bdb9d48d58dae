"""A turn: initiative, zone movement, contested zones, and the winner at its end. MM-016, MM-025, MM-091 to MM-097.

Zone movement: sweeps, arrivals, moves, leaving the map. MM-018 to MM-023, MM-033, MM-098.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import (
    count_units,
    distance,
    end_of,
    first_of,
    has_contact,
    holds_ground,
    is_mek,
    is_unbroken,
    is_unknown,
    living_meks,
    pair_of,
)
from systems.meks_and_mercs.battle.rules.fire import sensor_class, unmask_decoy
from systems.meks_and_mercs.battle.rules.firepower import mark_changed, touch_side
from systems.meks_and_mercs.battle.rules.support import step_on_mines
from systems.meks_and_mercs.battle.state import State


def hawkeye_sweep(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Take Hawkeye's one look per phase at something hidden in an adjacent zone: 5+ reveals it. MM-074."""
    target = s.units[e]
    face = roll(dice, 6)
    found = 1 if face >= 5 else 0
    note(log, "hawkeye-swept", unit=i, target=e, face=face, needed=5, success=found)
    if found == 0:
        return
    if target.decoy:
        unmask_decoy(s, e, i, log)
    elif target.kind == c.INFANTRY:
        target.detected = 1
    else:
        target.hidden = 0


def sweep(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let unit i look into adjacent zones. MM-038, MM-074, MM-083, MM-D24, MM-A40 (2)."""
    b = s.battle
    u = s.units[i]
    advanced = sensor_class(u) == c.ADVANCED
    spent = 0
    for zone in range(1, c.LAST_ZONE + 1):
        if distance(b, u.zone, zone) != 1:
            continue
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            target = s.units[e]
            if target.zone != zone or not is_unknown(s, e):
                continue
            if advanced and target.decoy:
                unmask_decoy(s, e, i, log)
                continue
            if advanced and target.kind == c.INFANTRY:
                face = roll(dice, 6)
                target.detected = 1 if face - 2 >= 3 else 0
                note(log, "sweep-rolled", unit=i, target=e, face=face, range=-2, needed=3, success=target.detected)
            if u.skills & c.HAWKEYE and spent == 0 and is_unknown(s, e):
                spent = 1
                hawkeye_sweep(s, i, e, dice, log)


def look_around(s: State, side: int, dice: Dice, log: Log) -> None:
    """Let a side's units with advanced sensors or Hawkeye look into adjacent zones. MM-038, MM-074."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.present == 0 or u.hidden or u.decoy or u.kind == c.INFANTRY:
            continue
        if u.skills & c.HAWKEYE or sensor_class(u) == c.ADVANCED:
            sweep(s, i, dice, log)


def set_down(s: State, i: int, zone: int, dice: Dice, log: Log) -> None:
    """Put a unit into a zone, where it may step on mines. MM-019, MM-081."""
    u = s.units[i]
    before = s.zones[u.zone]
    now = s.zones[zone]
    if u.dug_in or before.to_hit != now.to_hit or before.heat != now.heat:
        mark_changed(s, i)
    if s.battle.phalanxes:
        touch_side(s, u.side)
    u.zone = zone
    u.dug_in = 0
    step_on_mines(s, i, dice, log)


def arrive(s: State, side: int, dice: Dice, log: Log) -> None:
    """Let a side's units that are still off the map arrive. MM-098."""
    b = s.battle
    waiting = 0
    for i in range(first_of(b, side), end_of(b, side)):
        if s.units[i].off == c.WAITING:
            waiting += 1
    if waiting == 0 or b.arrival_low == 0:
        return
    face = roll(dice, 6)
    zone = b.arrival_low if face <= 3 else b.arrival_high
    note(log, "arrival-zone-rolled", face=face, zone=zone)
    needed = max(1, 5 - b.turn)  # 4+, 3+, 2+, then everybody
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        if u.off != c.WAITING:
            continue
        if needed > 1:
            face = roll(dice, 6)
            note(log, "arrival-rolled", unit=i, face=face, needed=needed, arrived=face >= needed)
            if face < needed:
                continue
        u.off = 0
        u.present = 1
        u.moved = 1
        u.start_zone = zone
        note(log, "unit-arrived", unit=i, zone=zone)
        set_down(s, i, zone, dice, log)


def is_free_to_move(s: State, i: int) -> bool:
    """Return True if unit i may move in this phase. MM-020, MM-022."""
    u = s.units[i]
    if u.present == 0 or u.hidden or u.moved or u.decoy or u.kind == c.INFANTRY:
        return False
    return not has_contact(s, i)


def move_unit(s: State, i: int, zone: int, second: int, dice: Dice, log: Log) -> None:
    """Move free unit i to a zone, keep it in its own, or let it leave (OFF_MAP). MM-018 to MM-023.

    A wounded pilot moves only on 5+.
    """
    u = s.units[i]
    u.moved = 1
    if zone == u.zone:
        return
    if u.wounded:
        face = roll(dice, 6)
        note(log, "move-rolled", unit=i, face=face, moves=face >= 5)
        if face < 5:
            return
    u.moved = 2
    if zone == c.OFF_MAP:
        note(log, "unit-left", unit=i, zone=u.zone)
        u.zone = c.OFF_MAP
        u.off = c.LEFT
        u.present = 0
        u.dug_in = 0
        if is_mek(u):
            s.sides[u.side].exited += 1
        if s.battle.phalanxes:
            touch_side(s, u.side)
        return
    note(log, "unit-moved", unit=i, before=u.zone, zone=zone, second=second)
    set_down(s, i, zone, dice, log)


def reopen_contacts(s: State, side: int, log: Log) -> None:
    """End the pairs that this side broke; units still in the same zone will meet again. MM-033."""
    b = s.battle
    for a in range(b.attackers):
        for d in range(b.attackers, count_units(s)):
            pair = pair_of(s, a, d)
            if pair.made and pair.broken_by == side + 1:
                pair.made = 0
                pair.broken_by = 0
                if s.units[a].zone == s.units[d].zone and s.units[a].present and s.units[d].present:
                    note(log, "contact-reopened", unit=a, target=d)


def tactics_bonus(s: State, side: int) -> int:
    """Return 2 if a side's living pilot on the map has Tactics; a second one adds nothing. MM-016, MM-D47."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].skills & c.TACTICS:
            return 2
    return 0


def roll_initiative(s: State, dice: Dice, log: Log) -> int:
    """Return the side that wins the initiative; ties are re-rolled with the same bonuses. MM-016, MM-078, MM-D69."""
    own = tactics_bonus(s, c.ATTACKER)
    theirs = tactics_bonus(s, c.DEFENDER)
    surprise = 3 * s.sides[c.ATTACKER].surprises if s.battle.turn == 1 else 0
    counter = 3 * s.sides[c.DEFENDER].surprises if s.battle.turn == 1 else 0
    while True:
        first = roll(dice, 6)
        second = roll(dice, 6)
        margin = first + own + surprise - second - theirs - counter
        winner = c.NOBODY
        if margin:
            winner = c.ATTACKER if margin > 0 else c.DEFENDER
        note(
            log,
            "initiative-rolled",
            face1=first,
            face2=second,
            tactics=own,
            surprise=surprise,
            their_tactics=theirs,
            their_surprise=counter,
            winner=winner,
        )
        if winner != c.NOBODY:
            return winner


def has_side(s: State, side: int, zone: int) -> bool:
    """Return True if any unit of a side is in a zone."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].zone == zone:
            return True
    return False


def is_contested(s: State, zone: int) -> bool:
    """Return True if a pair in the zone is in unbroken contact. MM-025."""
    b = s.battle
    for a in range(b.attackers):
        if s.units[a].present == 0 or s.units[a].zone != zone:
            continue
        for d in range(b.attackers, count_units(s)):
            if s.units[d].present and s.units[d].zone == zone and is_unbroken(s, a, d):
                return True
    return False


def meks_in(s: State, side: int, zone: int) -> int:
    """Return the number of a side's Meks in a zone, including hidden ones."""
    count = 0
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].zone == zone and is_mek(s.units[i]):
            count += 1
    return count


def occupies(s: State, side: int, zone: int) -> bool:
    """Return True if a side has a Mek in the zone and the enemy has no Mek, vehicle or infantry. MM-091, MM-D75."""
    foe = 1 - side
    for e in range(first_of(s.battle, foe), end_of(s.battle, foe)):
        if s.units[e].zone == zone and holds_ground(s.units[e]):
            return False
    return meks_in(s, side, zone) > 0


def has_forces(s: State, side: int) -> bool:
    """Return True if a side has any Mek, vehicle or infantry left; decoys and commandos don't count (MM-D75)."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if holds_ground(u) or u.off == c.WAITING or u.off == c.ABOARD:
            return True
    return False


def meks_on_map(s: State, side: int) -> int:
    """Return the number of a side's Meks on the map."""
    count = 0
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and is_mek(s.units[i]):
            count += 1
    return count


def end_game(s: State, winner: int, reason: int) -> bool:
    """End the game with this winner and reason, and return True."""
    s.battle.winner = winner
    s.battle.reason = reason
    return True


def judge_occupation(s: State, attackers: int, defenders: int, is_last: bool) -> bool:
    """Judge Opening Shots. MM-092."""
    if attackers == 0 and defenders == 0:
        return end_game(s, c.NOBODY, c.BOTH_GONE)
    if defenders == 0:
        return end_game(s, c.ATTACKER, c.NO_MEKS)
    if attackers == 0:
        return end_game(s, c.DEFENDER, c.NO_MEKS)
    if occupies(s, c.ATTACKER, s.battle.key_zone):
        return end_game(s, c.ATTACKER, c.OBJECTIVE_REACHED)
    return end_game(s, c.DEFENDER, c.TURN_LIMIT) if is_last else False


def judge_breakout(s: State, attackers: int, is_last: bool) -> bool:
    """Judge At the Hot Gates: half the starting Meks, rounded up, have left the map. MM-093."""
    needed = (s.battle.starting_meks + 1) // 2
    exited = s.sides[c.ATTACKER].exited
    if exited >= needed:
        return end_game(s, c.ATTACKER, c.OBJECTIVE_REACHED)
    if exited + attackers < needed:
        return end_game(s, c.DEFENDER, c.OBJECTIVE_LOST)
    return end_game(s, c.DEFENDER, c.TURN_LIMIT) if is_last else False


def judge_clearing(s: State, is_last: bool) -> bool:
    """Judge Buying us some time: each side must meet both its conditions. MM-094."""
    needed = (s.battle.starting_meks + 3) // 4
    through = s.sides[c.ATTACKER].exited >= needed
    resistance = has_forces(s, c.DEFENDER)
    if through and not resistance:
        return end_game(s, c.ATTACKER, c.OBJECTIVE_REACHED)
    gone = meks_on_map(s, c.ATTACKER) == 0
    if not gone and not is_last:
        return False
    reason = c.NO_MEKS if gone else c.TURN_LIMIT
    if resistance and not through:
        return end_game(s, c.DEFENDER, reason)
    return end_game(s, c.NOBODY, reason)


def judge_breach(s: State, attackers: int, is_last: bool) -> bool:
    """Judge Through the Breach: the zone was occupied at the end of three turns in a row. MM-095, MM-D78."""
    b = s.battle
    b.held = b.held + 1 if occupies(s, c.ATTACKER, b.key_zone) else 0
    if b.held >= 3:
        return end_game(s, c.ATTACKER, c.OBJECTIVE_REACHED)
    if attackers == 0:
        return end_game(s, c.DEFENDER, c.NO_MEKS)
    return end_game(s, c.DEFENDER, c.TURN_LIMIT) if is_last else False


def judge_last_standing(s: State, attackers: int, defenders: int, is_last: bool) -> bool:
    """Judge Head to Head. MM-096."""
    if attackers == 0 and defenders == 0:
        return end_game(s, c.NOBODY, c.BOTH_GONE)
    if attackers == 0:
        return end_game(s, c.DEFENDER, c.NO_MEKS)
    if defenders == 0:
        return end_game(s, c.ATTACKER, c.NO_MEKS)
    return end_game(s, c.NOBODY, c.TURN_LIMIT) if is_last else False


def judge_stronghold(s: State, attackers: int, is_last: bool) -> bool:
    """Judge Citadel: the defender needs a Mek in the key zone at the end of every turn. MM-097, MM-D79."""
    if meks_in(s, c.DEFENDER, s.battle.key_zone) == 0:
        if attackers == 0:
            return end_game(s, c.NOBODY, c.BOTH_GONE)
        return end_game(s, c.ATTACKER, c.OBJECTIVE_REACHED)
    if attackers == 0:
        return end_game(s, c.DEFENDER, c.NO_MEKS)
    return end_game(s, c.DEFENDER, c.TURN_LIMIT) if is_last else False


def judge(s: State) -> bool:
    """Return True if the game has ended this turn; leave winner and reason in the battle. MM-091."""
    b = s.battle
    attackers = living_meks(s, c.ATTACKER)
    defenders = living_meks(s, c.DEFENDER)
    is_last = b.turn >= b.turn_limit
    if b.objective == c.OCCUPY:
        return judge_occupation(s, attackers, defenders, is_last)
    if b.objective == c.BREAK_OUT:
        return judge_breakout(s, attackers, is_last)
    if b.objective == c.CLEAR_AND_LEAVE:
        return judge_clearing(s, is_last)
    if b.objective == c.BREACH:
        return judge_breach(s, attackers, is_last)
    if b.objective == c.LAST_STANDING:
        return judge_last_standing(s, attackers, defenders, is_last)
    return judge_stronghold(s, attackers, is_last)
