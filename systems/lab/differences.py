"""Two builds of a game side by side, part by part, from their benches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from systems.roster import AnyRoster, Bench, BenchChoice, BenchFigure, BenchPick, BenchText, BenchTick

from .changes import Spec

NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One part of either build; NOTHING where it has none."""

    label: str
    left: str
    right: str

    @property
    def differs(self) -> bool:
        return self.left != self.right


def side_by_side(rules: AnyRoster, left: Spec, right: Spec) -> tuple[DifferenceRow, ...]:
    """Return points, measures, frame and every part that at least one of the two has, in the order of the bench."""
    ours, theirs = dict(_describe(rules, left)), dict(_describe(rules, right))
    labels = [label for label in theirs if label not in ours]
    rows = (DifferenceRow(label, ours.get(label, NO_VALUE), theirs.get(label, NO_VALUE)) for label in (*ours, *labels))
    return tuple(row for row in rows if row.differs or row.left != NO_VALUE)


def _describe(rules: AnyRoster, spec: Spec) -> Iterator[tuple[str, str]]:
    bench: Bench = rules.bench(spec)
    yield "Points", str(rules.check_design(spec).points)
    yield rules.frame_word, _choice_name(bench.frames, bench.frame)
    for label, value in rules.measures(spec):
        yield label, value or NO_VALUE
    for pick in bench.picks:
        yield _field(pick, "")
    for text in bench.texts:
        yield _field(text, "")
    for group in bench.groups:
        for part in group.choices:
            yield f"{group.title}: {part.name}", str(part.count) if part.count else NO_VALUE
    for section in bench.sections:
        for field in section.fields:
            yield _field(field, f"{section.title}: ")


def _field(field: BenchPick | BenchText | BenchFigure | BenchTick, where: str) -> tuple[str, str]:
    label = f"{where}{field.label}"
    if isinstance(field, BenchTick):
        return label, "yes" if field.is_set else NO_VALUE
    if isinstance(field, BenchPick):
        return label, _choice_name(field.choices, field.value) if field.value else NO_VALUE
    return label, field.value or NO_VALUE


def _choice_name(choices: tuple[BenchChoice, ...], slug: str) -> str:
    return next((each.name for each in choices if each.slug == slug), slug) or NO_VALUE
