"""The shared parts of all drawn replays: frames of a record, the page of one frame, and data for the browser."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from battles.replay.symbols import Symbol, SymbolSet
from systems import battle_rules
from systems.battle import Chapter
from systems.battle_display import Situation, boxes_of
from systems.engine.events import MARKS
from systems.simulation.analysis import EventLine
from systems.simulation.records import Record
from systems.text import format_signed

Row = tuple[str | None, ...]
STRUCK, MAX_STRUCK = 7, 4  # size of the mark for a lost part, and the number that a counter has room for
SCRUBBER_MARKS = ("kill", "critical", "objective", "support")  # the marks shown on the scrubber


@dataclass(frozen=True, slots=True)
class Wreck:
    """The place where a unit was destroyed; without a place, the unit isn't destroyed."""

    at: tuple[float, float] | None
    side: str
    tag: str

    @property
    def classes(self) -> str:
        return f"wreck side-{self.side}" + ("" if self.at else " is-away")

    @property
    def transform(self) -> str:
        return f"translate({self.at[0]:g} {self.at[1]:g})" if self.at else ""


def struck_path(count: int, x: float, y: float) -> str:
    """Return crossed boxes for lost or crippled parts, in a row from (x, y); a plus stands for more."""
    boxes = [f"M{x + (STRUCK + 2) * at:g},{y:g}" for at in range(min(count, MAX_STRUCK))]
    crossed = f"h{STRUCK}v{STRUCK}h-{STRUCK}zl{STRUCK},{STRUCK}m0,-{STRUCK}l-{STRUCK},{STRUCK}"
    half = STRUCK / 2
    plus = f"M{x + (STRUCK + 2) * MAX_STRUCK:g},{y + half:g}h{STRUCK}m-{half:g},-{half:g}v{STRUCK}"
    return "".join(f"{box}{crossed}" for box in boxes) + (plus if count > MAX_STRUCK else "")


class Step(NamedTuple):
    """A step of a record, before its situation is known."""

    number: int
    turn: int
    phase: int
    chapter: Chapter
    lines: tuple[EventLine, ...]


def steps_of(record: Record, lines: Iterable[EventLine], opening: Chapter) -> Iterator[Step]:
    """Yield the record step by step. `lines` are all its lines in order; `opening` is the frame before the first."""
    chapter = battle_rules(record.setup.system).chapters(record.setup)
    placed = [((line.event.round, chapter(line.event)), line) for line in lines]
    phase, before = 1, (0, opening.phase)
    for number, ((turn, here), group) in enumerate(groupby(placed, key=lambda pair: pair[0]), start=2):
        phase += (turn, here.phase) != before
        before = turn, here.phase
        yield Step(number, turn, phase, here, tuple(line for _key, line in group))


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of a replay, and the situation after it."""

    number: int  # from 1
    turn: int  # 0: set-up
    phase: int  # counts the phases of the whole battle, from 1
    chapter: Chapter
    lines: tuple[EventLine, ...]
    situation: Situation  # after the last of them


FrameT = TypeVar("FrameT", bound=Frame)


class Moment(NamedTuple):
    """A notable event, and its step."""

    step: int
    mark: str  # of `systems.engine.events.MARKS`
    word: str
    says: str
    at: str  # place in the replay, as a percentage


class TurnLink(NamedTuple):
    title: str
    step: int  # its first frame
    is_here: bool


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit in the list beside the drawing."""

    name: str
    tag: str  # as on its counter; empty if its name has it
    letter: str
    side: str
    hits: str
    boxes: tuple[str, str]  # paths of the boxes left, and of those lost
    place: str
    states: str
    is_lost: bool = False
    is_away: bool = False  # it hasn't arrived yet
    number: int = 0  # its number for a close view; 0: it has none

    @property
    def classes(self) -> str:
        more = (" is-lost" if self.is_lost else "") + (" is-away" if self.is_away else "")
        return f"unit side-{self.letter}{more}"

    @property
    def row(self) -> Row:
        return self.classes, self.hits, *self.boxes, self.place, self.states


UNIT_COLUMNS = (
    ("", "class"),
    (".unit__hits", ""),
    (".unit__left", "d"),
    (".unit__lost", "d"),
    (".unit__place", ""),
    (".unit__states", ""),
)
BOX, BOXES_A_ROW = 9, 22


def box_paths(left: int, total: int) -> tuple[str, str]:
    """Return a box for each hit, in rows: the path of those left, and of those lost, which are crossed out."""
    left, total = boxes_of(left, total)
    paths = ["", ""]
    for at in range(total):
        x, y = at % BOXES_A_ROW * (BOX + 3) + 1, at // BOXES_A_ROW * (BOX + 3) + 1
        box = f"M{x},{y}h{BOX}v{BOX}h-{BOX}z"
        paths[at >= left] += box if at < left else f"{box}l{BOX},{BOX}m0,-{BOX}l-{BOX},{BOX}"
    return paths[0], paths[1]


class PageHead(NamedTuple, Generic[FrameT]):
    """The first fields of every drawing's page, as in `StepPage`."""

    frames: Sequence[FrameT]
    frame: FrameT
    title: str
    summary: str
    turn_word: str
    moments: Sequence[Moment]
    units: Sequence[UnitRow]
    notes: str
    symbols: Sequence[Symbol]


@dataclass(frozen=True, slots=True)
class StepPage:
    """A replay at one step, as its page shows it."""

    frames: Sequence[Frame]
    frame: Frame
    title: str
    summary: str
    turn_word: str
    moments: Sequence[Moment]
    units: Sequence[UnitRow]
    notes: str
    symbols: Sequence[Symbol]  # the symbols that counters use
    chosen: int  # the place that was asked for; 0: none

    @property
    def step(self) -> int:
        return self.frame.number

    @property
    def places_help(self) -> str:
        """How to read places in the list of units."""
        return ""

    @property
    def turn(self) -> int:
        """The round of the record that this step belongs to; 0: before the first."""
        return self.frame.turn

    @property
    def steps(self) -> int:
        return len(self.frames)

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step > 1 else None

    @property
    def following(self) -> int | None:
        return self.step + 1 if self.step < self.steps else None

    @property
    def previous_moment(self) -> int | None:
        return next((each.step for each in reversed(self.moments) if each.step < self.step), None)

    @property
    def following_moment(self) -> int | None:
        return next((each.step for each in self.moments if each.step > self.step), None)

    @property
    def turns(self) -> list[TurnLink]:
        """A link to each turn's first frame."""
        firsts: dict[int, int] = {}
        for each in self.frames:
            firsts.setdefault(each.turn, each.number)
        word = self.turn_word
        return [
            TurnLink(f"{word} {turn}" if turn else "Set-up", step, turn == self.turn) for turn, step in firsts.items()
        ]


class StepBoard(ABC, Generic[FrameT]):
    """A battle, drawn frame by frame."""

    kind: str  # the kind of drawing, of `battles.replay.boards`
    columns: Mapping[str, Sequence[tuple[str, str]]]  # of the parts of the drawing, as `Looks` has them

    def __init__(self, frames: Sequence[FrameT], names: Mapping[str, str], turn_word: str, art: SymbolSet) -> None:
        self.frames, self.turn_word, self.art = frames, turn_word, art
        self.names = names  # the names of all units, by key, including those that arrived during the battle

    @abstractmethod
    def summary(self, frame: FrameT) -> str:
        """Describe the step for readers who can't see the drawing."""

    @abstractmethod
    def unit_rows(self, frame: FrameT) -> Sequence[UnitRow]:
        """Return all units for the list beside the drawing."""

    def notes(self, frame: FrameT) -> str:
        """Return a line of notes beside the drawing, such as who holds what."""
        return ""

    @abstractmethod
    def rows(self, frame: FrameT) -> Mapping[str, Iterable[Row]]:
        """Return the looks of the drawing's parts in that frame, by kind."""

    def sought(self, frame: FrameT) -> Sequence[EventLine]:
        """Return the lines in which notable events are searched for."""
        return frame.lines

    def facts(self, frame: FrameT) -> Mapping[str, object]:
        """Return further data of a frame for the browser."""
        return {}

    @property
    def steps(self) -> int:
        return len(self.frames)

    def at(self, step: int) -> FrameT:
        """Return the frame with that number, or the nearest."""
        return self.frames[max(1, min(step, len(self.frames))) - 1]

    def page_head(self, frame: FrameT) -> PageHead[FrameT]:
        """Return the first fields of every drawing's page."""
        title, summary, units = self.title(frame), self.summary(frame), self.unit_rows(frame)
        word, notes, symbols = self.turn_word, self.notes(frame), self.art.symbols
        return PageHead(self.frames, frame, title, summary, word, self.moments, units, notes, symbols)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The notable events, in order; the first of each kind in a step."""
        whole = max(1, len(self.frames) - 1)
        found: dict[tuple[int, str], Moment] = {}
        for frame in self.frames:
            for line in self.sought(frame):
                if line.mark in SCRUBBER_MARKS:
                    at = f"{100 * (frame.number - 1) / whole:.2f}%"
                    moment = Moment(frame.number, line.mark, MARKS[line.mark], line.sentence, at)
                    found.setdefault((frame.number, line.mark), moment)
        return tuple(found.values())

    def title(self, frame: FrameT) -> str:
        """Return the heading of a step: turn, phase and step, without repetition."""
        turn = f"{self.turn_word} {frame.turn}" if frame.turn else ""
        return " · ".join(part for part in dict.fromkeys((turn, frame.chapter.phase, frame.chapter.step)) if part)

    @cached_property
    def steps_of_lines(self) -> Mapping[int, int]:
        """The frame of each line of the record, by the line's number."""
        return {line.number: frame.number for frame in self.frames for line in frame.lines}

    def to_json(self) -> dict[str, object]:
        """Return everything that the browser needs to draw all frames, as `Looks` has them."""
        looks = Looks({**self.columns, "units": UNIT_COLUMNS, "notes": (("", ""),)})
        frames = [
            {
                "turn": frame.turn,
                "phase": frame.phase,
                **self.facts(frame),
                "title": self.title(frame),
                "says": self.summary(frame),
                "lines": [_line_to_list(line) for line in frame.lines],
                "units": looks.places("units", (unit.row for unit in self.unit_rows(frame))),
                "notes": looks.places("notes", [(self.notes(frame),)]),
                **{kind: looks.places(kind, rows) for kind, rows in self.rows(frame).items()},
            }
            for frame in self.frames
        ]
        return looks.to_json(frames) | {"moments": sorted({each.step for each in self.moments})}


def _line_to_list(line: EventLine) -> list[object]:
    """Return a line as sent to the browser: look, dice, sentence, modifiers, rule."""
    made = {True: "+", False: "-", None: ""}
    dice = [f"{face}{made[verdict]}" for face, verdict in line.dice]
    return [
        line.look,
        dice,
        line.sentence,
        [f"{part.name} {format_signed(part.value)}" for part in line.modifiers],
        line.rule,
    ]


class Looks:
    """The looks of a drawing's parts in all its frames, for the browser.

    Each kind of part (`data-part` in the drawing) has columns: a selector within the part (empty: the part itself), and
    the attribute to set there (empty: its text). The rows are the distinct looks. A frame holds, for each part in the
    order of the drawing, the number of its row. None in a row keeps the present value.
    """

    def __init__(self, columns: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self.columns = columns
        self._rows: dict[str, dict[Row, int]] = {kind: {} for kind in columns}

    def places(self, kind: str, rows: Iterable[Row]) -> list[int]:
        """Return the row numbers of one frame's parts."""
        known = self._rows[kind]
        return [known.setdefault(row, len(known)) for row in rows]

    def to_json(self, frames: Sequence[Mapping[str, object]]) -> dict[str, object]:
        """Return everything that is sent to the browser."""
        return {"columns": self.columns, **{kind: list(rows) for kind, rows in self._rows.items()}, "frames": frames}
