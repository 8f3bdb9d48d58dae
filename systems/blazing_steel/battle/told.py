"""Parts of log notes: places, directions and dice as whole numbers. The compiled run keeps no notes and doesn't use this."""

from __future__ import annotations

from math import floor
from typing import ClassVar, NamedTuple

from systems.blazing_steel.battle.state import State

LONG = 1000  # length of a direction in a note


class Stood(NamedTuple):
    """A place in hundredths of an inch, and a direction."""

    x: int
    y: int
    ahead_x: int
    ahead_y: int


class Went(NamedTuple):
    """The straight path of a Warmech in a step, and its facing at the end."""

    from_x: int
    from_y: int
    x: int
    y: int
    ahead_x: int
    ahead_y: int


class Thrown(tuple[int, ...]):
    """All dice of a throw."""

    _fields: ClassVar = ("faces",)

    def _asdict(self) -> dict[str, int]:
        return {f"face{at}": face for at, face in enumerate(self, start=1)}


def hundredths(inches: float) -> int:
    """Return a length or coordinate in hundredths of an inch, to the nearest."""
    return floor(inches * 100.0 + 0.5)


def stand(s: State, i: int) -> Stood:
    """Return the place and facing of a Warmech."""
    u = s.units[i]
    ahead = floor(u.face_x * LONG + 0.5), floor(u.face_y * LONG + 0.5)
    return Stood(hundredths(u.x), hundredths(u.y), *ahead)


def path(s: State, i: int) -> Went:
    """Return the path of a Warmech in this step."""
    u = s.units[i]
    return Went(hundredths(u.from_x), hundredths(u.from_y), *stand(s, i))


def thrown(s: State, count: int) -> Thrown:
    """Return the dice of the latest throw."""
    return Thrown(s.faces[at].face for at in range(count))
