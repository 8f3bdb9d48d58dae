"""Line of sight, needed numbers, shots, suppressive fire, target locks, repairs, recovery. MC-070 to MC-091."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.scenarios import eliminate
from systems.mech_campaign.battle.state import State, Unit
from systems.spaces.plane import is_ahead, is_crossed, is_inside, square

UNSEEN = 0
COVER, HEIGHT = 16, 32  # bits added to SEEN by `line`
SEEN = 1


def line(s: State, one_kind: int, x: int, y: int, other_kind: int, tx: int, ty: int) -> int:
    """Return the line of fire from (x, y) to (tx, ty): UNSEEN, or SEEN, with COVER and HEIGHT added if they apply.

    MC-077 to MC-079.
    """
    found = SEEN
    if one_kind == c.DRONE or other_kind == c.DRONE:
        if other_kind != c.DRONE:
            for k in range(s.battle.discs):
                disc = s.discs[k]
                if disc.kind == c.RUBBLE and is_inside(disc.x, disc.y, disc.radius, tx, ty):
                    return SEEN + COVER
        return found
    covered = False
    hidden = False
    high = False
    target_high = False
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if not is_crossed(disc.x, disc.y, disc.radius, x, y, tx, ty):
            continue
        if disc.kind == c.WORKS:
            return UNSEEN
        if disc.kind == c.HILL:
            hidden = True
            high = high or is_inside(disc.x, disc.y, disc.radius, x, y)
            target_high = target_high or is_inside(disc.x, disc.y, disc.radius, tx, ty)
        elif not is_inside(disc.x, disc.y, disc.radius, x, y):
            covered = True
    if hidden and not high and not target_high:
        return UNSEEN
    if covered:
        found += COVER
    if high and not target_high:
        found += HEIGHT
    return found


def sees(s: State, u: Unit, x: int, y: int, e: int) -> bool:
    """Return True if unit u at (x, y) has a line of sight to unit e. MC-077."""
    t = s.units[e]
    return line(s, u.kind, x, y, t.kind, t.x, t.y) != UNSEEN


def needed_number(u: Unit, found: int) -> int:
    """Return the number that u's die needs without a lock, for a line in sight: 3 .. 6. MC-073, MC-074."""
    need = c.TO_HIT - u.aim
    if found & COVER:
        need += 1
    if found & HEIGHT:
        need -= 1
    return need


def in_reach(x: int, y: int, tx: int, ty: int) -> bool:
    """Return True if the points are within 12 in. MC-070."""
    return square(x, y, tx, ty) <= c.REACH * c.REACH


def needed_at(s: State, u: Unit, x: int, y: int, e: int) -> int:
    """Return the number that u needs to hit e from (x, y), any facing and no lock; 0 if it can't fire. MC-070."""
    t = s.units[e]
    if not in_reach(x, y, t.x, t.y):
        return 0
    found = line(s, u.kind, x, y, t.kind, t.x, t.y)
    return needed_number(u, found) if found != UNSEEN else 0


def needed_now(s: State, u: Unit, e: int) -> int:
    """Return the number that u needs to hit e from where it is, without a lock; 0 if it can't fire. MC-070."""
    t = s.units[e]
    if not in_reach(u.x, u.y, t.x, t.y) or not is_ahead(u.face_x, u.face_y, u.x, u.y, t.x, t.y):
        return 0
    found = line(s, u.kind, u.x, u.y, t.kind, t.x, t.y)
    return needed_number(u, found) if found != UNSEEN else 0


def needed_against(s: State, e: int, u: Unit, x: int, y: int) -> int:
    """Return the number that e, where it is, needs to hit u at (x, y), without a lock; 0 if it can't fire. MC-070."""
    t = s.units[e]
    if not in_reach(t.x, t.y, x, y) or not is_ahead(t.face_x, t.face_y, t.x, t.y, x, y):
        return 0
    found = line(s, t.kind, t.x, t.y, u.kind, x, y)
    return needed_number(t, found) if found != UNSEEN else 0


def has_lock(s: State, i: int, e: int) -> bool:
    """Return True if unit e has a lock placed by a unit other than i. MC-075, MC-088."""
    return s.units[e].lock != c.NOBODY and s.units[e].lock != i


def needed_with_lock(s: State, i: int, e: int) -> int:
    """Return the number needed now with all modifiers, 2 .. 6, and use up any lock. MC-074, MC-075."""
    need = needed_now(s, s.units[i], e)
    if has_lock(s, i, e):
        s.units[e].lock = c.NOBODY
        need -= 1
    return need


def hurt(s: State, e: int, i: int, dice: Dice, log: Log) -> None:
    """Deal one damage to unit e from unit i. MC-073, MC-100."""
    t = s.units[e]
    t.damage += 1
    note(log, "hit-taken", unit=e, target=i, damage=t.damage)
    if t.damage >= c.DAMAGE_TO_ELIMINATE:
        eliminate(s, e, i, dice, log)


def shoot(s: State, i: int, e: int, cost: int, dice: Dice, log: Log) -> None:
    """Fire an allowed shot. MC-073 to MC-076."""
    u = s.units[i]
    t = s.units[e]
    found = line(s, u.kind, u.x, u.y, t.kind, t.x, t.y)
    locked = 1 if has_lock(s, i, e) else 0
    need = needed_with_lock(s, i, e)
    face = roll(dice, 6)
    cover = -1 if found & COVER else 0
    height = 1 if found & HEIGHT else 0
    note(
        log,
        "shot-rolled",
        unit=i,
        target=e,
        cost=cost,
        face=face,
        number=c.TO_HIT,
        cover=cover,
        height=height,
        lock=locked,
        aim=u.aim,
        hit=face >= need,
    )
    if face >= need:
        hurt(s, e, i, dice, log)


REPAIR_NEED = 4  # MC-090
MIN_REPAIRED = 2  # MC-090, MC-091: the least damage that can be repaired


def suppress(s: State, i: int, e: int, cost: int, dice: Dice, log: Log) -> None:
    """Place one suppression marker with allowed fire; by house rule only on a hit. MC-080, MC-081, MC-D15, MC-D20."""
    u = s.units[i]
    t = s.units[e]
    if s.battle.to_hit:
        found = line(s, u.kind, u.x, u.y, t.kind, t.x, t.y)
        locked = 1 if has_lock(s, i, e) else 0
        need = needed_with_lock(s, i, e)
        face = roll(dice, 6)
        cover = -1 if found & COVER else 0
        height = 1 if found & HEIGHT else 0
        note(
            log,
            "suppression-rolled",
            unit=i,
            target=e,
            cost=cost,
            face=face,
            number=c.TO_HIT,
            cover=cover,
            height=height,
            lock=locked,
            aim=u.aim,
            hit=face >= need,
        )
        if face < need:
            return
        cost = 0
    t.suppression += 1
    note(log, "suppression-placed", unit=i, target=e, cost=cost, markers=t.suppression)


def lock(s: State, i: int, e: int, cost: int, log: Log) -> None:
    """Place an allowed lock. MC-086, MC-087, MC-089."""
    s.units[e].lock = i
    note(log, "lock-placed", unit=i, target=e, cost=cost)


def repair(s: State, i: int, cost: int, dice: Dice, log: Log) -> None:
    """Roll for an allowed repair. MC-090, MC-091."""
    u = s.units[i]
    face = roll(dice, 6)
    if face >= REPAIR_NEED:
        u.damage -= 1
    note(
        log,
        "repair-rolled",
        unit=i,
        cost=cost,
        face=face,
        number=REPAIR_NEED,
        success=face >= REPAIR_NEED,
        damage=u.damage,
    )


def recover(s: State, i: int, cost: int, log: Log) -> None:
    """Remove one suppression marker. MC-084."""
    s.units[i].suppression -= 1
    note(log, "suppression-removed", unit=i, cost=cost, markers=s.units[i].suppression)


def clear_markers(s: State, i: int) -> None:
    """Remove all of a unit's markers at the end of its owner's turn. MC-032, MC-085."""
    s.units[i].suppression = 0
    s.units[i].lock = c.NOBODY
