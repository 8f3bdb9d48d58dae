"""One step of a turn: both active Warmechs' actions, resolved at once.

BS-033 to BS-035, BS-048, BS-051, BS-052, BS-058, BS-AR31.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.actions import heat_of_order
from systems.blazing_steel.battle.rules.facts import count_units, weapon_of
from systems.blazing_steel.battle.rules.movement import charge
from systems.blazing_steel.battle.state import State
from systems.engine.dice import Log, note


def begin_step(s: State) -> None:
    """Record the places of all Warmechs at the start of the step. BS-163."""
    for i in range(count_units(s)):
        u = s.units[i]
        u.from_x = u.x
        u.from_y = u.y
        u.from_face_x = u.face_x
        u.from_face_y = u.face_y


def count_heat(s: State, k: int) -> None:
    """Count the heat that order k makes. BS-056, BS-127."""
    order = s.orders[k]
    u = s.units[order.unit]
    u.heat_made += heat_of_order(s, order.unit, order.action, order.slot)
    if order.action == c.SHOOT and u.energy_slot == c.NOBODY and weapon_of(s, order.unit, order.slot).energy:
        u.energy_slot = order.slot


def begin_action(s: State, k: int, log: Log) -> None:
    """Apply heat, Cool, Fortify, Smoke and Flak, which start with the step. BS-052, BS-054, BS-058, BS-175, BS-AR31."""
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
    """Make charges before any other movement; if two charge each other, the leader moves. BS-047, BS-048."""
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
    """Restore all charges of weapons; Munition only at the end of a round. BS-038, BS-051, BS-129."""
    for slot in range(c.SLOTS):
        w = weapon_of(s, i, slot)
        if w.munition == 0 or with_munition:
            w.ammo = w.printed + w.magazine
