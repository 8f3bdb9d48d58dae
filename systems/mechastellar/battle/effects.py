"""A unit as spectators see it, and how events change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from systems.battle_display import Situation
from systems.engine.events import Event
from systems.engine.facts import alters, shows
from systems.spaces.maps import Stand, TableView


@dataclass(frozen=True, slots=True)
class StellarView(TableView):
    """A unit with its penalties and remaining resources."""

    momentum: int = 0  # of its side
    power: int = 0
    havoc: int = 0
    boost: int = 0
    max_power: int = 0
    max_havoc: int = 0
    penalties: int = 0
    is_down: bool = False  # shut down
    engages: int = 0  # its engagement range in hundredths of an inch
    is_commander: bool = False
    is_active: bool = False
    has_activated: bool = False
    is_open: bool = False  # its own Power bonus costs it 1 DEF
    mode: str = ""  # "B" if the unit has transformed
    is_high: bool = False
    challenged: bool = False
    scored: int = 0  # victory points scored
    carries: tuple[str, ...] = ()  # names of its weapons
    weapons_lost: tuple[int, ...] = ()

    @property
    def ring(self) -> int:
        return 0 if self.destroyed or self.stand is None else self.engages

    @property
    def lost_parts(self) -> tuple[str, ...]:
        return tuple(self.carries[at] for at in self.weapons_lost)

    @property
    def marks(self) -> tuple[str, ...]:
        return ("acting",) if self.is_active and not self.destroyed else ()

    @property
    def states(self) -> tuple[str, ...]:
        """Return its states other than HP and place."""
        if self.destroyed:
            return ()
        flags: Mapping[str, object] = {
            "Commander": self.is_commander,
            "active": self.is_active,
            "has been active": self.has_activated and not self.is_active,
            "crippled": self.hits * 2 < self.max_hits,
            "shut down": self.is_down,
            f"{self.penalties} Action{'s' if self.penalties > 1 else ''} less": self.penalties and not self.is_down,
            "open": self.is_open,
            "in mode B": self.mode,
            "on High Ground": self.is_high,
            "in a Challenge": self.challenged,
            f"Power {self.power} of {self.max_power}": self.max_power,
            f"Havoc {self.havoc} of {self.max_havoc}": self.max_havoc,
            f"Boost {self.boost}": self.boost,
        }
        return tuple(word for word, holds in flags.items() if holds)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.states


def stood(unit: StellarView, event: Event) -> StellarView:
    """Return the unit at its new place."""
    return replace(unit, stand=Stand(*(event.number(name) for name in ("x", "y", "ahead_x", "ahead_y"))))


goes = alters(stood)


def pooled(situation: Situation, event: Event) -> Situation:
    """Set a side's Momentum from the event."""
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
    """Make this unit the only active one."""
    return shows(is_active=True, has_activated=True, is_open=False)(_each(situation, is_active=False), event)


def rested(situation: Situation, event: Event) -> Situation:
    """Make no unit active."""
    return _each(situation, is_active=False)


def removed(situation: Situation, event: Event) -> Situation:
    """Remove a unit, and credit the kill and its victory points to the unit that destroyed it."""
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
