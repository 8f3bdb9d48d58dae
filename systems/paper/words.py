"""How figures, names and counts are set on paper, the same for all rule systems."""

from __future__ import annotations

import re
from fractions import Fraction

from systems.figures import rounded
from systems.paper.blocks import Box

NONE = "\u2013"
COUNTED = 10  # boxes to count in


def percent(chance: Fraction) -> str:
    """Whole percents, a half up."""
    return f"{int(rounded(chance * 100))}%"


def or_more(face: int | None) -> str:
    return f"{face}+" if face is not None else NONE


def count_boxes(count: int) -> tuple[Box, ...]:
    """Ten boxes to go on counting in: the first ten, or those that follow the last full ten."""
    start = (count - 1) // COUNTED * COUNTED if count > COUNTED else 0
    return tuple(
        Box(inside=str(start + number) if start < 990 else "", is_marked=start + number <= count)
        for number in range(1, COUNTED + 1)
    )


def beyond_boxes(count: int) -> str:
    """The count itself, once the boxes do not show it."""
    return str(count) if count > COUNTED else ""


def name_and_callsign(name: str) -> tuple[str, str]:
    """A pilot's name as documents write it, taken apart: `Ana “Ace”`."""
    match = re.fullmatch(r"(.+?) “(.+)”", name)
    return (match[1], match[2]) if match else (name, "")


def pluralize(number: int, what: str) -> str:
    """`1 kill`, `2 kills`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
