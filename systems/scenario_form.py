"""The form of a scenario in inches, and small maps of scenarios for lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

import pydantic

from systems.documents import Document

WHOLE_NUMBER = "must be a whole number"
REMOVED_KIND = "gone"  # the kind that removes a piece
BARE_LAYOUT = "bare"  # the layout of an empty table
HALVES = {"turned-a": "Side A’s half, turned", "turned-b": "Side B’s half, turned"}
FIGURE_PATTERN = re.compile(r"[-+]?([0-9]{1,4}(\.[0-9]{0,20})?|\.[0-9]{1,20})(e-?[0-9]{1,3})?")
PIECE_PATTERN = re.compile(r"piece-([1-9][0-9]{0,2})-kind")
Place = Annotated[float, pydantic.Field(ge=-1000, le=1000, strict=False, allow_inf_nan=False)]


class PlacedFields(Document):
    """Something on a table: inches from side A's left corner."""

    x: Place
    y: Place


Lying = TypeVar("Lying", bound=PlacedFields)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointRow:
    """An objective, as entered in the form."""

    number: int
    x: str = ""
    y: str = ""
    error: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.x and not self.y


@dataclass(frozen=True, slots=True, kw_only=True)
class Brush:
    """A tool for editing the table."""

    value: str
    label: str
    is_chosen: bool


def brushes(kinds: Mapping[str, str], point: str, chosen: str) -> tuple[Brush, ...]:
    """Return the tools: move, place one of the kinds or a point, remove. The first kind is chosen by default."""
    chosen = chosen or next(iter(kinds))
    named = {"move": "Move", **kinds, "point": point, "away": "Take away"}
    return tuple(Brush(value=value, label=label, is_chosen=value == chosen) for value, label in named.items())


def point_rows(points: Sequence[tuple[float, float]], rows: int) -> tuple[PointRow, ...]:
    """Return one row per point, and at least `rows` rows."""
    filled = [PointRow(number=at, x=format_figure(x), y=format_figure(y)) for at, (x, y) in enumerate(points, start=1)]
    return (*filled, *(PointRow(number=at) for at in range(len(filled) + 1, rows + 1)))


def format_figure(value: float) -> str:
    """Return a number as a field shows it; reading it back gives the same number."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def sent_figure(fields: Mapping[str, str], name: str) -> str:
    """Return the submitted text of a number field."""
    return fields.get(name, "").strip().replace(",", ".")[:30]


def sent_sentence(fields: Mapping[str, str], name: str, most: int) -> str:
    """Return the submitted text of a text field, on one line."""
    return " ".join(fields.get(name, "").split())[:most]


def parse_whole_number(written: str) -> int | None:
    """Return a whole number; 0 for an empty field, None if it isn't one. Upper bounds are checked later."""
    written = written.strip()
    if not written:
        return 0
    return min(int(written), 999_999) if written.isascii() and written.isdecimal() and len(written) < 12 else None


def sent_points(fields: Mapping[str, str], rows: int, size: int, rule: str) -> tuple[PointRow, ...]:
    """Return the submitted rows of points."""
    found = (
        PointRow(number=at, x=sent_figure(fields, f"point-{at}-x"), y=sent_figure(fields, f"point-{at}-y"))
        for at in range(1, rows + 1)
    )
    return tuple(replace(row, error=place_error(row.x, row.y, size, rule)) for row in found)


def piece_numbers(fields: Mapping[str, str]) -> list[int]:
    """Return the numbers of the submitted rows of pieces."""
    return sorted(int(found[1]) for name in fields if (found := PIECE_PATTERN.fullmatch(name)))


def place_error(x: str, y: str, size: int, rule: str) -> str:
    """Return what is wrong with a submitted place; empty if it is fine or no place was given."""
    if not x and not y:
        return ""
    for axis, written in (("x", x), ("y", y)):
        if not written:
            return f"lacks its {axis}"
        if not FIGURE_PATTERN.fullmatch(written):
            return f"has {axis} “{written}”, which is no number of inches"
        if not 0 <= float(written) <= size:
            return f"lies on the table, 0 to {size} in each way, not at {axis} {written} ({rule})"
    return ""


def mirror_half(
    pieces: Sequence[Lying], points: Sequence[tuple[float, float]], size: int, *, side: int
) -> tuple[list[Lying], list[tuple[float, float]]]:
    """Return one side's half with a copy of it, rotated about the centre, as the other half; the middle line stays."""
    middle = size / 2

    def is_own(y: float) -> bool:
        return y < middle if side == 0 else y > middle

    def across(x: float, y: float) -> tuple[float, float]:
        return size - x, size - y

    own = [each for each in pieces if is_own(each.y)]
    copies = (each.model_copy(update=dict(zip(("x", "y"), across(each.x, each.y), strict=True))) for each in own)
    spots = [point for point in points if point[1] == middle]
    for x, y in points:
        if is_own(y):
            spots += [(x, y), across(x, y)]
    return [*(each for each in pieces if each.y == middle), *own, *copies], spots


@dataclass(frozen=True, slots=True)
class MapPatch:
    """A shape on the map; `look` is a class of `static/css/galleries.css`."""

    look: str
    path: str


@dataclass(frozen=True, slots=True)
class SmallMap:
    """The map with side B's edge at the top, in any unit of length."""

    width: float
    height: float
    patches: tuple[MapPatch, ...]

    @property
    def line(self) -> float:
        """Return the width of a thin line."""
        return round(max(self.width, self.height) / 90, 2)


def map_box(look: str, x: float, y: float, width: float, height: float) -> MapPatch:
    return MapPatch(look, f"M{x:g},{y:g}h{width:g}v{height:g}h{-width:g}z")


def map_disc(look: str, x: float, y: float, radius: float) -> MapPatch:
    across = 2 * radius
    return MapPatch(
        look,
        f"M{x - radius:g},{y:g}a{radius:g},{radius:g} 0 1 0 {across:g},0a{radius:g},{radius:g} 0 1 0 {-across:g},0",
    )


def map_diamond(look: str, x: float, y: float, reach: float) -> MapPatch:
    return MapPatch(look, f"M{x:g},{y - reach:g}l{reach:g},{reach:g}l{-reach:g},{reach:g}l{-reach:g},{-reach:g}z")


def small_table(side: float, deep: float, patches: Iterable[MapPatch]) -> SmallMap:
    """Return a square table with the sides' set-up zones along their edges."""
    zones = (
        map_box("small-map__zone side-b", 0, 0, side, deep),
        map_box("small-map__zone side-a", 0, side - deep, side, deep),
    )
    return SmallMap(side, side, (*zones, *patches))
