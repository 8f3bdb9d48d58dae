"""The steps of a turn, heat, the end of a round, victory points, the end of a battle.

A step resolves both active Warmechs' actions at once. Steps: BS-033 to BS-035, BS-048, BS-051, BS-052, BS-058, BS-AR31.
Heat: BS-100 to BS-106, BS-174, BS-AR33.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.log_notes import dice_note, place_note
from systems.blazing_steel.battle.rules import (
    TINY,
    count_standing,
    count_units,
    end_of_units,
    first_unit,
    gap,
    has_peripheral,
    weapon_of,
)
from systems.blazing_steel.battle.rules.actions import heat_of_order
from systems.blazing_steel.battle.rules.engagements import throw
from systems.blazing_steel.battle.rules.movement import charge, place
from systems.blazing_steel.battle.state import State
from systems.engine.dice import Dice, Log, note, roll


def begin_step(s: State) -> None:
    """Record the places of all Warmechs at the start of the step. BS-163."""
    for i in range(count_units(s)):
        u = s.units[i]
        u.from_x = u.x
        u.from_y = u.y
        u.from_face_x = u.face_x
        u.from_face_y = u.face_y


def count_heat(s: State, k: int) -> None:
    """Add up the heat that order k makes. BS-056, BS-127."""
    order = s.orders[k]
    u = s.units[order.unit]
    u.heat_made += heat_of_order(s, order.unit, order.action, order.slot)
    if order.action == c.SHOOT and u.energy_slot == c.NOBODY and weapon_of(s, order.unit, order.slot).energy:
        u.energy_slot = order.slot


def begin_action(s: State, k: int, log: Log) -> None:
    """Apply heat, Cool, Fortify, Smoke and Flak, at the start of the step. BS-052, BS-054, BS-058, BS-175, BS-AR31."""
    order = s.orders[k]
    if order.unit == c.NOBODY or order.action == c.NO_ACTION:
        return
    count_heat(s, k)
    u = s.units[order.unit]
    if order.action == c.COOL:
        u.cooling = 1
        note(log, "unit-cooled", unit=order.unit, heat=u.heat_made)
    elif order.action == c.FORTIFY:
        u.fortified = 1
        note(log, "unit-fortified", unit=order.unit)
    elif order.action == c.SMOKE:
        u.smoke = 1
        u.used = 1
        note(log, "smoke-thrown", unit=order.unit)
    elif order.action == c.FLAK:
        note(log, "flak-readied", unit=order.unit)


def make_charges(s: State, log: Log) -> None:
    """Make charges before any other movement; if two Warmechs charge each other, the leader moves. BS-047, BS-048."""
    for k in range(2):
        order = s.orders[k]
        if order.action != c.CHARGE:
            continue
        other = s.orders[1 - k]
        is_met = (
            k == c.FOLLOW and other.action == c.CHARGE and other.target == order.unit and order.target == other.unit
        )
        charge(s, order.unit, order.target, 0 if is_met else 1, log)


def end_step(s: State, log: Log) -> None:
    """Unfortify Warmechs that have moved and reload weapons; reloads of removed Warmechs are not logged. BS-051, BS-058."""
    for k in range(2):
        order = s.orders[k]
        if order.unit == c.NOBODY:
            continue
        u = s.units[order.unit]
        if u.x != u.from_x or u.y != u.from_y:
            u.fortified = 0
        if order.action == c.RELOAD:
            reload(s, order.unit, 0)
            if u.status == c.STANDS:
                note(log, "unit-reloaded", unit=order.unit)


def reload(s: State, i: int, with_munition: int) -> None:
    """Restore all charges of weapons, those of Munition only at the end of a round. BS-038, BS-051, BS-129."""
    for slot in range(c.SLOTS):
        w = weapon_of(s, i, slot)
        if w.munition == 0 or with_munition:
            w.ammo = w.printed + w.magazine


def roll_first(s: State, dice: Dice, log: Log) -> None:
    """Roll for which side leads the first turn and places first. BS-028."""
    b = s.battle
    while b.lead == c.NOBODY:
        own = roll(dice, 6)
        theirs = roll(dice, 6)
        if own != theirs:
            b.lead = c.SIDE_A if own > theirs else c.SIDE_B
        note(log, "lead-rolled", face1=own, face2=theirs, first=b.lead)


def put_at_edge(s: State, i: int, x: float, log: Log) -> None:
    """Place Warmech i at its table edge, facing the opposite one. BS-185."""
    u = s.units[i]
    if u.side == c.SIDE_A:
        place(s, i, x, u.radius, 0.0, 1.0)
    else:
        place(s, i, x, s.battle.table - u.radius, 0.0, -1.0)
    note(log, "unit-deployed", place_note(s, i), unit=i)


def log_place(s: State, i: int, log: Log) -> None:
    """Log Warmech i's place, which the set-up has fixed. BS-185, BS-186."""
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
    """Return a side's first Warmech within 2 inches of the hill's marker; NOBODY if there is none. BS-194, BS-195."""
    b = s.battle
    for i in range(first_unit(b, side), end_of_units(b, side)):
        u = s.units[i]
        if u.status == c.STANDS and gap(u.x, u.y, u.radius, b.hill_x, b.hill_y, 0.0) <= c.HILL_REACH + TINY:
            return i
    return c.NOBODY


def score_objectives(s: State, log: Log) -> None:
    """Score a round's victory points. BS-193 to BS-195."""
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
    """Return a side's kill points times the points of the enemy's whole force. BS-190."""
    lost = s.sides[1 - side]
    if s.battle.kills_each:
        return lost.lost * lost.points
    return max(s.battle.count_a, s.battle.count_b) * lost.lost_points


def points_share(s: State, side: int) -> int:
    """Return a side's victory points times the points of the enemy's force, a whole number. BS-190 to BS-197."""
    own = s.sides[side]
    return kill_share(s, side) + (own.zone_points + own.hill_points) * s.sides[1 - side].points


def lead_in_points(s: State) -> int:
    """Return side A's victory points minus side B's, times the points of both forces. BS-197."""
    return points_share(s, c.SIDE_A) * s.sides[c.SIDE_A].points - points_share(s, c.SIDE_B) * s.sides[c.SIDE_B].points


def end_battle(s: State, reason: int) -> None:
    """End the battle: the only side left wins, otherwise the one with more points. BS-196, BS-197."""
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
    """End the battle after a turn if a side has nobody left. BS-196."""
    if count_standing(s, c.SIDE_A) == 0 or count_standing(s, c.SIDE_B) == 0:
        end_battle(s, c.ANNIHILATION)


def rolls_heat(s: State, k: int) -> bool:
    """Return True if order k's active Warmech rolls heat at the end of the turn. BS-035, BS-052, BS-100, BS-106."""
    i = s.orders[k].unit
    if i == c.NOBODY:
        return False
    u = s.units[i]
    return u.status == c.STANDS and u.cooling == 0 and u.heat_made > 0


def can_use_rods(s: State, i: int) -> bool:
    """Return True if Coolant Rods are ready. BS-174."""
    u = s.units[i]
    return has_peripheral(u, c.RODS) and u.used == 0


def use_rods(s: State, i: int, log: Log) -> None:
    """Remove this turn's heat; the next activation of the round makes none. BS-174."""
    u = s.units[i]
    u.used = 1
    u.ban = c.BAN_NEXT
    note(log, "rods-used", unit=i, heat=u.heat_made)
    u.heat_made = 0


def roll_heat(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll a turn's heat dice. Merging pairs is binary addition of weights; two sixes weigh 64. BS-100 to BS-105."""
    u = s.units[i]
    throw(s, u.heat_made, dice)
    removed = 0
    for at in range(u.heat_made):
        face = s.faces[at].face
        if face == 1 and u.sinks:
            removed += 1
        else:
            u.heat += 1 << (face - 1)
    if u.heat >= c.OVERHEAT:
        u.overheated = 1
        u.overheats += 1
    note(
        log,
        "heat-rolled",
        dice_note(s, u.heat_made),
        unit=i,
        removed=removed,
        heat=u.heat,
        overheats=u.overheated,
    )
    u.heat_made = 0
