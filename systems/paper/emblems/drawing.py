"""From an emblem to its painted layers, from the bottom up: charges change tincture where the field does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from systems.paper.bodies.ink import FULL, Point, shade_of
from systems.paper.emblems.charges import CHARGES
from systems.paper.emblems.code import Emblem
from systems.paper.emblems.divisions import DIVISIONS, Division
from systems.paper.emblems.outlines import Outline, area, box_of, cut, moved
from systems.paper.emblems.shields import FRAME, SHIELDS, Shield
from systems.paper.emblems.strokes import REACH

Paint = Literal["field", "other", "edge", "fine"]  # the two tinctures; strokes: around everything, and of shade
Corners = tuple[tuple[int, int], ...]
BORDER = 0.83  # scale of the field within a border
CACHE_SIZE = 512


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes in one paint, in whole units of a square of FRAME by FRAME, y down."""

    paint: Paint
    shapes: tuple[Corners, ...]

    @property
    def is_stroke(self) -> bool:
        return self.paint in ("edge", "fine")


@lru_cache(maxsize=CACHE_SIZE)
def layers(emblem: Emblem, level: int) -> tuple[Layer, ...]:
    """Return the layers in painting order; `level`: 0 a symbol in a line of text, 1 a card, 2 a page."""
    return tuple(_merged(_layers(emblem, level)))


def _layers(emblem: Emblem, level: int) -> Iterator[Layer]:
    shield, division = SHIELDS[emblem.shield], DIVISIONS[emblem.division]
    yield from _ground(shield, division)
    pieces = division.pieces(shield)
    for is_hole, shapes in _charge(shield, division, emblem.charge, level):
        yield _layer("field" if is_hole else "other", shapes)
        crossed = [part for shape in shapes for piece in pieces if (part := cut(shape, piece))]
        yield _layer("other" if is_hole else "field", crossed)
    if level == FULL:
        yield Layer("fine", shade_of(_whole(shield.shape)))
    yield _layer("edge", [shield.shape])


def _ground(shield: Shield, division: Division) -> Iterator[Layer]:
    if division.is_border:
        yield _layer("other", [shield.shape])
        yield _layer("field", [_shrunk(shield, BORDER)])
        return
    yield _layer("field", [shield.shape])
    yield _layer("other", [part for piece in division.pieces(shield) if (part := cut(shield.shape, piece))])


def _charge(shield: Shield, division: Division, letter: str, level: int) -> Iterator[tuple[bool, list[Outline]]]:
    size = shield.reach * division.size / REACH
    x, y = shield.middle[0], shield.middle[1] + division.drop * shield.reach
    for part in CHARGES[letter].parts:
        if part.least <= level:
            yield part.is_hole, [moved(shape, x, y, size) for shape in part.shapes]


def _shrunk(shield: Shield, size: float) -> Outline:
    """Return the shield scaled down about the middle of its box."""
    left, top, right, bottom = box_of(shield.shape)
    x, y = (left + right) / 2, (top + bottom) / 2
    return moved(shield.shape, x * (1 - size), y * (1 - size), size)


def _layer(paint: Paint, shapes: Sequence[Sequence[Point]]) -> Layer:
    return Layer(paint, tuple(corners for shape in shapes if len(corners := _whole(shape)) > 2))


def _whole(shape: Sequence[Point]) -> Corners:
    """Return the shape in whole units, clockwise, so that shapes of one path add up; repeated corners are left out."""
    corners: list[tuple[int, int]] = []
    for x, y in shape if area(shape) > 0 else reversed(shape):
        corner = round(x), round(y)
        if not corners or corners[-1] != corner:
            corners.append(corner)
    return tuple(corners)


def _merged(given: Iterator[Layer]) -> Iterator[Layer]:
    """Merge consecutive layers of one paint; empty ones are left out."""
    kept: Layer | None = None
    for layer in given:
        if not layer.shapes:
            continue
        if kept and kept.paint == layer.paint:
            kept = Layer(kept.paint, kept.shapes + layer.shapes)
            continue
        if kept:
            yield kept
        kept = layer
    if kept:
        yield kept


__all__ = ["FRAME", "Layer", "layers"]
