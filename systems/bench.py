"""Charts that a game draws of a build: exact figures by place, in series. The site decides how they look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from systems.legality import Check


@dataclass(frozen=True, slots=True)
class Series:
    """A line of figures, one for each place of the chart; None where there is none."""

    name: str
    values: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    slug: str
    title: str
    across: str  # what the places are
    at: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""  # what is counted and what is not
    empty: str = "Nothing to show of this build."  # shown if nothing can be drawn

    @property
    def rows(self) -> tuple[tuple[str, tuple[Fraction | None, ...]], ...]:
        """Return the chart as a table: a row for each place."""
        return tuple((place, tuple(each.values[row] for each in self.series)) for row, place in enumerate(self.at))

    @property
    def is_empty(self) -> bool:
        return not any(value for each in self.series for value in each.values)


def chart_shares(check: Check) -> Chart:
    """Return the chart of how many points each line of a bill takes."""
    lines = [line for line in check.bill if line.points]
    points = Series("points", tuple(Fraction(line.points) for line in lines))
    return Chart(
        slug="points",
        title="Where the points go",
        across="Part",
        at=tuple(each.label for each in lines),
        series=(points,),
    )


def chart_series(name: str, values: Sequence[Fraction | int | None]) -> Series:
    return Series(name, tuple(None if value is None else Fraction(value) for value in values))
