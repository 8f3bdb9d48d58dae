"""Tables as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from battles import hooks
from battles.hooks import TableEnd
from battles.live.aims import has_helper
from battles.live.ending import acts_of, report_problem, seat_battle_key
from battles.live.fold import Note, table_state
from battles.live.sheet import TableSheet, Value, table_sheet
from battles.live.shown import (
    Conflict,
    DiceStatistics,
    EndPreview,
    LogLine,
    Mark,
    PreparedRolls,
    RollRow,
    UnitPanel,
    dice_statistics,
    game_marks,
    list_conflicts,
    list_prepared_rolls,
    log_lines,
    next_step,
    notes_of_side,
    preview_end,
    roll_rows,
    unit_panels,
)
from battles.models import Battle, LiveSeat, LiveTable
from rosters.models import Player
from rosters.site.compiled import PreparedQuery
from systems import battle_rules
from systems.reading import stored_setup

MAX_LOG = 200  # log lines that a phone shows
MAX_ROLLS = 60
MAX_OWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePage:
    """A table as the phone of one of its sides shows it."""

    seat: LiveSeat
    table: LiveTable
    sheet: TableSheet
    count: int
    who: tuple[str, str]  # the players
    is_waiting: bool  # for the other side
    game: dict[str, Mark]
    next: tuple[tuple[str, Value], ...]
    mine: tuple[UnitPanel, ...]
    theirs: tuple[UnitPanel, ...]
    crossings: tuple[Conflict, ...]
    own_notes: tuple[Note, ...]
    other_notes: tuple[Note, ...]
    rolls: tuple[RollRow, ...]
    prepared: tuple[PreparedRolls, ...]
    dice_told: tuple[DiceStatistics, ...]
    log: tuple[LogLine, ...]
    support: tuple[tuple[str, tuple[Mark, ...]], ...]
    end: EndPreview
    die: int
    has_helper: bool
    may_log: bool
    battle: Battle | None
    ending: TableEnd | None  # where it is reported instead

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
    """Return the seat of that key, with its table, if the reader may use it: a player's seat is that player's alone."""
    seat = SEAT.row(key=key)
    if seat is None or (seat.player_id is not None and seat.player != reader):
        return None
    return seat


def seat_is_anothers(key: UUID) -> bool:
    """Return whether there is such a seat and it belongs to a player."""
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
        mine=unit_panels(sheet, state, seat.side),
        theirs=unit_panels(seen, state, 1 - seat.side),
        crossings=list_conflicts(seen, state, who),
        own_notes=notes_of_side(state.notes, seat.side),
        other_notes=notes_of_side(state.notes, 1 - seat.side),
        rolls=roll_rows(state, who, is_under=battle_rules(table.system).rolls_under)[:MAX_ROLLS],
        prepared=list_prepared_rolls(acts, who),
        dice_told=dice_statistics(state, who),
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
    """Return at most MAX_OWN of the player's tables, by when they ended, then the most recently used first."""
    rows = LiveSeat.objects.filter(player=player).select_related("table")
    return rows.order_by("table__ended_at", "-table__touched_at")[:MAX_OWN]


def waiting_table(code: str) -> LiveTable | None:
    """Return the table with this code that waits for an opponent."""
    code = "".join(code.upper().split())
    return LiveTable.objects.filter(code=code, ended_at=None).first() if code else None
