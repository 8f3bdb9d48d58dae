"""A small map for a list: shapes only, each with its look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MapPatch:
    """A shape on the map; `look` is a class of `static/css/galleries.css`."""

    look: str
    path: str


@dataclass(frozen=True, slots=True)
class SmallMap:
    """The map with side B's edge on top, in any unit of length."""

    width: float
    height: float
    patches: tuple[MapPatch, ...]

    @property
    def line(self) -> float:
        """Return the width of a thin line."""
        return round(max(self.width, self.height) / 90, 2)


def map_box(look: str, x: float, y: float, width: float, height: float) -> MapPatch:
    return MapPatch(look, f"M{x:g},{y:g}h{width:g}v{height:g}h{-width:g}z")


def map_disc(look: str, x: float, y: float, radius: float) -> MapPatch:
    across = 2 * radius
    return MapPatch(
        look,
        f"M{x - radius:g},{y:g}a{radius:g},{radius:g} 0 1 0 {across:g},0a{radius:g},{radius:g} 0 1 0 {-across:g},0",
    )


def map_diamond(look: str, x: float, y: float, reach: float) -> MapPatch:
    return MapPatch(look, f"M{x:g},{y - reach:g}l{reach:g},{reach:g}l{-reach:g},{reach:g}l{-reach:g},{-reach:g}z")


def small_table(side: float, deep: float, patches: Iterable[MapPatch]) -> SmallMap:
    """Return a square table with the sides' set-up zones along their edges."""
    zones = map_box("small-map__zone side-b", 0, 0, side, deep), map_box("small-map__zone side-a", 0, side - deep, side, deep)
    return SmallMap(side, side, (*zones, *patches))
