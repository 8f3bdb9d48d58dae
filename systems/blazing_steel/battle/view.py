"""A Warmech as spectators see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.blazing_steel.battle.state import DODGE_DICE
from systems.blazing_steel.catalogue import CATALOGUE
from systems.spaces.table import TableView

CRIPPLES = {entry.face: entry.name for entry in CATALOGUE.cripples.values()}


def heat_dice(weight: int) -> tuple[int, ...]:
    """Return the heat dice of a weight, lowest first: its binary ones; 64 and more are all sixes. BS-105."""
    low = tuple(value for value in range(1, 6) if weight & (1 << (value - 1)))
    return (*low, *(6 for _ in range(weight // 32)))


@dataclass(frozen=True, slots=True)
class SteelView(TableView):
    """A Warmech with its heat, its cripples and its losses."""

    heat: tuple[int, ...] = ()  # values of its heat dice
    dodge_dice: int = DODGE_DICE
    order: str = ""  # "leads", "follows": it is active, on that side
    is_cooling: bool = False
    is_overheated: bool = False
    sits_out: bool = False
    is_fortified: bool = False
    in_smoke: bool = False
    cripples: tuple[int, ...] = ()
    weapons_lost: tuple[int, ...] = ()  # slots
    peripheral_lost: bool = False
    held: int = 0  # victory points it has scored
    carries: tuple[str, ...] = ()  # names of its weapons by slot; empty for none
    peripheral: str = ""  # its name

    @property
    def lost_parts(self) -> tuple[str, ...]:
        lost = [self.carries[slot] for slot in self.weapons_lost]
        return (*lost, self.peripheral) if self.peripheral_lost else tuple(lost)

    @property
    def struck(self) -> int:
        return len(self.lost_parts) + len(self.cripples)

    @property
    def dice(self) -> tuple[int, ...]:
        return () if self.destroyed else self.heat

    @property
    def marks(self) -> tuple[str, ...]:
        return tuple(state for state in self.states if state in ("leads", "follows", "overheated"))

    @property
    def states(self) -> tuple[str, ...]:
        """Return its states besides structure and place."""
        if self.destroyed:
            return ()
        said: Mapping[str, object] = {
            "leads": self.order == "leads",
            "follows": self.order == "follows",
            "cooling": self.is_cooling,
            "overheated": self.is_overheated,
            "sits out": self.sits_out,
            "fortified": self.is_fortified,
            "in smoke": self.in_smoke,
        }
        heat = (f"heat {' '.join(map(str, self.heat))}",) if self.heat else ()
        cripples = (f"crippled: {CRIPPLES[result]}" for result in self.cripples)
        return (*heat, *(word for word, holds in said.items() if holds), *cripples)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.states
