"""A table as whoever watches sees it: how it stood after any of its acts, its log in sentences, no sealed word. The address
is the table's own key, which both phones can pass on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from battles.live.ending import acts_of
from battles.live.fold import ROLL, SEAL, SET, TYPED, Act, TableState, fold
from battles.live.models import LiveTable
from battles.live.selectors import NAMES
from battles.live.sheet import ROUND, TableSheet, table_sheet
from battles.live.shown import (
    DiceTold,
    LogLine,
    Mark,
    RollShown,
    UnitShown,
    dice_told,
    game_shown,
    log_shown,
    rolls_shown,
    units_shown,
)
from rosters.site.compiled import Compiled
from systems import battle_rules
from systems.reading import stored_setup
from systems.setups import SIDE_LETTERS

NOBODY = -1  # a side that is not a reader's
AROUND = 12  # lines of the log on either side of the one that is looked at

TABLE = Compiled(lambda key: LiveTable.objects.filter(key=key).select_related("dice"), key=UUID)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTold:
    """A unit after an act."""

    shown: UnitShown
    chassis: str
    marked: tuple[Mark, ...]  # what else is marked on its sheet
    is_touched: bool  # by the act

    @property
    def marks(self) -> tuple[str, ...]:
        """What else is marked, in words."""
        return tuple(
            mark.cell.label if mark.cell.is_tick and mark.is_on else f"{mark.cell.label}: {mark.told}"
            for mark in self.marked
        )

    @property
    def left(self) -> int:
        return max(0, self.shown.whole - self.shown.lost)

    @property
    def state(self) -> str:
        return "destroyed" if self.shown.is_out else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTold:
    """All that the page shows."""

    table: LiveTable
    sheet: TableSheet
    who: tuple[str, str]
    at: int  # the place of the act that is looked at; 0: before the first
    last: int
    game: dict[str, Mark]
    line: LogLine | None  # the act
    roll: RollShown | None  # its dice
    sides: tuple[tuple[str, str, tuple[UnitTold, ...]], ...]  # letter, name, units
    rounds: tuple[tuple[int, int, bool], ...]  # number, the place of its first act, whether it is this one
    log: tuple[LogLine, ...]  # around the act, newest first
    dice: tuple[DiceTold, ...]

    @property
    def is_followed(self) -> bool:
        """Whether the page goes on by itself: it shows the last act of a table that is being played at."""
        return self.at == self.last and self.table.ended_at is None

    @property
    def before(self) -> int | None:
        return self.at - 1 if self.at else None

    @property
    def after(self) -> int | None:
        return self.at + 1 if self.at < self.last else None


def table_found(key: UUID) -> LiveTable | None:
    """The table of that key, for whoever was given it."""
    return TABLE.row(key=key)


def table_told(table: LiveTable, at: int | None) -> TableTold:
    """The table after act `at`, the nearest that there is; None: after the last."""
    sheet, acts = _sheet(table), acts_of(table)
    last = acts[-1].place if acts else 0
    at = last if at is None else max(0, min(at, last))
    made = [act for act in acts if act.place <= at]
    state = fold(sheet, made)
    seats = dict(NAMES.rows(table=table.pk))
    who = (seats.get(0, sheet.sides[0]), seats.get(1, sheet.sides[1]))
    act = made[-1] if made else None
    lines = [act for act in acts if abs(act.place - at) <= AROUND]
    return TableTold(
        table=table,
        sheet=sheet,
        who=who,
        at=at,
        last=last,
        game=game_shown(sheet, state),
        line=next(log_shown(sheet, state, [act], who, NOBODY), None) if act else None,
        roll=_roll(table, state, act, who),
        sides=tuple(_side(sheet, state, side, act) for side in (0, 1)),
        rounds=tuple(_rounds(sheet, acts, int(state.values[ROUND]))),
        log=tuple(log_shown(sheet, fold(sheet, acts), lines, who, NOBODY)),
        dice=dice_told(state, who),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ActTold:
    """An act as whoever has the table's key reads it; of a note that is sealed its hash alone."""

    act: Act
    line: LogLine
    facts: dict[str, object]


def acts_told(table: LiveTable, after: int, most: int) -> list[ActTold]:
    """So many acts after a place at most, in their order, with what became of them since."""
    sheet, acts = _sheet(table), acts_of(table)
    state = fold(sheet, acts)
    seats = dict(NAMES.rows(table=table.pk))
    who = [seats.get(side, sheet.sides[side]) for side in (0, 1)]
    shown = [act for act in acts if act.place > after][:most]
    lines = reversed(list(log_shown(sheet, state, shown, who, NOBODY)))
    return [
        ActTold(act=act, line=line, facts=_facts(sheet, state, act)) for act, line in zip(shown, lines, strict=True)
    ]


def _sheet(table: LiveTable) -> TableSheet:
    """The sheet of a table for who is at neither side: units that are hidden now are so at every act before."""
    sheet = table_sheet(stored_setup(table.setup))
    return sheet if table.ended_at is not None else sheet.veiled(fold(sheet, acts_of(table)).hidden_from(NOBODY))


def _facts(sheet: TableSheet, state: TableState, act: Act) -> dict[str, object]:
    if act.kind == SET:
        contacts = {plate.key for plate in sheet.plates if plate.is_contact}
        return {"changes": [each for each in act.changes if _unit_of(sheet, each[0]) not in contacts]}
    if act.kind != SEAL:
        return dict(act.facts)
    note = state.note(act.place)
    return dict(act.facts) if note is not None and note.is_open else {"hash": act.facts.get("hash", "")}


def _unit_of(sheet: TableSheet, cell: str) -> str:
    plate = sheet.plate_of(cell)
    return plate.key if plate else ""


def _roll(table: LiveTable, state: TableState, act: Act | None, who: Sequence[str]) -> RollShown | None:
    if act is None or act.kind not in (ROLL, TYPED):
        return None
    rolls = rolls_shown(state, who, is_under=battle_rules(table.system).rolls_under)
    return next((roll for roll in rolls if roll.place == act.place), None)


def _side(sheet: TableSheet, state: TableState, side: int, act: Act | None) -> tuple[str, str, tuple[UnitTold, ...]]:
    touched = {cell for cell, _was, _now in act.changes} if act and act.kind == SET else set[str]()
    units = tuple(_unit(shown, state, touched) for shown in units_shown(sheet, state, side))
    return SIDE_LETTERS[side], sheet.sides[side], units


def _unit(shown: UnitShown, state: TableState, touched: set[str]) -> UnitTold:
    plate = shown.plate
    others = [cell for cell in plate.cells() if cell not in plate.of_hits]
    marks = [Mark(cell=cell, value=state.values[cell.id]) for cell in others if state.values[cell.id] != cell.start]
    return UnitTold(
        shown=shown,
        chassis=plate.line.size if plate.line and not plate.is_contact else "",
        marked=tuple(marks),
        is_touched=any(cell.id in touched for cell in plate.cells()),
    )


def _rounds(sheet: TableSheet, acts: Sequence[Act], now: int) -> Iterator[tuple[int, int, bool]]:
    """Each round that was counted, once, by the last act that began it."""
    begun = {int(sheet.cells[ROUND].start): 0}
    for act in acts:
        if act.kind == SET:
            begun |= {int(to): act.place for cell, _was, to in act.changes if cell == ROUND and isinstance(to, int)}
    for number, place in sorted(begun.items()):
        yield number, place, number == now
