"""Challenges and Revenge. ST-047, ST-048, ST-D29, ST-D30."""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.state import State


def may_challenge(s: State, i: int) -> bool:
    """Return True for the very first unit that is active in a Round. ST-047, ST-D29."""
    return s.battle.begun == 1 and s.battle.active == i and s.battle.challenger == c.NOBODY


def challenge(s: State, i: int, e: int, log: Log) -> None:
    """Challenge an enemy with unit i, until the end of the Round. ST-047."""
    s.battle.challenger = i
    s.battle.challenged = e
    note(log, "challenge-made", unit=i, target=e)


def may_avenge(s: State, side: int, gone: int) -> bool:
    """Return True if a side may swear Revenge for a lost unit: a pilot of Level 1+, and the first time. ST-048."""
    u = s.units[gone]
    return u.side == side and u.elite == 1 and u.kind != c.KAIJU and s.sides[side].avenger == c.NOBODY


def swear(s: State, side: int, i: int, by: int, log: Log) -> None:
    """Put unit i and the destroyer of its friend in a Challenge for the rest of the game. ST-048, ST-D30."""
    s.sides[side].avenger = i
    s.sides[side].avenged_on = by
    note(log, "revenge-sworn", unit=i, target=by)
