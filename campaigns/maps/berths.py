"""Where each land lies in the square before it has a shape: one or two places in a grid. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from .mesh import pseudorandom

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
    """Return the berths rearranged: neighbours lie as near each other as swapping two at a time can bring them."""
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
