"""What a spectator sees of a battle at one moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a unit stands on a measured table and which way it faces; the facing is a direction of any length."""

    x: int  # hundredths of an inch, from the left
    y: int  # ... and from side A's edge
    face_x: int
    face_y: int


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as a replay shows it."""

    key: str
    name: str
    side: int
    chassis: str  # slug of the counter that it is drawn as
    hits: int
    max_hits: int
    destroyed: bool = False
    withdrew: bool = False
    wounded: bool = False
    legs: int = 0  # damaged
    weapons: tuple[tuple[str, bool], ...] = ()  # name, still intact
    systems: tuple[tuple[str, bool], ...] = ()
    kills: int = 0  # units destroyed
    infantry_kills: int = 0  # taken by a strongpoint
    zone: int = 0  # on the map; 0: off it, or in a battle without one
    hidden: bool = False  # from the enemy
    dug_in: bool = False
    decoy: bool = False
    stand: Stand | None = None  # on a measured table; None: off it, or in a battle without one
    place: str = ""  # where it is in words, if it is off the table and not destroyed
    suppression: int = 0  # markers
    locked_by: str | None = None  # key of the unit whose target lock it carries
    specials: int = 0  # special actions that succeeded

    @property
    def is_reserve(self) -> bool:
        """True for what the battle may bring (its key holds a plus sign) while it has not, or has no more."""
        return "+" in self.key and self.zone == 0 and not self.destroyed


@dataclass(frozen=True, slots=True)
class BandView:
    """Where two opposing units stand to each other."""

    a_key: str
    d_key: str
    band: int  # 0 Short, 1 Medium, 2 Long
    broken: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """What a spectator sees at one moment: a fold of the events so far."""

    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...] = ()

    def changed(self, key: str | None, change: Callable[[UnitView], UnitView]) -> Situation:
        """With one unit changed."""
        return replace(self, units=tuple(change(unit) if unit.key == key else unit for unit in self.units))
