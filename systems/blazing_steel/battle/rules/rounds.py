"""Deployment, the end of a round, victory points, the end of a battle. BS-028, BS-038, BS-185 to BS-197."""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.facts import count_standing, count_units, end_of_units, first_unit
from systems.blazing_steel.battle.rules.geometry import TINY, gap
from systems.blazing_steel.battle.rules.movement import place
from systems.blazing_steel.battle.rules.steps import reload
from systems.blazing_steel.battle.state import State
from systems.blazing_steel.battle.told import place_note
from systems.engine.dice import Dice, Log, note, roll


def roll_first(s: State, dice: Dice, log: Log) -> None:
    """Roll for the side that leads the first turn and places first. BS-028."""
    b = s.battle
    while b.lead == c.NOBODY:
        own = roll(dice, 6)
        theirs = roll(dice, 6)
        if own != theirs:
            b.lead = c.SIDE_A if own > theirs else c.SIDE_B
        note(log, "lead-rolled", face1=own, face2=theirs, first=b.lead)


def put_at_edge(s: State, i: int, x: float, log: Log) -> None:
    """Place Warmech i on its table edge, facing the other one. BS-185."""
    u = s.units[i]
    if u.side == c.SIDE_A:
        place(s, i, x, u.radius, 0.0, 1.0)
    else:
        place(s, i, x, s.battle.table - u.radius, 0.0, -1.0)
    note(log, "unit-deployed", place_note(s, i), unit=i)


def log_place(s: State, i: int, log: Log) -> None:
    """Log the place of Warmech i, which its set-up has fixed. BS-185, BS-186."""
    note(log, "unit-deployed", place_note(s, i), unit=i)


def is_in_zone(s: State, i: int) -> bool:
    """Return True if the base is entirely in the enemy's deployment zone. BS-193."""
    u = s.units[i]
    if u.status != c.STANDS:
        return False
    if u.side == c.SIDE_A:
        return u.y >= s.battle.table - s.battle.zone + u.radius - TINY
    return u.y <= s.battle.zone - u.radius + TINY


def first_on_hill(s: State, side: int) -> int:
    """Return the first Warmech of a side within 2 inches of the hill's marker; NOBODY if none is. BS-194, BS-195."""
    b = s.battle
    for i in range(first_unit(b, side), end_of_units(b, side)):
        u = s.units[i]
        if u.status == c.STANDS and gap(u.x, u.y, u.radius, b.hill_x, b.hill_y, 0.0) <= c.HILL_REACH + TINY:
            return i
    return c.NOBODY


def score_objectives(s: State, log: Log) -> None:
    """Score the victory points of a round. BS-193 to BS-195."""
    for i in range(count_units(s)):
        u = s.units[i]
        if is_in_zone(s, i):
            u.held += 1
            s.sides[u.side].zone_points += 1
            note(log, "zone-scored", unit=i, side=u.side)
    a_holds = first_on_hill(s, c.SIDE_A)
    b_holds = first_on_hill(s, c.SIDE_B)
    if (a_holds == c.NOBODY) != (b_holds == c.NOBODY):
        i = max(a_holds, b_holds)
        u = s.units[i]
        u.held += 1
        s.sides[u.side].hill_points += 1
        note(log, "hill-held", unit=i, side=u.side)


def end_round(s: State, log: Log) -> None:
    """Play the End Phase: score objectives, then reset everything. BS-021, BS-038, BS-103, BS-104, BS-143."""
    score_objectives(s, log)
    for i in range(count_units(s)):
        u = s.units[i]
        u.sits_out = u.overheated
        u.overheated = 0
        u.cooling = 0
        u.heat = 0
        u.dodge_dice = c.DODGE_DICE
        u.activations = 0
        u.used = 0
        u.ban = c.NO_BAN
        u.smoke = 0
        reload(s, i, 1)
    note(log, "round-ended", number=s.battle.round)


def kill_share(s: State, side: int) -> int:
    """Return the kill points of a side, times the points of the enemy's whole force. BS-190."""
    lost = s.sides[1 - side]
    if s.battle.kills_each:
        return lost.lost * lost.points
    return max(s.battle.count_a, s.battle.count_b) * lost.lost_points


def points_share(s: State, side: int) -> int:
    """Return the victory points of a side, times the points of the enemy's force: a whole number. BS-190 to BS-197."""
    own = s.sides[side]
    return kill_share(s, side) + (own.zone_points + own.hill_points) * s.sides[1 - side].points


def lead_in_points(s: State) -> int:
    """Return the victory points of side A less those of side B, times the points of both forces. BS-197."""
    return points_share(s, c.SIDE_A) * s.sides[c.SIDE_A].points - points_share(s, c.SIDE_B) * s.sides[c.SIDE_B].points


def end_battle(s: State, reason: int) -> None:
    """End the battle: the only side left wins, else the side with more points. BS-196, BS-197."""
    b = s.battle
    b.over = 1
    b.reason = reason
    a_left = count_standing(s, c.SIDE_A)
    b_left = count_standing(s, c.SIDE_B)
    lead = lead_in_points(s)
    if (a_left > 0) != (b_left > 0):
        b.winner = c.SIDE_A if a_left else c.SIDE_B
    elif lead:
        b.winner = c.SIDE_A if lead > 0 else c.SIDE_B


def check_annihilation(s: State) -> None:
    """At the end of a turn, end the battle if a side has nobody left. BS-196."""
    if count_standing(s, c.SIDE_A) == 0 or count_standing(s, c.SIDE_B) == 0:
        end_battle(s, c.ANNIHILATION)
