"""Where the territories of a campaign map are drawn. Figures in the drawing's own units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from campaigns.models import TerritoryMap

from .standings import TerritoryRow

SIZE = 600
CELL = 192
GAP = 6
LINE = 26  # from one line of writing to the next
BENDS, COAST, COAST_DEPTH = 5, 7, 22  # corners of a border and of a coast, and how deep that is cut
NAMED_MOST = 8  # places of a ring that have room for their names
LETTER = 12  # of a name, at most, from one to the next
SIGN, SIGNS_MOST = 14, 4  # half a sign's side, and how many a land has
# What a land is drawn with, for the eye alone: by its position, so that no two zones side by side look the same.
GROUNDS = (
    "M-12,5l6,-15l6,15zM-6,5v6M0,8l6,-13l6,13zM6,8v4",  # woods
    "M-13,9q7,-17 14,0M-1,4q7,-15 14,5",  # hills
    "M-12,10v-11l6,-6l6,6v11zM3,10v-16h9v16z",  # town
    "M-13,9h10M3,9h10M-5,1h10M-8,9v-9M0,1v-10M8,9v-9",  # marsh
    "M-13,10l7,-18l6,11l4,-8l9,15z",  # crags
)


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of a land's ground, about the place where it stands."""

    x: float
    y: float
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A territory as it is drawn: its outline's corners, and where its name stands."""

    place: TerritoryRow
    path: str
    x: float
    top: float  # where the first line stands
    lines: tuple[str, ...]  # the name, in lines of the room there is; its number in the list where there is none
    holder: str  # cut to that room; empty where there is none
    signs: tuple[Sign, ...]  # beside the name


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDrawing:
    size: int
    spots: tuple[Spot, ...]
    is_numbered: bool  # places are too narrow for names: the list beside the map tells them


def map_drawing(kind: str, places: Sequence[TerritoryRow]) -> MapDrawing:
    """The nine zones as a square, a ring as lands around a water."""
    is_ring = kind == TerritoryMap.RING
    is_numbered = is_ring and len(places) > NAMED_MOST
    width = 13 if is_ring else 17
    spots = []
    for at, place in enumerate(places):
        path, x, y, free = _segment(at, len(places)) if is_ring else _zone(at)
        lines = (str(place.position),) if is_numbered else _lines(place.name, width)
        holder = "" if is_numbered else _cut(place.holder_name, width + 2)
        top = y + LINE * (0.7 - (len(lines) + bool(holder)) / 2)
        sign = GROUNDS[at % len(GROUNDS)]
        room = LETTER / 2 * max(map(len, (*lines, holder))), LINE / 2 * (len(lines) + bool(holder))
        beside = [
            spot for spot in free if not (abs(spot[0] - x) < room[0] + SIGN and abs(spot[1] - y) < room[1] + SIGN)
        ]
        signs = tuple(Sign(round(left, 1), round(down, 1), sign) for left, down in beside[:SIGNS_MOST])
        spots.append(
            Spot(
                place=place,
                path=path,
                x=round(x, 1),
                top=round(top, 1),
                lines=lines,
                holder=holder,
                signs=signs,
            )
        )
    return MapDrawing(size=SIZE, spots=tuple(spots), is_numbered=is_numbered)


Land = tuple[str, float, float, list[tuple[float, float]]]  # its outline, its middle, and where signs can stand


def _zone(at: int) -> Land:
    left = GAP + (at % 3) * (CELL + GAP)
    top = GAP + (at // 3) * (CELL + GAP)
    free = [
        (left + CELL * across + 12 * _bend(at, salt), top + CELL * down + 4 * _bend(at, salt + 31))
        for salt, (across, down) in enumerate(((0.2, 0.13), (0.75, 0.87), (0.8, 0.14), (0.25, 0.86)))
    ]
    return f"M{left},{top}h{CELL}v{CELL}h-{CELL}z", left + CELL / 2, top + CELL / 2, free


def _segment(at: int, count: int) -> Land:
    """A land between two borders, the coast and the water in the middle; neighbours share every corner of a border."""
    outer, inner, middle = SIZE / 2 - GAP, SIZE / 5, SIZE / 2
    start, end = (2 * math.pi * (at + side) / count - math.pi / 2 for side in (0, 1))
    wide = end - start

    def point(radius: float, angle: float) -> tuple[float, float]:
        return middle + radius * math.cos(angle), middle + radius * math.sin(angle)

    def border(number: int) -> list[tuple[float, float]]:
        """From the water to the coast."""
        number %= count
        angle = 2 * math.pi * number / count - math.pi / 2
        return [
            point(
                inner + (outer - inner) * step / BENDS, angle + (_bend(number, step) * wide / 7 if step % BENDS else 0)
            )
            for step in range(BENDS + 1)
        ]

    def shore(radius: float, depth: float, salt: int) -> list[tuple[float, float]]:
        steps = range(1, COAST)
        return [
            point(radius - depth * (1 + _bend(at * COAST + step, salt)) / 2, start + wide * step / COAST)
            for step in steps
        ]

    first, second = border(at), border(at + 1)
    corners = [*first, *shore(outer, COAST_DEPTH, 11), *reversed(second), *reversed(shore(inner, -COAST_DEPTH / 2, 23))]
    path = f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in corners)}z"
    between, half = (outer + inner) / 2, (start + end) / 2
    rows = ((outer - COAST_DEPTH - 1.5 * SIGN, 0.32), (inner + COAST_DEPTH + SIGN, 0.32), (between, 0.32))
    free = [
        point(radius, start + wide * share)
        for radius, edge in rows
        if radius * wide * (edge - 1 / 7) > SIGN
        for share in (edge, 1 - edge)
    ]
    return path, *point(between, half), free


def _bend(number: int, salt: int) -> float:
    """From -1 to 1, and always the same for the same: the ways of a border or a coast."""
    value = math.sin(number * 12.9898 + salt * 78.233) * 43758.5453
    return 2 * (value - math.floor(value)) - 1


def _lines(name: str, width: int) -> tuple[str, ...]:
    """The whole name in lines of that width; a word that is longer is parted."""
    parted = " ".join(
        word if len(word) <= width else "- ".join(wrap(word, width - 1, break_on_hyphens=False))
        for word in name.split()
    )
    return tuple(wrap(parted, width, break_on_hyphens=False)) or ("",)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
