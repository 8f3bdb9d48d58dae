"""Shields, the divisions of their fields, and operations on outlines: mirror, move, cut along a convex shape.

A division lists the convex parts in the second tincture, and the offset of the charge.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from systems.artwork.canvas import Point, arc, disc

Outline = tuple[Point, ...]
STEPS = 12  # points per curve
NEEDS = {"M": 1, "L": 1, "Q": 2, "C": 3}  # points after each letter
_WORD = re.compile(r"[MLQCZ]|-?\d+(?:\.\d+)?")


@cache
def outlines(data: str) -> tuple[Outline, ...]:
    """Return the shapes of path data as polygons; it may use capital M, L, Q, C and Z, for lines and curves."""
    found: list[Outline] = []
    points: list[Point] = []
    for letter, given in _steps(data):
        if letter == "M" and points:
            found.append(tuple(points))
            points = []
        points += given if letter in "ML" else _curve((points[-1], *given))
    return (*found, tuple(points))


def outline(data: str) -> Outline:
    """Return the shape of path data that has only one."""
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
    """Return the points of a curve with these control points, without the first one."""
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
    """Return the part of the shape inside the convex window; empty if they don't overlap."""
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
    """Return the area; positive if the shape runs clockwise in the drawing."""
    return (
        math.fsum(
            x * other_y - other_x * y for (x, y), (other_x, other_y) in zip(shape, (*shape[1:], shape[0]), strict=True)
        )
        / 2
    )


FRAME = 500


@dataclass(frozen=True, slots=True)
class Shield:
    name: str
    shape: Outline
    middle: tuple[float, float]  # of the charge
    reach: float  # half the width of the charge


def _drawn(name: str, data: str, middle: tuple[float, float], reach: float) -> Shield:
    return Shield(name, outline(data), middle, reach)


# By their letters in codes; a letter never changes its meaning.
SHIELDS: Mapping[str, Shield] = {
    "h": _drawn("Heater", "M45 40L455 40L455 210C455 330 370 425 250 475C130 425 45 330 45 210Z", (250, 212), 160),
    "k": _drawn(
        "Kite",
        "M250 15C340 15 400 70 400 160C400 270 330 390 250 490C170 390 100 270 100 160C100 70 160 15 250 15Z",
        (250, 184),
        122,
    ),
    "t": _drawn("Triangle", "M20 45Q250 10 480 45Q400 330 250 485Q100 330 20 45Z", (250, 180), 128),
    "q": _drawn("Banner", "M50 50L450 50L450 450L50 450Z", (250, 250), 172),
    "p": _drawn("Swallowtail", "M75 25L425 25L425 480L250 370L75 480Z", (250, 198), 146),
    "r": Shield("Roundel", tuple(disc(250, 250, 225, 44)), (250, 250), 160),
    "z": _drawn("Lozenge", "M250 10L490 250L250 490L10 250Z", (250, 250), 115),
    "x": _drawn("Plate", "M135 25L365 25L480 250L365 475L135 475L20 250Z", (250, 250), 158),
    "s": _drawn(
        "Notched",
        "M40 75Q100 90 140 25Q195 65 250 65Q305 65 360 25Q400 90 460 75Q440 160 455 240C465 350 360 440 250 480"
        "C140 440 35 350 45 240Q60 160 40 75Z",
        (250, 245),
        152,
    ),
    "o": _drawn(
        "Targe",
        "M60 25L440 25Q445 70 485 75L485 425Q445 430 440 475L60 475Q55 430 15 425L15 75Q55 70 60 25Z",
        (250, 250),
        172,
    ),
    "c": _drawn(
        "Cross plate",
        "M140 15L360 15L360 110L485 110L485 390L360 390L360 485L140 485L140 390L15 390L15 110L140 110Z",
        (250, 250),
        143,
    ),
    "w": _drawn("Wedge", "M20 115L250 20L480 115L430 330L250 485L70 330Z", (250, 230), 138),
    "v": _drawn(
        "Oval",
        "M250 10C340 10 400 110 400 250C400 390 340 490 250 490C160 490 100 390 100 250C100 110 160 10 250 10Z",
        (250, 250),
        130,
    ),
}


FAR = 1200.0  # beyond every frame
Pieces = Callable[[Shield], tuple[Outline, ...]]


@dataclass(frozen=True, slots=True)
class Division:
    name: str
    pieces: Pieces
    drop: float = 0  # how far the charge moves down, as a share of its reach
    size: float = 1  # scale of the charge
    is_border: bool = False  # the field lies within a border of the second tincture


def _box(left: float, top: float, right: float, bottom: float) -> Outline:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _plain(shield: Shield) -> tuple[Outline, ...]:
    return ()


def _pale(shield: Shield) -> tuple[Outline, ...]:
    return (_box(shield.middle[0], -FAR, FAR, FAR),)


def _fess(shield: Shield) -> tuple[Outline, ...]:
    return (_box(-FAR, shield.middle[1], FAR, FAR),)


def _slanting(shield: Shield, slope: float) -> tuple[Outline, ...]:
    x, y = shield.middle
    return (((x - FAR, y - slope * FAR), (x + FAR, y + slope * FAR), (x + FAR, y + 3 * FAR), (x - FAR, y + 3 * FAR)),)


def _bend(shield: Shield) -> tuple[Outline, ...]:
    return _slanting(shield, 1)


def _sinister(shield: Shield) -> tuple[Outline, ...]:
    return _slanting(shield, -1)


def _chevron(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    return (((x, y - 70), (x + FAR, y - 70 + 0.8 * FAR), (x - FAR, y - 70 + 0.8 * FAR)),)


def _quarterly(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    return _box(x, -FAR, FAR, y), _box(-FAR, y, x, FAR)


def _saltire(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    return ((x, y), (x + FAR, y - FAR), (x + FAR, y + FAR)), ((x, y), (x - FAR, y + FAR), (x - FAR, y - FAR))


def _height(shield: Shield, share: float) -> float:
    _, top, _, bottom = box_of(shield.shape)
    return top + (bottom - top) * share


def _chief(shield: Shield) -> tuple[Outline, ...]:
    return (_box(-FAR, -FAR, FAR, _height(shield, 0.27)),)


def _teeth(shield: Shield) -> tuple[Outline, ...]:
    """A chief with a toothed lower edge, one tooth in the middle."""
    top, step, x = _height(shield, 0.17), 76.0, shield.middle[0]
    teeth = tuple(
        ((x + (at - 0.5) * step, top - 1), (x + (at + 0.5) * step, top - 1), (x + at * step, top + 72))
        for at in range(-4, 5)
    )
    return (_box(-FAR, -FAR, FAR, top), *teeth)


def _base(shield: Shield) -> tuple[Outline, ...]:
    """A hill in the base."""
    x, top = shield.middle[0], _height(shield, 0.7)
    return (tuple(arc(x, top + 330, 330, 180, 360, 40)),)


def _flanks(shield: Shield) -> tuple[Outline, ...]:
    """Two round bites from the sides."""
    left, top, right, bottom = box_of(shield.shape)
    middle, depth, radius = (top + bottom) / 2 - 10, (right - left) * 0.2, 330.0

    def bite(x: float) -> Outline:
        return tuple(arc(x, middle, radius, 0, 360, 60)[:-1])

    return bite(left + depth - radius), bite(right - depth + radius)


def _pile(shield: Shield) -> tuple[Outline, ...]:
    left, top, right, bottom = box_of(shield.shape)
    x = shield.middle[0]
    return (((left, top - 1), (right, top - 1), (x, bottom - 18)),)


def _gyronny(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    rim: tuple[Point, ...] = (
        (0, -FAR), (FAR, -FAR), (FAR, 0), (FAR, FAR), (0, FAR), (-FAR, FAR), (-FAR, 0), (-FAR, -FAR),
    )  # fmt: skip
    return tuple(((x, y), (x + a[0], y + a[1]), (x + b[0], y + b[1])) for a, b in zip(rim[::2], rim[1::2], strict=True))


def _bars(shield: Shield) -> tuple[Outline, ...]:
    """Two bars above and below the charge."""
    _, top, _, bottom = box_of(shield.shape)
    y, reach = shield.middle[1], shield.reach
    thick = reach * 0.3
    return _box(-FAR, y - reach * 0.93 - thick, FAR, y - reach * 0.93), _box(
        -FAR, y + reach * 0.93, FAR, y + reach * 0.93 + thick
    )


# By their letters in codes; a letter never changes its meaning.
DIVISIONS: Mapping[str, Division] = {
    "a": Division("Plain", _plain),
    "p": Division("Per pale", _pale),
    "f": Division("Per fess", _fess),
    "b": Division("Per bend", _bend),
    "s": Division("Per bend sinister", _sinister),
    "v": Division("Per chevron", _chevron),
    "q": Division("Quarterly", _quarterly),
    "x": Division("Per saltire", _saltire),
    "c": Division("Chief", _chief, drop=0.34, size=0.74),
    "t": Division("Toothed chief", _teeth, drop=0.36, size=0.72),
    "m": Division("Hill", _base, drop=-0.22, size=0.76),
    "w": Division("Flanks", _flanks, size=0.82),
    "l": Division("Pile", _pile, drop=-0.1, size=0.82),
    "g": Division("Gyronny", _gyronny),
    "o": Division("Border", _plain, size=0.8, is_border=True),
    "e": Division("Bars", _bars, size=0.8),
}
