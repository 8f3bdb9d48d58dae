"""Coordinates and paths of hexes on a drawing: flat on top, in straight columns, the odd ones half a hex lower. Pure.

Figures are in units of the drawing, 40 per side of a hex; `share` makes a hex smaller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from systems.spaces.hex_map import HexCell, HexGround, HexTerrain
from systems.spaces.hexes import SIDES_OF_HEX, hex_beside

SIDE = 40.0
PITCH = 60.0  # from column to column
HEIGHT = 69.28  # from row to row, and from flat to flat
CORNERS = ((-20.0, -34.64), (20.0, -34.64), (40.0, 0.0), (20.0, 34.64), (-20.0, 34.64), (-40.0, 0.0))
EDGE = 26  # around the map, for the numbers of columns and rows
Point = tuple[float, float]


class HexPatch(NamedTuple):
    """All hexes of one kind of ground, as one path."""

    terrain: HexTerrain
    path: str


@dataclass(frozen=True, slots=True)
class Height:
    """The level of the ground of a hex, or the floors of its building."""

    at: Point
    text: str
    is_building: bool


@dataclass(frozen=True, slots=True)
class HexSheet:
    """A map without units."""

    width: float
    height: float
    room: float  # below it, for units off the map
    patches: tuple[HexPatch, ...]
    grid: str
    starts: tuple[str, str]  # paths around the set-up areas of both sides
    heights: tuple[Height, ...]
    columns: tuple[tuple[float, int], ...]  # place and number
    rows: tuple[tuple[float, int], ...]

    @property
    def view_box(self) -> str:
        return f"{-EDGE} {-EDGE} {self.width + 2 * EDGE:g} {self.height + 2 * EDGE + self.room:g}"

    @property
    def tray(self) -> float:
        """Return where the room below it begins."""
        return self.height + EDGE


def draw_sheet(ground: HexGround, room: float = 0, bare: Collection[int] = ()) -> HexSheet:
    """Draw the map; the heights of the `bare` hexes are left to what is drawn over it."""
    return HexSheet(
        width=width_of(ground.columns),
        height=height_of(ground.columns, ground.rows),
        room=room,
        patches=patches(ground.cells),
        grid=faces(ground.cells),
        starts=(_start(ground, 0), _start(ground, 1)),
        heights=tuple(each for at, cell in enumerate(ground.cells) if at not in bare for each in heights(cell)),
        columns=tuple((centre(column, 0)[0], column) for column in range(ground.columns)),
        rows=tuple((centre(0, row)[1], row) for row in range(ground.rows)),
    )


def heights(cell: HexCell) -> Iterator[Height]:
    """Yield the height of the ground and of the building of a hex."""
    at = centre(cell.column, cell.row)
    if cell.floors:
        yield Height(at, str(cell.floors), True)
    if cell.level > 0:
        yield Height((at[0], round(at[1] - 20, 1)), f"+{cell.level}", False)


def _start(ground: HexGround, side: int) -> str:
    return border(ground, {at for at, cell in enumerate(ground.cells) if cell.side == side})


def width_of(columns: int) -> float:
    """Return the width of a map."""
    return columns * PITCH + SIDE / 2


def height_of(columns: int, rows: int) -> float:
    """Return the height of a map."""
    return round(rows * HEIGHT + (HEIGHT / 2 if columns > 1 else 0), 2)


def centre(column: int, row: int) -> Point:
    """Return the middle of a hex; the map's corner is 0, 0."""
    return column * PITCH + SIDE, round((row + 0.5 + (column & 1) / 2) * HEIGHT, 1)


def face(column: int, row: int, share: float = 1.0) -> str:
    """Return the path of a hex, or of a smaller one within it."""
    x, y = centre(column, row)
    a, b, h = 40 * share, 20 * share, 34.64 * share
    return f"M{x - a:g},{y:g}l{b:g},{-h:g}h{a:g}l{b:g},{h:g}l{-b:g},{h:g}h{-a:g}z"


def faces(cells: Iterable[HexCell], share: float = 1.0) -> str:
    return "".join(face(cell.column, cell.row, share) for cell in cells)


def patches(cells: Sequence[HexCell]) -> tuple[HexPatch, ...]:
    """Return the kinds of ground of a map, in the order of their first hexes."""
    kinds = dict.fromkeys(cell.terrain for cell in cells)
    return tuple(HexPatch(kind, faces(cell for cell in cells if cell.terrain == kind)) for kind in kinds)


def border(ground: HexGround, numbers: Collection[int]) -> str:
    """Return the path of the edges around some hexes of a map."""
    return "".join(
        _edge(ground.cells[at], direction)
        for at in sorted(numbers)
        for direction in range(SIDES_OF_HEX)
        if _beside(ground, at, direction) not in numbers
    )


def _beside(ground: HexGround, at: int, direction: int) -> int:
    cell = ground.cells[at]
    return hex_beside(cell.column, cell.row, direction, ground.columns, ground.rows)


def _edge(cell: HexCell, direction: int) -> str:
    x, y = centre(cell.column, cell.row)
    (ax, ay), (bx, by) = CORNERS[direction], CORNERS[(direction + 1) % SIDES_OF_HEX]
    return f"M{x + ax:g},{y + ay:.1f}L{x + bx:g},{y + by:.1f}"
