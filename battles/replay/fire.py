"""Lines of fire on a drawing: side by side if two units fire more than once, with a head and a place for a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import hypot

Point = tuple[float, float]
AIM_OUTCOMES = {  # of an aim: what, success
    ("shot", True): "hit",
    ("shot", False): "miss",
    ("suppression", True): "suppressed",
    ("suppression", False): "missed",
    ("lock", True): "locked",
    ("lock", False): "no lock",
}
LANE_GAP = 28.0  # from the middle of a counter to the start of its lines


@dataclass(frozen=True, slots=True)
class Label:
    """A word on the drawing; without text there is none."""

    at: Point
    text: str

    @property
    def x(self) -> str:
        return f"{self.at[0]:g}"

    @property
    def y(self) -> str:
        return f"{self.at[1]:g}"


@dataclass(frozen=True, slots=True)
class Lane:
    """A line as drawn; lines between the same two units are numbered."""

    start: Point
    end: Point
    number: int

    @property
    def is_long(self) -> bool:
        """False between two that share a place."""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]) > 1

    @property
    def arrow(self) -> str:
        """Its path, with a head."""
        (x1, y1), (x2, y2) = self.start, self.end
        length = hypot(x2 - x1, y2 - y1) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        heads = [(x2 - 13 * ux + turn * 8 * uy, y2 - 13 * uy - turn * 8 * ux) for turn in (1, -1)]
        (ax, ay), (bx, by) = heads
        return f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}M{ax:.1f},{ay:.1f}L{x2:.1f},{y2:.1f}L{bx:.1f},{by:.1f}"

    def label(self, text: str, part: float) -> Label:
        """Return a word beside it, at that fraction of its length."""
        (x1, y1), (x2, y2) = self.start, self.end
        return Label((round(x1 + (x2 - x1) * part, 1), round(y1 + (y2 - y1) * part + 6, 1)), text)


def describe_outcome(weapon: str, outcome: str) -> str:
    """Return what was fired and its result."""
    return f"{weapon}: {outcome}" if weapon else outcome


def build_lanes(lines: Iterable[tuple[Hashable, Point, Point]]) -> list[Lane]:
    """Return each line from counter to counter; those with the same key lie beside each other."""
    seen: Counter[Hashable] = Counter()
    found = []
    for key, (x1, y1), (x2, y2) in lines:
        length = hypot(x2 - x1, y2 - y1) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        number = seen[key]
        seen[key] += 1
        aside = 9 * ((number + 1) // 2) * (1 if number % 2 else -1)
        gap = min(LANE_GAP, length / 4)
        start = (x1 + ux * gap - uy * aside, y1 + uy * gap + ux * aside)
        end = (x2 - ux * gap - uy * aside, y2 - uy * gap + ux * aside)
        found.append(Lane(start, end, number))
    return found
