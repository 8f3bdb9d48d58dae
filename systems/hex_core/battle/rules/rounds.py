"""Rounds and turns: which Units may act, the dispute over an Inoperative Unit, the ends of turns and Rounds.

HX-032 to HX-035, HX-058, HX-115 to HX-117, HX-A11, HX-A12, HX-A51.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.hazards import suffer_abyss
from systems.hex_core.battle.rules.loss import leave
from systems.hex_core.battle.rules.missions import score_objectives, secure_object
from systems.hex_core.battle.rules.units import count_units, end_of_units, first_unit, is_contestable
from systems.hex_core.battle.state import State


def may_act(s: State, i: int) -> bool:
    """Return True if the Unit may act. HX-032, HX-D08."""
    return s.units[i].status == c.STANDS and s.units[i].acted == 0


def has_to_act(s: State, side: int) -> bool:
    """Return True if a side has a Unit that has not acted this Round. HX-033."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.status == c.STANDS and u.acted == 0:
            return True
    return False


def begin_round(s: State, log: Log) -> None:
    """Start a Round. HX-034."""
    s.battle.round += 1
    for i in range(count_units(s.battle)):
        s.units[i].acted = 0
    note(log, "round-began", number=s.battle.round)


def dispute(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll owner against accuser over a Unit that can't do anything. HX-115 to HX-117."""
    if not is_contestable(s, i):
        return
    while True:
        face = roll(dice, c.D8)
        against = roll(dice, c.D8)
        acts = face > against
        note(log, "dispute-rolled", unit=i, face1=face, face2=against, acts=acts)
        if face != against:
            break
    if acts:
        return
    u = s.units[i]
    u.status = c.INOPERATIVE
    u.cause = c.BY_DISPUTE
    u.done = 1
    note(log, "unit-inoperative", unit=i)
    leave(s, i, log)


def end_turn(s: State, i: int, log: Log) -> None:
    """End a Unit's turn with all its results; the rest of its pool is lost. HX-061, HX-147, HX-165, HX-A51."""
    u = s.units[i]
    if u.status == c.STANDS and s.battle.over == 0:
        suffer_abyss(s, i, log)
    if u.status == c.STANDS and s.battle.over == 0 and s.battle.mission == c.RETRIEVAL:
        secure_object(s, i, log)
    u.pool = 0
    if s.battle.mission == c.DOMINATION and s.battle.score_turns and s.battle.over == 0:
        score_objectives(s, log)


def end_round(s: State, log: Log) -> None:
    """End a Round. HX-034, HX-167."""
    if s.battle.mission == c.DOMINATION and s.battle.score_turns == 0:
        score_objectives(s, log)
