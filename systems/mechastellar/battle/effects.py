"""Visible changes of a replay that affect more than one value of one unit."""

from __future__ import annotations

from dataclasses import replace

from systems.engine.events import Event
from systems.engine.facts import alters, shows
from systems.mechastellar.battle.view import StellarView
from systems.situation import Situation
from systems.spaces.table import Stand


def stood(unit: StellarView, event: Event) -> StellarView:
    """Return the unit at its new place."""
    return replace(unit, stand=Stand(*(event.number(name) for name in ("x", "y", "ahead_x", "ahead_y"))))


goes = alters(stood)


def pooled(situation: Situation, event: Event) -> Situation:
    """Set the Momentum of a side from the event."""
    return shows("side", momentum=event.number("pool"))(situation, event)


def _each(situation: Situation, **values: object) -> Situation:
    units = (replace(unit, **values) for unit in situation.units)  # type: ignore[arg-type]
    return replace(situation, units=tuple(units))


def round_began(situation: Situation, event: Event) -> Situation:
    """Start a Round: nobody has acted; Power and Havoc are refreshed."""
    units = tuple(
        replace(unit, is_active=False, has_activated=False, power=unit.max_power, havoc=unit.max_havoc)
        for unit in situation.units
        if isinstance(unit, StellarView)
    )
    return replace(situation, units=units)


def activated(situation: Situation, event: Event) -> Situation:
    """Make one unit active, and no other."""
    return shows(is_active=True, has_activated=True, is_open=False)(_each(situation, is_active=False), event)


def rested(situation: Situation, event: Event) -> Situation:
    """Make no unit active."""
    return _each(situation, is_active=False)


def removed(situation: Situation, event: Event) -> Situation:
    """Remove a unit, and add a kill and its victory points to the unit that destroyed it."""
    gone = shows(destroyed=True, stand=None, is_active=False)(situation, event)

    def credit(unit: StellarView) -> StellarView:
        is_enemy = unit.side == event.number("side")
        return replace(unit, kills=unit.kills + 1, scored=unit.scored + event.number("score")) if is_enemy else unit

    return gone.changed(str(event.result["by"]), credit)  # type: ignore[arg-type]


def scored(unit: StellarView, event: Event) -> StellarView:
    return replace(unit, scored=unit.scored + event.number("score"))


def transformed(unit: StellarView, event: Event) -> StellarView:
    return replace(unit, mode="B" if event.number("mode") else "")


def disarmed(unit: StellarView, event: Event) -> StellarView:
    return replace(unit, weapons_lost=(*unit.weapons_lost, event.number("arm")))
