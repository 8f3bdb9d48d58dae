"""Queries of a state for all rules: order of units, pairs, contact, heat ratings. They change nothing."""

from __future__ import annotations

from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.state import Battle, Pair, State, Unit, Weapon


def count_units(s: State) -> int:
    """Return the number of units on both sides."""
    return s.battle.attackers + s.battle.defenders


def unit_in_order(b: Battle, place: int) -> int:
    """Return the unit at a place in the order 'phasing side first' (MM-A01)."""
    if b.phasing == c.ATTACKER:
        return place
    return (place + b.attackers) % (b.attackers + b.defenders)


def first_of(b: Battle, side: int) -> int:
    """Return the first unit of a side."""
    return 0 if side == c.ATTACKER else b.attackers


def end_of(b: Battle, side: int) -> int:
    """Return the index after the last unit of a side."""
    return b.attackers if side == c.ATTACKER else b.attackers + b.defenders


def pair_of(s: State, one: int, other: int) -> Pair:
    """Return the pair of two opposing units."""
    b = s.battle
    if one < b.attackers:
        return s.pairs[one * b.defenders + other - b.attackers]
    return s.pairs[other * b.defenders + one - b.attackers]


def is_unbroken(s: State, one: int, other: int) -> bool:
    """Return True if two opposing units are in unbroken contact (MM-A05)."""
    pair = pair_of(s, one, other)
    return pair.made == 1 and pair.broken_by == 0


def in_contact(s: State, i: int, e: int) -> bool:
    """Return True if unit i is in contact with enemy e, unless e is just revealing itself (MM-A05)."""
    return is_unbroken(s, i, e) and s.units[e].revealing == 0


def is_visible(u: Unit) -> bool:
    """Return True if the enemy sees the unit: on the map, not a hidden Mek, not commandos (MM-A05)."""
    return u.present == 1 and u.hidden == 0 and u.kind != c.COMMANDOS


def is_mek(u: Unit) -> bool:
    """Return True for a Mek, False for something that only looks like one."""
    return u.kind == c.MEK and u.decoy == 0


def holds_ground(u: Unit) -> bool:
    """Return True if the unit counts as present in its zone: Mek, vehicle, infantry, hidden or not (MM-D75)."""
    return u.present == 1 and u.decoy == 0 and u.kind != c.COMMANDOS


def is_unknown(s: State, e: int) -> bool:
    """Return True if unit e is hidden: undetected infantry, hidden Mek or decoy (ledger 6.9)."""
    unit = s.units[e]
    if unit.present == 0:
        return False
    return unit.hidden == 1 or unit.decoy == 1 or (unit.kind == c.INFANTRY and unit.detected == 0)


def has_visible(s: State, side: int, zone: int) -> bool:
    """Return True if a side has a visible unit in a zone."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        if s.units[i].zone == zone and is_visible(s.units[i]):
            return True
    return False


def distance(b: Battle, one: int, other: int) -> int:
    """Return the zone moves between two zones (ledger 2.13). MM-019; with house rule diagonal-moves of MM-D14."""
    rows = abs((one - 1) // 3 - (other - 1) // 3)
    columns = abs((one - 1) % 3 - (other - 1) % 3)
    return max(rows, columns) if b.diagonal else rows + columns


def is_exit(b: Battle, zone: int) -> bool:
    """Return True if units may leave the map from a zone (MM-021)."""
    return b.exits & (1 << zone) != 0


def living_meks(s: State, side: int) -> int:
    """Return how many of a side's Meks are on the map or still to come."""
    count = 0
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if is_mek(u) and u.lost_by == 0 and u.off != c.LEFT:
            count += 1
    return count


def weapon_of(s: State, i: int, slot: int) -> Weapon:
    """Return the weapon in a slot of unit i."""
    return s.weapons[i * c.WEAPON_SLOTS + slot]


def number_of(weapon: Weapon, band: int) -> int:
    """Return the number that a weapon needs at a band; OUT_OF_RANGE if it doesn't reach (MM-042)."""
    if band == c.SHORT:
        return weapon.short
    if band == c.MEDIUM:
        return weapon.medium
    return weapon.long


def reaches(weapon: Weapon, band: int) -> bool:
    """Return True if an intact weapon can fire at a band (MM-042)."""
    return weapon.intact == 1 and number_of(weapon, band) != c.OUT_OF_RANGE


def rating_of(s: State, i: int) -> int:
    """Return a Mek's heat rating from chassis, Chassis Familiarity, working sinks and moors (MM-058)."""
    u = s.units[i]
    return u.heat_rating + u.sinks + s.zones[u.zone].heat


def hits_to_go(u: Unit) -> int:
    """Return a unit's Hits left; for infantry the kills still needed to remove it, at least 1 (MM-A27)."""
    if u.kind == c.INFANTRY:
        return max(1, 6 - u.kills)
    return u.hits


def strength_of(u: Unit) -> int:
    """Return a unit's worth in its present state, in 1/COMMON points (MM-A06)."""
    if u.kind == c.COMMANDOS:
        return 0
    if u.kind == c.INFANTRY:
        return 5 * 60
    return u.price * u.hits * (60 // u.full_hits)


def strength_in_zone(s: State, side: int, zone: int) -> int:
    """Return the strength of a side's visible units in a zone, in 1/COMMON points (MM-A06)."""
    b = s.battle
    total = 0
    for i in range(first_of(b, side), end_of(b, side)):
        if s.units[i].present and s.units[i].zone == zone and s.units[i].hidden == 0:
            total += strength_of(s.units[i])
    return total


def has_contact(s: State, i: int) -> bool:
    """Return True if a unit is in unbroken contact with any enemy."""
    b = s.battle
    if s.units[i].present == 0:
        return False
    foe = 1 - s.units[i].side
    for e in range(first_of(b, foe), end_of(b, foe)):  # noqa: SIM110 - the compiled run knows no generators
        if is_unbroken(s, i, e):
            return True
    return False


def is_linked(s: State, i: int, e: int) -> bool:
    """Return True if a friend's data link lets unit i fire missiles at enemy e this round (MM-040)."""
    b = s.battle
    n = count_units(s)
    side = s.units[i].side
    for f in range(first_of(b, side), end_of(b, side)):
        if f != i and s.units[f].systems & c.DATA_LINK and s.sights[f * n + e].identified:
            return True
    return False
