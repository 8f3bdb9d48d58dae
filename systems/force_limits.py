"""Limits of units and points that a scenario sets for each side: parsing, checks, descriptions and form rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import pydantic

from systems.documents import Document, DocumentError
from systems.legality import Problem
from systems.scenario_form import WHOLE_NUMBER, parse_whole_number

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
                message = f"{name}: a force has {bounds.units_most} {bounds.units} at most; {number} is no limit."
                yield Problem(bounds.units_rule, message, f"{at}.{field}")
        for field, number in zip(("points_least", "points_most"), points, strict=True):
            if number > bounds.points_most:
                message = f"{name}: a force is worth {bounds.points_most} points at most; {number} is no limit."
                yield Problem(bounds.points_rule, message, f"{at}.{field}")
        for what, (least, most), rule in (
            ("units", units, bounds.units_rule),
            ("points", points, bounds.points_rule),
        ):
            if most and least > most:
                called = bounds.units if what == "units" else what
                message = f"{name}: {least} {called} at least are more than {most} at most."
                yield Problem(rule, message, f"{at}.{what}_least")


def force_wrong(side: SideLimits, number: int, points: int, bounds: Bounds, extra_points: int = 0) -> Iterator[Problem]:
    """Yield the ways in which a force breaks the scenario's limits, except too many points.

    Games check too many points themselves, together with their other point limits.
    """
    if number and number < side.units_least:
        message = f"The scenario asks for {bounds.count_units(side.units_least)} at least, not {number}."
        yield Problem(bounds.units_rule, message, "members")
    if side.units_most and number > side.units_most:
        message = f"The scenario allows {bounds.count_units(side.units_most)} at most, not {number}."
        yield Problem(bounds.units_rule, message, "members")
    least = side.points_least + min(0, extra_points)  # a side that gives up points need not bring them
    if number and points < least:
        message = f"The force is worth {points} points; the scenario asks for {least} at least."
        yield Problem(bounds.points_rule, message, "members")


# --- in words ---------------------------------------------------------------------------------------------------------


def describe_units(side: SideLimits, bounds: Bounds) -> str:
    """Describe a side's units, `1 to 10 Warmechs` or `4 Warmechs`, then the minimum of points."""
    least, most = max(1, side.units_least), side.units_most or bounds.units_most
    text = bounds.count_units(most) if least == most else f"{least} to {most} {bounds.units}"
    if bounds.unsaid and not side.units_most:
        text = f"{bounds.count_units(least)} or more" if side.units_least else bounds.unsaid
    return f"{text}, {side.points_least} points at least" if side.points_least else text


def describe_side(side: SideLimits, bounds: Bounds, points: int = 0) -> str:
    """Describe a side's units and maximum points; `points` is the maximum if the side has none of its own."""
    most = side.points_most or points
    text = describe_units(side, bounds)
    return f"{text}, {most} points at most" if most else text


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
