"""Where units start that were told in which third of their side's line. Lengths are whole numbers, counted from its left end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from systems.setups import SetupSide
from systems.standing import ordered

THIRDS = ("left", "centre", "right")  # as the side looks at the enemy


@dataclass(frozen=True, slots=True)
class Starter:
    """A unit that starts on the line."""

    told: str  # one of THIRDS; empty: it was told none
    usual: int  # where its doctrine would have it
    room: int = 0  # from its middle to its edge


def ordered_starts(side: SetupSide) -> list[str]:
    """The third that each unit of a side was told by its orders; empty: none."""
    return [str(ordered(side, unit).get("start", "")) for unit in side.units]


def in_thirds(told: Sequence[str], low: int, high: int) -> dict[int, int]:
    """Where those who were told a third of a line stand, by their places in the list: spread out over it."""
    found = {}
    for at, third in enumerate(THIRDS):
        there = [place for place, each in enumerate(told) if each == third]
        for nth, place in enumerate(there):
            found[place] = low + (high - low) * (2 * len(there) * at + 2 * nth + 1) // (6 * len(there))
    return found


def started(line: Sequence[Starter], low: int, high: int) -> list[int]:
    """Where each of them stands between the ends of the line.

    Who was told a third spreads out over it with the others who were, everybody else stands where he would anyhow. Where
    there is no room for somebody he stands as near to it as there is some; those who were told a third come first.
    """
    told = in_thirds([each.told for each in line], low, high)
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
            return _packed(line, wanted, high)
        found[place] = min(free, key=lambda at: (abs(at - wanted[place]), at))
    return [found[place] for place in range(len(line))]


def _packed(line: Sequence[Starter], wanted: Sequence[int], high: int) -> list[int]:
    """All of them in the order of where they want to stand, pushed apart: to the right, and back from the line's end."""
    order = sorted(range(len(line)), key=lambda place: (wanted[place], place))
    found = list(wanted)
    for before, place in zip(order, order[1:], strict=False):
        found[place] = max(found[place], found[before] + line[before].room + line[place].room)
    end = high
    for place in reversed(order):
        found[place] = min(found[place], end - line[place].room)
        end = found[place] - line[place].room
    return found
