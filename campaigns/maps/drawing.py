"""The map of a campaign for pages and paper. Numbers are in the drawing's own units."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from campaigns.maps.neighbours import ZONES, neighbours, neighbours_by_shape
from campaigns.standings.selectors import TerritoryRow

from .country import CACHE_SIZE, SIZE, Country, Shape, build_country, path_of
from .labels import HELD, LINE_HEIGHT, SIGN_SIZE, Label, place_label
from .mesh import Cell, Point, adjacent_cells, pseudorandom

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
        told = self.label.writing.holder
        return (round(self.lines[-1][0] + LINE_HEIGHT * HELD, 1), told) if told else None

    @property
    def emblem_at(self) -> Point | None:
        """The top left corner of the holder's emblem; None if there is no room for it."""
        wide = self.emblem_wide
        return (round(self.x - wide / 2, 1), self.label.top) if self.label.writing.has_signs else None

    @property
    def emblem_wide(self) -> float:
        return SIGN_SIZE - 4

    @property
    def swords_at(self) -> Point | None:
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


# --- parts ------------------------------------------------------------------------------------------------------------


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
