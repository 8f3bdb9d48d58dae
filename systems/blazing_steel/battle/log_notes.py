"""Places, directions and dice as whole numbers, for log notes, which the compiled run doesn't keep."""

from __future__ import annotations

from math import floor
from typing import ClassVar, NamedTuple

from systems.blazing_steel.battle.state import State

DIRECTION_LENGTH = 1000  # length of a direction vector in a note


class PlaceNote(NamedTuple):
    """A place in hundredths of an inch, and a direction."""

    x: int
    y: int
    ahead_x: int
    ahead_y: int


class PathNote(NamedTuple):
    """The straight path of a Warmech in a step, and its final facing."""

    from_x: int
    from_y: int
    x: int
    y: int
    ahead_x: int
    ahead_y: int


class DiceNote(tuple[int, ...]):
    """All dice of a throw."""

    _fields: ClassVar = ("faces",)

    def _asdict(self) -> dict[str, int]:
        return {f"face{at}": face for at, face in enumerate(self, start=1)}


def hundredths(inches: float) -> int:
    """Return a length or coordinate in hundredths of an inch, to the nearest."""
    return floor(inches * 100.0 + 0.5)


def place_note(s: State, i: int) -> PlaceNote:
    """Return the place and facing of a Warmech."""
    u = s.units[i]
    ahead = floor(u.face_x * DIRECTION_LENGTH + 0.5), floor(u.face_y * DIRECTION_LENGTH + 0.5)
    return PlaceNote(hundredths(u.x), hundredths(u.y), *ahead)


def path_note(s: State, i: int) -> PathNote:
    """Return the path of a Warmech in the current step."""
    u = s.units[i]
    return PathNote(hundredths(u.from_x), hundredths(u.from_y), *place_note(s, i))


def dice_note(s: State, count: int) -> DiceNote:
    """Return the dice of the latest throw."""
    return DiceNote(s.faces[at].face for at in range(count))
