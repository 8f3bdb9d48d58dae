"""Elimination and resolve: a unit is removed, and its force may retreat. MC-100 to MC-103, MC-120, MC-121."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.facts import count_active_units
from systems.mech_campaign.battle.state import State


def end_battle(s: State, winner: int, reason: int) -> None:
    """End the battle; nothing more is rolled. MC-102, MC-120, MC-121."""
    b = s.battle
    b.over = 1
    b.winner = winner
    b.reason = reason


def resolve_score(face: int, bonus: int, lost: int) -> int:
    """Return the result of a resolve roll; below 1 the force retreats. MC-101, MC-102."""
    return face + bonus - lost


def check_resolve(s: State, side: int, dice: Dice, log: Log) -> None:
    """Test the resolve of a side that has lost a unit; with no unit left it has lost. MC-101 to MC-103."""
    b = s.battle
    if count_active_units(s, side) == 0:
        end_battle(s, 1 - side, c.WIPED_OUT)
        return
    face = roll(dice, 6)
    lost = s.sides[side].lost
    score = resolve_score(face, b.resolve_bonus, lost)
    note(
        log,
        "resolve-rolled",
        side=side,
        face=face,
        bonus=b.resolve_bonus,
        losses=-lost,
        score=score,
        retreats=score < 1,
    )
    if score < 1:
        end_battle(s, 1 - side, c.RETREAT)


def eliminate(s: State, e: int, by: int, dice: Dice, log: Log) -> None:
    """Remove unit e with its markers, and test its owner's resolve. MC-100, MC-101."""
    t = s.units[e]
    t.status = c.DEAD
    t.suppression = 0
    t.lock = c.NOBODY
    t.killer = by
    s.units[by].kills += 1
    s.sides[t.side].lost += 1
    note(log, "unit-eliminated", unit=e, by=by, lost=s.sides[t.side].lost)
    check_resolve(s, t.side, dice, log)
