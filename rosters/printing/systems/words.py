"""How figures, names and counts are set on paper, the same for all rule systems."""

from __future__ import annotations

import re
from fractions import Fraction

from rosters.printing.blocks import Box

MINUS = "\u2212"
NONE = "\u2013"
COUNTED = 10  # boxes to count in


def signed(number: int) -> str:
    """`+1`, `−2`, `±0`."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number else "±0"


def typeset(text: str) -> str:
    """Hyphens in front of figures as minus signs, as print wants them."""
    return "".join(
        MINUS if char == "-" and text[at + 1 : at + 2].isdigit() and not text[at - 1 : at].isalnum() else char
        for at, char in enumerate(text)
    )


def decimal(number: Fraction, digits: int = 2) -> str:
    """A fraction as a short decimal."""
    return f"{float(number):.{digits}f}".rstrip("0").rstrip(".") or "0"


def percent(chance: Fraction) -> str:
    return f"{round(float(chance) * 100)}%"


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


def counted(number: int, what: str) -> str:
    """`1 kill`, `2 kills`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
