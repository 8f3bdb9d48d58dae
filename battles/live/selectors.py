"""Live tables as pages show them: for both sides, with the attack helper and the QR code to join, and for spectators.

Spectators see a table's state after any act, in replays and in the API, and its log in sentences. That holds nothing
that is sealed. Its address is the table's key, which both phones can share.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar
from uuid import UUID

import segno
from django.db.models import QuerySet

from battles import hooks
from battles.hooks import TableEnd
from battles.live.board import NOBODY, SIDES, ActLine, SidesBoard
from battles.live.dice import DiceStatistics, PreparedRolls, RollRow, dice_statistics, list_prepared_rolls, roll_rows
from battles.live.panels import (
    Conflict,
    EndPreview,
    LogLine,
    Mark,
    UnitPanel,
    game_marks,
    list_conflicts,
    log_lines,
    next_step,
    notes_of_side,
    preview_end,
    unit_panels,
)
from battles.live.sheet import TableSheet, Value, table_sheet
from battles.live.state import SEAL, SET, Act, Note, TableState, acts_of, report_problem, seat_battle_key, table_state
from battles.models import Battle, LiveSeat, LiveTable
from battles.replay.base import StepPage
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from systems import battle_rules
from systems.reading import stored_setup
from systems.setups import Setup, canonical
from systems.shots import Shot, ShotChoices, ShotQuestion, ShotTerms
from systems.text import format_signed


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifierLine:
    name: str
    value: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AimPage:
    """The attack helper's questions, the choices made, and the result."""

    seat: LiveSeat
    shooters: ShotChoices
    targets: ShotChoices
    chosen: Mapping[str, str]  # shooter, target, weapon, range
    terms: ShotTerms | None
    helps: tuple[tuple[str, str, bool], ...]  # value, words, whether it applies
    shot: Shot | None
    modifiers: tuple[ModifierLine, ...]
    chance: Fraction
    what: str  # the shot in a few words, the purpose of a roll
    die: int

    @property
    def is_sure(self) -> str:
        """The result if the die doesn't matter; empty if it does."""
        if not self.chance:
            return "It can’t hit."
        return "It can’t miss." if self.chance == 1 and (self.shot is None or self.shot.lands is None) else ""


def has_helper(sheet: TableSheet) -> bool:
    """Return whether the game has an attack helper."""
    system = battle_rules(sheet.setup.system)
    return any(system.shot_terms(sheet.setup, table_unit.key) for table_unit in sheet.table_units if table_unit.line)


def aim_page(seat: LiveSeat, asked: Mapping[str, str], helps: frozenset[str]) -> AimPage | None:
    """Return the attack helper for these choices and the units' present marks; None if the game has none.

    A missing or unknown choice becomes the first possible one.
    """
    table = seat.table
    sheet = table_sheet(stored_setup(table.setup))
    state = table_state(sheet, acts_of(table))
    system, hidden = battle_rules(table.system), state.hidden_from(seat.side)
    out = frozenset(
        table_unit.key
        for table_unit in sheet.table_units
        if table_unit.key in hidden or table_unit.is_out(state.values)
    )
    shooters = _unit_choices(sheet, state, seat.side, out)
    every = (*shooters, *_unit_choices(sheet, state, 1 - seat.side, out))
    shooter = _asked_or_first(every, asked.get("shooter"))
    side = next((table_unit.side for table_unit in sheet.table_units if table_unit.key == shooter), seat.side)
    targets = _unit_choices(sheet, state, 1 - side, out)
    target = _asked_or_first(targets, asked.get("target"))
    terms = system.shot_terms(sheet.setup, shooter) if shooter else None
    if terms is None and not has_helper(sheet):
        return None
    weapon, far = (_asked_or_first(found, asked.get(name)) for found, name in _shot_choices(terms))
    known = frozenset(value for value, _ in terms.helps) & helps if terms else frozenset[str]()
    shot = None
    if terms and target:
        shot = system.shot(
            ShotQuestion(
                setup=sheet.setup,
                shooter=shooter,
                target=target,
                weapon=weapon,
                range=far,
                helps=known,
                out=out - {shooter, target},
                marks={
                    table_unit.key: table_unit.marks(state.values)
                    for table_unit in sheet.table_units
                    if table_unit.key not in out
                },
            )
        )
    names = dict((*every, *targets))
    fired = f" its {dict(terms.weapons)[weapon]}" if terms and terms.weapons else ""
    return AimPage(
        seat=seat,
        shooters=every,
        targets=targets,
        chosen={"shooter": shooter, "target": target, "weapon": weapon, "range": far},
        terms=terms,
        helps=tuple((value, words, value in known) for value, words in terms.helps) if terms else (),
        shot=shot,
        modifiers=_modifiers(shot),
        chance=shot.chance if shot else Fraction(0),
        what=f"{names.get(shooter, '')} fires{fired} at {names.get(target, '')}"[:80],
        die=system.die,
    )


def _unit_choices(sheet: TableSheet, state: TableState, side: int, out: frozenset[str]) -> ShotChoices:
    return tuple(
        (table_unit.key, table_unit.name)
        for table_unit in sheet.of_side(side)
        if table_unit.line and table_unit.key not in out
    )


def _shot_choices(terms: ShotTerms | None) -> tuple[tuple[ShotChoices, str], tuple[ShotChoices, str]]:
    return (terms.weapons if terms else (), "weapon"), (terms.ranges if terms else (), "range")


def _asked_or_first(choices: ShotChoices, asked: str | None) -> str:
    """Return the requested value, or the first one if it doesn't exist."""
    values = [value for value, _ in choices]
    return asked if asked in values else values[0] if values else ""


def _modifiers(shot: Shot | None) -> tuple[ModifierLine, ...]:
    found = shot.modifiers if shot else ()
    return tuple(ModifierLine(name=each.name, value=format_signed(each.value), rule=each.rule) for each in found)


MAX_LOG = 200  # log lines that a phone shows
MAX_ROLLS = 60
MAX_OWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePage:
    """A table as the phone of one side shows it."""

    seat: LiveSeat
    table: LiveTable
    sheet: TableSheet
    count: int
    who: tuple[str, str]  # the players
    is_waiting: bool  # nobody has joined yet
    game: dict[str, Mark]
    next: tuple[tuple[str, Value], ...]
    mine: tuple[UnitPanel, ...]
    theirs: tuple[UnitPanel, ...]
    crossings: tuple[Conflict, ...]
    own_notes: tuple[Note, ...]
    other_notes: tuple[Note, ...]
    rolls: tuple[RollRow, ...]
    prepared: tuple[PreparedRolls, ...]
    dice_statistics: tuple[DiceStatistics, ...]
    log: tuple[LogLine, ...]
    support: tuple[tuple[str, tuple[Mark, ...]], ...]
    end: EndPreview
    die: int
    has_helper: bool
    may_log: bool
    battle: Battle | None
    ending: TableEnd | None  # where the result is reported, if elsewhere

    @property
    def side(self) -> int:
        return self.seat.side

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of the reader's side and of the other one."""
        return ("a", "b") if self.side == 0 else ("b", "a")

    @property
    def dice_query(self) -> str:
        """The query for the page that checks dice, for all rolls of the table, once its secret is open."""
        dice = self.table.dice
        return f"secret={dice.secret}&commitment={dice.commitment}"

    @property
    def may_agree(self) -> bool:
        return self.table.ended_at is None and not self.end.problem

    @property
    def agreements(self) -> tuple[tuple[str, bool], ...]:
        """Each player, and whether they agree to the end."""
        return tuple(zip(self.who, self.end.agreed, strict=True))

    @property
    def next_label(self) -> str:
        cell, value = self.next[-1]
        return self.sheet.cells[cell].in_words(value)

    @property
    def next_value(self) -> str:
        return ",".join(f"{cell}:{value}" for cell, value in self.next)


SEAT = PreparedQuery(
    lambda key: LiveSeat.objects.filter(key=key, is_closed=False).select_related("table__dice", "player"), key=UUID
)
NAMES = PreparedQuery(lambda table: LiveSeat.objects.filter(table=table).values_list("side", "name"), table=int)


def seat_found(key: UUID, reader: object) -> LiveSeat | None:
    """Return the seat with that key, with its table, if the reader may use it. Only its player may use a player's seat."""
    seat = SEAT.row(key=key)
    if seat is None or (seat.player_id is not None and seat.player != reader):
        return None
    return seat


def seat_is_anothers(key: UUID) -> bool:
    """Return whether there is a seat with that key that belongs to a player."""
    return LiveSeat.objects.filter(key=key, is_closed=False, player__isnull=False).exists()


def live_page(seat: LiveSeat) -> LivePage:
    """Return the table as this seat's phone shows it now."""
    table = seat.table
    sheet, acts = table_sheet(stored_setup(table.setup)), acts_of(table)
    state = table_state(sheet, acts)
    seats = dict(NAMES.rows(table=table.pk))
    who = tuple(seats.get(side, sheet.sides[side]) for side in (0, 1))
    used = [tuple(Mark(cell=cell, value=state.values[cell.id]) for cell in cells) for cells in sheet.support]
    has_ended = table.ended_at is not None
    hidden = frozenset() if has_ended else state.hidden_from(seat.side)
    seen = sheet.veiled(hidden)
    battle = Battle.objects.filter(key=seat_battle_key(seat)).first() if has_ended else None
    return LivePage(
        seat=seat,
        table=table,
        sheet=sheet,
        count=state.last,
        who=(who[0], who[1]),
        is_waiting=len(seats) < 2,
        game=game_marks(sheet, state),
        next=next_step(sheet, state),
        mine=unit_panels(sheet, state, seat.side, seat.pilot_names()),
        theirs=unit_panels(seen, state, 1 - seat.side),
        crossings=list_conflicts(seen, state, who),
        own_notes=notes_of_side(state.notes, seat.side),
        other_notes=notes_of_side(state.notes, 1 - seat.side),
        rolls=roll_rows(state, who, is_under=battle_rules(table.system).rolls_under)[:MAX_ROLLS],
        prepared=list_prepared_rolls(acts, who),
        dice_statistics=dice_statistics(state, who),
        log=tuple(log_lines(seen, state, acts[-MAX_LOG:], who, seat.side)),
        support=tuple((name, marks) for name, marks in zip(sheet.sides, used, strict=True) if marks),
        end=preview_end(sheet, state, report_problem(sheet, state), hidden),
        die=battle_rules(table.system).die,
        has_helper=has_helper(sheet),
        may_log=has_ended and battle is None and seat.company_id is not None and seat.player_id is not None,
        battle=battle,
        ending=next((found for ending in hooks.table_endings if (found := ending(seat))), None),
    )


def own_tables(player: Player) -> QuerySet[LiveSeat]:
    """Return up to MAX_OWN of the player's tables, ordered by their end and then by last use, newest first."""
    rows = LiveSeat.objects.filter(player=player).select_related("table")
    return rows.order_by("table__ended_at", "-table__touched_at")[:MAX_OWN]


def waiting_table(code: str) -> LiveTable | None:
    """Return the table with this code that waits for an opponent."""
    code = "".join(code.upper().split())
    return LiveTable.objects.filter(code=code, ended_at=None).first() if code else None


QUIET_ZONE = 4  # modules left white on each side


def qr_code_path(url: str) -> tuple[int, str]:
    """Return a QR code of the URL: its modules per side with the quiet zone, and the path of its dark modules."""
    matrix = segno.make(url, error="m", micro=False).matrix
    path = "".join(
        f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h1v1h-1z"
        for y, row in enumerate(matrix)
        for x, dark in enumerate(row)
        if dark & 1
    )
    return len(matrix) + 2 * QUIET_ZONE, path


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
