"""Live tables as pages show them, the attack helper, and the QR code to join."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

import segno
from django.db.models import QuerySet

from battles import hooks
from battles.hooks import TableEnd
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
from battles.live.state import Note, TableState, acts_of, report_problem, seat_battle_key, table_state
from battles.models import Battle, LiveSeat, LiveTable
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from systems import battle_rules
from systems.reading import stored_setup
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
        mine=unit_panels(sheet, state, seat.side),
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
