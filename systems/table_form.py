"""The form of a table in inches: rows of figures for objectives and terrain, as written and as parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

import pydantic

from systems.documents import Document

WHOLE_NUMBER = "must be a whole number"
REMOVED_KIND = "gone"  # the kind of a piece that is to be removed
BARE_LAYOUT = "bare"  # the layout with nothing on it
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
    """An objective, as written in the form."""

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
    """Return a row for each point, and at least `rows` rows."""
    filled = [PointRow(number=at, x=format_figure(x), y=format_figure(y)) for at, (x, y) in enumerate(points, start=1)]
    return (*filled, *(PointRow(number=at) for at in range(len(filled) + 1, rows + 1)))


def format_figure(value: float) -> str:
    """Return a number as a field shows it; reading it gives the same number."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def sent_figure(fields: Mapping[str, str], name: str) -> str:
    """Return the text that a field for a figure was sent with."""
    return fields.get(name, "").strip().replace(",", ".")[:30]


def sent_sentence(fields: Mapping[str, str], name: str, most: int) -> str:
    """Return the text that a field for words was sent with, on one line."""
    return " ".join(fields.get(name, "").split())[:most]


def parse_whole_number(written: str) -> int | None:
    """Return a whole number; 0 for an empty field, None if it isn't one. One that is too large is left to the check."""
    written = written.strip()
    if not written:
        return 0
    return min(int(written), 999_999) if written.isascii() and written.isdecimal() and len(written) < 12 else None


def sent_points(fields: Mapping[str, str], rows: int, size: int, rule: str) -> tuple[PointRow, ...]:
    """Return the rows of points as they were sent."""
    found = (
        PointRow(number=at, x=sent_figure(fields, f"point-{at}-x"), y=sent_figure(fields, f"point-{at}-y"))
        for at in range(1, rows + 1)
    )
    return tuple(replace(row, error=place_error(row.x, row.y, size, rule)) for row in found)


def piece_numbers(fields: Mapping[str, str]) -> list[int]:
    """Return the numbers of the rows of pieces that were sent."""
    return sorted(int(found[1]) for name in fields if (found := PIECE_PATTERN.fullmatch(name)))


def place_error(x: str, y: str, size: int, rule: str) -> str:
    """Return what is wrong with a place as it was written; empty if nothing is, or if no place was given."""
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
    """Return one side's half, and a copy turned about the centre as the other half; the middle line stays."""
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
