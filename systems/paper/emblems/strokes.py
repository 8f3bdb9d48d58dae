"""The elements of charges: filled shapes, holes in them, and mirrored copies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from systems.paper.bodies.ink import ALWAYS, MIDDLE, bar, disc, mirrored
from systems.paper.emblems.outlines import Outline, moved, outlines, turned

REACH = 100  # of a charge to each side


@dataclass(frozen=True, slots=True)
class ChargePart:
    """Shapes of a charge; holes show the field."""

    shapes: tuple[Outline, ...]
    is_hole: bool = False
    least: int = ALWAYS  # the smallest size at which it is drawn


@dataclass(frozen=True, slots=True)
class Charge:
    name: str
    parts: tuple[ChargePart, ...]


def charge(name: str, *parts: ChargePart) -> Charge:
    return Charge(name, parts)


def solid(*given: str | Sequence[Outline]) -> ChargePart:
    return ChargePart(_shapes(given))


def hole(*given: str | Sequence[Outline], least: int = ALWAYS) -> ChargePart:
    return ChargePart(_shapes(given), True, least)


def detail(*given: str | Sequence[Outline]) -> ChargePart:
    """Return a hole that small drawings leave out."""
    return hole(*given, least=MIDDLE)


def both(*given: str | Sequence[Outline]) -> tuple[Outline, ...]:
    """Return the shapes and their mirror images."""
    shapes = _shapes(given)
    return (*shapes, *(tuple(mirrored(each)) for each in shapes))


def round_about(count: int, *given: str | Sequence[Outline], start: float = 0) -> tuple[Outline, ...]:
    """Return the shapes repeated `count` times around the middle."""
    shapes = _shapes(given)
    return tuple(turned(each, start + at * 360 / count) for at in range(count) for each in shapes)


def slanted(degrees: float, *given: str | Sequence[Outline]) -> tuple[Outline, ...]:
    return tuple(turned(each, degrees) for each in _shapes(given))


def shifted(x: float, y: float, *given: str | Sequence[Outline], size: float = 1) -> tuple[Outline, ...]:
    return tuple(moved(each, x, y, size) for each in _shapes(given))


def dot(x: float, y: float, radius: float) -> tuple[Outline, ...]:
    return (tuple(disc(x, y, radius, 24 if radius > 14 else 14)),)


def stroke(data: str, width: float) -> tuple[Outline, ...]:
    """Return a line of that width along the path, with rounded corners."""
    found: list[Outline] = []
    for line in outlines(data):
        found += [tuple(bar(start, end, width)) for start, end in zip(line, line[1:], strict=False)]
        found += [tuple(disc(x, y, width / 2, 10)) for x, y in line[1:-1]]
    return tuple(found)


def star(points: int, reach: float, waist: float, start: float = -90) -> tuple[Outline, ...]:
    step = math.pi / points
    from_top = math.radians(start)
    return (
        tuple(
            (
                (reach if at % 2 == 0 else waist) * math.cos(from_top + at * step),
                (reach if at % 2 == 0 else waist) * math.sin(from_top + at * step),
            )
            for at in range(2 * points)
        ),
    )


def _shapes(given: Sequence[str | Sequence[Outline]]) -> tuple[Outline, ...]:
    return tuple(shape for each in given for shape in (outlines(each) if isinstance(each, str) else each))
