"""Which territories of a map are neighbours, and which of them a company can reach. Pure.

Territories are identified by position: the nine zones are 1 to 9 row by row, those of a ring 1 to n around it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

ZONES_PER_ROW = 3  # zones in a row
ZONES = "zones"


def neighbours_by_shape(kind: str, count: int) -> dict[int, frozenset[int]]:
    """Return the neighbours of each place by the map's shape: zones that share an edge, or those next to it on a ring."""
    found = {}
    for place in range(1, count + 1):
        if kind == ZONES:
            row, column = divmod(place - 1, ZONES_PER_ROW)
            beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            near = {
                at * ZONES_PER_ROW + to + 1
                for at, to in beside
                if at >= 0 and 0 <= to < ZONES_PER_ROW and at * ZONES_PER_ROW + to < count
            }
        else:
            near = {place % count + 1, (place - 2) % count + 1}
        found[place] = frozenset(near - {place})
    return found


def neighbours(kind: str, own: Mapping[int, Sequence[int]]) -> dict[int, frozenset[int]]:
    """Return the neighbours of each place: the organiser's own borders, open both ways, or else the map shape's."""
    if not any(own.values()):
        return neighbours_by_shape(kind, max(own, default=0))
    return {
        place: frozenset(other for other in own if other != place and (other in own[place] or place in own[other]))
        for place in own
    }


def can_reach(held: Collection[int], place: int, beside: Mapping[int, frozenset[int]]) -> bool:
    """Return whether the holder of these places can fight for another: they hold it, border on it, or hold nothing yet."""
    return not held or place in held or bool(beside.get(place, frozenset()) & set(held))
