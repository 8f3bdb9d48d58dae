"""Where the name of a land is placed in it, and how much of it fits. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import wrap

from .mesh import Cell, Mesh, Point

LARGE_LETTER_HEIGHT, SMALL_LETTER_HEIGHT = 24, 20  # letter heights
LINE_HEIGHT = 1.08  # line height, in letter heights
LETTER_WIDTH = 0.46  # max average width of a letter, in letter heights
HELD, HOLDER_LETTER_WIDTH = 20, 0.46  # letter height and width of the holder's name
SIGN_SIZE = 36  # width and height of the emblem and of the sign for a contested territory
MAX_LINE_LENGTH, MIN_LINE_LENGTH = 18, 7  # max and min letters per line
EDGE_LOSS = 0.2  # share of a cell's width lost to crooked corners
STEPS_PER_ROW = 2  # tries per row of cells
DISTANCE_COST = 0.5  # cost of distance from the middle, relative to spare room
MAX_ROOM = 30  # spare room beyond this doesn't count
Runs = Mapping[int, tuple[float, float]]  # widest stretch of land in each row of cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The text to be placed in a land."""

    lines: tuple[str, ...]
    letters: int = LARGE_LETTER_HEIGHT  # letter height
    has_signs: bool = True  # emblem and swords above the name
    holder: str = ""  # below it

    @property
    def width(self) -> float:
        wide = [LETTER_WIDTH * self.letters * len(line) for line in self.lines]
        return max(*wide, HELD * HOLDER_LETTER_WIDTH * len(self.holder), SIGN_SIZE if self.has_signs else 0)

    @property
    def height(self) -> float:
        signs, held = SIGN_SIZE if self.has_signs else 0, LINE_HEIGHT * HELD if self.holder else 0
        return signs + LINE_HEIGHT * self.letters * len(self.lines) + held


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A placed text: centred on x, from `top` downwards."""

    writing: Writing
    x: float
    top: float
    is_number: bool = False  # the name doesn't fit

    @property
    def first(self) -> float:
        """The baseline of the name's first line."""
        return self.top + (SIGN_SIZE if self.writing.has_signs else 0) + 0.84 * self.writing.letters

    def covers(self, point: Point, within: float) -> bool:
        """Return whether the label comes that near to the point."""
        x, y = point
        writing = self.writing
        return (
            abs(x - self.x) < writing.width / 2 + within and self.top - within < y < self.top + writing.height + within
        )


NUMBER_WRITINGS = (
    Writing(lines=()),
    Writing(lines=(), has_signs=False),
    Writing(lines=(), letters=SMALL_LETTER_HEIGHT, has_signs=False),
)


def place_label(mesh: Mesh, land: Collection[Cell], name: str, holder: str, number: int) -> Label:
    """Return the label with the whole name and as much else as fits; otherwise the land's number in the list."""
    runs, middle = _runs(mesh, land), _middle(mesh, land)
    for writing in _name_writings(name, holder) if name else ():
        if at := _find_place(mesh, runs, middle, writing):
            return Label(writing=writing, x=at[0], top=at[1])
    for writing in NUMBER_WRITINGS:
        told = replace(writing, lines=(str(number),))
        if at := _find_place(mesh, runs, middle, told):
            return Label(writing=told, x=at[0], top=at[1], is_number=True)
    return Label(writing=told, x=middle[0], top=round(middle[1] - told.height / 2, 1), is_number=True)


# --- parts ------------------------------------------------------------------------------------------------------------


def _name_writings(name: str, holder: str) -> Iterator[Writing]:
    """Yield all ways to write the label, best first."""
    cut = _truncate(holder, MAX_LINE_LENGTH + 2)
    for letters, has_signs, held in (
        (LARGE_LETTER_HEIGHT, True, cut),
        (LARGE_LETTER_HEIGHT, True, ""),
        (SMALL_LETTER_HEIGHT, True, ""),
        (SMALL_LETTER_HEIGHT, False, ""),
    ):
        for lines in _wrappings(name):
            yield Writing(lines=lines, letters=letters, has_signs=has_signs, holder=held)


def _wrappings(name: str) -> list[tuple[str, ...]]:
    """Return the whole name wrapped to every width, widest first, without duplicates. A longer word is hyphenated."""
    return list(dict.fromkeys(_lines(name, width) for width in range(MAX_LINE_LENGTH, MIN_LINE_LENGTH - 1, -1)))


def _lines(name: str, width: int) -> tuple[str, ...]:
    parted = " ".join(
        word if len(word) <= width else "- ".join(wrap(word, width - 1, break_on_hyphens=False))
        for word in name.split()
    )
    return tuple(wrap(parted, width, break_on_hyphens=False)) or ("",)


def _truncate(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _runs(mesh: Mesh, land: Collection[Cell]) -> Runs:
    rows: dict[int, list[int]] = defaultdict(list)
    for q, r in sorted(land):
        rows[r].append(q)
    return {r: max(_stretches(mesh, r, found), key=lambda run: run[1] - run[0]) for r, found in rows.items()}


def _stretches(mesh: Mesh, r: int, row: list[int]) -> Iterator[tuple[float, float]]:
    """Yield the left and right end of each stretch of adjacent cells."""
    cuts = [0, *(at for at, (one, two) in enumerate(pairwise(row), 1) if two > one + 1), len(row)]
    half = mesh.width * (0.5 - EDGE_LOSS)
    for first, last in pairwise(cuts):
        yield mesh.middle((row[first], r))[0] - half, mesh.middle((row[last - 1], r))[0] + half


def _middle(mesh: Mesh, land: Collection[Cell]) -> Point:
    """Return the cell centre nearest to the mean of the land's cells, which may lie outside a bent land."""
    points = [mesh.middle(cell) for cell in sorted(land)]
    x, y = (math.fsum(point[way] for point in points) / len(points) for way in (0, 1))
    return min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def _find_place(mesh: Mesh, runs: Runs, middle: Point, writing: Writing) -> Point | None:
    """Return x and top of the label where there is most room near the land's middle; None if it doesn't fit."""
    best: tuple[float, float, float] | None = None
    step = 1.5 * mesh.side
    for half in range(STEPS_PER_ROW * min(runs), STEPS_PER_ROW * max(runs) + 1):
        y = mesh.side + step * half / STEPS_PER_ROW
        reach = writing.height / 2 + mesh.side * 0.85
        first, last = (y - reach - mesh.side) / step, (y + reach - mesh.side) / step
        rows = [runs.get(row, (0.0, 0.0)) for row in range(int(first) + (first > int(first)), int(last) + 1)]
        left, right = max(run[0] for run in rows), min(run[1] for run in rows)
        room = right - left - writing.width
        if room < 0:
            continue
        x = min(max(middle[0], left + writing.width / 2), right - writing.width / 2)
        worth = min(room, MAX_ROOM) - DISTANCE_COST * (abs(y - middle[1]) + abs(x - middle[0]))
        if best is None or worth > best[0]:
            best = worth, x, y
    if best is None:
        return None
    _, x, y = best
    return round(x, 1), round(y - writing.height / 2, 1)
