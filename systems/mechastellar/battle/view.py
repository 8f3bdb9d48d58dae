"""A unit as spectators see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.spaces.table import TableView


@dataclass(frozen=True, slots=True)
class StellarView(TableView):
    """A unit with its remaining resources and its penalties."""

    momentum: int = 0  # of its side
    power: int = 0
    havoc: int = 0
    boost: int = 0
    max_power: int = 0
    max_havoc: int = 0
    penalties: int = 0
    is_down: bool = False  # shut down
    engages: int = 0  # its engagement distance in hundredths of an inch
    is_commander: bool = False
    is_active: bool = False
    has_activated: bool = False
    is_open: bool = False  # its own Power bonus takes 1 DEF
    mode: str = ""  # "B" if the unit has transformed
    is_high: bool = False
    challenged: bool = False
    scored: int = 0  # victory points it has scored
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
        """Return its states besides HP and place."""
        if self.destroyed:
            return ()
        said: Mapping[str, object] = {
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
        return tuple(word for word, holds in said.items() if holds)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.states
