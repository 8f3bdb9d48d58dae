"""Zone movement: sweeps, arrivals, moves, leaving the map. MM-018 to MM-023, MM-033, MM-098."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.detection import sensor_class, unmask_decoy
from systems.meks_and_mercs.battle.rules.facts import (
    count_units,
    distance,
    end_of,
    first_of,
    has_contact,
    is_mek,
    is_unknown,
    pair_of,
)
from systems.meks_and_mercs.battle.rules.firepower import mark_changed, touch_side
from systems.meks_and_mercs.battle.rules.support import step_on_mines
from systems.meks_and_mercs.battle.state import State


def hawkeye_sweep(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Take Hawkeye's one look per phase at something hidden in an adjacent zone: 5+ reveals it. MM-074."""
    target = s.units[e]
    face = roll(dice, 6)
    found = 1 if face >= 5 else 0
    note(log, "hawkeye-swept", unit=i, target=e, face=face, needed=5, success=found)
    if found == 0:
        return
    if target.decoy:
        unmask_decoy(s, e, i, log)
    elif target.kind == c.INFANTRY:
        target.detected = 1
    else:
        target.hidden = 0


def sweep(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let unit i look into adjacent zones. MM-038, MM-074, MM-083, MM-D24, MM-A40 (2)."""
    b = s.battle
    u = s.units[i]
    advanced = sensor_class(u) == c.ADVANCED
    spent = 0
    for zone in range(1, c.LAST_ZONE + 1):
        if distance(b, u.zone, zone) != 1:
            continue
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            target = s.units[e]
            if target.zone != zone or not is_unknown(s, e):
                continue
            if advanced and target.decoy:
                unmask_decoy(s, e, i, log)
                continue
            if advanced and target.kind == c.INFANTRY:
                face = roll(dice, 6)
                target.detected = 1 if face - 2 >= 3 else 0
                note(log, "sweep-rolled", unit=i, target=e, face=face, range=-2, needed=3, success=target.detected)
            if u.skills & c.HAWKEYE and spent == 0 and is_unknown(s, e):
                spent = 1
                hawkeye_sweep(s, i, e, dice, log)


def look_around(s: State, side: int, dice: Dice, log: Log) -> None:
    """Let a side's units with advanced sensors or Hawkeye look into adjacent zones. MM-038, MM-074."""
    for i in range(first_of(s.battle, side), end_of(s.battle, side)):
        u = s.units[i]
        if u.present == 0 or u.hidden or u.decoy or u.kind == c.INFANTRY:
            continue
        if u.skills & c.HAWKEYE or sensor_class(u) == c.ADVANCED:
            sweep(s, i, dice, log)


def set_down(s: State, i: int, zone: int, dice: Dice, log: Log) -> None:
    """Put a unit into a zone, where it may step on mines. MM-019, MM-081."""
    u = s.units[i]
    before = s.zones[u.zone]
    now = s.zones[zone]
    if u.dug_in or before.to_hit != now.to_hit or before.heat != now.heat:
        mark_changed(s, i)
    if s.battle.phalanxes:
        touch_side(s, u.side)
    u.zone = zone
    u.dug_in = 0
    step_on_mines(s, i, dice, log)


def arrive(s: State, side: int, dice: Dice, log: Log) -> None:
    """Let a side's units that are still off the map arrive. MM-098."""
    b = s.battle
    waiting = 0
    for i in range(first_of(b, side), end_of(b, side)):
        if s.units[i].off == c.WAITING:
            waiting += 1
    if waiting == 0 or b.arrival_low == 0:
        return
    face = roll(dice, 6)
    zone = b.arrival_low if face <= 3 else b.arrival_high
    note(log, "arrival-zone-rolled", face=face, zone=zone)
    needed = max(1, 5 - b.turn)  # 4+, 3+, 2+, then everybody
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        if u.off != c.WAITING:
            continue
        if needed > 1:
            face = roll(dice, 6)
            note(log, "arrival-rolled", unit=i, face=face, needed=needed, arrived=face >= needed)
            if face < needed:
                continue
        u.off = 0
        u.present = 1
        u.moved = 1
        u.start_zone = zone
        note(log, "unit-arrived", unit=i, zone=zone)
        set_down(s, i, zone, dice, log)


def is_free_to_move(s: State, i: int) -> bool:
    """Return True if unit i may move in this phase. MM-020, MM-022."""
    u = s.units[i]
    if u.present == 0 or u.hidden or u.moved or u.decoy or u.kind == c.INFANTRY:
        return False
    return not has_contact(s, i)


def move_unit(s: State, i: int, zone: int, second: int, dice: Dice, log: Log) -> None:
    """Move free unit i to a zone, keep it in its own, or let it leave (OFF_MAP). MM-018 to MM-023.

    A wounded pilot moves only on 5+.
    """
    u = s.units[i]
    u.moved = 1
    if zone == u.zone:
        return
    if u.wounded:
        face = roll(dice, 6)
        note(log, "move-rolled", unit=i, face=face, moves=face >= 5)
        if face < 5:
            return
    u.moved = 2
    if zone == c.OFF_MAP:
        note(log, "unit-left", unit=i, zone=u.zone)
        u.zone = c.OFF_MAP
        u.off = c.LEFT
        u.present = 0
        u.dug_in = 0
        if is_mek(u):
            s.sides[u.side].exited += 1
        if s.battle.phalanxes:
            touch_side(s, u.side)
        return
    note(log, "unit-moved", unit=i, before=u.zone, zone=zone, second=second)
    set_down(s, i, zone, dice, log)


def reopen_contacts(s: State, side: int, log: Log) -> None:
    """End the pairs that this side broke; units still in the same zone will meet again. MM-033."""
    b = s.battle
    for a in range(b.attackers):
        for d in range(b.attackers, count_units(s)):
            pair = pair_of(s, a, d)
            if pair.made and pair.broken_by == side + 1:
                pair.made = 0
                pair.broken_by = 0
                if s.units[a].zone == s.units[d].zone and s.units[a].present and s.units[d].present:
                    note(log, "contact-reopened", unit=a, target=d)
