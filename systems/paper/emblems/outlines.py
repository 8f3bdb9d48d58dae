"""Outlines from path data, and operations on them: mirror, move, cut along a convex shape."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache

from systems.paper.bodies.ink import Point

Outline = tuple[Point, ...]
STEPS = 12  # per curve
NEEDS = {"M": 1, "L": 1, "Q": 2, "C": 3}  # points after each letter
_WORD = re.compile(r"[MLQCZ]|-?\d+(?:\.\d+)?")


@cache
def outlines(data: str) -> tuple[Outline, ...]:
    """Return the shapes of path data in capital M, L, Q, C and Z: lines and curves, as polygons."""
    found: list[Outline] = []
    points: list[Point] = []
    for letter, given in _steps(data):
        if letter == "M" and points:
            found.append(tuple(points))
            points = []
        points += given if letter in "ML" else _curve((points[-1], *given))
    return (*found, tuple(points))


def outline(data: str) -> Outline:
    """Return the only shape of that path data."""
    (found,) = outlines(data)
    return found


def _steps(data: str) -> Iterator[tuple[str, list[Point]]]:
    letter = "M"
    numbers: list[float] = []
    for word in _WORD.findall(data):
        if word in NEEDS or word == "Z":
            letter, numbers = word, []
            continue
        numbers.append(float(word))
        if len(numbers) == 2 * NEEDS[letter]:
            yield letter, list(zip(numbers[::2], numbers[1::2], strict=True))
            letter, numbers = "L" if letter == "M" else letter, []


def _curve(corners: Sequence[Point]) -> list[Point]:
    """Return points of a curve with these corners, without the first one."""
    return [_on(corners, at / STEPS) for at in range(1, STEPS + 1)]


def _on(corners: Sequence[Point], share: float) -> Point:
    while len(corners) > 1:
        corners = [
            (x + (other_x - x) * share, y + (other_y - y) * share)
            for (x, y), (other_x, other_y) in zip(corners, corners[1:], strict=False)
        ]
    return corners[0]


def moved(shape: Sequence[Point], x: float = 0, y: float = 0, size: float = 1) -> Outline:
    return tuple((px * size + x, py * size + y) for px, py in shape)


def turned(shape: Sequence[Point], degrees: float) -> Outline:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in shape)


def box_of(shape: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom."""
    across, down = [x for x, _ in shape], [y for _, y in shape]
    return min(across), min(down), max(across), max(down)


def cut(shape: Sequence[Point], window: Sequence[Point]) -> Outline:
    """Return the part of the shape within the window, which is convex; empty if they don't meet."""
    turn = 1 if area(window) > 0 else -1
    left: list[Point] = list(shape)
    for start, end in zip(window, (*window[1:], window[0]), strict=True):
        sides = [turn * ((end[0] - start[0]) * (y - start[1]) - (end[1] - start[1]) * (x - start[0])) for x, y in left]
        kept: list[Point] = []
        for at, (point, side) in enumerate(zip(left, sides, strict=True)):
            before, its_side = left[at - 1], sides[at - 1]
            if (side >= 0) != (its_side >= 0):
                share = its_side / (its_side - side)
                kept.append((before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share))
            if side >= 0:
                kept.append(point)
        left = kept
        if not left:
            return ()
    return tuple(left)


def area(shape: Sequence[Point]) -> float:
    """Return the area, positive if the shape runs clockwise on the drawing."""
    return (
        math.fsum(
            x * other_y - other_x * y for (x, y), (other_x, other_y) in zip(shape, (*shape[1:], shape[0]), strict=True)
        )
        / 2
    )
