"""A small map for a list: shapes only, each with its look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patch:
    """A shape on the map; `look` is a class of `static/css/galleries.css`."""

    look: str
    path: str


@dataclass(frozen=True, slots=True)
class SmallMap:
    """The map with side B's edge on top, in any unit of length."""

    width: float
    height: float
    patches: tuple[Patch, ...]

    @property
    def line(self) -> float:
        """Return the width of a thin line."""
        return round(max(self.width, self.height) / 90, 2)


def box(look: str, x: float, y: float, width: float, height: float) -> Patch:
    return Patch(look, f"M{x:g},{y:g}h{width:g}v{height:g}h{-width:g}z")


def disc(look: str, x: float, y: float, radius: float) -> Patch:
    across = 2 * radius
    return Patch(
        look,
        f"M{x - radius:g},{y:g}a{radius:g},{radius:g} 0 1 0 {across:g},0a{radius:g},{radius:g} 0 1 0 {-across:g},0",
    )


def diamond(look: str, x: float, y: float, reach: float) -> Patch:
    return Patch(look, f"M{x:g},{y - reach:g}l{reach:g},{reach:g}l{-reach:g},{reach:g}l{-reach:g},{-reach:g}z")


def small_table(side: float, deep: float, patches: Iterable[Patch]) -> SmallMap:
    """Return a square table with the sides' set-up zones along their edges."""
    zones = box("small-map__zone side-b", 0, 0, side, deep), box("small-map__zone side-a", 0, side - deep, side, deep)
    return SmallMap(side, side, (*zones, *patches))
