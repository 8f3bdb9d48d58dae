"""Where the name of a land stands in it, and how much of it there is room for. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import wrap

from .mesh import Cell, Mesh, Point

LARGE, SMALL = 24, 20  # heights of letters
LINE = 1.08  # from one line of writing to the next, in letters
LETTER = 0.46  # how wide a letter is at most, on average, in letters' heights
HELD, HELD_LETTER = 20, 0.46  # the same of the holder's name
SIGN = 36  # the holder's emblem, and the sign that it is fought for: as high and as wide
WIDEST, NARROWEST = 18, 7  # letters in a line
EDGE = 0.2  # of a cell's width: what crooked corners take of it
STEPS = 2  # tries a row of cells
AWAY = 0.5  # what standing away from the middle costs, against standing where there is room to spare
MAX_ROOM = 30  # more room than that is none to spare
Runs = Mapping[int, tuple[float, float]]  # the widest stretch of land in each row of cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What is to be written in a land."""

    lines: tuple[str, ...]
    letters: int = LARGE  # how high they are
    has_signs: bool = True  # emblem and swords stand above the name
    holder: str = ""  # below it

    @property
    def width(self) -> float:
        wide = [LETTER * self.letters * len(line) for line in self.lines]
        return max(*wide, HELD * HELD_LETTER * len(self.holder), SIGN if self.has_signs else 0)

    @property
    def height(self) -> float:
        signs, held = SIGN if self.has_signs else 0, LINE * HELD if self.holder else 0
        return signs + LINE * self.letters * len(self.lines) + held


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """It, about x and from the top down."""

    writing: Writing
    x: float
    top: float
    is_number: bool = False  # there is no room for the name

    @property
    def first(self) -> float:
        """The line on which the first of the name stands."""
        return self.top + (SIGN if self.writing.has_signs else 0) + 0.84 * self.writing.letters

    def covers(self, point: Point, within: float) -> bool:
        """Whether it stands that near the point."""
        x, y = point
        writing = self.writing
        return (
            abs(x - self.x) < writing.width / 2 + within and self.top - within < y < self.top + writing.height + within
        )


NUMBERED = (
    Writing(lines=()),
    Writing(lines=(), has_signs=False),
    Writing(lines=(), letters=SMALL, has_signs=False),
)


def label_of(mesh: Mesh, land: Collection[Cell], name: str, holder: str, number: int) -> Label:
    """The whole name with as much beside it as there is room for; else the land's number in the list."""
    runs, middle = _runs(mesh, land), _middle(mesh, land)
    for writing in _names(name, holder) if name else ():
        if at := _placed(mesh, runs, middle, writing):
            return Label(writing=writing, x=at[0], top=at[1])
    for writing in NUMBERED:
        told = replace(writing, lines=(str(number),))
        if at := _placed(mesh, runs, middle, told):
            return Label(writing=told, x=at[0], top=at[1], is_number=True)
    return Label(writing=told, x=middle[0], top=round(middle[1] - told.height / 2, 1), is_number=True)


# --- parts ------------------------------------------------------------------------------------------------------------


def _names(name: str, holder: str) -> Iterator[Writing]:
    """All ways to write it, the best first."""
    cut = _cut(holder, WIDEST + 2)
    for letters, has_signs, held in ((LARGE, True, cut), (LARGE, True, ""), (SMALL, True, ""), (SMALL, False, "")):
        for lines in _wrapped(name):
            yield Writing(lines=lines, letters=letters, has_signs=has_signs, holder=held)


def _wrapped(name: str) -> list[tuple[str, ...]]:
    """The whole name in lines of every width, the widest first, each way once; a word that is longer is parted."""
    return list(dict.fromkeys(_lines(name, width) for width in range(WIDEST, NARROWEST - 1, -1)))


def _lines(name: str, width: int) -> tuple[str, ...]:
    parted = " ".join(
        word if len(word) <= width else "- ".join(wrap(word, width - 1, break_on_hyphens=False))
        for word in name.split()
    )
    return tuple(wrap(parted, width, break_on_hyphens=False)) or ("",)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _runs(mesh: Mesh, land: Collection[Cell]) -> Runs:
    rows: dict[int, list[int]] = defaultdict(list)
    for q, r in sorted(land):
        rows[r].append(q)
    return {r: max(_stretches(mesh, r, found), key=lambda run: run[1] - run[0]) for r, found in rows.items()}


def _stretches(mesh: Mesh, r: int, row: list[int]) -> Iterator[tuple[float, float]]:
    """From where to where cells lie side by side."""
    cuts = [0, *(at for at, (one, two) in enumerate(pairwise(row), 1) if two > one + 1), len(row)]
    half = mesh.width * (0.5 - EDGE)
    for first, last in pairwise(cuts):
        yield mesh.middle((row[first], r))[0] - half, mesh.middle((row[last - 1], r))[0] + half


def _middle(mesh: Mesh, land: Collection[Cell]) -> Point:
    """The mean of its cells; where the land bends around that, the cell that is nearest."""
    points = [mesh.middle(cell) for cell in sorted(land)]
    x, y = (math.fsum(point[way] for point in points) / len(points) for way in (0, 1))
    return min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _placed(mesh: Mesh, runs: Runs, middle: Point, writing: Writing) -> Point | None:
    """Its middle and its top where there is most room near the land's middle; None where there is not enough."""
    best: tuple[float, float, float] | None = None
    step = 1.5 * mesh.side
    for half in range(STEPS * min(runs), STEPS * max(runs) + 1):
        y = mesh.side + step * half / STEPS
        reach = writing.height / 2 + mesh.side * 0.85
        first, last = (y - reach - mesh.side) / step, (y + reach - mesh.side) / step
        rows = [runs.get(row, (0.0, 0.0)) for row in range(int(first) + (first > int(first)), int(last) + 1)]
        left, right = max(run[0] for run in rows), min(run[1] for run in rows)
        room = right - left - writing.width
        if room < 0:
            continue
        x = min(max(middle[0], left + writing.width / 2), right - writing.width / 2)
        worth = min(room, MAX_ROOM) - AWAY * (abs(y - middle[1]) + abs(x - middle[0]))
        if best is None or worth > best[0]:
            best = worth, x, y
    if best is None:
        return None
    _, x, y = best
    return round(x, 1), round(y - writing.height / 2, 1)
