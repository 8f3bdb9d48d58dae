"""A turn: initiative, contested zones, and the winner at its end. MM-016, MM-025, MM-091 to MM-097."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.facts import (
    count_units,
    end_of,
    first_of,
    holds_ground,
    is_mek,
    is_unbroken,
    living_meks,
)
from systems.meks_and_mercs.battle.state import State


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
