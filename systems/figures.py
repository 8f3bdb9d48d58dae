"""How numbers are written on pages and on paper: signs, averages, chances. Knows no Django.

One rule rounds everything that is shown: to the nearest, halves up. Averages have at most two decimals.
"""

from __future__ import annotations

import math
from fractions import Fraction

MINUS = "\u2212"


def round_half_up(number: Fraction | float, digits: int = 0) -> Fraction:
    """Return the number rounded to `digits` decimals, halves up."""
    scale: int = 10**digits
    return Fraction(math.floor(Fraction(number) * scale + Fraction(1, 2)), scale)


def format_decimal(number: Fraction | float, digits: int = 2) -> str:
    """Return a number as people read it: 7/2 is 3.5, 21/4 is 5.25, 7/6 is 1.17, 3 is 3; at most `digits` decimals."""
    return f"{float(round_half_up(number, digits)):.2f}".rstrip("0").rstrip(".").replace("-", MINUS)


def format_signed(number: int) -> str:
    """Return the number with its sign: `+1`, `−2`, `±0`."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number else "±0"
