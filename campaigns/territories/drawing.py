"""Draw the map of a campaign, with the names of its territories."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from textwrap import wrap
from zlib import crc32

from campaigns.standings.selectors import TerritoryRow
from campaigns.territories.layout import (
    CACHE_SIZE,
    SIZE,
    Cell,
    Country,
    Mesh,
    Point,
    Shape,
    adjacent_cells,
    build_country,
    path_of,
    pseudorandom,
)
from campaigns.territories.selectors import ZONES, neighbours, neighbours_by_shape

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
        number_writing = replace(writing, lines=(str(number),))
        if at := _find_place(mesh, runs, middle, number_writing):
            return Label(writing=number_writing, x=at[0], top=at[1], is_number=True)
    return Label(
        writing=number_writing, x=middle[0], top=round(middle[1] - number_writing.height / 2, 1), is_number=True
    )


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


Strokes = tuple[tuple[float, float, str], ...]
# Decorative signs of a land. Each stroke starts at an offset of its own.
GROUNDS: tuple[Strokes, ...] = (
    ((-12, 5, "l6,-15l6,15z"), (-6, 5, "v6"), (0, 8, "l6,-13l6,13z"), (6, 8, "v4")),  # woods
    ((-13, 9, "q7,-17 14,0"), (-1, 4, "q7,-15 14,5")),  # hills
    ((-12, 10, "v-11l6,-6l6,6v11z"), (3, 10, "v-16h9v16z")),  # town
    ((-13, 9, "h10"), (3, 9, "h10"), (-5, 1, "h10"), (-8, 9, "v-9"), (0, 1, "v-10"), (8, 9, "v-9")),  # marsh
    ((-13, 10, "l7,-18l6,11l4,-8l9,15z"),),  # crags
)
WAVE: Strokes = ((-11, 0, "q5.5,-7 11,0q5.5,7 11,0"),)
SIGN_HALF_SIZE, SIGN_DISTANCE, MAX_SIGNS = (
    14,
    44,
    7,
)  # half a sign's size, min distance between signs, max signs per land
MAX_WAVES = 9
# Hatches of the holders' lands: the angle of the lines, and whether they cross.
HATCHES = ((45, False), (135, False), (0, False), (90, False), (45, True), (0, True), (20, False), (160, False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hatch:
    """A holder's own pattern, so that nobody has to tell colours apart."""

    id: str
    colour: str
    turn: int
    is_crossed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A territory as it is drawn: its outline and its label, centred on x."""

    place: TerritoryRow
    path: str
    ground: str  # signs beside its name, as one path
    hatch: Hatch | None  # of its holder
    label: Label

    @property
    def x(self) -> float:
        return self.label.x

    @property
    def lines(self) -> tuple[tuple[float, str], ...]:
        """The lines of the name with their y; the territory's number in the list if there is no room for the name."""
        writing, step = self.label.writing, LINE_HEIGHT * self.label.writing.letters
        return tuple((round(self.label.first + step * at, 1), line) for at, line in enumerate(writing.lines))

    @property
    def holder(self) -> tuple[float, str] | None:
        """The y and the holder's name, truncated to fit; None if there is no room."""
        name = self.label.writing.holder
        return (round(self.lines[-1][0] + LINE_HEIGHT * HELD, 1), name) if name else None

    @property
    def emblem_at(self) -> Point | None:
        """The top left corner of the holder's emblem; None if there is no room for it."""
        wide = self.emblem_wide
        return (round(self.x - wide / 2, 1), self.label.top) if self.label.writing.has_signs else None

    @property
    def emblem_wide(self) -> float:
        return SIGN_SIZE - 4

    @property
    def contest_sign(self) -> Point | None:
        """The centre of the sign for a contested territory: beside the emblem, or in its place."""
        if not self.label.writing.has_signs:
            return None
        return round(self.x + (SIGN_SIZE if self.place.holder else 0), 1), round(self.label.top + SIGN_SIZE / 2, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDrawing:
    size: int
    spots: tuple[Spot, ...]
    coast: str
    waves: str
    ways: tuple[tuple[Point, Point], ...]  # between neighbours that lie apart
    hatches: tuple[Hatch, ...]

    @property
    def is_numbered(self) -> bool:
        """Whether some territory is too narrow for its name, which is then in the list beside the map."""
        return any(spot.label.is_number for spot in self.spots)


def map_drawing(kind: str, places: Sequence[TerritoryRow]) -> MapDrawing:
    """Return the drawing of these territories. The same names and borders give the same country."""
    near = _neighbours_by_index(kind, places)
    shape = Shape(
        is_ring=kind != ZONES,
        is_own=near != tuple(tuple(sorted(each)) for each in neighbours_by_shape(kind, len(places)).values()),
        near=near,
        seed=crc32("\n".join(place.name for place in places).encode()),
    )
    found = _draw_country(shape, tuple((place.position, place.name, place.holder_name) for place in places))
    hatches = _hatches(shape.seed, places)
    return MapDrawing(
        size=SIZE,
        spots=tuple(
            Spot(place=place, path=path, ground=ground, label=label, hatch=hatches.get(place.holder or 0))
            for place, path, ground, label in zip(places, found.paths, found.grounds, found.labels, strict=True)
        ),
        coast=found.coast,
        waves=found.waves,
        ways=found.ways,
        hatches=tuple(hatches.values()),
    )


def _neighbours_by_index(kind: str, places: Sequence[TerritoryRow]) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each territory by the rules.

    They are counted from 1: imported positions can have gaps.
    """
    beside = neighbours(kind, {place.position: place.neighbours for place in places})
    number = {place.position: at for at, place in enumerate(places, 1)}
    return tuple(
        tuple(sorted(number[other] for other in beside.get(place.position, ()) if other in number)) for place in places
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """The parts that are the same for all readers: outlines, names and signs."""

    paths: tuple[str, ...]
    grounds: tuple[str, ...]
    labels: tuple[Label, ...]
    coast: str
    waves: str
    ways: tuple[tuple[Point, Point], ...]


@lru_cache(maxsize=CACHE_SIZE)
def _draw_country(shape: Shape, names: tuple[tuple[int, str, str], ...]) -> _Drawn:
    found = build_country(shape)
    mesh = found.mesh
    labels = _labels(found, names)
    kinds = _kinds(found, shape.seed)
    return _Drawn(
        paths=tuple(path_of(mesh.outlines(land)) for land in found.lands),
        grounds=tuple(
            _repeat_strokes(GROUNDS[kind], _sign_points(found, land, label))
            for land, label, kind in zip(found.lands, labels, kinds, strict=True)
        ),
        labels=tuple(labels),
        coast=path_of(mesh.outlines(frozenset().union(*found.lands))),
        waves=_repeat_strokes(WAVE, _thin_out(found.open_sea(), 2 * SIGN_DISTANCE, MAX_WAVES, shape.seed)),
        ways=found.ways,
    )


def _labels(found: Country, names: tuple[tuple[int, str, str], ...]) -> list[Label]:
    """Return the names where they fit; numbers for all lands if few names fit."""
    each = [
        place_label(found.mesh, land, name, holder, position)
        for land, (position, name, holder) in zip(found.lands, names, strict=True)
    ]
    if sum(label.is_number for label in each) <= len(each) / 4:
        return each
    return [
        place_label(found.mesh, land, "", "", position) for land, (position, *_) in zip(found.lands, names, strict=True)
    ]


def _hatches(seed: int, places: Sequence[TerritoryRow]) -> dict[int, Hatch]:
    """Return a pattern for each holder, unique as long as there are enough."""
    colours = {place.holder: place.colour for place in places if place.holder is not None}
    taken: dict[int, int] = {}
    for holder in sorted(colours):
        free = [at for at in range(len(HATCHES)) if at not in taken.values()] or range(len(HATCHES))
        taken[holder] = min(free, key=lambda at: (at - holder) % len(HATCHES))
    return {
        holder: Hatch(
            id=f"hatch-{seed:x}-{holder}", colour=colours[holder], turn=HATCHES[at][0], is_crossed=HATCHES[at][1]
        )
        for holder, at in taken.items()
    }


def _kinds(found: Country, seed: int) -> list[int]:
    """Return the ground of each land. Touching lands get different ones as long as there are enough."""
    kinds: list[int] = []
    for at in range(1, len(found.lands) + 1):
        near = {kinds[one - 1] for one, two in found.touching if two == at}
        wanted = sorted(range(len(GROUNDS)), key=lambda kind: pseudorandom(seed, at, kind, 12))
        kinds.append(next((kind for kind in wanted if kind not in near), wanted[0]))
    return kinds


def _sign_points(found: Country, land: Collection[Cell], label: Label) -> list[Point]:
    """Return points for signs well inside a land and away from its name; nearer to the edge if there is no room."""
    inner = [cell for cell in sorted(land) if all(other in land for other in adjacent_cells(cell))]
    for cells, within in (
        (inner, SIGN_HALF_SIZE + 2),
        (sorted(land), SIGN_HALF_SIZE),
        (sorted(land), SIGN_HALF_SIZE / 2),
    ):
        points = [point for cell in cells if not label.covers(point := found.mesh.middle(cell), within)]
        if points:
            return _thin_out(points, SIGN_DISTANCE, MAX_SIGNS, found.mesh.seed)
    return []


def _thin_out(points: Sequence[Point], apart: float, most: int, seed: int) -> list[Point]:
    """Return at most that many of the points, at least that far apart."""
    found: list[Point] = []
    for point in sorted(points, key=lambda each: pseudorandom(seed, round(each[0]), round(each[1]))):
        if len(found) < most and all(math.dist(point, other) >= apart for other in found):
            found.append(point)
    return found


def _repeat_strokes(strokes: Strokes, points: Sequence[Point]) -> str:
    """Return the same sign at each of the points, as one path."""
    return "".join(f"M{x + aside:.0f},{y + down:.0f}{path}" for x, y in points for aside, down, path in strokes)
