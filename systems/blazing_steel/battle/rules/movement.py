"""Moves, Sprints, Jumps and Charges, and the limits on them. BS-040 to BS-048, BS-155, BS-AR02 to BS-AR04."""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.log_notes import path_note
from systems.blazing_steel.battle.rules import (
    TINY,
    allowance,
    can_walk,
    count_units,
    in_contact,
    turn_left,
    turn_right,
    turned,
)
from systems.blazing_steel.battle.state import State
from systems.engine.dice import Log, note
from systems.spaces.inches import squared, squared_to_way, way


def is_movement(action: int) -> bool:
    """Return True for actions during which a Warmech may dodge. Ledger 2.2."""
    return action in (c.MOVE, c.SPRINT, c.JUMP)


def on_table(size: float, x: float, y: float, radius: float) -> bool:
    """Return True if a base there is entirely on a table of that size. BS-046."""
    least = radius - TINY
    most = size - radius + TINY
    return x >= least and y >= least and x <= most and y <= most


def is_clear(s: State, i: int, x: float, y: float, jump: int, skip: int) -> bool:
    """Return True if Warmech i may move straight to a point; enemy `skip` doesn't block it. BS-045, BS-046, BS-AR02."""
    u = s.units[i]
    if not on_table(s.battle.table, x, y, u.radius):
        return False
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.kind == c.BLOCK:
            least = disc.radius + u.radius - TINY
            near = squared(disc.x, disc.y, x, y) if jump else squared_to_way(disc.x, disc.y, u.x, u.y, x, y)
            if near < least * least:
                return False
    for e in range(count_units(s)):
        t = s.units[e]
        if t.status != c.STANDS or e in (i, skip):
            continue
        if t.side == u.side:
            least = u.radius + t.radius - TINY
            if squared(t.x, t.y, x, y) < least * least:
                return False
            continue
        least = u.radius + t.radius + c.CONTACT + TINY
        if squared(t.x, t.y, x, y) <= least * least:
            return False
        if jump or squared_to_way(t.x, t.y, u.x, u.y, x, y) > least * least:
            continue
        if not in_contact(s, i, e) or (x - u.x) * (t.x - u.x) + (y - u.y) * (t.y - u.y) > TINY:
            return False
    return True


def movement_refusal(s: State, i: int, action: int, x: float, y: float) -> int:
    """Return why Warmech i can't end a Move, Sprint or Jump there; 0 if it can. BS-036, BS-040 to BS-046.

    Staying in place is always allowed. BS-043.
    """
    u = s.units[i]
    if not can_walk(s, u):
        return c.CANNOT_MOVE
    if x == u.x and y == u.y:
        return 0
    most = allowance(u, action) + TINY
    if squared(u.x, u.y, x, y) > most * most:
        return c.TOO_FAR
    if is_clear(s, i, x, y, 1 if action == c.JUMP else 0, c.NOBODY):
        return 0
    if action != c.JUMP or (s.battle.slot == 1 and s.battle.contact_first == 0):
        return c.WAY_BLOCKED
    return 0 if lands_clear(s, i, x, y) else c.WAY_BLOCKED


def lands_clear(s: State, i: int, x: float, y: float) -> bool:
    """Return True if a Jump can end there, even in contact with enemies. BS-042, BS-046."""
    u = s.units[i]
    if not on_table(s.battle.table, x, y, u.radius):
        return False
    for k in range(s.battle.discs):
        disc = s.discs[k]
        least = disc.radius + u.radius - TINY
        if disc.kind == c.BLOCK and squared(disc.x, disc.y, x, y) < least * least:
            return False
    for e in range(count_units(s)):
        t = s.units[e]
        least = u.radius + t.radius - TINY
        if e != i and t.status == c.STANDS and squared(t.x, t.y, x, y) < least * least:
            return False
    return True


def is_turn_allowed(s: State, i: int, action: int, face_x: float, face_y: float) -> bool:
    """Return True if Warmech i may turn to that direction after a movement. BS-044."""
    u = s.units[i]
    got_x, got_y = turned(u.face_x, u.face_y, face_x, face_y, turn_left(u, action), turn_right(u, action))
    return squared(got_x, got_y, face_x, face_y) <= TINY * TINY


def go(s: State, i: int, action: int, x: float, y: float, face_x: float, face_y: float, log: Log) -> int:
    """Move, Sprint or Jump to a point and turn there; return 0, or the reason for refusal. BS-040 to BS-046, BS-058."""
    found = movement_refusal(s, i, action, x, y)
    if found == 0 and not is_turn_allowed(s, i, action, face_x, face_y):
        found = c.TURNED_TOO_FAR
    if found:
        return found
    place(s, i, x, y, face_x, face_y)
    if s.battle.round == 0:
        note(log, "unit-advanced", path_note(s, i), unit=i)
    elif action == c.MOVE:
        note(log, "unit-moved", path_note(s, i), unit=i)
    elif action == c.SPRINT:
        note(log, "unit-sprinted", path_note(s, i), unit=i)
    else:
        note(log, "unit-jumped", path_note(s, i), unit=i)
    return 0


def place(s: State, i: int, x: float, y: float, face_x: float, face_y: float) -> None:
    """Place the Warmech. If it has moved, it is no longer fortified. BS-058."""
    u = s.units[i]
    u.x = x
    u.y = y
    u.face_x = face_x
    u.face_y = face_y


def charge_end(s: State, i: int, x: float, y: float, radius: float) -> tuple[float, float]:
    """Return where Warmech i contacts a base at (x, y), on a straight line between the centres. BS-047, BS-AR04."""
    u = s.units[i]
    to_x, to_y = way(x, y, u.x, u.y)
    reach = u.radius + radius
    return x + to_x * reach, y + to_y * reach


def charge(s: State, i: int, e: int, goes: int, log: Log) -> None:
    """Charge enemy e with Warmech i; if `goes` is 0, it only turns. BS-047, BS-048.

    It goes to where the enemy was at the start of the step.
    """
    u = s.units[i]
    t = s.units[e]
    x = u.x
    y = u.y
    if goes:
        x, y = charge_end(s, i, t.from_x, t.from_y, t.radius)
        face_x, face_y = way(x, y, t.from_x, t.from_y)
    else:
        face_x, face_y = way(x, y, t.x, t.y)
    place(s, i, x, y, face_x, face_y)
    note(log, "unit-charged", path_note(s, i), unit=i, target=e)


def is_path_clear_to_charge(s: State, i: int, e: int) -> bool:
    """Return True if only its target blocks a charge. BS-046, BS-047."""
    t = s.units[e]
    x, y = charge_end(s, i, t.x, t.y, t.radius)
    return is_clear(s, i, x, y, 0, e)
