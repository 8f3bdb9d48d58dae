"""A whole game: turns, initiative, T.Z.C. zone by zone. MM-015 to MM-017, MM-025."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.facts import count_units, doctrine_of, end_of, first_of, unbroken
from systems.meks_and_mercs.battle.rules.movement_phase import movement_phase, second_move
from systems.meks_and_mercs.battle.rules.support import set_up
from systems.meks_and_mercs.battle.rules.victory import judge
from systems.meks_and_mercs.battle.rules.zone_battle import fight_round, fight_zone_battle
from systems.meks_and_mercs.battle.state import State


def tactics_bonus(s: State, side: int) -> int:
    """2 if a living pilot of a side on the map has Tactics, once. MM-016, MM-D47."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].skills & c.TACTICS:
            return 2
    return 0


def roll_initiative(s: State, dice: Dice, log: Log) -> int:
    """The side that wins the initiative; ties roll again with the same bonuses. MM-016, MM-078, MM-D69."""
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


def first_mover(s: State, winner: int) -> int:
    """The side that moves first: the attacker; in Head to Head the winner's doctrine says. MM-017, MM-A38."""
    if s.battle.objective != c.LAST_STANDING:
        return c.ATTACKER
    return winner if doctrine_of(s.battle, winner) == c.AGGRESSIVE else 1 - winner


def has_side(s: State, side: int, zone: int) -> bool:
    """True if anybody of a side is in a zone."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].present and s.units[i].zone == zone:
            return True
    return False


def is_contested(s: State, zone: int) -> bool:
    """True if a pair in the zone is in unbroken contact. MM-025."""
    b = s.battle
    for a in range(b.attackers):
        if s.units[a].present == 0 or s.units[a].zone != zone:
            continue
        for d in range(b.attackers, count_units(s)):
            if s.units[d].present and s.units[d].zone == zone and unbroken(s, a, d):
                return True
    return False


def fight_zones(s: State, dice: Dice, log: Log) -> None:
    """The T.Z.C. of one phase: each zone in turn, at most `phase_rounds` rounds each. MM-015, MM-025, MM-D13."""
    b = s.battle
    for zone in range(1, c.LAST_ZONE + 1):
        if not has_side(s, c.ATTACKER, zone) or not has_side(s, c.DEFENDER, zone):
            continue
        b.ambush_open = 0
        if not is_contested(s, zone):  # a new fight
            b.ambush_open = 1
            s.zones[zone].quiet = 0
        note(log, "zone-contested", zone=zone)
        rounds = 0
        while rounds < b.phase_rounds and fight_round(s, zone, dice, log):
            rounds += 1
    b.ambush_open = 0


def take_turn(s: State, dice: Dice, log: Log) -> None:
    """One turn up to the victory check. MM-015."""
    b = s.battle
    note(log, "turn-began", number=b.turn)
    winner = roll_initiative(s, dice, log)
    first = first_mover(s, winner)
    for second in range(2):
        movement_phase(s, 1 - first if second else first, dice, log)
        fight_zones(s, dice, log)
    second_move(s, winner, dice, log)
    for i in range(count_units(s)):
        s.units[i].exposed = 0  # MM-D63


def fight(s: State, dice: Dice, log: Log) -> None:
    """A whole battle: in one zone, or on the map of a scenario, from set-up to victory."""
    b = s.battle
    if b.objective == 0:
        fight_zone_battle(s, dice, log)
        return
    set_up(s, dice, log)
    over = False
    while not over:
        b.turn += 1
        take_turn(s, dice, log)
        over = judge(s)
        note(log, "turn-ended", number=b.turn, held=b.held)
    note(log, "game-ended", winner=b.winner, reason=b.reason, turns=b.turn)
