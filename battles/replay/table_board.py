"""The replay page of a battle on a measured table: a drawing, texts, and the list of units beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees

from battles.replay.base import Row, StepBoard, StepPage, UnitRow, box_paths
from battles.replay.drawing import ACTION_COLUMNS, NAME_COLUMNS, with_sign
from battles.replay.table_drawing import Disc, TableChit, TableDrawing, draw_table
from battles.replay.table_frames import TableFrame, TableReplay
from systems.setups import SIDE_LETTERS
from systems.spaces import Stand, TableView, on_table
from systems.text import pluralize, round_half_up

COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
MAX_LINES = 12  # lines that a summary lists; more are only counted
COLUMNS = {  # of the parts of the drawing, as `Looks` has them
    "pieces": (("", "class"),),
    "spots": (("", "class"),),
    "tracks": (("", "d"),),
    "wrecks": (("", "transform"), ("", "class")),
    "chits": (
        ("", "transform"),
        ("", "class"),
        (".chit__front", "transform"),
        (".chit__pips", "d"),
        (".chit__foot", "d"),
        (".chit__count", ""),
        (".chit__arcs", "transform"),
        (".chit__dice", "d"),
        (".chit__eyes", "d"),
        (".chit__parts", "d"),
    ),
    "labels": NAME_COLUMNS,
    "points": (("", ""),),
    **ACTION_COLUMNS,
}


@dataclass(frozen=True, slots=True)
class TablePage(StepPage):
    """The table at one step, as its page shows it."""

    frame: TableFrame
    points: str
    drawing: TableDrawing
    terrain: tuple[tuple[str, str], ...]  # letter and name of each kind on the table
    sides: Sequence[str]

    @property
    def places_help(self) -> str:
        near, far = self.sides
        return f"Places in inches from the left and from {near}’s edge; north is {far}’s edge."

    @property
    def has_dice(self) -> bool:
        """Whether dice lie beside any unit."""
        return any(chit.dice for chit in self.drawing.chits)

    @property
    def has_leads(self) -> bool:
        """Whether one side leads."""
        return self.frame.leader is not None

    @property
    def has_markers(self) -> bool:
        """Whether units are counters with markers on them."""
        return not any(unit.base for unit in on_table(self.frame.situation))

    @property
    def has_holders(self) -> bool:
        """Whether objectives can be held."""
        return bool(self.notes)


class TableBoard(StepBoard[TableFrame]):
    """The replay of a battle on a measured table."""

    kind = "table"
    columns = COLUMNS

    def __init__(self, replay: TableReplay, sides: Sequence[str], turn_word: str = "Turn") -> None:
        super().__init__(replay.frames, replay.names, turn_word, replay.art)
        self.replay, self.sides = replay, sides

    def summary(self, frame: TableFrame) -> str:
        if frame.number == 1:
            rolled = "" if self.replay.table.pieces else "terrain is rolled and "
            return f"The table before {rolled}the forces set up."
        if len(frame.lines) > MAX_LINES:
            off = sum(unit.stand is None and not unit.destroyed for unit in on_table(frame.situation))
            rest = f"; {_count_label(off, 'waits', 'wait')} off it" if off else ""
            pieces, units = pluralize(len(frame.pieces), "pieces"), pluralize(len(frame.units), "units")
            return f"On the table: {pieces} of terrain and {units}{rest}."
        sentences = []
        for line in frame.lines:
            parts = ", ".join(f"{part.name} {with_sign(part.value)}" for part in line.modifiers)
            sentences.append(f"{line.sentence.removesuffix('.')} ({parts})." if parts else line.sentence)
        return " ".join(sentences)

    def points(self, frame: TableFrame) -> str:
        """Describe the remaining action points of the side whose turn it is, or name the leading side."""
        if frame.pools:
            return frame.pools
        if not any(each.points for each in self.replay.frames):
            return "" if frame.leader is None else f"{self.sides[frame.leader]} leads"
        if frame.points is None:
            return "Action points: it is nobody’s turn"
        side = self.sides[frame.points.side]
        return f"Action points of {side}: {frame.points.left} of {frame.points.given} left"

    def page(self, step: int, place: int) -> TablePage:
        """Return the table at that step; `place` is ignored, because there is no close view."""
        frame = self.at(step)
        drawing = draw_table(self.replay, frame)
        return TablePage(
            *self.page_head(frame),
            chosen=0,
            points=self.points(frame),
            drawing=drawing,
            terrain=kinds(drawing.discs),
            sides=self.sides,
        )

    def objective_holders(self, frame: TableFrame) -> tuple[tuple[str, str], ...]:
        """Return each objective and its holder; empty if none is held in any frame."""
        if not any(holder is not None for each in self.frames for holder in each.holders):
            return ()
        pairs = zip(self.replay.table.objectives, frame.holders, strict=True)
        return tuple((spot.name, "nobody" if holder is None else self.sides[holder]) for spot, holder in pairs)

    def notes(self, frame: TableFrame) -> str:
        return " · ".join(f"{name}: held by {holder}" for name, holder in self.objective_holders(frame))

    def unit_rows(self, frame: TableFrame) -> Sequence[UnitRow]:
        return [self.unit(unit) for unit in on_table(frame.situation)]

    def unit(self, unit: TableView) -> UnitRow:
        """Return the unit's row in the list."""
        states = list(unit.states)
        if unit.lost_parts and not unit.destroyed:
            states.append(f"lost: {', '.join(unit.lost_parts)}")
        if unit.suppression:
            states.append(f"suppressed ({_count_label(unit.suppression, 'marker', 'markers')})")
        if unit.locked_by:
            states.append(f"locked by {self.names[unit.locked_by]}")
        if unit.withdrew:
            states.append("withdrew")
        name, tag = self.names[unit.key], self.replay.art.tag_of(unit)
        faces = f", facing {facing(unit.stand)}" if unit.stand else ""
        return UnitRow(
            name=name,
            tag="" if tag in name else tag,
            letter=SIDE_LETTERS[unit.side],
            side=self.sides[unit.side],
            hits=f"{unit.hits}/{unit.max_hits}",
            boxes=box_paths(unit.hits, unit.max_hits),
            place=f"{_place(unit)}{faces}",
            states=", ".join(states),
            is_lost=unit.destroyed,
        )

    def rows(self, frame: TableFrame) -> Mapping[str, Iterable[Row]]:
        drawing = draw_table(self.replay, frame)
        return {
            "pieces": ((disc.classes,) for disc in drawing.discs),
            "spots": ((mark.classes,) for mark in drawing.marks),
            "tracks": ((path,) for path in drawing.tracks for _halo in range(2)),
            "wrecks": ((wreck.transform or None, wreck.classes) for wreck in drawing.wrecks),
            "chits": map(_look, drawing.chits),
            "labels": (chit.name.row for chit in drawing.chits),
            "points": [(self.points(frame),)],
            **drawing.action.rows,
        }


def kinds(discs: Sequence[Disc]) -> tuple[tuple[str, str], ...]:
    """Return letter and name of each kind of terrain, once each."""
    return tuple(dict.fromkeys((disc.letter, disc.piece.name.lower()) for disc in discs))


def facing(stand: Stand) -> str:
    """Return the compass point nearest to the unit's facing; north is away from side A's edge."""
    return COMPASS[round(degrees(atan2(stand.face_x, stand.face_y)) / 45) % 8]


def _place(unit: TableView) -> str:
    if unit.stand:
        across, up = (round_half_up(each / 100) for each in (unit.stand.x, unit.stand.y))
        return f"{across} in across, {up} in up"
    if unit.destroyed:
        return "destroyed"
    return f"off the table, {unit.place}" if unit.place else "not set up yet"


def _look(chit: TableChit) -> Row:
    """Return a counter as a row; a counter that isn't shown stays where it was."""
    if not chit.at:
        return None, chit.classes, *[None] * 8
    parts = (chit.front, chit.pips, chit.foot, chit.suppression, chit.front, chit.dice, chit.eyes, chit.parts)
    return chit.transform, chit.classes, *parts


def _count_label(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
