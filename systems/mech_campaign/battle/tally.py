"""Tallies over many battles. Written like the rules, and loaded twice like them."""

from __future__ import annotations

from dataclasses import dataclass

from systems.engine.ends import PRIME, count_end, pack_end
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules import count_units
from systems.mech_campaign.battle.state import State


@dataclass(slots=True)
class BattleTally:
    """Counts over battles."""

    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    stalemates: int = 0  # draws at the turn limit
    rounds: int = 0  # number of game turns
    fingerprint: int = 0  # sum of the battles' fingerprints
    retreats: int = 0
    wipe_outs: int = 0
    fields_left: int = 0
    sabotages: int = 0
    timeouts: int = 0
    lost: int = 0  # units of both sides
    lost_squares: int = 0
    rounds_squares: int = 0


@dataclass(slots=True)
class UnitTally:
    """Sums over battles for one unit."""

    lost: int = 0
    withdrew: int = 0
    kills: int = 0
    hits_lost: int = 0
    specials: int = 0


def fingerprint(s: State) -> int:
    """Return a number, 0 .. PRIME - 1, that tells different ends of a battle apart."""
    b = s.battle
    value = b.turn * 7 + b.winner + 2
    value = (value * 31 + b.reason * 5 + b.decided_by) % PRIME
    value = (value * 31 + b.points + 40 * b.charges + 120 * b.first) % PRIME
    for i in range(count_units(s)):
        u = s.units[i]
        value = (value * 31 + u.status + 4 * u.damage + 20 * u.suppression) % PRIME
        value = (value * 31 + u.kills + 7 * u.lock + 200 * u.killer) % PRIME
        value = (value * 4001 + u.x) % PRIME
        value = (value * 4001 + u.y) % PRIME
        value = (value * 8009 + u.face_x + 4000) % PRIME
        value = (value * 8009 + u.face_y + 4000) % PRIME
    for k in range(b.discs):
        value = (value * 4001 + s.discs[k].x + s.discs[k].kind) % PRIME
    for o in range(b.objectives):
        value = (value * 5 + s.objectives[o].holder + 1) % PRIME
    value = (value * 31 + s.sides[0].beacon_points) % PRIME
    return (value * 31 + s.sides[1].beacon_points) % PRIME


def is_withdrawn(s: State, i: int) -> bool:
    """Return True if the unit left the table with a retreating force, and so survived. MC-104."""
    u = s.units[i]
    return s.battle.reason == c.RETREAT and u.status != c.DEAD and u.side != s.battle.winner


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    """Add one battle's end to the tallies; return it packed, see `pack_end`."""
    b = s.battle
    count_end(t, b.winner, b.turn)
    t.rounds_squares += b.turn * b.turn
    if b.winner == c.NOBODY:
        t.stalemates += 1
    if b.reason == c.RETREAT:
        t.retreats += 1
    elif b.reason == c.WIPED_OUT:
        t.wipe_outs += 1
    elif b.reason == c.LEFT_FIELD:
        t.fields_left += 1
    elif b.reason == c.SABOTAGED:
        t.sabotages += 1
    elif b.reason == c.TIME:
        t.timeouts += 1
    margin = 0
    lost = 0
    for i in range(count_units(s)):
        u = s.units[i]
        tally = units[i]
        if u.status == c.DEAD:
            lost += 1
            tally.lost += 1
        else:
            margin += u.cost if u.side == c.SIDE_A else -u.cost
            if is_withdrawn(s, i):
                tally.withdrew += 1
        tally.kills += u.kills
        tally.hits_lost += u.damage - u.start_damage
        tally.specials += u.specials
    t.lost += lost
    t.lost_squares += lost * lost
    print_ = fingerprint(s)
    t.fingerprint += print_
    return pack_end(b.winner, margin, print_)
