"""Wording shared by the questions to a player: names, distances, yes and no."""

from __future__ import annotations

from systems.engine.choosing import Answer, Chooser
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.ground import (
    distance,
)
from systems.hex_core.battle.rules.units import end_of_units, first_unit
from systems.hex_core.battle.state import State

NO, YES = (0,), (1,)
UNARMED = "bare fists"


def enemies_of(s: State, side: int) -> list[int]:
    found = range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side))
    return [t for t in found if s.units[t].status == c.STANDS]


def weapon_name(chooser: Chooser, i: int, slot: int) -> str:
    return UNARMED if slot == c.UNARMED else chooser.weapon(i, slot)


def nearest_enemy(chooser: Chooser, s: State, side: int, at: int) -> str:
    """Describe the distance of a hex from the nearest enemy."""
    away, t = min(((distance(s, at, s.units[t].at), t) for t in enemies_of(s, side)), default=(0, c.NOBODY))
    return f", {away} from {chooser.unit(t)}" if t != c.NOBODY else ""


def yes_no(yes: str, no: str) -> tuple[Answer, Answer]:
    return Answer(YES, yes), Answer(NO, no)
