"""What the odds add up over many battles. Written as the rules are, and loaded twice as they are."""

from __future__ import annotations

from dataclasses import dataclass

from battles.systems.meks_and_mercs.rules.facts import count_units
from battles.systems.meks_and_mercs.state import (
    ATTACKER,
    FITTING_SLOTS,
    LEFT,
    NOBODY,
    ROUND_LIMIT,
    TURN_LIMIT,
    WEAPON_SLOTS,
    State,
)

PRIME = 1_000_003


@dataclass(slots=True)
class BattleTally:
    """Counts over battles."""

    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    stalemates: int = 0  # draws by the round limit
    rounds: int = 0
    fingerprint: int = 0  # sum of all battles' fingerprints


@dataclass(slots=True)
class UnitTally:
    """Counts over battles of one unit."""

    lost: int = 0
    withdrew: int = 0
    wounded: int = 0
    kills: int = 0
    hits_lost: int = 0
    legs: int = 0
    weapons_lost: int = 0
    systems_lost: int = 0


def fingerprint(s: State) -> int:
    """A number that tells two different ends of a battle apart, 0 .. PRIME - 1."""
    b = s.battle
    value = b.round * 7 + b.winner + 2
    for i in range(count_units(s)):
        u = s.units[i]
        value = (value * 31 + u.hits) % PRIME
        value = (value * 31 + u.present + 2 * u.withdrew + 4 * u.wounded + 8 * u.kills) % PRIME
        value = (value * 31 + u.legs + 7 * u.scored + u.version) % PRIME
        for slot in range(u.arms):
            value = (value * 3 + s.weapons[i * WEAPON_SLOTS + slot].intact) % PRIME
    for k in range(count_units(s) * FITTING_SLOTS):
        value = (value * 3 + s.fittings[k].intact) % PRIME
    for k in range(b.attackers * b.defenders):
        value = (value * 7 + s.pairs[k].band + 3 * s.pairs[k].broken_by) % PRIME
    if b.turn:
        value = (value * 31 + b.turn * 7 + b.held) % PRIME
        for i in range(count_units(s)):
            u = s.units[i]
            value = (value * 31 + u.zone + 10 * u.off + 60 * u.dug_in + 120 * u.hidden + 240 * u.lost_by) % PRIME
    return value


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    """Adds the end of one battle to the tallies; returns its fingerprint."""
    b = s.battle
    t.battles += 1
    t.rounds += b.turn if b.turn else b.round
    if b.winner == NOBODY:
        t.draws += 1
        if b.reason == ROUND_LIMIT or b.reason == TURN_LIMIT:
            t.stalemates += 1
    elif b.winner == ATTACKER:
        t.attacker_wins += 1
    else:
        t.defender_wins += 1
    for i in range(count_units(s)):
        u = s.units[i]
        tally = units[i]
        if u.lost_by:
            tally.lost += 1
        elif u.off == LEFT or (u.withdrew and b.turn == 0):
            tally.withdrew += 1
        tally.wounded += u.wounded
        tally.kills += u.scored
        tally.hits_lost += u.full_hits - u.hits
        tally.legs += u.legs
        for slot in range(u.arms):
            if s.weapons[i * WEAPON_SLOTS + slot].intact == 0:
                tally.weapons_lost += 1
        for slot in range(FITTING_SLOTS):
            fitting = s.fittings[i * FITTING_SLOTS + slot]
            if fitting.system and fitting.intact == 0:
                tally.systems_lost += 1
    print_ = fingerprint(s)
    t.fingerprint += print_
    return print_
