"""Start places of units ordered to a third of their side's line. Lengths are whole numbers from the line's left end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from systems.setups import SetupSide
from systems.standing import orders_of

THIRDS = ("left", "centre", "right")  # as seen by the side, facing the enemy


@dataclass(frozen=True, slots=True)
class Starter:
    """A unit that starts on the line."""

    told: str  # one of THIRDS; empty: no order
    usual: int  # where its AI style would put it
    room: int = 0  # from its middle to its edge


def ordered_thirds(side: SetupSide) -> list[str]:
    """Return the third that the orders give each unit of a side; empty: none."""
    return [str(orders_of(side, unit).get("start", "")) for unit in side.units]


def places_in_thirds(told: Sequence[str], low: int, high: int) -> dict[int, int]:
    """Return where units ordered to a third of a line stand, by their places in the list: spread out over the third."""
    found = {}
    for at, third in enumerate(THIRDS):
        there = [place for place, each in enumerate(told) if each == third]
        for nth, place in enumerate(there):
            found[place] = low + (high - low) * (2 * len(there) * at + 2 * nth + 1) // (6 * len(there))
    return found


def start_places(line: Sequence[Starter], low: int, high: int) -> list[int]:
    """Return where each unit stands between the ends of the line.

    Units ordered to the same third spread out over it; all others keep their usual place. A unit without room there
    stands as near to it as it can; units with orders go first.
    """
    told = places_in_thirds([each.told for each in line], low, high)
    wanted = [
        min(max(told.get(place, each.usual), low + each.room), high - each.room) for place, each in enumerate(line)
    ]
    found: dict[int, int] = {}
    for place in sorted(range(len(line)), key=lambda place: not line[place].told):
        taken = [(found[other], line[place].room + line[other].room) for other in found]
        ends = [at + sign * apart for at, apart in taken for sign in (-1, 1)]
        free = [
            at
            for at in (wanted[place], *ends)
            if low + line[place].room <= at <= high - line[place].room
            and all(abs(at - other) >= apart for other, apart in taken)
        ]
        if not free:
            return _pack_line(line, wanted, high)
        found[place] = min(free, key=lambda at: (abs(at - wanted[place]), at))
    return [found[place] for place in range(len(line))]


def _pack_line(line: Sequence[Starter], wanted: Sequence[int], high: int) -> list[int]:
    """Return places of all units in the order of their wanted places, without overlaps.

    Units are pushed to the right, and back from the line's end.
    """
    order = sorted(range(len(line)), key=lambda place: (wanted[place], place))
    found = list(wanted)
    for before, place in zip(order, order[1:], strict=False):
        found[place] = max(found[place], found[before] + line[before].room + line[place].room)
    end = high
    for place in reversed(order):
        found[place] = min(found[place], end - line[place].room)
        end = found[place] - line[place].room
    return found
