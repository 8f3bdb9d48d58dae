"""A table as spectators see it: its state after any act, in replays and in the API, and its log in sentences.

It holds nothing that is sealed. Its address is the table's key, which both phones can share.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar
from uuid import UUID

from battles.live.board import NOBODY, SIDES, ActLine, SidesBoard
from battles.live.dice import DiceStatistics, dice_statistics
from battles.live.panels import LogLine, Mark, UnitPanel, game_marks, log_lines, unit_panels
from battles.live.selectors import NAMES
from battles.live.sheet import TableSheet, table_sheet
from battles.live.state import SEAL, SET, Act, TableState, acts_of, table_state
from battles.models import LiveTable
from battles.replay.base import StepPage
from rosters.database.queries import PreparedQuery
from systems import battle_rules
from systems.reading import stored_setup
from systems.setups import Setup, canonical

LOG_LINES_AROUND = 100  # log lines before and after the current one
CACHE_SIZE = 32  # tables, in their latest state

TABLE = PreparedQuery(lambda key: LiveTable.objects.filter(key=key).select_related("dice"), key=UUID)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectatorUnit:
    """A unit after an act."""

    panel: UnitPanel
    other_marks: tuple[Mark, ...]  # other marks on its sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectatorTable:
    """A table after one of its acts."""

    sheet: TableSheet
    who: tuple[str, str]
    at: int  # the place of the act; 0: before the first
    last: int
    game: dict[str, Mark]
    sides: tuple[tuple[str, tuple[SpectatorUnit, ...]], ...]  # name, units


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStage:
    """Everything that the page of a table shows."""

    table: LiveTable
    setup: Setup
    map: StepPage
    log: tuple[ActLine, ...]  # the acts around the step, newest first
    dice: tuple[DiceStatistics, ...]

    board_kind: ClassVar = SIDES
    liveries: ClassVar[Mapping[str, str]] = {}

    @property
    def is_followed(self) -> bool:
        """Whether the page follows new acts by itself while it shows the last one."""
        return self.table.ended_at is None

    @property
    def hits(self) -> str:
        """The word for what units lose until they are destroyed."""
        return battle_rules(self.table.system).hand.hits


def get_spectator_table(key: UUID) -> LiveTable | None:
    """Return the table with that key, for anybody who has it."""
    return TABLE.row(key=key)


def table_after_act(table: LiveTable, at: int | None) -> SpectatorTable:
    """Return the table after act `at`, or the nearest act; after the last if None."""
    sheet, acts = _sheet(table), acts_of(table)
    last = acts[-1].place if acts else 0
    at = last if at is None else max(0, min(at, last))
    state = table_state(sheet, [act for act in acts if act.place <= at])
    return SpectatorTable(
        sheet=sheet,
        who=_side_names(table, sheet),
        at=at,
        last=last,
        game=game_marks(sheet, state),
        sides=tuple((sheet.sides[side], tuple(_units(sheet, state, side))) for side in (0, 1)),
    )


def table_stage(table: LiveTable, step: int | None) -> TableStage:
    """Return the table at that step of its replay, or the nearest; at the last if None."""
    view = _view_of(table)
    page = view.board.page(view.board.steps if step is None else step, 0)
    lines = [line for line in view.board.acts if abs(line.step - page.step) <= LOG_LINES_AROUND]
    return TableStage(table=table, setup=view.sheet.setup, map=page, log=tuple(reversed(lines)), dice=view.dice)


def table_frames(table: LiveTable) -> bytes:
    """Return all steps of the table's replay as JSON, for the browser to draw."""
    return _view_of(table).frames


class _SpectatorView:
    """A table after a fixed number of acts, which never change. Each part is calculated when first needed."""

    def __init__(self, sheet: TableSheet, acts: Sequence[Act], who: tuple[str, str]) -> None:
        self.sheet, self.board = sheet, SidesBoard(sheet, acts, who)
        self.dice = dice_statistics(table_state(sheet, acts), who)

    @cached_property
    def frames(self) -> bytes:
        return json.dumps(self.board.to_json() | {"rules": {}}, separators=(",", ":")).encode()


def _view_of(table: LiveTable) -> _SpectatorView:
    """Return the cached view.

    The cache key covers everything: hidden units follow from the acts and from whether the table is closed.
    """
    who = _side_names(table, table_sheet(stored_setup(table.setup)))
    return _cached_view(table, table.key, table.length, table.ended_at is not None, canonical(table.setup), who)


@lru_cache(maxsize=CACHE_SIZE)
def _cached_view(
    table: LiveTable, _key: UUID, length: int, _has_ended: bool, _setup: str, who: tuple[str, str]
) -> _SpectatorView:
    return _SpectatorView(_sheet(table), [act for act in acts_of(table) if act.place <= length], who)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectatorAct:
    """An act as spectators see it; a sealed note is shown only by its hash."""

    act: Act
    line: LogLine
    facts: dict[str, object]


def spectator_acts(table: LiveTable, after: int, most: int) -> list[SpectatorAct]:
    """Return at most `most` acts after place `after`, in order, as they are now."""
    sheet, acts = _sheet(table), acts_of(table)
    state = table_state(sheet, acts)
    who = _side_names(table, sheet)
    selected = [act for act in acts if act.place > after][:most]
    lines = reversed(list(log_lines(sheet, state, selected, who, NOBODY)))
    return [
        SpectatorAct(act=act, line=line, facts=_public_facts(sheet, state, act))
        for act, line in zip(selected, lines, strict=True)
    ]


def _sheet(table: LiveTable) -> TableSheet:
    """Return a table's sheet for spectators. Units that are hidden now are hidden at every earlier act too."""
    sheet = table_sheet(stored_setup(table.setup))
    return sheet if table.ended_at is not None else sheet.veiled(table_state(sheet, acts_of(table)).hidden_from(NOBODY))


def _public_facts(sheet: TableSheet, state: TableState, act: Act) -> dict[str, object]:
    if act.kind == SET:
        contacts = {table_unit.key for table_unit in sheet.table_units if table_unit.is_contact}
        return {"changes": [each for each in act.changes if _unit_of(sheet, each[0]) not in contacts]}
    if act.kind != SEAL:
        return dict(act.facts)
    note = state.note(act.place)
    return dict(act.facts) if note is not None and note.is_open else {"hash": act.facts.get("hash", "")}


def _unit_of(sheet: TableSheet, cell: str) -> str:
    table_unit = sheet.table_unit_of(cell)
    return table_unit.key if table_unit else ""


def _units(sheet: TableSheet, state: TableState, side: int) -> Iterator[SpectatorUnit]:
    for panel in unit_panels(sheet, state, side):
        others = [cell for cell in panel.table_unit.cells() if cell not in panel.table_unit.of_hits]
        marks = [Mark(cell=cell, value=state.values[cell.id]) for cell in others if state.values[cell.id] != cell.start]
        yield SpectatorUnit(panel=panel, other_marks=tuple(marks))


def _side_names(table: LiveTable, sheet: TableSheet) -> tuple[str, str]:
    """Return the player of each side, or the side's name if nobody has joined it."""
    seats = dict(NAMES.rows(table=table.pk))
    return seats.get(0, sheet.sides[0]), seats.get(1, sheet.sides[1])
