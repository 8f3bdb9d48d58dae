"""Tallies over many battles. Written like the rules, and loaded twice like them."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules import count_units
from systems.blazing_steel.battle.rules.rounds import points_share
from systems.blazing_steel.battle.state import State
from systems.engine.ends import PRIME, count_end, pack_end

PLACE_PRECISION = 1000000.0  # places are compared in millionths of an inch


@dataclass(slots=True)
class BattleTally:
    """Counts over battles."""

    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    stalemates: int = 0  # draws after the last round
    rounds: int = 0
    fingerprint: int = 0  # sum of the battles' fingerprints
    turns: int = 0
    turns_squares: int = 0
    annihilations: int = 0
    attacker_points: int = 0  # victory points, times the points of the enemy's force
    defender_points: int = 0


@dataclass(slots=True)
class UnitTally:
    """Counts over battles for one Warmech."""

    lost: int = 0
    kills: int = 0
    hits_lost: int = 0
    disabled: int = 0
    overheats: int = 0
    cripples: int = 0
    objectives: int = 0


def place_fingerprint(coordinate: float) -> int:
    """Return a number that tells places and directions apart."""
    return floor(coordinate * PLACE_PRECISION + 0.5) % PRIME


def count_cripples(cripples: int) -> int:
    """Return how many crippling results apply."""
    found = 0
    for result in range(1, 7):
        if cripples & (1 << result):
            found += 1
    return found


def fingerprint(s: State) -> int:
    """Return a number, 0 .. PRIME - 1, that tells different ends of a battle apart."""
    b = s.battle
    value = b.round * 7 + b.winner + 2
    value = (value * 101 + b.turns) % PRIME
    value = (value * 31 + b.reason * 5 + b.lead) % PRIME
    for i in range(count_units(s)):
        u = s.units[i]
        value = (value * 31 + u.status + 4 * max(0, u.structure) + 64 * u.peripheral_lost) % PRIME
        value = (value * 131 + u.cripples) % PRIME
        value = (value * 131 + u.heat + 200 * u.overheats) % PRIME
        value = (value * 31 + u.kills + 7 * u.killer + 100 * u.damage) % PRIME
        value = (value * 31 + u.dodge_dice + 3 * u.activations + 50 * u.held) % PRIME
        value = (value * 4001 + place_fingerprint(u.x)) % PRIME
        value = (value * 4001 + place_fingerprint(u.y)) % PRIME
        value = (value * 4001 + place_fingerprint(u.face_x)) % PRIME
        value = (value * 4001 + place_fingerprint(u.face_y)) % PRIME
    for k in range(count_units(s) * c.SLOTS):
        value = (value * 31 + s.weapons[k].ammo * 2 + s.weapons[k].lost) % PRIME
    value = (value * 31 + s.sides[0].hill_points) % PRIME
    return (value * 31 + s.sides[1].hill_points) % PRIME


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    """Add one battle's end to the tallies; return it packed, see `pack_end`."""
    b = s.battle
    count_end(t, b.winner, b.round)
    t.turns += b.turns
    t.turns_squares += b.turns * b.turns
    if b.reason == c.ANNIHILATION:
        t.annihilations += 1
    elif b.winner == c.NOBODY:
        t.stalemates += 1
    t.attacker_points += points_share(s, c.SIDE_A)
    t.defender_points += points_share(s, c.SIDE_B)
    margin = 0
    for i in range(count_units(s)):
        u = s.units[i]
        tally = units[i]
        if u.status != c.STANDS:
            tally.lost += 1
            if u.status == c.DISABLED:
                tally.disabled += 1
        else:
            margin += u.cost if u.side == c.SIDE_A else -u.cost
        tally.kills += u.kills
        tally.hits_lost += min(u.damage, u.full_structure)
        tally.overheats += u.overheats
        tally.cripples += count_cripples(u.cripples)
        tally.objectives += u.held
    print_ = fingerprint(s)
    t.fingerprint += print_
    return pack_end(b.winner, margin, print_)
