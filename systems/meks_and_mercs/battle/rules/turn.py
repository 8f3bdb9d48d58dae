"""Queries of a turn: which side has the initiative, and where there is a fight. MM-016, MM-025."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.facts import count_units, end_of, first_of, is_unbroken
from systems.meks_and_mercs.battle.state import State


def tactics_bonus(s: State, side: int) -> int:
    """Return 2 if a living pilot of a side on the map has Tactics; a second one adds nothing. MM-016, MM-D47."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].skills & c.TACTICS:
            return 2
    return 0


def roll_initiative(s: State, dice: Dice, log: Log) -> int:
    """Return the side that wins the initiative; ties roll again with the same bonuses. MM-016, MM-078, MM-D69."""
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
