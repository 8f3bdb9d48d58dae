"""The design lab: the changes that an editor offers for a build, their results, and a comparison of two builds.

With its modules it also finds repairs and random builds. It derives all of them from a game's editor, through its
RosterSystem, and is independent of any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from systems.design_editor import (
    DesignEditor,
    EditorChoice,
    EditorFigure,
    EditorPick,
    EditorSection,
    EditorText,
    EditorTick,
)
from systems.documents import DocumentError
from systems.legality import Check
from systems.roster import AnyRoster

MAX_COUNT = 24  # of one part
Spec: TypeAlias = Any  # of any game


@dataclass(frozen=True, slots=True)
class Change:
    """Fields of the lab's address and counts of parts that change together, with a description for the player."""

    description: str
    fields: tuple[tuple[str, str], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    steps: int = 1  # how many clicks it takes
    is_less: bool = False  # it only removes things
    about: str = ""  # key for changes of which only the smallest is shown; empty: the names it touches

    @property
    def touched(self) -> frozenset[str]:
        return frozenset(name for name, _ in (*self.fields, *self.counts))

    def and_then(self, other: Change) -> Change:
        """Return both changes combined; they must touch different things."""
        return Change(
            f"{self.description}; {other.description}",
            self.fields + other.fields,
            self.counts + other.counts,
            self.steps + other.steps,
            self.is_less and other.is_less,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """A build after a change."""

    change: Change
    spec: Spec
    check: Check


@dataclass(slots=True)
class EditedBuild:
    """A build of a game with its editor, for trying changes; `tried` counts the tries."""

    rules: AnyRoster
    spec: Spec
    check: Check = field(init=False)
    editor: DesignEditor = field(init=False)
    fields: Mapping[str, str] = field(init=False)
    counts: Mapping[str, int] = field(init=False)
    tried: int = 0

    def __post_init__(self) -> None:
        self.check = self.rules.check_design(self.spec)
        self.editor = self.rules.editor(self.spec)
        self.fields = self.rules.lab_address(self.rules.spec_json(self.spec))
        self.counts = {part.slug: part.count for group in self.editor.groups for part in group.choices}

    def spec_after(self, change: Change) -> Spec:
        """Return the spec after the change; None if no such build exists or nothing changes."""
        fields = {**self.fields, **dict(change.fields)}
        counts = {**self.counts, **dict(change.counts)} if self.editor.groups else None
        try:
            spec = self.rules.parse_spec(spec_of(self.rules, fields, counts))
        except DocumentError:
            return None
        return None if spec == self.spec else spec

    def after(self, change: Change) -> Outcome | None:
        """Return the build after the change."""
        self.tried += 1
        spec = self.spec_after(change)
        return None if spec is None else Outcome(change, spec, self.rules.check_design(spec))


def spec_of(rules: AnyRoster, fields: Mapping[str, str], counts: Mapping[str, int] | None) -> dict[str, object]:
    """Return the spec, as JSON values, for the lab's fields and, if parts are counted, their counts."""
    spec = rules.lab_spec({name: fields.get(name, "") for name in rules.lab_fields})
    return spec if counts is None else rules.editor_spec(str(spec[rules.lab_fields[0]]), counts, spec)


def offered(editor: DesignEditor, rules: AnyRoster) -> Iterator[Change]:
    """Yield every single change that the editor offers, in the editor's order.

    A change is another frame, one more or one fewer of a part, another pick, a tick, a figure at a limit or one step
    away, or moving one slot's contents to an empty slot.
    """
    for frame in editor.frames:
        if frame.slug != editor.frame:
            description = f"{rules.frame_word}: {frame.name} instead of {_name(editor.frames, editor.frame)}"
            yield Change(description, ((rules.lab_fields[0], frame.slug),))
    for group in editor.groups:
        for part in group.choices:
            yield from _count_changes(part)
    for pick, where in _picks(editor):
        yield from _picked(pick, where)
    yield from _moved(editor)
    for text in editor.texts:
        if text.value:
            yield Change(f"{text.label}: blank", ((text.slug, ""),), is_less=True)
    for section in editor.sections:
        yield from () if section.is_fixed else _set(section)


def _count_changes(part: EditorChoice) -> Iterator[Change]:
    for number in range(part.count - part.pack, -1, -part.pack) if part.count else ():
        less = part.count - number
        description = (
            f"without the {part.name}" if not number and less == part.pack else f"{_times(less)}{part.name} less"
        )
        yield Change(description, counts=((part.slug, number),), is_less=True)
    if part.count % part.pack:
        yield Change(f"without the {part.name}", counts=((part.slug, 0),), is_less=True)
    if part.count + part.pack <= MAX_COUNT:
        yield more_of(part)


def more_of(part: EditorChoice) -> Change:
    """Return the change that makes one more purchase."""
    number = part.count + part.pack - part.count % part.pack
    return Change(f"{_times(number - part.count)}{part.name} more", counts=((part.slug, number),))


def less_of(part: EditorChoice) -> Change:
    """Return the change that makes one purchase fewer."""
    return Change(
        f"{_times(part.pack)}{part.name} less", counts=((part.slug, max(0, part.count - part.pack)),), is_less=True
    )


def _times(number: int) -> str:
    return "one " if number == 1 else f"{number} "


def _picks(editor: DesignEditor) -> Iterator[tuple[EditorPick, str]]:
    """Yield every pick with its label."""
    yield from ((pick, pick.label) for pick in editor.picks)
    for section in editor.sections:
        yield from ((each, f"{section.title}, {each.label}") for each in section.fields if isinstance(each, EditorPick))


def _picked(pick: EditorPick, where: str) -> Iterator[Change]:
    was = f" instead of {_name(pick.choices, pick.value)}" if pick.value else ""
    if pick.value and pick.empty:
        yield Change(f"{where}: {pick.empty}{was}", ((pick.slug, ""),), is_less=True)
    for part in pick.choices:
        if part.slug != pick.value:
            yield Change(f"{where}: {part.name}{was}", ((pick.slug, part.slug),))


def _moved(editor: DesignEditor) -> Iterator[Change]:
    for source in editor.picks:
        if not source.value or not source.empty:
            continue
        for target in editor.picks:
            if target.value or target.refusal or not any(each.slug == source.value for each in target.choices):
                continue
            name = _name(source.choices, source.value)
            description = f"{name} moved from {source.label} to {target.label}"
            yield Change(description, ((source.slug, ""), (target.slug, source.value)), about=f"{source.slug} moved")


def _set(section: EditorSection) -> Iterator[Change]:
    """Yield the changes to a section's fields; in a collapsed section only to fields that are set."""
    for each in section.fields:
        if isinstance(each, EditorTick) and (each.is_set or not section.is_folded):
            word = "without" if each.is_set else "with"
            yield Change(f"{word} {each.label}", ((each.slug, "" if each.is_set else "on"),), is_less=each.is_set)
        elif isinstance(each, EditorFigure) and (each.value or not section.is_folded):
            yield from (_figured(each, section, value) for value in _values(each))


def _figured(figure: EditorFigure, section: EditorSection, value: str) -> Change:
    description = f"{section.title}, {figure.label}: {value or 'none'} instead of {figure.value or 'none'}"
    return Change(description, ((figure.slug, value),))


def _values(figure: EditorFigure) -> Iterator[str]:
    """Yield sensible values for a figure: one step up or down, half of it, whole steps, the limits of its range.

    A figure without a range also gets an empty value.
    """
    step = float(figure.step)
    now = float(figure.value) if figure.value else 0.0
    found = [now - step, now + step, now // 2, now // step * step, (now // step + 1) * step]
    if figure.least is not None and figure.most is not None:
        found = [min(max(each, figure.least), figure.most) for each in (*found, figure.least, figure.most)]
    values = dict.fromkeys([*([] if figure.bounds else [""]), *(f"{each:g}" for each in found)])
    yield from (each for each in values if each != figure.value)


def _name(choices: tuple[EditorChoice, ...], slug: str) -> str:
    return next((each.name for each in choices if each.slug == slug), slug)


NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One part of either build; NOTHING if a build lacks it."""

    label: str
    left: str
    right: str

    @property
    def differs(self) -> bool:
        return self.left != self.right


def side_by_side(rules: AnyRoster, left: Spec, right: Spec) -> tuple[DifferenceRow, ...]:
    """Return points, measures, frame and every part of the two builds, in the order of the editor."""
    ours, theirs = dict(_describe(rules, left)), dict(_describe(rules, right))
    labels = [label for label in theirs if label not in ours]
    rows = (DifferenceRow(label, ours.get(label, NO_VALUE), theirs.get(label, NO_VALUE)) for label in (*ours, *labels))
    return tuple(row for row in rows if row.differs or row.left != NO_VALUE)


def _describe(rules: AnyRoster, spec: Spec) -> Iterator[tuple[str, str]]:
    editor: DesignEditor = rules.editor(spec)
    yield "Points", str(rules.check_design(spec).points)
    yield rules.frame_word, _choice_name(editor.frames, editor.frame)
    for label, value in rules.measures(spec):
        yield label, value or NO_VALUE
    for pick in editor.picks:
        yield _field(pick, "")
    for text in editor.texts:
        yield _field(text, "")
    for group in editor.groups:
        for part in group.choices:
            yield f"{group.title}: {part.name}", str(part.count) if part.count else NO_VALUE
    for section in editor.sections:
        for each in section.fields:
            yield _field(each, f"{section.title}: ")


def _field(field: EditorPick | EditorText | EditorFigure | EditorTick, where: str) -> tuple[str, str]:
    label = f"{where}{field.label}"
    if isinstance(field, EditorTick):
        return label, "yes" if field.is_set else NO_VALUE
    if isinstance(field, EditorPick):
        return label, _choice_name(field.choices, field.value) if field.value else NO_VALUE
    return label, field.value or NO_VALUE


def _choice_name(choices: tuple[EditorChoice, ...], slug: str) -> str:
    return next((each.name for each in choices if each.slug == slug), slug) or NO_VALUE
