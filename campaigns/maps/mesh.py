"""Lands are made of hexagonal cells with crooked corners. Pure.

Cells are (q, r): r is the row, and each row is shifted half a cell to the right of the one above at the same q. Each
corner belongs to three cells, so no two lands ever touch in a corner only.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

Cell = tuple[int, int]
Point = tuple[float, float]
Corner = tuple[int, int, int]  # q and r of its cell, and whether it is the upper (0) or lower (1) corner
# The cell across each side and the corner where that side begins, relative to the cell; clockwise from the upper right.
SIDES: tuple[tuple[Cell, Corner], ...] = (
    ((1, -1), (0, 0, 0)),
    ((1, 0), (1, -1, 1)),
    ((0, 1), (0, 1, 0)),
    ((-1, 1), (0, 0, 1)),
    ((-1, 0), (-1, 1, 0)),
    ((0, -1), (0, -1, 1)),
)
CORNER_NOISE = 0.26  # max distance of a corner from its place in a regular grid, in sides of a cell
MASK = (1 << 64) - 1


def pseudorandom(*numbers: int) -> float:
    """Return a pseudorandom number from 0 up to 1, always the same for the same arguments."""
    value = 0
    for number in numbers:
        value = (value + number + 0x9E3779B97F4A7C15) & MASK
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
        value ^= value >> 31
    return value / 2**64


def adjacent_cells(cell: Cell) -> Iterator[Cell]:
    """Return the six cells around a cell."""
    q, r = cell
    return ((q + step[0], r + step[1]) for step, _ in SIDES)


@dataclass(frozen=True, slots=True)
class Mesh:
    """A square of that size, filled with cells, `across` in each row."""

    size: int
    across: int
    seed: int

    @property
    def width(self) -> float:
        """The width of a cell."""
        return self.size / (self.across + 0.5)

    @property
    def side(self) -> float:
        return self.width / math.sqrt(3)

    @property
    def rows(self) -> int:
        return int((self.size - self.side / 2) / (1.5 * self.side))

    def cells(self) -> list[Cell]:
        """Return all cells that lie completely in the square, row by row."""
        return [(column - row // 2, row) for row in range(self.rows) for column in range(self.across)]

    def middle(self, cell: Cell) -> Point:
        q, r = cell
        return self.width * (q + r / 2 + 0.5), self.side * (1.5 * r + 1)

    def outlines(self, cells: Collection[Cell]) -> list[list[Point]]:
        """Return the lines around these cells, each corner once.

        They run clockwise outside and anticlockwise around holes.
        """
        after: dict[Corner, Corner] = {}
        for q, r in cells:
            for at, (step, begin) in enumerate(SIDES):
                if (q + step[0], r + step[1]) not in cells:
                    end = SIDES[(at + 1) % 6][1]
                    after[q + begin[0], r + begin[1], begin[2]] = (q + end[0], r + end[1], end[2])
        found = []
        while after:
            first = min(after)
            line, corner = [], first
            while corner in after:
                line.append(self._corner(corner))
                corner = after.pop(corner)
            found.append(line)
        return found

    def _corner(self, corner: Corner) -> Point:
        q, r, is_lower = corner
        x, y = self.middle((q, r))
        aside, down = (2 * pseudorandom(self.seed, q, r, is_lower, way) - 1 for way in (1, 2))
        y += self.side if is_lower else -self.side
        return round(x + CORNER_NOISE * self.side * aside, 1), round(y + CORNER_NOISE * self.side * down, 1)
