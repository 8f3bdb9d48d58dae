"""The sums over many battles from which odds are calculated. Written like the rules, and loaded twice like them."""

from __future__ import annotations

from dataclasses import dataclass

from systems.engine.ends import PRIME, count_end, pack_end
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import count_units
from systems.meks_and_mercs.battle.state import State


@dataclass(slots=True)
class BattleTally:
    """Sums over battles."""

    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    stalemates: int = 0  # draws by the round limit
    rounds: int = 0
    fingerprint: int = 0  # sum of the battles' fingerprints
    attacker_repair: int = 0  # points, see `repair_of`
    defender_repair: int = 0
    attacker_repair_squares: int = 0  # sum of the squares of each battle's bill, for its spread
    defender_repair_squares: int = 0


@dataclass(slots=True)
class UnitTally:
    """Sums over battles for one unit."""

    lost: int = 0
    withdrew: int = 0
    wounded: int = 0
    kills: int = 0
    hits_lost: int = 0
    legs: int = 0
    weapons_lost: int = 0
    systems_lost: int = 0
    repair: int = 0


def fingerprint(s: State) -> int:
    """Return a number, 0 .. PRIME - 1, that tells different ends of a battle apart."""
    b = s.battle
    value = b.round * 7 + b.winner + 2
    for i in range(count_units(s)):
        u = s.units[i]
        value = (value * 31 + u.hits) % PRIME
        value = (value * 31 + u.present + 2 * u.withdrew + 4 * u.wounded + 8 * u.kills) % PRIME
        value = (value * 31 + u.legs + 7 * u.scored + u.version) % PRIME
        for slot in range(u.arms):
            value = (value * 3 + s.weapons[i * c.WEAPON_SLOTS + slot].intact) % PRIME
    for k in range(count_units(s) * c.FITTING_SLOTS):
        value = (value * 3 + s.fittings[k].intact) % PRIME
    for k in range(b.attackers * b.defenders):
        value = (value * 7 + s.pairs[k].band + 3 * s.pairs[k].broken_by) % PRIME
    if b.turn:
        value = (value * 31 + b.turn * 7 + b.held) % PRIME
        for i in range(count_units(s)):
            u = s.units[i]
            value = (value * 31 + u.zone + 10 * u.off + 60 * u.dug_in + 120 * u.hidden + 240 * u.lost_by) % PRIME
    return value


def repair_of(s: State, i: int) -> int:
    """Return the points to repair a Mek's damage at the end; 0 for a lost Mek or any other unit. MM-S09.

    One point for each lost Hit, leg damage, destroyed weapon or system. Weapons bought in pairs cost one point per pair
    or part of one.
    """
    u = s.units[i]
    if u.lost_by or u.kind != c.MEK:
        return 0
    bill = u.full_hits - u.hits + u.legs
    paired = 0
    for slot in range(u.arms):
        weapon = s.weapons[i * c.WEAPON_SLOTS + slot]
        if weapon.intact == 0:
            if weapon.pack == 2:
                paired += 1
            else:
                bill += 1
    for slot in range(c.FITTING_SLOTS):
        fitting = s.fittings[i * c.FITTING_SLOTS + slot]
        if fitting.system and fitting.intact == 0:
            bill += 1
    return bill + (paired + 1) // 2


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    """Add one battle's end to the tallies; return it packed, see `pack_end`."""
    b = s.battle
    count_end(t, b.winner, b.turn if b.turn else b.round)
    if b.winner == c.NOBODY and (b.reason == c.ROUND_LIMIT or b.reason == c.TURN_LIMIT):
        t.stalemates += 1
    margin = 0
    attacker_repair = 0
    defender_repair = 0
    for i in range(count_units(s)):
        u = s.units[i]
        tally = units[i]
        left = u.cost if u.lost_by == 0 else 0
        repair = repair_of(s, i)
        tally.repair += repair
        if u.side == c.ATTACKER:
            attacker_repair += repair
            margin += left
        else:
            defender_repair += repair
            margin -= left
        if u.lost_by:
            tally.lost += 1
        elif u.off == c.LEFT or (u.withdrew and b.turn == 0):
            tally.withdrew += 1
        tally.wounded += u.wounded
        tally.kills += u.scored
        tally.hits_lost += u.full_hits - u.hits
        tally.legs += u.legs
        for slot in range(u.arms):
            if s.weapons[i * c.WEAPON_SLOTS + slot].intact == 0:
                tally.weapons_lost += 1
        for slot in range(c.FITTING_SLOTS):
            fitting = s.fittings[i * c.FITTING_SLOTS + slot]
            if fitting.system and fitting.intact == 0:
                tally.systems_lost += 1
    t.attacker_repair += attacker_repair
    t.defender_repair += defender_repair
    t.attacker_repair_squares += attacker_repair * attacker_repair
    t.defender_repair_squares += defender_repair * defender_repair
    print_ = fingerprint(s)
    t.fingerprint += print_
    return pack_end(b.winner, margin, print_)
