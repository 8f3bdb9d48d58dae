"""Scenarios: their form in inches, small maps of them for lists, and what each side may bring.

Limits of units and points have parsing, checks, descriptions and form rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

import pydantic

from systems.documents import Document, DocumentError
from systems.legality import Problem
from systems.text import pluralize

WHOLE_NUMBER = "must be a whole number"
REMOVED_KIND = "gone"  # the kind that removes a piece
BARE_LAYOUT = "bare"  # the layout of an empty table
HALVES = {"turned-a": "Copy side A’s half", "turned-b": "Copy side B’s half"}
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
    named = {"move": "Move", **kinds, "point": point, "away": "Remove"}
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
            return f"has no {axis}"
        if not FIGURE_PATTERN.fullmatch(written):
            return f"has {axis} “{written}”, which isn’t a number of inches"
        if not 0 <= float(written) <= size:
            return f"must be on the table, 0 to {size} in each way, not at {axis} {written} ({rule})"
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


SIDES = ("attacker", "defender")  # side A and side B in campaigns
LETTERS = ("a", "b")
MAX_COUNT = 999_999

Count = Annotated[int, pydantic.Field(ge=0, le=MAX_COUNT)]


class SideLimits(Document):
    """Limits of one side; 0 means that the game's rules decide."""

    units_least: Count = 0
    units_most: Count = 0
    points_least: Count = 0
    points_most: Count = 0


class ForceLimits(Document):
    """Limits of both sides."""

    a: SideLimits = SideLimits()
    b: SideLimits = SideLimits()

    @property
    def sides(self) -> tuple[SideLimits, SideLimits]:
        return self.a, self.b

    def of(self, side: str | None) -> SideLimits:
        """Return the limits of a side; for no side, those of the side that may have more points."""
        if side is not None:
            return self.sides[SIDES.index(side)]
        return max(self.sides, key=lambda each: each.points_most or MAX_COUNT)


FIELDS = tuple(SideLimits.model_fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A game's limits for any force, the rules behind them, and its words for units."""

    unit: str
    units: str
    units_most: int
    points_most: int
    units_rule: str
    points_rule: str
    unsaid: str = ""  # describes a side's units where the scenario leaves them open

    def count_units(self, number: int) -> str:
        return f"{number} {self.unit if number == 1 else self.units}"


def limits_wrong(limits: ForceLimits, bounds: Bounds, path: str = "forces") -> Iterator[Problem]:
    """Yield the reasons why the limits rule out every force."""
    for letter, side in zip(LETTERS, limits.sides, strict=True):
        name, at = f"Side {letter.upper()}", f"{path}.{letter}"
        units = (side.units_least, side.units_most)
        points = (side.points_least, side.points_most)
        for field, number in zip(("units_least", "units_most"), units, strict=True):
            if number > bounds.units_most:
                message = f"{name}: enter at most {bounds.count_units(bounds.units_most)}, not {number}."
                yield Problem(bounds.units_rule, message, f"{at}.{field}")
        for field, number in zip(("points_least", "points_most"), points, strict=True):
            if number > bounds.points_most:
                message = f"{name}: enter at most {pluralize(bounds.points_most, 'points')}, not {number}."
                yield Problem(bounds.points_rule, message, f"{at}.{field}")
        for what, (least, most), rule in (
            ("units", units, bounds.units_rule),
            ("points", points, bounds.points_rule),
        ):
            if most and least > most:
                called = bounds.units if what == "units" else what
                message = f"{name}: the minimum of {least} {called} is above the maximum of {most}."
                yield Problem(rule, message, f"{at}.{what}_least")


def force_wrong(side: SideLimits, number: int, points: int, bounds: Bounds, extra_points: int = 0) -> Iterator[Problem]:
    """Yield the ways in which a force breaks the scenario's limits, except too many points.

    Games check too many points themselves, together with their other point limits.
    """
    if number and number < side.units_least:
        message = f"The scenario needs at least {bounds.count_units(side.units_least)}, not {number}."
        yield Problem(bounds.units_rule, message, "members")
    if side.units_most and number > side.units_most:
        message = f"The scenario allows at most {bounds.count_units(side.units_most)}, not {number}."
        yield Problem(bounds.units_rule, message, "members")
    least = side.points_least + min(0, extra_points)  # a side that gives up points need not bring them
    if number and points < least:
        message = f"The force is worth {points} points; the scenario needs at least {least}."
        yield Problem(bounds.points_rule, message, "members")


# --- in words ---------------------------------------------------------------------------------------------------------


def describe_units(side: SideLimits, bounds: Bounds) -> str:
    """Describe a side's units, `1 to 10 Warmechs` or `4 Warmechs`, then the minimum of points."""
    least, most = max(1, side.units_least), side.units_most or bounds.units_most
    text = bounds.count_units(most) if least == most else f"{least} to {most} {bounds.units}"
    if bounds.unsaid and not side.units_most:
        text = f"{bounds.count_units(least)} or more" if side.units_least else bounds.unsaid
    return f"{text}, {pluralize(side.points_least, 'points')} at least" if side.points_least else text


def describe_side(side: SideLimits, bounds: Bounds, points: int = 0) -> str:
    """Describe a side's units and maximum points; `points` is the maximum if the side has none of its own."""
    most = side.points_most or points
    text = describe_units(side, bounds)
    return f"{text}, {pluralize(most, 'points')} at most" if most else text


def describe_forces(limits: ForceLimits, bounds: Bounds) -> str:
    """Describe both sides' units for a list, separately where they differ."""
    descriptions = [describe_units(side, bounds) for side in limits.sides]
    return descriptions[0] if limits.a == limits.b else f"{descriptions[0]} against {descriptions[1]}"


def force_lines(limits: ForceLimits, bounds: Bounds, points: int = 0) -> tuple[tuple[str, str], ...]:
    """Return each side's letter and limits; empty if the scenario has no limits of its own."""
    if limits == ForceLimits():
        return ()
    sides = zip("AB", limits.sides, strict=True)
    return tuple((f"Side {letter}", describe_side(side, bounds, points)) for letter, side in sides)


# --- the form ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitField:
    """One figure of a side's limits as a form field."""

    name: str
    label: str
    value: str
    most: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRow:
    """One side's limits as a form row."""

    letter: str  # as displayed
    fields: tuple[LimitField, ...]

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(f"Side {self.letter}: {each.label} {each.error}" for each in self.fields if each.error)


def limit_rows(limits: ForceLimits, bounds: Bounds) -> tuple[LimitRow, ...]:
    """Return the form rows for these limits; unset figures are empty."""
    return tuple(
        LimitRow(
            letter=letter.upper(),
            fields=tuple(
                LimitField(
                    name=f"force-{letter}-{field}",
                    label=_label(field, bounds),
                    value=str(getattr(side, field) or ""),
                    most=bounds.units_most if field.startswith("units") else bounds.points_most,
                )
                for field in FIELDS
            ),
        )
        for letter, side in zip(LETTERS, limits.sides, strict=True)
    )


def _label(field: str, bounds: Bounds) -> str:
    what, end = field.split("_")
    return f"{bounds.units[0].upper() + bounds.units[1:] if what == 'units' else 'Points'} at {end}"


def sent_rows(fields: Mapping[str, str], bounds: Bounds) -> tuple[LimitRow, ...]:
    """Return the rows as submitted, with an error for each wrong figure."""

    def written(field: LimitField) -> LimitField:
        text = fields.get(field.name, "")
        return replace(
            field, value=text.strip()[:12], error="" if parse_whole_number(text) is not None else WHOLE_NUMBER
        )

    return tuple(replace(row, fields=tuple(map(written, row.fields))) for row in limit_rows(ForceLimits(), bounds))


def sent_limits(fields: Mapping[str, str], bounds: Bounds) -> ForceLimits:
    """Return the submitted limits; raises DocumentError for the first unreadable figure."""
    for row in sent_rows(fields, bounds):
        for field in row.fields:
            if field.error:
                raise DocumentError(f"side {row.letter}: {field.label}", field.error)
    return ForceLimits.model_validate(
        {
            letter: {field: parse_whole_number(fields.get(f"force-{letter}-{field}", "")) for field in FIELDS}
            for letter in LETTERS
        }
    )
