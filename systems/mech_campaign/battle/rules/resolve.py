"""Elimination and resolve: when a unit is gone, and when its force has had enough. MC-100 to MC-103, MC-120, MC-121."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.facts import active_units
from systems.mech_campaign.battle.state import State


def end_battle(s: State, winner: int, reason: int) -> None:
    """The battle is over; nothing more is rolled. MC-102, MC-120, MC-121."""
    b = s.battle
    b.over = 1
    b.winner = winner
    b.reason = reason


def resolve_score(face: int, bonus: int, lost: int) -> int:
    """What a resolve roll comes to; below 1 the force retreats. MC-101, MC-102."""
    return face + bonus - lost


def check_resolve(s: State, side: int, dice: Dice, log: Log) -> None:
    """The test of a side that has lost a unit: none if nobody is left. MC-101 to MC-103."""
    b = s.battle
    if active_units(s, side) == 0:
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
    """Unit e is removed with its markers, and its owner tests resolve. MC-100, MC-101."""
    t = s.units[e]
    t.status = c.DEAD
    t.suppression = 0
    t.lock = c.NOBODY
    t.killer = by
    s.units[by].kills += 1
    s.sides[t.side].lost += 1
    note(log, "unit-eliminated", unit=e, by=by, lost=s.sides[t.side].lost)
    check_resolve(s, t.side, dice, log)
