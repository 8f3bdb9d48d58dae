"""A battle on a measured table as a row of frames: positions after each step, moves, and attacks.

All lengths are hundredths of an inch, from the left and from side A's edge, as in the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from battles.replay.base import Frame, steps_of
from battles.replay.symbols import SymbolSet
from systems import battle_rules
from systems.battle import Chapter
from systems.battle_display import Situation
from systems.simulation.analysis import EventLine
from systems.simulation.records import Record
from systems.spaces import Aim, MeasuredSpace, MeasuredTable, Piece, Stand, TableView, on_table


@dataclass(frozen=True, slots=True)
class Track:
    """One move of a unit; `before` is None if it comes onto the table."""

    unit: str  # key
    side: int
    before: Stand | None
    after: Stand | None  # None: it leaves the table, without being destroyed


@dataclass(frozen=True, slots=True)
class LineOfFire:
    """A shot, with the positions of shooter and target at that moment."""

    aim: Aim
    side: int
    start: Stand
    end: Stand
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class Points:
    """The action points of the side whose turn it is."""

    side: int
    left: int
    given: int


@dataclass(frozen=True, slots=True)
class TableFrame(Frame):
    """One step of a replay on a measured table."""

    pieces: tuple[Piece, ...]  # terrain that is on the table
    holders: tuple[int | None, ...]  # the side that holds each objective of the table
    tracks: tuple[Track, ...]
    fire: tuple[LineOfFire, ...]
    points: Points | None = None  # None: it is nobody's turn
    leader: int | None = None  # side that leads, in games with a leader
    fallen: Mapping[str, Stand] = field(default_factory=dict)  # where destroyed units stood, by key
    pools: str = ""  # both sides' pools of points or dice, in words

    @property
    def units(self) -> tuple[TableView, ...]:
        """The units on the table."""
        return tuple(unit for unit in on_table(self.situation) if unit.stand is not None)


@dataclass(frozen=True, slots=True)
class TableReplay:
    """Everything that the replay of a battle on a measured table shows."""

    table: MeasuredTable
    frames: tuple[TableFrame, ...]
    names: Mapping[str, str]  # of all units, by key
    lost: str  # the word for a destroyed unit
    pieces: tuple[Piece, ...]  # all terrain that is on the table at any time
    art: SymbolSet


def table_replay(record: Record, lines: Sequence[EventLine]) -> TableReplay | None:
    """Return the record frame by frame, starting with the empty table; None if there is no measured table.

    `lines` are all lines of the record, in order.
    """
    system = battle_rules(record.setup.system)
    space = system.space
    if not isinstance(space, MeasuredSpace):
        return None
    table = space.table(record.setup)
    situation = system.opening(record.setup)
    pieces = known = table.pieces
    holders: list[int | None] = [None] * len(table.objectives)
    points: Points | None = None
    leader: int | None = None
    fallen: dict[str, Stand] = {}
    opening = Chapter("The table" if pieces else "The empty table")
    frames = [TableFrame(1, 0, 1, opening, (), situation, pieces, tuple(holders), (), ())]
    for step in steps_of(record, lines, opening):
        tracks: list[Track] = []
        fire: list[LineOfFire] = []
        weapons: dict[str | None, str] = {}  # the last weapon of each unit
        for line in step.lines:
            weapons[line.event.unit] = line.weapon or weapons.get(line.event.unit, "")
            fire += _fire(situation, space.aim(line.event), weapons)
            before, situation = situation, system.follow(situation, line.event)
            tracks += _frame_tracks(before, situation)
            fallen |= _fallen(before, situation)
            points = _points_after(points, space.points_given(line.event), space.points_spent(line.event))
            led = space.leads(line.event)
            leader = leader if led is None else led
            piece = space.piece(line.event)
            pieces, known = ((*pieces, piece), (*known, piece)) if piece else (pieces, known)
            gone = space.fallen_piece(line.event)
            pieces = pieces if gone is None else tuple(each for each in pieces if each is not table.pieces[gone])
            held = space.held(line.event)
            if held:
                holders[held[0]] = held[1] if held[1] >= 0 else None
        last = frames[-1]
        if step.phase != last.phase and points is last.points:
            points = None  # that side's turn is over
        drawn = (tuple(tracks), tuple(fire), points, leader, dict(fallen))
        frames.append(TableFrame(*step, situation, pieces, tuple(holders), *drawn, pools=space.pools(situation)))
    lost = system.hand.fields["destroyed"]
    art = SymbolSet(record.setup, (frame.situation for frame in frames))
    return TableReplay(table, tuple(frames), dict(system.unit_names(record.setup)), lost, known, art)


def _frame_tracks(before: Situation, after: Situation) -> Iterator[Track]:
    """Yield the units that moved, arrived or left; turning on the spot doesn't count."""
    for old, new in zip(on_table(before), on_table(after), strict=True):
        if _spot(old) != _spot(new) and not new.destroyed:
            yield Track(new.key, new.side, old.stand, new.stand)


def _fallen(before: Situation, after: Situation) -> Mapping[str, Stand]:
    """Return the last positions of units that were destroyed on the table."""
    pairs = zip(on_table(before), on_table(after), strict=True)
    return {new.key: old.stand for old, new in pairs if new.destroyed and not old.destroyed and old.stand}


def _points_after(points: Points | None, given: tuple[int, int] | None, spent: int) -> Points | None:
    if given:
        return Points(given[0], given[1], given[1])
    return replace(points, left=points.left - spent) if points and spent else points


def _spot(unit: TableView) -> tuple[int, int] | None:
    return (unit.stand.x, unit.stand.y) if unit.stand else None


def _fire(situation: Situation, aim: Aim | None, weapons: Mapping[str | None, str]) -> Iterator[LineOfFire]:
    units = {unit.key: unit for unit in on_table(situation)}
    if aim is not None:
        one, other = units[aim.unit], units[aim.target]
        if one.stand is not None and other.stand is not None:
            yield LineOfFire(aim, one.side, one.stand, other.stand, weapons.get(aim.unit, ""))
