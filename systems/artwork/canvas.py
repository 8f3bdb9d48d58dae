"""`Body`, the visible parts of a unit, and the pen that draws marks on a square.

A game's `body` returns one `Body` for each build.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

FRAME = 1000
Point = tuple[float, float]
MarkKind = Literal[
    "plate",  # paper inside, ink around it
    "tint",  # the same in the company's colour
    "steel",  # the same, darker, for weapons
    "ink",  # filled with ink
    "hole",  # paper inside ink
    "line",  # a stroke
    "fine",  # a thin stroke: panel lines, shade
    "hurt",  # a thin stroke in the colour of damage
]
ALWAYS, MIDDLE, FULL = 0, 1, 2  # the smallest drawing that includes a mark: chit, row, large
SHADE_STEP = 11.0  # distance between strokes of shade
HURT_STEP = 36.0  # distance between strokes of damage
SHADE_FROM = 0.62  # where shade starts, as a share of the armour plate's width
Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """Strokes or a filled shape: polygons, closed except for lines, in whole units."""

    kind: MarkKind
    outlines: tuple[tuple[tuple[int, int], ...], ...]
    least: int = ALWAYS

    @property
    def is_open(self) -> bool:
        return self.kind in ("line", "fine", "hurt")


class Pen:
    """A pen that draws marks, with a current transformation."""

    def __init__(self, most: int = FULL) -> None:
        self.marks: list[Mark] = []
        self.most = most  # marks that only larger drawings show aren't made at all
        self.matrix: Matrix = (1, 0, 0, 1, 0, 0)
        self.is_hurt = False
        self.is_steel = False
        self.least = ALWAYS

    @contextmanager
    def at(
        self, x: float = 0, y: float = 0, *, turn: float = 0, size: float = 1, mirror: bool = False
    ) -> Iterator[None]:
        """Draw everything inside at that place: scaled, mirrored, turned by degrees clockwise, then moved."""
        before = self.matrix
        a, b, c, d, e, f = before
        cos, sin = math.cos(math.radians(turn)) * size, math.sin(math.radians(turn)) * size
        flip = -1 if mirror else 1
        m = (cos * flip, sin * flip, -sin, cos, x, y)
        self.matrix = (
            a * m[0] + c * m[1], b * m[0] + d * m[1], a * m[2] + c * m[3], b * m[2] + d * m[3],
            a * m[4] + c * m[5] + e, b * m[4] + d * m[5] + f,
        )  # fmt: skip
        yield
        self.matrix = before

    @contextmanager
    def damaged(self, is_hurt: bool) -> Iterator[None]:
        """Draw everything inside as crippled if `is_hurt`."""
        before, self.is_hurt = self.is_hurt, self.is_hurt or is_hurt
        yield
        self.is_hurt = before

    @contextmanager
    def steel(self) -> Iterator[None]:
        """Draw plates inside like those of weapons."""
        before, self.is_steel = self.is_steel, True
        yield
        self.is_steel = before

    @contextmanager
    def detail(self, least: int) -> Iterator[None]:
        """Leave everything inside out of smaller drawings."""
        before, self.least = self.least, max(self.least, least)
        yield
        self.least = before

    def placed(self, points: Sequence[Point]) -> tuple[tuple[int, int], ...]:
        a, b, c, d, e, f = self.matrix
        return tuple((round(a * x + c * y + e), round(b * x + d * y + f)) for x, y in points)

    def add(self, kind: MarkKind, *outlines: Sequence[Point], least: int = ALWAYS) -> None:
        if (least := max(least, self.least)) <= self.most:
            self.marks.append(Mark(kind, tuple(self.placed(each) for each in outlines), least))

    def plate(
        self, points: Sequence[Point], *, tint: bool = False, shade: bool = True, inset: float = 0, least: int = ALWAYS
    ) -> None:
        """Draw a piece of armour, shaded on the side away from the light; `inset`: a panel line's distance from its
        edge."""
        self.add("tint" if tint else "steel" if self.is_steel else "plate", points, least=least)
        if self.most < FULL and not self.is_hurt:
            return
        placed = self.marks[-1].outlines[0]
        if shade and self.most == FULL and (strokes := shade_of(placed)):
            self.marks.append(Mark("fine", strokes, FULL))
        if inset:
            middle = middle_of(points)
            inner = [toward(point, middle, inset) for point in points]
            self.add("fine", [*inner, inner[0]], least=FULL)
        if self.is_hurt and (strokes := hatching(placed, HURT_STEP, 1.0) + hatching(placed, HURT_STEP, -1.0)):
            self.marks.append(Mark("hurt", strokes, max(MIDDLE, self.least)))

    def ink(self, *outlines: Sequence[Point], least: int = ALWAYS) -> None:
        self.add("ink", *outlines, least=least)

    def hole(self, *outlines: Sequence[Point], least: int = ALWAYS) -> None:
        self.add("hole", *outlines, least=least)

    def line(self, *strokes: Sequence[Point], least: int = MIDDLE) -> None:
        self.add("line", *strokes, least=least)

    def fine(self, *strokes: Sequence[Point], least: int = FULL) -> None:
        self.add("fine", *strokes, least=least)


# --- shapes -----------------------------------------------------------------------------------------------------------


def box(left: float, top: float, right: float, bottom: float, cut: float = 0) -> list[Point]:
    """Return an upright rectangle with its corners cut off."""
    return chamfered([(left, top), (right, top), (right, bottom), (left, bottom)], cut)


def slab(x: float, top: float, bottom: float, above: float, below: float, cut: float = 0) -> list[Point]:
    """Return a shape centred on x, `above` wide at its top and `below` at its bottom."""
    a, b = above / 2, below / 2
    return chamfered([(x - a, top), (x + a, top), (x + b, bottom), (x - b, bottom)], cut)


def disc(x: float, y: float, radius: float, corners: int = 20) -> list[Point]:
    step = 2 * math.pi / corners
    return [
        (x + radius * math.cos((at + 0.5) * step), y + radius * math.sin((at + 0.5) * step)) for at in range(corners)
    ]


def arc(x: float, y: float, radius: float, start: float, end: float, corners: int = 12) -> list[Point]:
    """Return points on a circle, from one angle to the other, in degrees clockwise from the right."""
    return [
        (x + radius * math.cos(math.radians(angle)), y + radius * math.sin(math.radians(angle)))
        for angle in (start + (end - start) * at / corners for at in range(corners + 1))
    ]


def chamfered(points: Sequence[Point], cut: float) -> list[Point]:
    """Return the shape with each corner cut off, `cut` along both edges."""
    if not cut:
        return list(points)
    done: list[Point] = []
    for at, corner in enumerate(points):
        for other in (points[at - 1], points[(at + 1) % len(points)]):
            away = math.dist(corner, other)
            share = min(cut / away, 0.45) if away else 0
            done.append((corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share))
    return done


def bar(start: Point, end: Point, width: float, width_after: float | None = None) -> list[Point]:
    """Return a limb from one point to the other."""
    after = width if width_after is None else width_after
    away = math.dist(start, end) or 1.0
    x, y = -(end[1] - start[1]) / away / 2, (end[0] - start[0]) / away / 2
    return [
        (start[0] + x * width, start[1] + y * width), (end[0] + x * after, end[1] + y * after),
        (end[0] - x * after, end[1] - y * after), (start[0] - x * width, start[1] - y * width),
    ]  # fmt: skip


def mirrored(points: Sequence[Point], middle: float = 0) -> list[Point]:
    return [(2 * middle - x, y) for x, y in points]


def middle_of(points: Sequence[Point]) -> Point:
    return math.fsum(x for x, _ in points) / len(points), math.fsum(y for _, y in points) / len(points)


def toward(point: Point, middle: Point, step: float) -> Point:
    away = math.dist(point, middle) or 1.0
    share = min(step / away, 0.6)
    return point[0] + (middle[0] - point[0]) * share, point[1] + (middle[1] - point[1]) * share


def shade_of(outline: Sequence[Point]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return horizontal strokes on the right side of a shape, if it is large enough."""
    left, right = min(x for x, _ in outline), max(x for x, _ in outline)
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    if right - left < 26 or bottom - top < 24:
        return ()
    from_x = left + SHADE_FROM * (right - left)
    return tuple(
        ((max(round(x1), round(from_x)), round(y1)), (round(x2), round(y2)))
        for (x1, y1), (x2, y2) in _crossings(outline, SHADE_STEP, 0.0)
        if x2 - max(x1, from_x) > 4
    )


def hatching(outline: Sequence[Point], step: float, slope: float) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return slanting strokes all over a shape."""
    strokes = _crossings(outline, step, slope)
    return tuple(((round(x1), round(y1)), (round(x2), round(y2))) for (x1, y1), (x2, y2) in strokes)


def _crossings(outline: Sequence[Point], step: float, slope: float) -> Iterator[tuple[Point, Point]]:
    """Yield the parts of the lines y = slope * x + k * step inside a shape."""
    heights = [y - slope * x for x, y in outline]
    for k in range(math.ceil(min(heights) / step), math.floor(max(heights) / step) + 1):
        level = k * step + 0.5
        cuts: list[float] = []
        for at, (x, _) in enumerate(outline):
            before, here = heights[at - 1], heights[at]
            if (before < level) != (here < level):
                share = (level - before) / (here - before)
                cuts.append(outline[at - 1][0] + (x - outline[at - 1][0]) * share)
        cuts.sort()
        for x1, x2 in zip(cuts[::2], cuts[1::2], strict=False):
            yield (x1, slope * x1 + level), (x2, slope * x2 + level)


Frame = Literal[
    "walker",  # a machine on two legs, its cockpit in the chest
    "robot",  # one with a head and hands
    "giant",  # a story's giant robot, with horns and a crest
    "quad",  # on four legs
    "tracked",  # a walker's chest on tracks
    "tank",
    "sapper",  # a tank that digs
    "carrier",  # a box on wheels
    "sled",  # a gun on an air cushion
    "rotor",  # flying on fans
    "jet",
    "boat",
    "space",  # a fighter without wings
    "sentry",  # a gun on a stand
    "squad",  # infantry
    "beast",
    "ship",
]
Place = Literal[
    "right-arm", "left-arm", "right-shoulder", "left-shoulder", "chest", "head", "back", "right-leg", "left-leg", "hull",
    "turret",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mounted:
    """A weapon, shield or tool: its kind among `arms.KINDS`, its place, size and number."""

    kind: str
    place: Place
    size: float = 1.0
    barrels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The visible parts of a unit. Numbers from 0 to 1 are relative to the smallest and largest values of its game.

    `facts`: properties without a shape of their own. They become strokes on the ruler below the unit, so that no two
    builds have the same drawing.
    """

    frame: Frame
    bulk: float = 0.5  # size or weight
    speed: float = 0.5
    plate: float = 0.5  # thickness of its armour
    mounted: tuple[Mounted, ...] = ()
    gear: tuple[str, ...] = ()  # systems, each among `gear.KINDS`
    areas: tuple[tuple[str, float], ...] = ()  # extra armour on one part
    hurt: tuple[str, ...] = ()  # crippled or lost parts, by place; "all": the unit is destroyed
    facts: tuple[str, ...] = ()


def build_facts(spec: Mapping[str, object]) -> tuple[str, ...]:
    """Return every fact of a build, from its spec as JSON values."""
    return (json.dumps(spec, sort_keys=True, separators=(",", ":")),)
