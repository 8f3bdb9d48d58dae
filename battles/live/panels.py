"""A table as one side's phone shows it: each mark with the effect of a press, and the log in sentences. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from battles.live.dice import faces_of, fact_values
from battles.live.sheet import INITIATIVE, ROUND, STEP, WINNER, Cell, Row, SheetPart, TableSheet, TableUnit, Value
from battles.live.state import (
    AGREE,
    AHEAD,
    DICE_KINDS,
    OPEN,
    PREPARE,
    ROLL,
    SEAL,
    SET,
    TAKEN_BACK,
    TYPED,
    UNDO,
    Act,
    Crossing,
    Note,
    TableState,
    describe_skipped_rolls,
    report_digest,
)
from systems.engine.dice import PREPARED_CHAIN_LENGTH
from systems.paper.blocks import Box
from systems.text import format_signed


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackBox:
    at: int
    box: Box
    is_marked: bool
    value: int  # of the cell after a press
    label: str

    @property
    def look(self) -> str:
        """Its state, for the style sheet."""
        return " ".join(name for name, is_so in (("is-marked", self.is_marked), ("is-hot", self.box.is_hot)) if is_so)


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterButton:
    """A button that changes a counter."""

    label: str
    value: int
    step: int
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A cell as it is marked."""

    cell: Cell
    value: Value
    unit: str = ""  # the unit's name, for screen readers

    @property
    def name(self) -> str:
        return f"{self.unit}: {self.cell.label}" if self.unit else self.cell.label

    @property
    def is_on(self) -> bool:
        return bool(self.value)

    @property
    def boxes(self) -> tuple[TrackBox, ...]:
        """All boxes. Pressing one makes it the last one crossed out, or the one before it if it was the last already."""
        value = int(self.value)
        return tuple(
            TrackBox(
                at=at,
                box=box,
                is_marked=at <= value,
                value=at - 1 if at == value else at,
                label=f"{self.name}, {at} of {self.cell.most}",
            )
            for at, box in enumerate(self.cell.boxes, start=1)
        )

    @property
    def presses(self) -> tuple[CounterButton, ...]:
        """The buttons for less and for more, one for each step."""
        value, steps = int(self.value), self.cell.steps
        less = [-step for step in reversed(steps)]
        return tuple(
            CounterButton(
                label=format_signed(step),
                step=step,
                value=max(0, min(self.cell.most, value + step)),
                disabled=not 0 <= value + step <= self.cell.most if len(steps) == 1 else not value + step >= 0,
            )
            for step in (*less, *steps)
        )

    @property
    def less(self) -> tuple[CounterButton, ...]:
        return self.presses[: len(self.cell.steps)]

    @property
    def more(self) -> tuple[CounterButton, ...]:
        return self.presses[len(self.cell.steps) :]

    @property
    def value_label(self) -> str:
        return self.cell.in_words(self.value)

    @property
    def in_words(self) -> str:
        """The mark, with its label."""
        return self.cell.label if self.cell.is_tick and self.is_on else f"{self.cell.label}: {self.value_label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackRow:
    row: Row
    mark: Mark | None
    figures: tuple[tuple[str, str], ...]  # head and figure

    @property
    def look(self) -> str:
        """The kind of row, for the style sheet."""
        if self.figures:
            return "live-row--figures"
        return "live-row--tick" if self.mark and self.mark.cell.is_tick else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPart:
    part: SheetPart
    rows: tuple[TrackRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPanel:
    table_unit: TableUnit
    parts: tuple[UnitPart, ...]
    fate: tuple[Mark, ...]
    hits: Mark | None  # its only row of hits; None: there are several, or none
    lost: int
    whole: int
    is_out: bool
    pilot: str  # the pilot's name, if the reader may know it
    shows: tuple[Value | str, ...]  # the cache key: everything that its sheet depends on


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Both marks of a conflict, and the values to choose from."""

    mark: Mark
    unit: str
    crossing: Crossing
    lines: tuple[tuple[str, str, str], ...]  # who, from, to
    offers: tuple[tuple[Value, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    place: int
    side: int
    who: str
    text: str
    at: datetime | None
    is_undone: bool
    may_undo: bool


def unit_panels(
    sheet: TableSheet, state: TableState, side: int, pilots: Mapping[str, str] = MappingProxyType({})
) -> tuple[UnitPanel, ...]:
    """Return the units of a side with their marks. `pilots`: names by unit key."""
    return tuple(
        _unit_panel(sheet.hash, table_unit, state.values, pilots.get(table_unit.key, ""))
        for table_unit in sheet.of_side(side)
    )


def _unit_panel(name: str, table_unit: TableUnit, values: Mapping[str, Value], pilot: str) -> UnitPanel:
    def mark(cell: Cell | None) -> Mark | None:
        return Mark(cell=cell, value=values[cell.id], unit=table_unit.name) if cell else None

    def row(part: SheetPart, row: Row) -> TrackRow:
        heads = part.heads or ("",) * len(row.figures)
        return TrackRow(row=row, mark=mark(row.cell), figures=tuple(zip(heads, row.figures, strict=False)))

    hits = table_unit.of_hits
    return UnitPanel(
        table_unit=table_unit,
        parts=tuple(
            UnitPart(part=part, rows=tuple(row(part, each) for each in part.rows)) for part in table_unit.parts
        ),
        fate=tuple(Mark(cell=cell, value=values[cell.id], unit=table_unit.name) for cell in table_unit.fate),
        hits=mark(hits[0]) if len(hits) == 1 else None,
        lost=table_unit.lost(values),
        whole=sum(cell.most for cell in hits),
        is_out=table_unit.is_out(values),
        pilot=pilot,
        shows=(name, table_unit.key, table_unit.name, pilot, *(values[cell.id] for cell in table_unit.cells())),
    )


def game_marks(sheet: TableSheet, state: TableState) -> dict[str, Mark]:
    """Return the marks of the game itself, by name."""
    names = {ROUND: "round", STEP: "step", INITIATIVE: "initiative", WINNER: "winner"}
    return {names[cell.id]: Mark(cell=cell, value=state.values[cell.id]) for cell in sheet.table}


def next_step(sheet: TableSheet, state: TableState) -> tuple[tuple[str, Value], ...]:
    """Return the marks that start the next step. After the last step comes the next round."""
    slugs, now = [slug for slug, _ in sheet.steps], state.values[STEP]
    at = slugs.index(str(now)) + 1 if now in slugs else 0
    if not slugs or at == len(slugs):
        more = ((STEP, slugs[0]),) if slugs else ()
        return ((ROUND, int(state.values[ROUND]) + 1), *more)
    return ((STEP, slugs[at]),)


def list_conflicts(sheet: TableSheet, state: TableState, who: Sequence[str]) -> tuple[Conflict, ...]:
    """Return the conflicts: cells that both sides have marked at the same time."""
    found = []
    cells = sheet.cells
    for crossing in state.crossings:
        cell, table_unit = cells[crossing.cell], sheet.table_unit_of(crossing.cell)
        if table_unit and table_unit.is_contact:
            continue  # the conflict would reveal what is marked on the hidden unit
        acts = (crossing.first, crossing.second)
        made = [crossing.of(act) for act in acts]
        offers = dict.fromkeys([*(now for _, now in made), *_merge_values(cell, made)])
        found.append(
            Conflict(
                mark=Mark(cell=cell, value=state.values[cell.id], unit=table_unit.name if table_unit else ""),
                unit=table_unit.name if table_unit else "",
                crossing=crossing,
                lines=tuple(
                    (who[act.side], cell.in_words(was), cell.in_words(now))
                    for act, (was, now) in zip(acts, made, strict=True)
                ),
                offers=tuple((value, cell.in_words(value)) for value in offers),
            )
        )
    return tuple(found)


def _merge_values(cell: Cell, made: Sequence[tuple[Value, Value]]) -> Iterator[Value]:
    """Yield the value that keeps both changes: their sum, if both sides changed a count."""
    (_, first), (was, second) = made
    numbers = [first, was, second]
    if cell.kind == "choice" or not all(isinstance(each, int) for each in numbers):
        return
    seen = made[0][0]  # what the second side had seen before marking
    total = int(first) + int(second) - int(seen)
    if cell.takes(total):
        yield total


def log_lines(
    sheet: TableSheet, state: TableState, acts: Sequence[Act], who: Sequence[str], me: int
) -> Iterator[LogLine]:
    """Return the log, newest first."""
    for act in reversed(acts):
        is_undone = act.place in state.undone
        yield LogLine(
            place=act.place,
            side=act.side,
            who=who[act.side],
            text=_describe_act(sheet, act),
            at=act.at,
            is_undone=is_undone,
            may_undo=act.side == me and act.kind in TAKEN_BACK and not is_undone,
        )


def _describe_act(sheet: TableSheet, act: Act) -> str:
    if act.kind == SET:
        return "; ".join(dict.fromkeys(_describe_change(sheet, *change) for change in act.changes))
    if act.kind in DICE_KINDS:
        what = f" for {act.facts['what']}" if act.facts.get("what") else ""
        verb = {ROLL: "rolled", TYPED: "entered dice", AHEAD: "rolled offline"}[act.kind]
        text = f"{verb}{what}: {', '.join(map(str, faces_of(act)))}"
        return text if act.kind != AHEAD else f"{text} ({_describe_prepared_roll(act)})"
    return {
        PREPARE: f"prepared {PREPARED_CHAIN_LENGTH} offline rolls",
        SEAL: "sealed a note",
        OPEN: f"revealed note {act.number('place')}",
        UNDO: f"undid {act.number('place')}",
        AGREE: "confirms the result",
    }[act.kind]


def _describe_prepared_roll(act: Act) -> str:
    """Describe a prepared roll: its number, whether it is proven or disputed, and why."""
    why = " ".join((*fact_values(act, "why"), describe_skipped_rolls(fact_values(act, "skipped")))).strip()
    verdict = "disputed" if act.facts.get("why") else "proven"
    return f"prepared roll {act.number('roll')}, {verdict}" + (f". {why}" if why else "")


def _describe_change(sheet: TableSheet, name: str, was: Value, now: Value) -> str:
    cell, table_unit = sheet.cells.get(name), sheet.table_unit_of(name)
    if cell is None:
        return f"{name}: {now}"
    if table_unit and table_unit.is_contact:
        return f"{table_unit.name}: marked"
    of = f"{table_unit.name}, " if table_unit else ""
    if cell.is_tick:
        return f"{of}{cell.label}{'' if now else ': no more'}"
    return f"{of}{cell.label}: {cell.in_words(was)} to {cell.in_words(now)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndUnit:
    name: str
    side: int
    answers: tuple[tuple[str, str], ...]  # label and answer
    is_contact: bool = False  # the unit and its fate are hidden from the reader


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPreview:
    """The report, if the game ended now."""

    winner: str
    rounds: int
    round_word: str
    units: tuple[EndUnit, ...]
    support: tuple[tuple[str, tuple[str, ...]], ...]
    digest: str
    agreed: tuple[bool, bool]
    problem: str


def preview_end(sheet: TableSheet, state: TableState, problem: str, hidden: Collection[str] = ()) -> EndPreview:
    """Return the report as it would be now, without the fates of `hidden` units.

    They must be revealed before anybody can agree.
    """
    report = sheet.report(state.values)
    digest = report_digest(report)
    used = [
        (sheet.sides[side], tuple(filter(None, (_describe_use(cell, state.values[cell.id]) for cell in cells))))
        for side, cells in enumerate(sheet.support)
    ]
    return EndPreview(
        winner=sheet.cells[WINNER].in_words(state.values[WINNER]),
        rounds=int(state.values[ROUND]),
        round_word=sheet.round_word,
        units=tuple(
            _end_unit(sheet, table_unit, state.values)
            for table_unit in sheet.veiled(hidden).table_units
            if table_unit.line
        ),
        support=tuple((name, labels) for name, labels in used if labels),
        digest=digest,
        agreed=(state.agreed.get(0) == digest, state.agreed.get(1) == digest),
        problem=problem,
    )


def _end_unit(sheet: TableSheet, table_unit: TableUnit, values: Mapping[str, Value]) -> EndUnit:
    fate = table_unit.fate_of(values)
    answers = tuple(
        (each.label[:1].upper() + each.label[1:], each.in_words(fate[each.name]))
        for each in sheet.terms.asks
        if each.name in fate
    )
    return EndUnit(name=table_unit.name, side=table_unit.side, answers=answers, is_contact=table_unit.is_contact)


def _describe_use(cell: Cell, value: Value) -> str:
    if not value:
        return ""
    return cell.in_words(value) if cell.kind == "choice" else cell.label


def notes_of_side(notes: Sequence[Note], side: int) -> tuple[Note, ...]:
    """Return the notes of a side, newest first."""
    return tuple(note for note in reversed(notes) if note.side == side)
