"""A table's log as a replay for spectators: a frame for each act, with both sides as counters. Pure.

It is built from a sheet on which hidden units are contacts, so no frame holds sealed facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from battles.live.dice import roll_rows
from battles.live.panels import Mark, log_lines
from battles.live.sheet import DESTROYED, INITIATIVE, ROUND, STEP, WINNER, TableSheet, TableUnit, Value
from battles.live.state import DICE_KINDS, SET, Act, Running, table_state
from battles.replay.base import Frame, Row, StepBoard, StepPage, UnitRow, box_paths, struck_path
from battles.replay.boards import BoardKind
from battles.replay.drawing import ACTION_COLUMNS, Action, draw_action
from battles.replay.symbols import Shape, SymbolSet, chassis_shape, symbol_paths
from battles.replay.zone_board import COLUMNS as ZONE_COLUMNS
from battles.replay.zone_board import look_of
from battles.replay.zone_drawing import CHIT_HEIGHT, CHIT_WIDTH, Chit
from systems import battle_rules
from systems.battle import Chapter
from systems.battle_display import Situation, UnitView
from systems.engine.events import Event
from systems.setups import SIDE_LETTERS, Setup
from systems.simulation.analysis import EventLine

NOBODY = -1  # the side of a reader without a side
SIDES = BoardKind(
    word="field",
    title="The game at the table",
    drawing="battles/live/_map_sides.html",
    legend="battles/live/_map_sides_legend.html",
    styles=("css/spectator.css",),
)
Packing = tuple[int, int, float]  # most units of a side, columns, scale of counters
PACKINGS: tuple[Packing, ...] = ((4, 1, 1.45), (10, 2, 1.45), (99, 3, 1.1))
SIDE_WIDTH, HEAD, FOOT = 250, 36, 12
ABOVE = 30  # space over a counter, for events
MIN_ROWS = 2
LONG_NAME = 15  # a longer side name is squeezed
NO_SHAPE: Shape = ("0 0 1 1", ())


@dataclass(frozen=True, slots=True)
class TableUnitView(UnitView):
    """A unit as marked on its sheet."""

    other_marks: tuple[str, ...] = ()  # other marks, in words
    gone: tuple[str, ...] = ()  # weapons and systems with a crossed-out box
    is_contact: bool = False

    @property
    def lost_parts(self) -> tuple[str, ...]:
        return self.gone

    @property
    def is_out(self) -> bool:
        return self.destroyed or self.withdrew


@dataclass(frozen=True, slots=True)
class ActLine(EventLine):
    """An act in words."""

    side: int = 0
    place: int = 0
    is_undone: bool = False
    thrown: tuple[tuple[int, bool | None], ...] = ()

    @property
    def dice(self) -> list[tuple[int, bool | None]]:
        return list(self.thrown)

    @property
    def step(self) -> int:
        """The number of its frame."""
        return self.number + 1


@dataclass(frozen=True, slots=True)
class ActFrame(Frame):
    """The table after an act; the first frame has no act. Its lines are those with dice."""

    act: ActLine | None = None
    touched: frozenset[str] = frozenset()  # units that the act marks
    status: str = ""  # initiative and winner, in words


@dataclass(frozen=True, slots=True)
class SidesDrawing:
    chits: tuple[Chit, ...]  # in the order of the situation's units
    action: Action


@dataclass(frozen=True, slots=True)
class SidesPage(StepPage):
    """The field at one step, as its page shows it."""

    width: ClassVar = 2 * SIDE_WIDTH
    half: ClassVar = SIDE_WIDTH

    sides: Sequence[str]
    height: int
    drawing: SidesDrawing

    @property
    def view_box(self) -> str:
        return f"0 0 {self.width} {self.height}"

    @property
    def heads(self) -> tuple[tuple[str, int, int], ...]:
        """The name of each side, its middle, and the width a long name is squeezed into (0: unchanged)."""
        middles = (SIDE_WIDTH // 2, SIDE_WIDTH * 3 // 2)
        return tuple(
            (name, middle, SIDE_WIDTH - 20 if len(name) > LONG_NAME else 0)
            for name, middle in zip(self.sides, middles, strict=True)
        )

    @property
    def foot(self) -> int:
        """Where the line between the sides ends."""
        return self.height - 8


class SidesBoard(StepBoard[ActFrame]):
    """The log of a table as a replay board."""

    kind = "sides"
    columns = {"chits": ZONE_COLUMNS["chits"], **ACTION_COLUMNS}

    def __init__(self, sheet: TableSheet, acts: Sequence[Act], who: Sequence[str]) -> None:
        frames = tuple(_frames(sheet, acts, who))
        names = {table_unit.key: table_unit.name for table_unit in sheet.table_units}
        super().__init__(frames, names, sheet.round_word.capitalize(), _PlateArt(sheet, frames[0].situation))
        self.sides = sheet.sides
        self.lost = battle_rules(sheet.setup.system).hand.fields[DESTROYED]
        crowd = [len(sheet.of_side(side)) for side in (0, 1)]
        self.columns_a_side, self.scale = next((wide, scale) for most, wide, scale in PACKINGS if max(crowd) <= most)
        self.rows_a_side = max(MIN_ROWS, -(-max(crowd) // self.columns_a_side))
        self.places = dict(self._places(sheet))

    @property
    def acts(self) -> tuple[ActLine, ...]:
        """All acts in words, in order."""
        return tuple(frame.act for frame in self.frames if frame.act)

    def title(self, frame: ActFrame) -> str:
        return super().title(frame) or "Start"

    def summary(self, frame: ActFrame) -> str:
        if frame.act is None:
            return "Both sides at the start." if self.steps > 1 else "Nothing has been marked yet."
        return f"{frame.act.sentence}{' (undone later)' if frame.act.is_undone else ''}"

    def notes(self, frame: ActFrame) -> str:
        return frame.status

    def sought(self, frame: ActFrame) -> Sequence[EventLine]:
        return (frame.act,) if frame.act else ()

    def unit_rows(self, frame: ActFrame) -> Sequence[UnitRow]:
        return [self._unit(unit) for unit in _table_units(frame)]

    def rows(self, frame: ActFrame) -> Mapping[str, Iterable[Row]]:
        drawing = self._draw(frame)
        return {"chits": map(look_of, drawing.chits), **drawing.action.rows}

    def page(self, step: int, place: int) -> StepPage:
        """Return the field at that step; `place` is ignored, because there is no close view."""
        frame = self.at(step)
        return SidesPage(
            *self.page_head(frame),
            chosen=0,
            sides=self.sides,
            height=HEAD + self.rows_a_side * self._pitch + FOOT,
            drawing=self._draw(frame),
        )

    @property
    def _pitch(self) -> int:
        return round(CHIT_HEIGHT * self.scale) + ABOVE

    def _places(self, sheet: TableSheet) -> Iterator[tuple[str, tuple[float, float]]]:
        """Yield each unit's key and the upper left corner of its counter."""
        wide = SIDE_WIDTH / self.columns_a_side
        for side in (0, 1):
            for at, table_unit in enumerate(sheet.of_side(side)):
                row, column = divmod(at, self.columns_a_side)
                x = side * SIDE_WIDTH + (column + 0.5) * wide - CHIT_WIDTH * self.scale / 2
                yield table_unit.key, (round(x, 1), HEAD + row * self._pitch + ABOVE - 6.0)

    def _draw(self, frame: ActFrame) -> SidesDrawing:
        before = self.frames[max(0, frame.number - 2)]
        chits = tuple(self._chit(unit, is_touched=unit.key in frame.touched) for unit in _table_units(frame))
        middles = {unit.key: chit.middle for unit, chit in zip(frame.situation.units, chits, strict=True)}
        half = CHIT_HEIGHT * self.scale / 2
        made = (frame.act,) if frame.act else ()
        action = draw_action(before.situation, frame.situation, made, (), middles, most=0, half=half, lost=self.lost)
        return SidesDrawing(chits, action)

    def _chit(self, unit: TableUnitView, *, is_touched: bool) -> Chit:
        states = {
            "destroyed": unit.destroyed,
            "withdrew": unit.withdrew and not unit.destroyed,
            "wounded": unit.wounded,
            "decoy": unit.is_contact,
            "touched": is_touched,
        }
        classes = [
            "chit",
            f"side-{SIDE_LETTERS[unit.side]}",
            *(f"is-{name}" for name, is_so in states.items() if is_so),
        ]
        tag = self.art.tag_of(unit)
        return Chit(
            *self.places[unit.key],
            self.scale,
            " ".join(classes),
            str(unit.hits) if unit.max_hits else "",
            unit.name,
            self.art.of(unit),
            "" if unit.destroyed else struck_path(unit.struck, 4, -4),
            tag if unit.name.endswith(f" {tag}") else "",
        )

    def _unit(self, unit: TableUnitView) -> UnitRow:
        out = self.lost if unit.destroyed else "withdrew" if unit.withdrew else ""
        return UnitRow(
            name=unit.name,
            tag="",
            letter=SIDE_LETTERS[unit.side],
            side=self.sides[unit.side],
            hits=f"{unit.hits}/{unit.max_hits}" if unit.max_hits else "",
            boxes=box_paths(unit.hits, unit.max_hits),
            place=out,
            states=", ".join(unit.other_marks),
            is_lost=unit.destroyed,
        )


class _PlateArt(SymbolSet):
    """Units as their cards draw them; contacts aren't drawn."""

    def __init__(self, sheet: TableSheet, opening: Situation) -> None:
        self._table_units = {table_unit.key: table_unit for table_unit in sheet.table_units}
        super().__init__(sheet.setup, [opening])

    def shape(self, setup: Setup, unit: UnitView) -> Shape:
        table_unit = self._table_units[unit.key]
        if table_unit.is_contact:
            return NO_SHAPE
        return symbol_paths(table_unit.drawing) if table_unit.drawing else chassis_shape(unit.chassis)


def _table_units(frame: ActFrame) -> Iterator[TableUnitView]:
    for unit in frame.situation.units:
        assert isinstance(unit, TableUnitView)
        yield unit


# --- the frames -------------------------------------------------------------------------------------------------------


def _frames(sheet: TableSheet, acts: Sequence[Act], who: Sequence[str]) -> Iterator[ActFrame]:
    """Yield a frame before all acts, then one after each. An act counts until the act that undoes it."""
    running = Running(sheet.start())
    units = {table_unit.key: _view(table_unit, running.values) for table_unit in sheet.table_units}
    yield ActFrame(1, 0, 1, Chapter(""), (), Situation(tuple(units.values())))
    lines, phase, last = _lines(sheet, acts, who), 1, (0, "")
    for number, (done, line) in enumerate(zip(acts, lines, strict=True), start=2):
        changed = running.take(done)
        touched = {table_unit.key: table_unit for cell in changed if (table_unit := sheet.table_unit_of(cell))}
        before = {key: units[key] for key in touched}
        units |= {key: _view(table_unit, running.values) for key, table_unit in touched.items()}
        here = int(running.values[ROUND]), str(running.values[STEP])
        phase, last = phase + (here != last), here
        mark, marked_unit = _mark(done, before, units)
        act_line = replace(line, mark=mark, marked_unit=marked_unit)
        yield ActFrame(
            number,
            here[0],
            phase,
            Chapter(sheet.cells[STEP].in_words(here[1]) if here[1] else ""),
            (act_line,) if act_line.thrown else (),
            Situation(tuple(units.values())),
            act=act_line,
            touched=frozenset(touched),
            status=_describe_status(sheet, running.values),
        )


def _lines(sheet: TableSheet, acts: Sequence[Act], who: Sequence[str]) -> Iterator[ActLine]:
    """Yield each act in words, beginning with its player, and its dice."""
    state = table_state(sheet, acts)
    is_under = battle_rules(sheet.setup.system).rolls_under
    rolls = {roll.place: roll for roll in roll_rows(state, who, is_under=is_under)}
    logged = reversed(list(log_lines(sheet, state, acts, who, NOBODY)))
    for number, (done, logged_line) in enumerate(zip(acts, logged, strict=True), start=1):
        roll = rolls.get(done.place) if done.kind in DICE_KINDS else None
        needed = f" (needed {roll.needed})" if roll and roll.needed else ""
        yield ActLine(
            number,
            Event(round=0, step="", kind=done.kind, rule=""),
            f"{logged_line.who}: {logged_line.text}{needed}",
            "",
            None,
            side=done.side,
            place=done.place,
            is_undone=logged_line.is_undone,
            thrown=roll.faces if roll else (),
        )


def _view(table_unit: TableUnit, values: Mapping[str, Value]) -> TableUnitView:
    fate = table_unit.fate_of(values)
    whole = sum(cell.most for cell in table_unit.of_hits)
    others = [cell for cell in table_unit.cells() if cell not in table_unit.of_hits and values[cell.id] != cell.start]
    marks = [Mark(cell=cell, value=values[cell.id]) for cell in others]
    parts = [cell for part in table_unit.parts if part.kind == "lines" for cell in part.cells]
    is_out = table_unit.is_out(values)
    return TableUnitView(
        key=table_unit.key,
        name=table_unit.name,
        side=table_unit.side,
        chassis=table_unit.line.size if table_unit.line and not table_unit.is_contact else "",
        hits=max(0, whole - table_unit.lost(values)),
        max_hits=whole,
        destroyed=DESTROYED in fate or (is_out and table_unit.line is None),
        withdrew=is_out and table_unit.line is not None and DESTROYED not in fate,
        wounded=bool(fate.get("wounded")),
        other_marks=tuple(mark.in_words for mark in marks),
        gone=tuple(cell.label for cell in parts if int(values[cell.id]) > int(cell.start)),
        is_contact=table_unit.is_contact,
    )


def _mark(act: Act, before: Mapping[str, TableUnitView], after: Mapping[str, TableUnitView]) -> tuple[str, str]:
    """Return the most notable event in the act, and its unit."""
    if act.kind != SET:
        return "", ""
    for key, was in before.items():
        if after[key].destroyed and not was.destroyed:
            return "kill", key
    for key, was in before.items():
        if set(after[key].gone) - set(was.gone):
            return "critical", key
    return ("support", "") if any(cell.startswith("support.") and now for cell, _was, now in act.changes) else ("", "")


def _describe_status(sheet: TableSheet, values: Mapping[str, Value]) -> str:
    """Describe who has the initiative and who has won, if marked."""
    labels = [("Initiative", INITIATIVE), ("Winner", WINNER)]
    return " ".join(f"{word}: {sheet.cells[cell].in_words(values[cell])}." for word, cell in labels if values[cell])
