"""Suppressive fire, target locks, repairs, recovering. MC-080 to MC-091."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.shooting import COVER, HEIGHT, has_lock, line, needed_with_lock
from systems.mech_campaign.battle.state import State

REPAIR_NEED = 4  # MC-090
MIN_REPAIRED = 2  # MC-090, MC-091: damage that can be repaired


def suppress(s: State, i: int, e: int, cost: int, dice: Dice, log: Log) -> None:
    """Place one suppression marker by allowed fire; under the house rule only on a hit. MC-080, MC-081, MC-D15, MC-D20."""
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
    """Remove all markers of a unit, at the end of its owner's turn. MC-032, MC-085."""
    s.units[i].suppression = 0
    s.units[i].lock = c.NOBODY
