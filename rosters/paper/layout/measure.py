"""Measures shared by all blocks of one side: the room there is, and the size of type, boxes and gaps at one scale."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

from rosters.paper.layout.page import CardPage, CardSize
from systems.paper.metrics import MM_PER_PT

SMALLEST_PT = 6.0  # of anything on a card
FINE_PT = SMALLEST_PT  # of labels and of figures in boxes
MIN_HEAD_SCALE = 0.84  # above it the head keeps its size; below it short lines share one
COLUMN_GAP_MM = 2.0  # between two columns
MIN_BOX_MM = 3.0  # that can be crossed out with a pencil


@dataclass(frozen=True, slots=True)
class Piece:
    """An indivisible part of a block: its height, how to draw it at a given top edge, and its text for screen readers.

    Most pieces are only measured, at scales that do not fit, so slow work belongs in `draw` and `said`.
    """

    height: float
    draw: Callable[[CardPage, float], None]
    said: Callable[[], str] = str
    heading: Piece | None = None  # drawn again above this piece when it starts a continuation card
    keeps_with_next: bool = False

    def put(self, page: CardPage, y: float) -> float:
        """Draw the piece; return the y below it."""
        self.draw(page, y)
        page.say(self.said())
        return y + self.height


class Measure:
    """Room and sizes at one scale. `mm` and `pt` take the sizes of a poker card at scale 1."""

    def __init__(self, size: CardSize, scale: float) -> None:
        self.size = size
        self.factor = size.unit * scale
        self.is_crowded = scale < MIN_HEAD_SCALE
        self.left = size.safe
        self.right = size.width - size.safe
        self.width = self.right - self.left
        self.top = size.safe
        self.bottom = size.height - size.safe

    @property
    def half(self) -> Measure:
        """The left half of the room."""
        return self._part(self.left, self.left + (self.width - self.mm(COLUMN_GAP_MM)) / 2)

    @property
    def other_half(self) -> Measure:
        return self._part(self.right - (self.width - self.mm(COLUMN_GAP_MM)) / 2, self.right)

    def _part(self, left: float, right: float) -> Measure:
        part = copy(self)
        part.left, part.right, part.width = left, right, right - left
        return part

    def mm(self, length: float) -> float:
        return length * self.factor

    def pt(self, points: float) -> float:
        """Return the type size of text, scaled down no further than allowed."""
        return max(points * self.factor, min(points, SMALLEST_PT))

    def fine(self, points: float) -> float:
        """Return the type size of labels, which are not scaled down."""
        return max(points * self.factor, points)

    def box(self, length: float) -> float:
        """Return the side of a box to cross out."""
        return max(length * self.factor, MIN_BOX_MM)

    @staticmethod
    def leading(points: float, lines: float = 1.16) -> float:
        """Return the height of a line of that type in mm."""
        return points * MM_PER_PT * lines
