"""What all blocks of one side share: the room there is and how large type, boxes and gaps are at one scale."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

from rosters.paper.layout.page import CardPage, CardSize
from systems.paper.metrics import MM_PER_PT

SMALLEST_PT = 6.0  # that anything on a card is set in
FINE_PT = SMALLEST_PT  # of labels and figures in boxes
MIN_HEAD_SCALE = 0.84  # above it the head keeps its size; below it short lines share one
COLUMN_GAP_MM = 2.0  # between two of them
MIN_BOX_MM = 3.0  # that a pencil crosses out


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a block that is never divided: its height, how to draw it at a given top edge, what it says aloud.

    Most pieces are only measured, at scales that do not fit: what costs time is left to `draw` and `said`.
    """

    height: float
    draw: Callable[[CardPage, float], None]
    said: Callable[[], str] = str
    heading: Piece | None = None  # drawn again above this piece when it starts a continuation card
    keeps_with_next: bool = False

    def put(self, page: CardPage, y: float) -> float:
        """Draws the piece; the y below it."""
        self.draw(page, y)
        page.say(self.said())
        return y + self.height


class Measure:
    """Room and sizes at one scale. `mm` and `pt` take what a poker card has at scale 1."""

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
        """Type of text, shrunk as far as it may be."""
        return max(points * self.factor, min(points, SMALLEST_PT))

    def fine(self, points: float) -> float:
        """Type of labels, which do not shrink."""
        return max(points * self.factor, points)

    def box(self, length: float) -> float:
        """Side of a box to cross out."""
        return max(length * self.factor, MIN_BOX_MM)

    @staticmethod
    def leading(points: float, lines: float = 1.16) -> float:
        """Height of a line of that type, mm."""
        return points * MM_PER_PT * lines
