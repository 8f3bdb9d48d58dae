"""A ruler along a card's right edge, to the millimetre: from its lower corner upwards, in half inches."""

from __future__ import annotations

from collections.abc import Sequence

from rosters.paper.layout.page import CardPage, CardSize

INCH_MM = 25.4
TOP_MM = 3.35  # free above the last mark, for the company's colour and the mark of a side
EDGE_MM = 1.25  # free along the cut
HALF, WHOLE, LONG = 0.45, 0.7, 1.0  # lengths of the marks, as shares of the room


def inches_on(size: CardSize) -> int:
    """Return how many whole inches fit on the card's edge."""
    return int((size.height - TOP_MM) / INCH_MM)


def describe_ruler(size: CardSize, measured: Sequence[int]) -> str:
    """Describe what the edge measures, and how to measure longer distances with the card."""
    longest = inches_on(size)
    on_edge = [inches for inches in measured if inches <= longest]
    marked = f", {_inches(on_edge[-1])} the long mark" if on_edge else ""
    beyond = [
        f"{_inches(inches)} is {_parts(inches, on_edge[-1] if on_edge else longest)}"
        for inches in measured
        if inches > longest
    ]
    return "; ".join((f"Right edge in inches from below{marked}", *beyond)) + "; print at 100 %"


def _parts(inches: int, unit: int) -> str:
    times, rest = divmod(inches, unit)
    whole = f"{times} × {unit}" if times > 1 else str(unit)
    return f"{whole} and {rest}" if rest else whole


def _inches(inches: int) -> str:
    return f'{inches}"'


def draw_ruler(page: CardPage, measured: Sequence[int]) -> None:
    """Draw a mark at every half inch, longer at each inch, heavy at each measured distance; zero is the cut itself."""
    size = page.size
    right = size.width - EDGE_MM
    room = size.safe - EDGE_MM - 0.1
    for halves in range(1, 2 * inches_on(size) + 1):
        inches, is_half = divmod(halves, 2)
        is_measured = not is_half and inches in measured
        length = room * (HALF if is_half else LONG if is_measured else WHOLE)
        y = size.height - halves * INCH_MM / 2
        page.line(right - length, y, right, y, "bar" if is_measured else "hair")
