"""How figures of Meks & Mercs are set on paper."""

from __future__ import annotations

from fractions import Fraction

MINUS = "\u2212"
NONE = "\u2013"


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
