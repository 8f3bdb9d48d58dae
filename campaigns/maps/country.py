"""The layout of lands: the cells of each, the water between them, and links between neighbours that lie apart. Pure.

Two lands share a side of a cell only if they are neighbours; neighbours that don't are joined by a way.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .berths import Berth, ring, swap_neighbours_together, zones
from .mesh import Cell, Mesh, Point, adjacent_cells, pseudorandom

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
