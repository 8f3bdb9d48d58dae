"""Tallies over many battles, and fingerprints of their ends. Loaded twice, like the rules."""

from __future__ import annotations

from dataclasses import dataclass

from systems.engine.ends import PRIME, count_end, pack_end
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import count_units
from systems.hex_core.battle.state import State


@dataclass(slots=True)
class BattleTally:
    """Counts over battles."""

    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    stalemates: int = 0  # draws after the last Round
    rounds: int = 0
    rounds_squares: int = 0
    fingerprint: int = 0  # sum of the battles' fingerprints
    turns: int = 0
    first_wins: int = 0  # wins by the side that goes first
    at_cap: int = 0  # decided after the last Round
    attacker_points: int = 0  # score in Domination
    defender_points: int = 0
    attacker_secured: int = 0  # objects secured in Retrieval
    defender_secured: int = 0


@dataclass(slots=True)
class UnitTally:
    """Counts over battles for one Unit."""

    lost: int = 0
    kills: int = 0
    hits_lost: int = 0
    withdrew: int = 0  # declared Inoperative
    items: int = 0  # enemy weapons, shields and drones that it destroyed
    secured: int = 0
    head: int = 0  # DP lost, by area
    torso: int = 0
    arm_l: int = 0
    arm_r: int = 0
    leg_l: int = 0
    leg_r: int = 0


def fingerprint(s: State) -> int:
    """Return a number, 0 .. PRIME - 1, that tells different ends of a battle apart."""
    b = s.battle
    value = b.round * 7 + b.winner + 2
    value = (value * 101 + b.turns) % PRIME
    value = (value * 31 + b.reason * 5 + b.first) % PRIME
    for side in range(2):
        value = (value * 31 + s.sides[side].points * 4 + s.sides[side].secured) % PRIME
    for i in range(count_units(b)):
        u = s.units[i]
        value = (value * 31 + u.status + 4 * u.facing + 32 * u.form + 256 * u.shield) % PRIME
        value = (value * 401 + u.at) % PRIME
        value = (value * 31 + u.level + 2 + 8 * u.pool) % PRIME
        value = (value * 31 + u.kneeling + 2 * u.down + 4 * u.frozen + 8 * u.cover + 512 * (u.watch + 1)) % PRIME
        value = (value * 31 + u.held_by + 1 + 32 * (u.holds + 1) + 1024 * (u.carries + 1)) % PRIME
        value = (value * 31 + u.kills + 7 * (u.killer + 1) + 200 * u.items_destroyed + u.marked) % PRIME
        value = (value * 131 + u.damage) % PRIME
        for area in range(c.AREAS):
            value = (value * 101 + s.areas[i * c.AREAS + area].dp) % PRIME
        for slot in range(u.weapons):
            w = s.weapons[i * c.SLOTS + slot]
            value = (value * 31 + w.dp * 16 + w.place) % PRIME
        for d in range(u.first_drone, u.first_drone + u.drones):
            drone = s.drones[d]
            value = (value * 31 + drone.dp * 4 + drone.status) % PRIME
            value = (value * 401 + drone.at + 1) % PRIME
    return value


def count_areas(s: State, i: int, tally: UnitTally) -> None:
    """Add the DP that a Unit lost, by area."""
    first = i * c.AREAS
    tally.head += s.areas[first + c.HEAD].damage
    tally.torso += s.areas[first + c.TORSO].damage
    tally.arm_l += s.areas[first + c.ARM_L].damage
    tally.arm_r += s.areas[first + c.ARM_R].damage
    tally.leg_l += s.areas[first + c.LEG_L].damage
    tally.leg_r += s.areas[first + c.LEG_R].damage


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    """Add one battle's end to the tallies; return it packed, see `pack_end`."""
    b = s.battle
    count_end(t, b.winner, b.round)
    t.rounds_squares += b.round * b.round
    t.turns += b.turns
    if b.winner >= 0 and b.winner == b.first:
        t.first_wins += 1
    if b.reason == c.LAST_ROUND:
        t.at_cap += 1
        if b.winner == c.NOBODY:
            t.stalemates += 1
    t.attacker_points += s.sides[c.SIDE_A].points
    t.defender_points += s.sides[c.SIDE_B].points
    t.attacker_secured += s.sides[c.SIDE_A].secured
    t.defender_secured += s.sides[c.SIDE_B].secured
    margin = 0
    for i in range(count_units(b)):
        u = s.units[i]
        tally = units[i]
        if u.status == c.DESTROYED:
            tally.lost += 1
        elif u.status == c.INOPERATIVE:
            tally.withdrew += 1
        else:
            margin += u.cost if u.side == c.SIDE_A else -u.cost
        tally.kills += u.kills
        tally.hits_lost += u.damage
        tally.items += u.items_destroyed
        tally.secured += u.objects_secured
        count_areas(s, i, tally)
    print_ = fingerprint(s)
    t.fingerprint += print_
    return pack_end(b.winner, margin, print_)
