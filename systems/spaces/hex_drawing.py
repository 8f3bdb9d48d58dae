"""Where hexes lie on a drawing: flat on top, in straight columns, the odd ones half a hex lower. Pure.

Figures are in units of the drawing, 40 to the side of a hex; `scale` makes all of them larger or smaller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from systems.spaces.hex_map import HexCell, HexGround, HexTerrain
from systems.spaces.hexes import SIDES_OF_HEX, hex_beside

SIDE = 40.0
PITCH = 60.0  # from column to column
HEIGHT = 69.28  # from row to row, and from flat to flat
CORNERS = ((-20.0, -34.64), (20.0, -34.64), (40.0, 0.0), (20.0, 34.64), (-20.0, 34.64), (-40.0, 0.0))
Point = tuple[float, float]


class Patch(NamedTuple):
    """All hexes of one kind of ground, as one path."""

    terrain: HexTerrain
    path: str


def width_of(columns: int) -> float:
    """How broad a map is."""
    return columns * PITCH + SIDE / 2


def height_of(columns: int, rows: int) -> float:
    """How deep a map is."""
    return round(rows * HEIGHT + (HEIGHT / 2 if columns > 1 else 0), 2)


def centre(column: int, row: int) -> Point:
    """The middle of a hex; the map's corner is 0, 0."""
    return column * PITCH + SIDE, round((row + 0.5 + (column & 1) / 2) * HEIGHT, 1)


def face(column: int, row: int, share: float = 1.0) -> str:
    """The path of a hex, or of a smaller one within it."""
    x, y = centre(column, row)
    a, b, h = 40 * share, 20 * share, 34.64 * share
    return f"M{x - a:g},{y:g}l{b:g},{-h:g}h{a:g}l{b:g},{h:g}l{-b:g},{h:g}h{-a:g}z"


def faces(cells: Iterable[HexCell], share: float = 1.0) -> str:
    return "".join(face(cell.column, cell.row, share) for cell in cells)


def patches(cells: Sequence[HexCell]) -> tuple[Patch, ...]:
    """The kinds of ground of a map, in the order in which they first lie there."""
    kinds = dict.fromkeys(cell.terrain for cell in cells)
    return tuple(Patch(kind, faces(cell for cell in cells if cell.terrain == kind)) for kind in kinds)


def border(ground: HexGround, numbers: Collection[int]) -> str:
    """The path of the edges around some hexes of a map."""
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
