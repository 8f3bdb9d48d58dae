"""The AI's choices before a battle: Objectives, marks, deployment. Ledger HX-A31 to HX-A33."""

from __future__ import annotations

from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.ground import can_fly, count_hexes, distance, ground_refusal, is_hazard, own_hex
from systems.hex_core.battle.rules.missions import in_deployment, mark_refusal, objective_refusal
from systems.hex_core.battle.rules.units import end_of_units, first_unit, vital_dp, weapon_of
from systems.hex_core.battle.state import State

LINE = (7, 9, 5, 11, 3, 13, 1, 15)  # the preferred column of each Unit of a side


def objective_hex(s: State, side: int) -> int:
    """Return the hex in which the winner of the roll-off places the next Objective or object. HX-A31."""
    best = -1
    chosen = c.NOBODY
    for k in range(count_hexes(s)):
        at = own_hex(s, side, k)
        own = s.hexes[k]
        key = (own.row * 64 + 63 - abs(own.column - 7)) * 64 + 63 - own.column
        if key > best and objective_refusal(s, at) == 0:
            best = key
            chosen = at
    return chosen


def mark_of(s: State, side: int) -> int:
    """Return the enemy that a side marks for destruction. HX-A32."""
    chosen = c.NOBODY
    for t in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        if mark_refusal(s, t) == 0 and (chosen < 0 or vital_dp(s, t) < vital_dp(s, chosen)):
            chosen = t
    return chosen


def shoots_first(s: State, i: int) -> bool:
    """Return True if the primary weapon is ranged. HX-A33, HX-A40."""
    u = s.units[i]
    return u.primary >= 0 and weapon_of(s, i, u.primary).melee == 0


def starts_aloft(s: State, i: int) -> bool:
    """Return True if the Unit starts aloft. HX-A33."""
    u = s.units[i]
    return can_fly(u) and (u.kind != c.MECH or shoots_first(s, i))


def count_deployed_friends(s: State, i: int, at: int) -> int:
    """Return how many friends stand in a hex."""
    u = s.units[i]
    found = 0
    for j in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side)):
        if s.units[j].at == at:
            found += 1
    return found


def deployment_refusal(s: State, i: int, at: int) -> int:
    """Return why the Unit can't start in a hex; 0 if it can. HX-059, HX-A33."""
    if not in_deployment(s, s.units[i].side, at):
        return c.NOT_ALLOWED
    if starts_aloft(s, i):
        return c.IS_BUILDING if s.hexes[at].dp > 0 else 0
    return ground_refusal(s, s.units[i], at)


def column_of(s: State, i: int) -> int:
    """Return the column for a Unit, from its side's view: the ordered one, else its place in the line. HX-A33, HX-A60."""
    u = s.units[i]
    if u.told_column >= 0:
        return u.told_column
    return min(LINE[i - first_unit(s.battle, u.side)], s.battle.columns - 1)


def deployment_hex(s: State, i: int) -> int:
    """Return the hex where a Unit starts: nearest to its place in the line. HX-A33."""
    u = s.units[i]
    b = s.battle
    row = 12 if u.marked else (11 if s.sides[u.side].doctrine == c.CAUTIOUS else 10)
    wanted = own_hex(s, u.side, (row + b.rows - 13) * b.columns + column_of(s, i))
    aloft = starts_aloft(s, i)
    chosen = c.NOBODY
    nearest = c.FAR
    for crowd in range(4):  # if all free hexes are hazards, take one of those; if all are full, share one
        for k in range(count_hexes(s)):
            at = own_hex(s, u.side, k)
            away = distance(s, wanted, at)
            if away >= nearest or deployment_refusal(s, i, at) or count_deployed_friends(s, i, at) > crowd // 2:
                continue
            if crowd % 2 or not is_hazard(s, u, aloft, at):
                chosen = at
                nearest = away
        if chosen >= 0:
            break
    return chosen
