"""Visible changes of a replay that affect more than one value of one Warmech."""

from __future__ import annotations

from dataclasses import replace

from systems.blazing_steel.battle.state import DODGE_DICE
from systems.blazing_steel.battle.view import SteelView, heat_dice
from systems.engine.events import Event
from systems.engine.facts import alters, shows
from systems.situation import Situation
from systems.spaces.table import Stand

ORDERS = ("leads", "follows")


def stood(unit: SteelView, event: Event) -> SteelView:
    """Return the Warmech at its new place; if it has moved, it isn't fortified any more. BS-058."""
    stand = Stand(*(event.number(name) for name in ("x", "y", "ahead_x", "ahead_y")))
    is_same = unit.stand is not None and (unit.stand.x, unit.stand.y) == (stand.x, stand.y)
    return replace(unit, stand=stand, is_fortified=unit.is_fortified and is_same)


def ordered(unit: SteelView, event: Event) -> SteelView:
    return replace(unit, order=ORDERS[event.number("role")])


def heated(unit: SteelView, event: Event) -> SteelView:
    return replace(unit, heat=heat_dice(event.number("heat")), is_overheated=bool(event.result["overheats"]))


def crippled(unit: SteelView, event: Event) -> SteelView:
    lost = (event.number("slot"),) if event.number("slot") >= 0 else ()
    return replace(
        unit,
        cripples=tuple(sorted((*unit.cripples, event.number("cripple")))),
        weapons_lost=(*unit.weapons_lost, *lost),
    )


def scored(unit: SteelView, event: Event) -> SteelView:
    return replace(unit, held=unit.held + 1)


def removed(situation: Situation, event: Event) -> Situation:
    """Remove a Warmech, and add a kill to the Warmech that destroyed it."""
    gone = shows(destroyed=True, stand=None, order="")(situation, event)
    return gone.changed(str(event.result["by"]), lambda unit: replace(unit, kills=unit.kills + 1))


def _at_rest(unit: SteelView) -> SteelView:
    return replace(unit, order="", in_smoke=False)


def _refreshed(unit: SteelView) -> SteelView:
    return replace(
        _at_rest(unit),
        heat=(),
        dodge_dice=DODGE_DICE,
        is_cooling=False,
        sits_out=unit.is_overheated,
        is_overheated=False,
    )


def turn_began(situation: Situation, event: Event) -> Situation:
    """Start a turn with no active Warmech."""
    return replace(situation, units=tuple(_at_rest(unit) for unit in situation.units if isinstance(unit, SteelView)))


def round_ended(situation: Situation, event: Event) -> Situation:
    """Reset everything as at the start of a round. BS-038."""
    return replace(situation, units=tuple(_refreshed(unit) for unit in situation.units if isinstance(unit, SteelView)))


goes = alters(stood)
