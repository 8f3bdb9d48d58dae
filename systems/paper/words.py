"""How numbers, names and counts are written on paper, the same for all rule systems."""

from __future__ import annotations

from fractions import Fraction

from systems.figures import round_half_up
from systems.paper.blocks import Box

NO_BOXES = "\u2013"
COUNTED = 10  # boxes of a count


def percent(chance: Fraction) -> str:
    """Return the chance in whole per cent, halves rounded up."""
    return f"{int(round_half_up(chance * 100))}%"


def or_more(face: int | None) -> str:
    return f"{face}+" if face is not None else NO_BOXES


def count_boxes(count: int) -> tuple[Box, ...]:
    """Return ten boxes to continue a count: the first ten, or those after the last full ten."""
    start = (count - 1) // COUNTED * COUNTED if count > COUNTED else 0
    return tuple(
        Box(inside=str(start + number) if start < 990 else "", is_marked=start + number <= count)
        for number in range(1, COUNTED + 1)
    )


def beyond_boxes(count: int) -> str:
    """Return the count as text if it is more than the boxes show."""
    return str(count) if count > COUNTED else ""


def pluralize(number: int, what: str) -> str:
    """Return the number with its noun: `1 kill`, `2 kills`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
