"""Parts of notes: places, directions and dice as whole numbers. The compiled run keeps no notes and knows nothing of this."""

from __future__ import annotations

from math import floor

from systems.blazing_steel.battle.state import State
from systems.engine.dice import Named

LONG = 1000  # length of a direction in a note


class Fields(dict[str, int]):
    """Fields of a note by name."""

    def _asdict(self) -> dict[str, int]:
        return self


def hundredths(inches: float) -> int:
    """A length or coordinate in hundredths of an inch, to the nearest."""
    return floor(inches * 100.0 + 0.5)


def stand(s: State, i: int) -> Named:
    """Where a Warmech stands, and where it faces."""
    u = s.units[i]
    return Fields(
        x=hundredths(u.x),
        y=hundredths(u.y),
        ahead_x=floor(u.face_x * LONG + 0.5),
        ahead_y=floor(u.face_y * LONG + 0.5),
    )


def path(s: State, i: int) -> Named:
    """The straight way of a Warmech in this step, and where it faces at its end."""
    u = s.units[i]
    return Fields(from_x=hundredths(u.from_x), from_y=hundredths(u.from_y), **stand(s, i)._asdict())


def thrown(s: State, first: int, count: int) -> Named:
    """Dice of the latest throw: face1, face2 and so on."""
    return Fields({f"face{at + 1}": s.faces[first + at].face for at in range(count)})
