"""Dangerous terrain: Tan, White, Dark Blue. HX-014, HX-133, HX-134, HX-139, HX-143, HX-145, HX-147, HX-D52."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.ground import can_swim, is_aloft, is_vehicle
from systems.hex_core.battle.rules.loss import hurt_area
from systems.hex_core.battle.state import State


def count_crossed(s: State, i: int, colour: int) -> int:
    """Return how many hexes of Tan or White the Unit has crossed this turn. HX-139."""
    u = s.units[i]
    if is_vehicle(u):
        return 0
    if u.entered == 0:
        return 1 if s.hexes[u.at].colour == colour and not is_aloft(s, u) else 0
    return u.tan if colour == c.TAN else u.white


def is_frozen_by(s: State, face: int, number: int) -> bool:
    """Return whether White hexes freeze the Unit on that face. HX-145, HX-D52."""
    return face >= number if s.battle.freeze_over else face <= number


def roll_hazards(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll for Tan and White hexes after the Movement Phase. HX-133, HX-134, HX-143, HX-145."""
    u = s.units[i]
    number = 2 * count_crossed(s, i, c.TAN)
    if number and u.coolant == 0:
        face = roll(dice, c.D8)
        note(log, "overheat-rolled", unit=i, face=face, number=number, overheats=face <= number)
        if face <= number:
            u.kneeling = 1
            u.done = 1
    number = 2 * count_crossed(s, i, c.WHITE)
    if number and u.winter == 0:
        face = roll(dice, c.D8)
        freezes = is_frozen_by(s, face, number)
        note(log, "freeze-rolled", unit=i, face=face, number=number, freezes=freezes)
        if freezes:
            u.frozen = 1
            u.done = 1


def suffer_abyss(s: State, i: int, log: Log) -> None:
    """Deal 10 damage to the Torso at the end of a turn on Dark Blue. HX-147, HX-D61."""
    u = s.units[i]
    if s.hexes[u.at].colour == c.DARK_BLUE and not is_aloft(s, u) and not is_vehicle(u) and not can_swim(u):
        hurt_area(s, i, c.TORSO, 10, c.NOBODY, c.BY_ABYSS, log)
