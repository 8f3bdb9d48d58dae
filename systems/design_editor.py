"""The editor of a build in the design lab, and a build's charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar

from systems.legality import Check


@dataclass(frozen=True, slots=True)
class Series:
    """A line of figures, one for each place on the chart; None where it has no value."""

    name: str
    values: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    slug: str
    title: str
    across: str  # what the places along the chart are
    at: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""  # what is included and what isn't
    empty: str = "Nothing to show for this build."  # shown if nothing can be drawn

    @property
    def rows(self) -> tuple[tuple[str, tuple[Fraction | None, ...]], ...]:
        """Return the chart as a table with one row per place."""
        return tuple((place, tuple(each.values[row] for each in self.series)) for row, place in enumerate(self.at))

    @property
    def is_empty(self) -> bool:
        return not any(value for each in self.series for value in each.values)


def chart_shares(check: Check) -> Chart:
    """Return the chart of how the points divide among the lines of a bill."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorChoice:
    """Something to build with, and how many the build has."""

    slug: str
    name: str
    detail: str
    points: int  # price of one purchase
    pack: int = 1  # how many one purchase adds
    count: int = 0
    most: int = 1
    refusal: str = ""  # why this frame can't take it

    @property
    def barred(self) -> str:
        """The refusal of a part that the build doesn't have; empty for all others."""
        return "" if self.count else self.refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorGroup:
    """Choices that share the frame's slots."""

    slug: str
    title: str
    used: int
    available: int
    choices: tuple[EditorChoice, ...]

    @property
    def barred(self) -> dict[str, list[EditorChoice]]:
        """The parts that the frame can't take, by refusal."""
        return _by_refusal(self.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorText:
    """A text field of a build; the slug is its field in the lab's address."""

    form: ClassVar = "text"
    slug: str
    label: str
    value: str
    most: int  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorPick:
    """A slot on the frame for one item; the slug is its field in the lab's address."""

    form: ClassVar = "pick"
    slug: str
    label: str
    value: str  # slug of the choice; empty: nothing
    choices: tuple[EditorChoice, ...]
    empty: str = ""  # label of the empty choice; empty: something must be chosen
    note: str = ""  # what the slot does to its item
    refusal: str = ""  # why this frame has no such slot

    @property
    def barred(self) -> str:
        """The refusal of an empty slot; empty for all others."""
        return "" if self.value else self.refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorFigure:
    """A number that can be set freely; the slug is its field in the lab's address."""

    form: ClassVar = "figure"
    slug: str
    label: str
    value: str  # as written; empty: none
    bounds: str = ""  # the limits of the rules, shown beside the field
    step: str = "1"
    least: float | None = None  # the rules' limits, as numbers
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorTick:
    """A yes-or-no property of a build; if it has it, the lab's address has "on" in the field `slug`."""

    form: ClassVar = "tick"
    slug: str
    label: str
    is_set: bool
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorSection:
    """Fields of a build shown together.

    `is_fixed`: shows a value that another field determines. `is_folded`: starts collapsed.
    """

    slug: str
    title: str
    fields: tuple[EditorFigure | EditorTick | EditorPick | EditorText, ...]
    note: str = ""
    is_fixed: bool = False
    is_folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignEditor:
    """All parts available to a build, as the design lab shows them."""

    frames: tuple[EditorChoice, ...]
    frame: str
    groups: tuple[EditorGroup, ...]
    texts: tuple[EditorText, ...] = ()
    picks: tuple[EditorPick, ...] = ()
    sections: tuple[EditorSection, ...] = ()

    @property
    def barred_picks(self) -> dict[str, list[EditorPick]]:
        """The slots that the frame doesn't have, by refusal."""
        return _by_refusal(self.picks)

    @property
    def fields(self) -> frozenset[str]:
        """Return the editor's field names in the lab's address, except the frame and the counts."""
        own = (*self.texts, *self.picks, *(each for section in self.sections for each in section.fields))
        return frozenset(each.slug for each in own)


Barrable = TypeVar("Barrable", EditorChoice, EditorPick)


def _by_refusal(items: Iterable[Barrable]) -> dict[str, list[Barrable]]:
    found: dict[str, list[Barrable]] = {}
    for each in items:
        if each.barred:
            found.setdefault(each.barred, []).append(each)
    return found
