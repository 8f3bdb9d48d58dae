"""Where the territories of a campaign map are drawn. Figures in the drawing's own units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from campaigns.models import TerritoryMap

from .standings import TerritoryRow

SIZE = 600
CELL = 192
GAP = 6
LINE = 26  # from one line of writing to the next
BENDS, COAST, COAST_DEPTH = 5, 7, 22  # corners of a border and of a coast, and how deep that is cut
NAMED_MOST = 8  # places of a ring that have room for their names


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A territory as it is drawn: its outline's corners, and where its name stands."""

    place: TerritoryRow
    path: str
    x: float
    top: float  # where the first line stands
    lines: tuple[str, ...]  # the name, cut to the room there is; its number in the list where there is none
    holder: str  # cut likewise; empty where there is no room


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
        path, x, y = _segment(at, len(places)) if is_ring else _zone(at)
        lines = (str(place.position),) if is_numbered else _lines(place.name, width)
        holder = "" if is_numbered else _cut(place.holder_name, width + 2)
        top = y + LINE * (0.7 - (len(lines) + bool(holder)) / 2)
        spots.append(Spot(place=place, path=path, x=round(x, 1), top=round(top, 1), lines=lines, holder=holder))
    return MapDrawing(size=SIZE, spots=tuple(spots), is_numbered=is_numbered)


def _zone(at: int) -> tuple[str, float, float]:
    left = GAP + (at % 3) * (CELL + GAP)
    top = GAP + (at // 3) * (CELL + GAP)
    return f"M{left},{top}h{CELL}v{CELL}h-{CELL}z", left + CELL / 2, top + CELL / 2


def _segment(at: int, count: int) -> tuple[str, float, float]:
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
    return path, *point(between, half)


def _bend(number: int, salt: int) -> float:
    """From -1 to 1, and always the same for the same: the ways of a border or a coast."""
    value = math.sin(number * 12.9898 + salt * 78.233) * 43758.5453
    return 2 * (value - math.floor(value)) - 1


def _lines(name: str, width: int) -> tuple[str, ...]:
    """The name in two lines at most; what does not fit is in the list beside the map."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    cut = [_cut(line, width) for line in lines[:2]]
    if len(lines) > 2:
        cut[-1] = f"{cut[-1][: width - 1]}…"
    return tuple(cut)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
