"""Lands as they lie: which cells are whose, where water parts them, and the ways between neighbours that lie apart. Pure.

Two lands share a side of a cell only if they are neighbours; neighbours that share none are joined by a way.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .berths import Berth, drawn_together, ring, zones
from .mesh import Cell, Mesh, Point, beside, share

SIZE = 600
KEPT = 256  # countries
MIN_WIDTH = 22  # cells in a row
SEA = 14  # around all land, at least
BAY, BROAD = 0.34, 190  # how deep a bay cuts into the outermost lands at most, in a place's breadth up to that
STRAY = 0.16  # how far a land's middle is from the middle of its place
WAVES = 3
MAX_LANDS = 40  # with borders shared out evenly; an archive can bring more, and then it takes too long
WILD = 0.2  # how crooked a border is


class Shape(NamedTuple):
    """What a country is made of."""

    is_ring: bool
    is_own: bool  # its borders are not those that its shape has
    near: tuple[tuple[int, ...], ...]  # the neighbours of each place, by position from 1
    seed: int


@dataclass(frozen=True, slots=True)
class Country:
    """Lands in the order of their positions."""

    mesh: Mesh
    lands: tuple[frozenset[Cell], ...]
    touching: frozenset[tuple[int, int]]  # pairs of positions, the lower first, that share a border
    ways: tuple[tuple[Point, Point], ...]  # between neighbours that share none

    def open_sea(self) -> list[Point]:
        """Middles of cells within the frame with water alone around them, and around those."""
        near = frozenset().union(*self.lands)
        for _ in range(2):
            near = near.union(*map(beside, near))
        points = [self.mesh.middle(cell) for cell in self.mesh.cells() if cell not in near]
        return [(x, y) for x, y in points if min(x, y) > SEA and max(x, y) < SIZE - SEA]


def path_of(lines: Sequence[Sequence[Point]]) -> str:
    return "".join(f"M{'L'.join(f'{x:g},{y:g}' for x, y in line)}z" for line in lines)


def country(shape: Shape) -> Country:
    """The country of a map of that shape with these borders."""
    count, seed = len(shape.near), shape.seed
    mesh = Mesh(size=SIZE, across=MIN_WIDTH + count // 2, seed=seed)
    borders = {at: frozenset(each) for at, each in enumerate(shape.near, 1)}
    berths = ring(count, seed) if shape.is_ring else zones(count)
    if shape.is_ring and shape.is_own and count <= MAX_LANDS:
        berths = drawn_together(berths, borders)
    owners = _settled(mesh, berths, seed)
    _flood(mesh, owners, borders, _sites(berths, seed))
    _join(owners, count)
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
    """How wide and how high a place of the grid is."""
    columns, rows = (1 + max(place[way] for berth in berths for place in berth) for way in (0, 1))
    return (SIZE - 2 * SEA) / columns, (SIZE - 2 * SEA) / rows


def _sites(berths: Sequence[Berth], seed: int) -> dict[int, list[Point]]:
    """The middles of each place, a little beside the grid's."""
    wide, high = _grid(berths)
    return {
        at: [
            (
                SEA + wide * (column + 0.5 + STRAY * (2 * share(seed, column, row, 4) - 1)),
                SEA + high * (row + 0.5 + STRAY * (2 * share(seed, column, row, 5) - 1)),
            )
            for column, row in berth
        ]
        for at, berth in enumerate(berths, 1)
    }


def _settled(mesh: Mesh, berths: Sequence[Berth], seed: int) -> dict[Cell, int]:
    """Every cell on land with the place that lies nearest, as the crow flies on a crooked day."""
    wide, high = _grid(berths)
    sites = [(x, y, at) for at, found in _sites(berths, seed).items() for x, y in found]
    found = {}
    for cell in mesh.cells():
        x, y = mesh.middle(cell)
        if _is_sea(mesh, x, y, wide, high):
            continue
        x += WILD * wide * _swell(seed, 6, y / high, x / wide)
        y += WILD * high * _swell(seed, 7, x / wide, y / high)
        found[cell] = min((((x - a) / wide) ** 2 + ((y - b) / high) ** 2, at) for a, b, at in sites)[1]
    return found


def _is_sea(mesh: Mesh, x: float, y: float, wide: float, high: float) -> bool:
    """Bays come in from all four sides, and corners are round."""
    edge, deep = SEA + mesh.side / 2, BAY / 2
    left = min(x, SIZE - x) - edge - deep * min(wide, BROAD) * (1 + _swell(mesh.seed, 8, y / 150, x / 300))
    down = min(y, SIZE - y) - edge - deep * min(high, BROAD) * (1 + _swell(mesh.seed, 9, x / 150, y / 300))
    corner = min(wide, high) / 2
    return min(left, down) < 0 or (max(left, down) < corner and math.hypot(corner - left, corner - down) > corner)


def _swell(seed: int, salt: int, along: float, across: float) -> float:
    """From -1 to 1, changing slowly along and slower across."""
    waves = _waves(seed, salt)
    return math.fsum(math.sin(2 * math.pi * (often * along / 2 + across / 3 + begun)) for often, begun in waves) / WAVES


@lru_cache(maxsize=8)
def _waves(seed: int, salt: int) -> tuple[tuple[float, float], ...]:
    """How often each wave comes, and where it has begun."""
    return tuple((wave + share(seed, salt, wave), share(seed, salt, wave, 1)) for wave in range(1, WAVES + 1))


def _flood(
    mesh: Mesh,
    owners: dict[Cell, int],
    borders: Mapping[int, Collection[int]],
    sites: Mapping[int, Sequence[Point]],
) -> None:
    """Puts water where lands touch that are no neighbours: on the cell that lies farther out."""

    def out(cell: Cell) -> tuple[float, Cell]:
        x, y = mesh.middle(cell)
        return min(math.hypot(x - a, y - b) for a, b in sites[owners[cell]]), cell

    for cell in sorted(owners):
        for other in beside(cell):
            if cell not in owners:
                break
            if other in owners and owners[other] != owners[cell] and owners[other] not in borders[owners[cell]]:
                del owners[max(cell, other, key=out)]


def _join(owners: dict[Cell, int], count: int) -> None:
    """Leaves each land its largest piece alone."""
    pieces: dict[int, list[set[Cell]]] = {at: [] for at in range(1, count + 1)}
    left = set(owners)
    for start in sorted(owners):
        if start not in left:
            continue
        place, piece, edge = owners[start], {start}, [start]
        left.discard(start)
        while edge:
            for other in beside(edge.pop()):
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
        for other in beside(cell)
        if owners.get(other, 0) > place
    )


def _ways(
    mesh: Mesh,
    lands: Sequence[Collection[Cell]],
    borders: Mapping[int, Collection[int]],
    touching: Collection[tuple[int, int]],
) -> tuple[tuple[Point, Point], ...]:
    """For neighbours that share no border, the shortest line between two of their cells, which lie at their edges."""
    found = []
    edges = [
        [mesh.middle(cell) for cell in sorted(land) if any(other not in land for other in beside(cell))]
        for land in lands
    ]
    for place in range(1, len(lands) + 1):
        for other in sorted(borders[place]):
            if other > place and (place, other) not in touching:
                ends = ((a, b) for a in edges[place - 1] for b in edges[other - 1])
                found.append(min(ends, key=lambda line: math.dist(*line)))
    return tuple(found)
