"""Tallies over many battles. Written like the rules, and loaded twice like them."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from systems.engine.ends import PRIME, count_end, pack_end
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules import count_standing, count_units
from systems.mechastellar.battle.state import State

PLACE_PRECISION = 1000000.0  # places are compared in millionths of an inch


@dataclass(slots=True)
class BattleTally:
    """Counts over battles."""

    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    rounds: int = 0
    fingerprint: int = 0  # sum of the battles' fingerprints
    wipe_outs: int = 0
    attacks: int = 0  # including counters
    attacks_squares: int = 0
    attacker_points: int = 0  # victory points
    attacker_points_squares: int = 0
    defender_points: int = 0
    defender_points_squares: int = 0
    attacker_standing: int = 0  # units on the table
    defender_standing: int = 0
    attacker_momentum: int = 0  # Momentum left
    defender_momentum: int = 0
    attacker_held: int = 0  # control points at the ends of Rounds
    defender_held: int = 0
    big_hits: int = 0


@dataclass(slots=True)
class UnitTally:
    """Sums over battles for one unit."""

    lost: int = 0
    kills: int = 0
    hits_lost: int = 0
    dealt: int = 0
    scored: int = 0
    captured: int = 0


def place_fingerprint(coordinate: float) -> int:
    """Return a number that tells places and directions apart."""
    return floor(coordinate * PLACE_PRECISION + 0.5) % PRIME


def fingerprint(s: State) -> int:
    """Return a number, 0 .. PRIME - 1, that tells different ends of a battle apart."""
    b = s.battle
    value = b.round * 7 + b.winner + 2
    value = (value * 101 + b.turns) % PRIME
    value = (value * 31 + b.reason * 5 + b.attacks) % PRIME
    for side in range(2):
        own = s.sides[side]
        value = (value * 131 + own.momentum + 20 * own.ordered) % PRIME
        value = (value * 1009 + own.score + 500) % PRIME
        value = (value * 131 + own.points_held) % PRIME
    for i in range(count_units(s)):
        u = s.units[i]
        value = (value * 31 + u.status + 4 * max(0, u.hp)) % PRIME
        value = (value * 131 + u.penalties + 8 * u.boost) % PRIME
        value = (value * 131 + u.power + 8 * u.havoc) % PRIME
        value = (value * 31 + u.kills + 7 * u.killer) % PRIME
        value = (value * 4001 + u.damage + u.dealt) % PRIME
        value = (value * 4001 + place_fingerprint(u.x)) % PRIME
        value = (value * 4001 + place_fingerprint(u.y)) % PRIME
        value = (value * 4001 + place_fingerprint(u.face_x)) % PRIME
        value = (value * 4001 + place_fingerprint(u.face_y)) % PRIME
    for k in range(b.discs):
        value = (value * 31 + s.discs[k].gone) % PRIME
    for p in range(b.points):
        value = (value * 31 + s.points[p].owner + 1) % PRIME
    return value


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    """Add one battle's end to the tallies; return it packed, see `pack_end`."""
    b = s.battle
    count_end(t, b.winner, b.round)
    if b.reason == c.WIPED_OUT:
        t.wipe_outs += 1
    a = s.sides[c.SIDE_A]
    d = s.sides[c.SIDE_B]
    t.attacks += b.attacks
    t.attacks_squares += b.attacks * b.attacks
    t.attacker_points += a.score
    t.attacker_points_squares += a.score * a.score
    t.defender_points += d.score
    t.defender_points_squares += d.score * d.score
    t.attacker_standing += count_standing(s, c.SIDE_A)
    t.defender_standing += count_standing(s, c.SIDE_B)
    t.attacker_momentum += a.momentum
    t.defender_momentum += d.momentum
    t.attacker_held += a.points_held
    t.defender_held += d.points_held
    t.big_hits += a.big_hits + d.big_hits
    margin = 0
    for i in range(count_units(s)):
        u = s.units[i]
        tally = units[i]
        if u.status == c.DESTROYED:
            tally.lost += 1
        else:
            margin += u.cost if u.side == c.SIDE_A else -u.cost
        tally.kills += u.kills
        tally.hits_lost += min(u.damage, u.full_hp)
        tally.dealt += u.dealt
        tally.scored += u.scored
        tally.captured += u.captured
    print_ = fingerprint(s)
    t.fingerprint += print_
    return pack_end(b.winner, margin, print_)
