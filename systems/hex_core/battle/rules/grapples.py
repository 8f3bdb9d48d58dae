"""Grappling: the contest, Throw and Constrain, breaking free. HX-008, HX-101, HX-121 to HX-130, HX-D46 to HX-D51."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    asl_now,
    count_units,
    distance,
    ground_refusal,
    has_arm,
    in_front,
    sight,
    toward,
)
from systems.hex_core.battle.rules.attacks import hits
from systems.hex_core.battle.rules.damage import hit_ground, hurt_area, let_go
from systems.hex_core.battle.state import State


def d4(face: int) -> int:
    """Convert a D8 face to a D4. HX-008."""
    return (face + 1) // 2


def grapple_refusal(s: State, i: int, t: int) -> int:
    """Return why Unit i can't grapple Unit t; 0 if it can. HX-121, HX-123, HX-D46, HX-D47."""
    u = s.units[i]
    other = s.units[t]
    if not has_arm(s, i):
        return c.GRAPPLE_NO_HANDS
    if u.thrust:
        return c.PHASE_FORFEITED
    if u.phase != c.CLOSE:
        return c.GRAPPLE_WRONG_PHASE
    if u.broke_contact:
        return c.GRAPPLE_ENDED
    if u.done or u.held_by >= 0 or u.holds >= 0 or u.stunned or other.held_by >= 0 or other.holds >= 0:
        return c.CANNOT_ACT
    if distance(s, u.at, other.at) > 1 or u.level != other.level:
        return c.OUT_OF_RANGE
    if not in_front(s, u.at, u.facing, other.at):
        return c.NOT_IN_FOV
    return c.NOT_ENOUGH_AP if u.pool < c.GRAPPLE_AP else 0


def contest(s: State, i: int, t: int, dice: Dice, log: Log) -> int:
    """Roll Assault Rolls until not both pass (once if both always pass) and return the result. HX-122, HX-123."""
    u = s.units[i]
    other = s.units[t]
    u.pool -= c.GRAPPLE_AP
    u.attacks += 1
    paid = c.GRAPPLE_AP
    endless = hits(1, u.grip, asl_now(s, i)) and hits(1, other.grip, asl_now(s, t))
    while True:
        face = roll(dice, c.D8)
        against = roll(dice, c.D8)
        made = hits(face, u.grip, asl_now(s, i))
        held = hits(against, other.grip, asl_now(s, t))
        result = c.TIE
        if made and not held:
            result = c.WIN
        elif held and not made:
            result = c.BROKEN_CONTACT
            u.broke_contact = 1
        elif not made or endless:
            result = c.NO_HOLD
        note(
            log,
            "grapple-rolled",
            unit=i,
            target=t,
            face1=face,
            face2=against,
            need=asl_now(s, i),
            against=asl_now(s, t),
            grip=u.grip,
            other_grip=other.grip,
            result=result,
            paid=paid,
        )
        paid = 0
        if result != c.TIE:
            return result


def close_in(s: State, i: int, t: int) -> None:
    """Move the winner into the loser's hex and end the loser's stance. HX-125."""
    u = s.units[i]
    other = s.units[t]
    u.at = other.at
    other.kneeling = 0
    other.watch = c.NOBODY
    other.cover = c.NO_COVER


def constrain(s: State, i: int, t: int, log: Log) -> None:
    """Hold the loser. HX-128."""
    close_in(s, i, t)
    s.units[i].holds = t
    s.units[i].held_since_turn = 0
    s.units[i].watch = c.NOBODY
    s.units[t].held_by = i
    note(log, "unit-held", unit=i, target=t, at=s.units[i].at, facing=s.units[i].facing, level=s.units[i].level)


def landing_refusal(s: State, i: int, t: int, to: int, limit: int) -> int:
    """Return why Unit i, in or entering Unit t's hex, can't throw it to a hex; 0 if it can. HX-126, HX-D48."""
    u = s.units[i]
    other = s.units[t]
    away = distance(s, other.at, to)
    if away < 1 or away > limit:
        return c.OUT_OF_RANGE
    if not in_front(s, other.at, u.facing, to):
        return c.NOT_IN_FOV
    refusal = ground_refusal(s, other, to)
    if refusal:
        return refusal
    for k in range(count_units(s.battle)):
        if s.units[k].status == c.STANDS and s.units[k].at == to and s.units[k].level == s.hexes[to].level:
            return c.HEX_OCCUPIED
    return c.NO_LOS if sight(s, other.at, other.level, to, s.hexes[to].level, 0) < 0 else 0


def throw_damage(s: State, t: int, away: int) -> int:
    """Return the damage of a throw. HX-126."""
    return max(0, 2 * away - s.units[t].klass)


def throw(s: State, i: int, t: int, to: int, log: Log) -> None:
    """Throw Unit t onto its back in a hex, facing the thrower. HX-126, HX-127, HX-162, HX-D49.

    Over an edge it falls as well.
    """
    other = s.units[t]
    height = other.level
    away = distance(s, other.at, to)
    close_in(s, i, t)
    other.facing = toward(s, to, other.at, other.side)
    other.at = to
    other.level = s.hexes[to].level
    other.down = 1
    other.prone = 0
    note(
        log,
        "unit-thrown",
        unit=t,
        by=i,
        at=to,
        facing=other.facing,
        level=other.level,
        hexes=away,
        to=s.units[i].at,
        damage=throw_damage(s, t, away),
    )
    hurt_area(s, t, c.TORSO, throw_damage(s, t, away), i, c.BY_THROW, log)
    if other.status == c.STANDS and height > other.level:
        hit_ground(s, t, height - other.level, i, log)


def break_refusal(s: State, i: int) -> int:
    """Return why the Unit can't try to break free; 0 if it can. HX-101."""
    u = s.units[i]
    if u.held_by < 0 or u.stunned:
        return c.CANNOT_ACT
    return c.NOT_ENOUGH_AP if u.pool < c.COMMAND else 0


def break_grapple(s: State, i: int, dice: Dice, log: Log) -> None:
    """Try once to break free. HX-101, HX-130."""
    u = s.units[i]
    u.pool -= c.COMMAND
    face = roll(dice, c.D8)
    made = hits(face, u.grip, asl_now(s, i))
    note(
        log,
        "break-rolled",
        unit=i,
        target=u.held_by,
        face=face,
        need=asl_now(s, i),
        grip=u.grip,
        made=made,
    )
    if made:
        let_go(s, u.held_by, log)


def release(s: State, i: int, log: Log) -> None:
    """Let go of the held Unit in the holder's own turn. HX-130."""
    let_go(s, i, log)
