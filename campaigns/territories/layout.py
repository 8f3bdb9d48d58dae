"""Lay out the territories of a map: their places, cells, and the water between them. Pure.

Two lands share a side of a cell only if they are neighbours; neighbours that don't are joined by a way. Cells are
(q, r): r is the row, and each row is shifted half a cell to the right of the one above at the same q. Each corner
belongs to three cells, so no two lands ever touch in a corner only.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

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


Place = tuple[int, int]  # column and row of the grid
Berth = tuple[Place, ...]
IDEAL_RATIO = 1.4  # ideal width of a place relative to its height, because names are horizontal
SPARE_PLACE_COST = 2.0  # cost of spare places, relative to a less than ideal shape


def grid_of(count: int) -> tuple[int, int]:
    """Return columns and rows for a ring of lands. A closed walk must pass all places, few spare and not too narrow."""
    fits = [
        (columns, rows)
        for columns in range(2, 12)
        for rows in range(2, 15)
        if columns * rows % 2 == 0 and 0 <= columns * rows - count <= count // 2 + 3
    ]
    return min(fits, key=lambda each: (_grid_cost(count, *each), each))


def _grid_cost(count: int, columns: int, rows: int) -> float:
    return SPARE_PLACE_COST * (columns * rows - count) / count + abs(math.log(rows / columns / IDEAL_RATIO))


def zones(count: int) -> list[Berth]:
    """Return the berths of the nine zones, row by row."""
    return [((at % 3, at // 3),) for at in range(count)]


def ring(count: int, seed: int) -> list[Berth]:
    """Return the berths of lands one after the other on a closed walk through the grid."""
    columns, rows = grid_of(count)
    walk = _walk(columns, rows)
    if pseudorandom(seed, 1) < 0.5:
        walk = [(columns - 1 - column, row) for column, row in walk]
    if pseudorandom(seed, 2) < 0.5:
        walk = [(column, rows - 1 - row) for column, row in walk]
    start = int(pseudorandom(seed, 3) * len(walk))
    walk = walk[start:] + walk[:start]
    cuts = [round(at * len(walk) / count) for at in range(count + 1)]
    return [tuple(walk[first:last]) for first, last in pairwise(cuts)]


def _walk(columns: int, rows: int) -> list[Place]:
    """Return a closed walk: down in bends beside the first column, and up in it."""
    if rows % 2:
        return [(column, row) for row, column in _walk(rows, columns)]
    bends = [
        (column, row)
        for row in range(rows)
        for column in (range(1, columns) if row % 2 == 0 else range(columns - 1, 0, -1))
    ]
    return [*bends, *((0, row) for row in reversed(range(rows)))]


def swap_neighbours_together(berths: Sequence[Berth], beside: Mapping[int, frozenset[int]]) -> list[Berth]:
    """Return the berths rearranged by swapping two at a time, until no swap brings neighbours nearer to each other."""
    found = list(berths)
    borders = {at: [other - 1 for other in beside[at + 1]] for at in range(len(found))}

    def far(at: int, other: int) -> int:
        return min(_distance_squared(one, two) for one in found[at] for two in found[other])

    def cost(first: int, second: int) -> int:
        return sum(far(first, each) for each in borders[first]) + sum(far(second, each) for each in borders[second])

    is_better = True
    while is_better:
        is_better = False
        for first, second in combinations(range(len(found)), 2):
            before = cost(first, second)
            found[first], found[second] = found[second], found[first]
            if cost(first, second) < before:
                is_better = True
            else:
                found[first], found[second] = found[second], found[first]
    return found


def _distance_squared(one: Place, two: Place) -> int:
    """Return the squared distance of two places."""
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


SIZE = 600
CACHE_SIZE = 256  # cached countries
MIN_WIDTH = 22  # cells in a row
MARGIN = 14  # min margin around all land
MAX_BAY_DEPTH, MAX_BAY_WIDTH = (
    0.34,
    190,
)  # max depth of a bay, as a share of a place's width, which counts up to MAX_BAY_WIDTH
MAX_SITE_OFFSET = 0.16  # max distance of a land's centre from its place's, as a share of the place's size
WAVES = 3
MAX_LANDS = 40  # above this, swapping berths takes too long; an archive can bring more lands
BORDER_NOISE = 0.2  # how crooked borders are


class Shape(NamedTuple):
    """Everything a country is calculated from."""

    is_ring: bool
    is_own: bool  # its borders differ from those of its shape
    near: tuple[tuple[int, ...], ...]  # neighbours of each place, by position from 1
    seed: int


@dataclass(frozen=True, slots=True)
class Country:
    """Lands in the order of their positions."""

    mesh: Mesh
    lands: tuple[frozenset[Cell], ...]
    touching: frozenset[tuple[int, int]]  # pairs of positions that share a border, the lower first
    ways: tuple[tuple[Point, Point], ...]  # between neighbours that share no border

    def open_sea(self) -> list[Point]:
        """Return the centres of cells within the frame with at least two cells of water on every side."""
        near = frozenset().union(*self.lands)
        for _ in range(2):
            near = near.union(*map(adjacent_cells, near))
        points = [self.mesh.middle(cell) for cell in self.mesh.cells() if cell not in near]
        return [(x, y) for x, y in points if min(x, y) > MARGIN and max(x, y) < SIZE - MARGIN]


def path_of(lines: Sequence[Sequence[Point]]) -> str:
    return "".join(f"M{'L'.join(f'{x:g},{y:g}' for x, y in line)}z" for line in lines)


def build_country(shape: Shape) -> Country:
    """Return the country of a map with this shape and these borders."""
    count, seed = len(shape.near), shape.seed
    mesh = Mesh(size=SIZE, across=MIN_WIDTH + count // 2, seed=seed)
    borders = {at: frozenset(each) for at, each in enumerate(shape.near, 1)}
    berths = ring(count, seed) if shape.is_ring else zones(count)
    if shape.is_ring and shape.is_own and count <= MAX_LANDS:
        berths = swap_neighbours_together(berths, borders)
    owners = _assign_cells(mesh, berths, seed)
    _flood(mesh, owners, borders, _sites(berths, seed))
    _keep_largest_pieces(owners, count)
    lands: list[set[Cell]] = [set() for _ in range(count)]
    for cell, place in owners.items():
        lands[place - 1].add(cell)
    touching = _touching(owners)
    return Country(
        mesh=mesh,
        lands=tuple(map(frozenset, lands)),
        touching=touching,
        ways=_ways(mesh, lands, borders, touching),
    )


# --- parts ------------------------------------------------------------------------------------------------------------


def _grid(berths: Sequence[Berth]) -> tuple[float, float]:
    """Return the width and height of a place of the grid."""
    columns, rows = (1 + max(place[way] for berth in berths for place in berth) for way in (0, 1))
    return (SIZE - 2 * MARGIN) / columns, (SIZE - 2 * MARGIN) / rows


def _sites(berths: Sequence[Berth], seed: int) -> dict[int, list[Point]]:
    """Return the centres of each land's places, slightly off the grid's."""
    wide, high = _grid(berths)
    return {
        at: [
            (
                MARGIN + wide * (column + 0.5 + MAX_SITE_OFFSET * (2 * pseudorandom(seed, column, row, 4) - 1)),
                MARGIN + high * (row + 0.5 + MAX_SITE_OFFSET * (2 * pseudorandom(seed, column, row, 5) - 1)),
            )
            for column, row in berth
        ]
        for at, berth in enumerate(berths, 1)
    }


def _assign_cells(mesh: Mesh, berths: Sequence[Berth], seed: int) -> dict[Cell, int]:
    """Return the land of every cell that isn't sea: the nearest one, by a slightly distorted distance."""
    wide, high = _grid(berths)
    sites = [(x, y, at) for at, found in _sites(berths, seed).items() for x, y in found]
    found = {}
    for cell in mesh.cells():
        x, y = mesh.middle(cell)
        if _is_sea(mesh, x, y, wide, high):
            continue
        x += BORDER_NOISE * wide * _noise(seed, 6, y / high, x / wide)
        y += BORDER_NOISE * high * _noise(seed, 7, x / wide, y / high)
        found[cell] = min((((x - a) / wide) ** 2 + ((y - b) / high) ** 2, at) for a, b, at in sites)[1]
    return found


def _is_sea(mesh: Mesh, x: float, y: float, wide: float, high: float) -> bool:
    """Return whether a point is sea. Bays come in from all four sides, and corners are round."""
    edge, deep = MARGIN + mesh.side / 2, MAX_BAY_DEPTH / 2
    left = min(x, SIZE - x) - edge - deep * min(wide, MAX_BAY_WIDTH) * (1 + _noise(mesh.seed, 8, y / 150, x / 300))
    down = min(y, SIZE - y) - edge - deep * min(high, MAX_BAY_WIDTH) * (1 + _noise(mesh.seed, 9, x / 150, y / 300))
    corner = min(wide, high) / 2
    return min(left, down) < 0 or (max(left, down) < corner and math.hypot(corner - left, corner - down) > corner)


def _noise(seed: int, salt: int, along: float, across: float) -> float:
    """Return a value from -1 to 1 that changes slowly along and more slowly across."""
    waves = _waves(seed, salt)
    return math.fsum(math.sin(2 * math.pi * (often * along / 2 + across / 3 + begun)) for often, begun in waves) / WAVES


@lru_cache(maxsize=8)
def _waves(seed: int, salt: int) -> tuple[tuple[float, float], ...]:
    """Return frequency and phase of each wave."""
    return tuple(
        (wave + pseudorandom(seed, salt, wave), pseudorandom(seed, salt, wave, 1)) for wave in range(1, WAVES + 1)
    )


def _flood(
    mesh: Mesh,
    owners: dict[Cell, int],
    borders: Mapping[int, Collection[int]],
    sites: Mapping[int, Sequence[Point]],
) -> None:
    """Put water between touching lands that aren't neighbours, on the cell farther from its land's centre."""

    def out(cell: Cell) -> tuple[float, Cell]:
        x, y = mesh.middle(cell)
        return min(math.hypot(x - a, y - b) for a, b in sites[owners[cell]]), cell

    for cell in sorted(owners):
        for other in adjacent_cells(cell):
            if cell not in owners:
                break
            if other in owners and owners[other] != owners[cell] and owners[other] not in borders[owners[cell]]:
                del owners[max(cell, other, key=out)]


def _keep_largest_pieces(owners: dict[Cell, int], count: int) -> None:
    """Keep only the largest piece of each land."""
    pieces: dict[int, list[set[Cell]]] = {at: [] for at in range(1, count + 1)}
    left = set(owners)
    for start in sorted(owners):
        if start not in left:
            continue
        place, piece, edge = owners[start], {start}, [start]
        left.discard(start)
        while edge:
            for other in adjacent_cells(edge.pop()):
                if other in left and owners[other] == place:
                    left.discard(other)
                    piece.add(other)
                    edge.append(other)
        pieces[place].append(piece)
    for found in pieces.values():
        for piece in sorted(found, key=len)[:-1]:
            for cell in piece:
                del owners[cell]


def _touching(owners: Mapping[Cell, int]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (place, owners[other])
        for cell, place in owners.items()
        for other in adjacent_cells(cell)
        if owners.get(other, 0) > place
    )


def _ways(
    mesh: Mesh,
    lands: Sequence[Collection[Cell]],
    borders: Mapping[int, Collection[int]],
    touching: Collection[tuple[int, int]],
) -> tuple[tuple[Point, Point], ...]:
    """Return the shortest line between edge cells of each two neighbours that share no border."""
    found = []
    edges = [
        [mesh.middle(cell) for cell in sorted(land) if any(other not in land for other in adjacent_cells(cell))]
        for land in lands
    ]
    for place in range(1, len(lands) + 1):
        for other in sorted(borders[place]):
            if other > place and (place, other) not in touching:
                ends = ((a, b) for a in edges[place - 1] for b in edges[other - 1])
                found.append(min(ends, key=lambda line: math.dist(*line)))
    return tuple(found)
