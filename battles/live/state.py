"""The acts of a table, the state after them, rolls prepared for a phone, and the result."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import QuerySet

from battles.live.sheet import WINNER, WINNERS, TableSheet, Value
from battles.models import LiveEvent, LiveSeat, LiveTable
from battles.services.results import build_result
from rosters.database.queries import PreparedQuery, columns
from rosters.services import RefusedError
from systems.engine.dice import PREPARED_CHAIN_LENGTH, ahead_faces, is_next_link
from systems.report_fields import UnitFate
from systems.setups import canonical

SET, SEAL, OPEN, ROLL, TYPED, UNDO, AGREE = "set", "seal", "open", "roll", "typed", "undo", "agree"
PREPARE, AHEAD = "prepare", "ahead"  # prepare rolls for an offline phone; record a roll made offline
KINDS = (SET, SEAL, OPEN, ROLL, TYPED, UNDO, AGREE, PREPARE, AHEAD)
DICE_KINDS = (ROLL, TYPED, AHEAD)
TAKEN_BACK = (SET, TYPED, AGREE)  # acts that can be undone: not rolls, and not sealed notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act in a table's log. `seen`: the last place that the phone knew when the act was made."""

    place: int
    side: int
    kind: str
    facts: Mapping[str, object]
    phone: str = ""
    seen: int = 0
    at: datetime | None = None

    @property
    def author(self) -> tuple[int, str]:
        return self.side, self.phone

    @property
    def changes(self) -> list[tuple[str, Value, Value]]:
        """The changes of a SET: cell, old value, new value."""
        found = self.facts.get("changes", ())
        assert isinstance(found, list | tuple)
        return [(str(cell), was, now) for cell, was, now in found]

    def number(self, name: str) -> int:
        value = self.facts.get(name, 0)
        return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Two conflicting marks of one cell: neither side had seen the other's.

    The later one holds, and both are shown until somebody who has seen them decides.
    """

    cell: str
    first: Act
    second: Act

    def of(self, act: Act) -> tuple[Value, Value]:
        """Return how the act changed the cell: old value, new value."""
        return next((was, now) for cell, was, now in act.changes if cell == self.cell)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A sealed note. Both sides have its hash at once; only its own side has the text until it is revealed."""

    place: int
    side: int
    hash: str
    hashed: str  # the text that was hashed with SHA-256
    text: str
    hides: str = ""  # the unit of its side that it hides until it is revealed
    opened: int = 0  # the place at which it was revealed

    @property
    def is_open(self) -> bool:
        return bool(self.opened)


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table after some acts."""

    values: Mapping[str, Value]
    crossings: tuple[Crossing, ...] = ()
    notes: tuple[Note, ...] = ()
    rolls: tuple[Act, ...] = ()  # including typed dice, in order
    undone: Mapping[int, int] = field(default_factory=dict)  # place of an act -> place at which it was undone
    agreed: Mapping[int, str] = field(default_factory=dict)  # side -> digest of the report that it agrees to
    last: int = 0

    def hidden_from(self, side: int) -> frozenset[str]:
        """Return the units that this side can't see: those hidden by the other's sealed notes; for spectators, by both."""
        return frozenset(note.hides for note in self.notes if note.hides and note.side != side and not note.is_open)

    def note(self, place: int) -> Note | None:
        return next((note for note in self.notes if note.place == place), None)


def table_state(sheet: TableSheet, acts: Sequence[Act]) -> TableState:
    """Return the state of the table after these acts. Undone acts are ignored."""
    undone = {act.number("place"): act.place for act in acts if act.kind == UNDO}
    values, notes, rolls = sheet.start(), dict[int, Note](), list[Act]()
    marks: dict[str, Act] = {}  # the latest mark of each cell
    crossings: dict[str, list[Crossing]] = {}
    agreed: dict[int, str] = {}
    for act in acts:
        if act.place in undone and act.kind != TYPED:
            continue
        if act.kind == SET:
            for cell, _was, now in act.changes:
                if cell not in values:  # the unit's card has changed since
                    continue
                _cross(crossings, marks, cell, act)
                values[cell], marks[cell] = now, act
                agreed.clear()  # a new mark ends all agreement
        elif act.kind == SEAL:
            notes[act.place] = _note(act)
        elif act.kind == OPEN and (note := notes.get(act.number("place"))):
            notes[note.place] = replace(note, opened=act.place)
        elif act.kind in DICE_KINDS:
            rolls.append(act)
        elif act.kind == AGREE:
            agreed[act.side] = str(act.facts.get("digest"))
    return TableState(
        values=values,
        crossings=tuple(each for found in crossings.values() for each in found),
        notes=tuple(notes.values()),
        rolls=tuple(rolls),
        undone=undone,
        agreed=agreed,
        last=max((act.place for act in acts), default=0),
    )


class Running:
    """The marks during the acts of a log: an act counts until the act that undoes it."""

    def __init__(self, start: Mapping[str, Value]) -> None:
        self._start, self.values = start, dict(start)
        self._marks: dict[str, dict[int, Value]] = {}  # by cell: the marks in force, by place, in order
        self._cells: dict[int, list[str]] = {}  # by place: the cells marked there

    def take(self, act: Act) -> list[str]:
        """Apply the next act; return the cells that it changes."""
        if act.kind == SET:
            made = {cell: now for cell, _was, now in act.changes if cell in self._start}
            for cell, now in made.items():
                self._marks.setdefault(cell, {})[act.place] = self.values[cell] = now
            self._cells[act.place] = list(made)
            return list(made)
        if act.kind != UNDO:
            return []
        cells = self._cells.pop(act.number("place"), [])
        for cell in cells:
            marks = self._marks[cell]
            del marks[act.number("place")]
            self.values[cell] = next(reversed(marks.values()), self._start[cell])
        return cells


def _cross(crossings: dict[str, list[Crossing]], marks: Mapping[str, Act], cell: str, act: Act) -> None:
    """Record a conflict with the latest mark. A mark that has seen all earlier conflicts settles them."""
    before = marks.get(cell)
    if before is not None and before.place > act.seen and before.author != act.author:
        crossings.setdefault(cell, []).append(Crossing(cell=cell, first=before, second=act))
    elif cell in crossings and all(each.second.place <= act.seen for each in crossings[cell]):
        del crossings[cell]


def _note(act: Act) -> Note:
    text, salt = str(act.facts.get("text", "")), str(act.facts.get("salt", ""))
    return Note(
        place=act.place,
        side=act.side,
        hash=str(act.facts.get("hash", "")),
        hashed=note_text(salt, text),
        text=text,
        hides=str(act.facts.get("hides", "")),
    )


def purpose_of(number: int) -> str:
    """Return the purpose of a table's nth roll, from which its seed is made."""
    return f"table-{number}"


def note_text(salt: str, text: str) -> str:
    """Return the text that is hashed for a note: the salt and the note, on a line each."""
    return f"{salt}\n{text}"


def note_hash(salt: str, text: str) -> str:
    return hashlib.sha256(note_text(salt, text).encode()).hexdigest()


def report_digest(report: Mapping[str, object]) -> str:
    """Return the hash of a report; agreeing names it."""
    return hashlib.sha256(canonical(report).encode()).hexdigest()


def both_agree(sheet: TableSheet, state: TableState) -> bool:
    """Return whether both sides agree to the table's present report."""
    digest = report_digest(sheet.report(state.values))
    return [state.agreed.get(side) for side in (0, 1)] == [digest, digest]


def count_acts(acts: Iterable[Act], side: int, kind: str) -> int:
    """Return how many acts of that kind a side has made."""
    return sum(act.side == side and act.kind == kind for act in acts)


MAX_PHONES = 3  # phones with prepared rolls per side
MAX_CHAINS = 12  # chains per side


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Rolls prepared for a phone, to be used in order, and those that are used up."""

    number: int  # of its side, from 1
    side: int
    phone: str
    sealed: str  # its first link, which both sides see
    used: Mapping[int, int]  # rolls with a valid link, and the place of each
    skipped: tuple[int, ...]

    @property
    def last(self) -> int:
        """The last roll that was used; 0: none."""
        return max(self.used, default=0)

    @property
    def left(self) -> int:
        return PREPARED_CHAIN_LENGTH - self.last


def chains_of(acts: Sequence[Act]) -> tuple[Chain, ...]:
    """Return all prepared chains, in order."""
    return tuple(_chains(acts))


def _chains(acts: Sequence[Act]) -> Iterator[Chain]:
    for made in acts:
        if made.kind != PREPARE:
            continue
        number, used, skipped = made.number("chain"), dict[int, int](), list[int]()
        for act in acts:
            if act.kind == AHEAD and act.side == made.side and act.number("chain") == number and act.facts.get("holds"):
                roll = act.number("roll")
                skipped += range(max(used, default=0) + 1, roll)
                used.setdefault(roll, act.place)
        yield Chain(
            number=number,
            side=made.side,
            phone=made.phone,
            sealed=str(made.facts["sealed"]),
            used=used,
            skipped=tuple(roll for roll in skipped if roll not in used),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRoll:
    """A prepared roll as a phone has sent it."""

    roll: int
    link: str
    showed: tuple[int, ...]  # the faces that the phone showed
    sides: int
    phone: str


def check_sent_roll(chain: Chain, sent: SentRoll) -> dict[str, object]:
    """Return the facts to log about the roll: its true faces, its faults, and the rolls it skipped.

    A wrong roll isn't refused: it is logged as disputed, for both sides to see.
    """
    holds = is_next_link(sent.link, sent.roll, chain.sealed)
    faces = ahead_faces(sent.link, sent.roll, len(sent.showed), sent.sides) if holds else list(sent.showed)
    return {
        "chain": chain.number,
        "roll": sent.roll,
        "link": sent.link,
        "sealed": chain.sealed,
        "holds": holds,
        "faces": faces,
        "why": list(_faults(chain, sent, faces)) if holds else [f"The sealed value of roll {sent.roll} is missing."],
        "skipped": list(range(chain.last + 1, sent.roll)) if holds else [],
    }


def _faults(chain: Chain, sent: SentRoll, faces: Sequence[int]) -> Iterator[str]:
    if sent.roll in chain.used:
        yield f"Roll {sent.roll} was used before, at {chain.used[sent.roll]}."
    elif sent.roll < chain.last:
        yield f"It came after roll {chain.last}. Offline rolls must be used in order."
    if sent.phone != chain.phone:
        yield "It was prepared for another phone of this side."
    if list(sent.showed) != list(faces):
        yield f"The phone showed {_list_faces(sent.showed)}; roll {sent.roll} is {_list_faces(faces)}."


def _list_faces(faces: Sequence[int]) -> str:
    return ", ".join(map(str, faces))


def describe_skipped_rolls(rolls: Sequence[int]) -> str:
    """Describe the skipped rolls in a sentence; empty if none were."""
    if not rolls:
        return ""
    if len(rolls) == 1:
        return f"Roll {rolls[0]} was skipped."
    return f"Rolls {rolls[0]} to {rolls[-1]} were skipped."


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReport:
    """A report in the form that the service for table results takes."""

    units: Mapping[str, UnitFate]
    winner: str | None
    rounds: int | None
    support_used: Sequence[Sequence[str]]


def acts_of(table: LiveTable) -> list[Act]:
    """Return the log of the table, in its order."""
    return ACTS.rows(table=table.pk)


def _acts(table: int) -> QuerySet[LiveEvent, object]:
    rows = LiveEvent.objects.filter(table=table).order_by("place")
    return rows.values_list(*columns(_act, at="occurred_at"))


def _act(place: int, side: int, kind: str, facts: dict[str, object], phone: str, seen: int, at: datetime) -> Act:
    return Act(place=place, side=side, kind=kind, facts=facts, phone=phone, seen=seen, at=at)


ACTS = PreparedQuery(_acts, _act, table=int)


def read_report(sheet: TableSheet, report: Mapping[str, object]) -> TableReport:
    """Return the report/1 of a table, read for the services of battles."""
    units, support, rounds = report["units"], report["support"], report["rounds"]
    assert isinstance(units, dict)
    assert isinstance(support, dict)
    return TableReport(
        units={key: UnitFate(fate) for key, fate in units.items()},
        winner=dict(zip(WINNERS, sheet.sides, strict=False)).get(str(report["winner"])),
        rounds=rounds if isinstance(rounds, int) else None,
        support_used=[support[place] for place in WINNERS[:2]],
    )


def hidden_problem(state: TableState) -> str:
    """Return why nobody can agree yet: a unit is hidden, and so is its fate. Empty if none is."""
    if any(note.hides and not note.is_open for note in state.notes):
        return "A unit is still hidden. Its player must reveal the note before you can both confirm."
    return ""


def report_problem(sheet: TableSheet, state: TableState) -> str:
    """Return why the marked result is impossible; empty if it is possible.

    Both sides read the reason, so it reveals nothing about hidden units.
    """
    if problem := hidden_problem(state):
        return problem
    if state.crossings:
        return "You both changed the same thing. Choose which is right first."
    if not state.values[WINNER]:
        return "Choose the winner."
    ended = read_report(sheet, sheet.report(state.values))
    try:
        build_result(sheet.setup, ended.units, ended.winner, ended.rounds, ended.support_used)
    except RefusedError as error:
        return error.reason
    return ""


def seat_battle_key(seat: LiveSeat) -> uuid.UUID:
    """Return the key of the battle that this seat's player logs: the same for every press."""
    return uuid.uuid5(seat.key, "log")
