"""The replay page of a battle on hexes: a drawing, texts, and the list of units beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from battles.replay.base import Row, StepBoard, StepPage, UnitRow, box_paths
from battles.replay.drawing import ACTION_COLUMNS, NAME_COLUMNS, TRAY_HEIGHT, with_sign
from battles.replay.hex_drawing import HexChit, HexDrawing, draw_hexes
from battles.replay.hex_frames import HexFrame, HexReplay
from systems.setups import SIDE_LETTERS
from systems.spaces.hex_map import HexGround, HexSheet, HexSpot, HexStand, HexTerrain, HexView, draw_sheet, on_hexes
from systems.spaces.hexes import is_behind
from systems.text import pluralize

COMPASS = ("up", "up and right", "down and right", "down", "down and left", "up and left")
MAX_LINES = 14  # lines that a summary lists; more are only counted
COLUMNS = {  # of the parts of the drawing, as `Looks` has them
    "cells": (("", "class"), (".cell__sign", "fill"), (".cell__floors", "")),
    "spots": (("", "class"), ("", "transform"), (".spot__letter", "")),
    "pieces": (("", "class"), ("", "transform"), (".piece__letter", "")),
    "tracks": (("", "d"),),
    "wrecks": (("", "transform"), ("", "class")),
    "fields": (("", "d"),),
    "looks": (("", "class"), (".look__seat", "transform")),
    "chits": (
        ("", "transform"),
        ("", "class"),
        (".chit__front", "transform"),
        (".chit__whole", "d"),
        (".chit__hurt", "d"),
        (".chit__lost", "d"),
        (".chit__level", ""),
        (".chit__marks", ""),
        (".chit__parts", "d"),
    ),
    "labels": NAME_COLUMNS,
    "points": (("", ""),),
    "scores": (("", ""),),
    "closes": (("", ""),),
    **ACTION_COLUMNS,
}


@dataclass(frozen=True, slots=True)
class HexPage(StepPage):
    """The map at one step, as its page shows it."""

    frame: HexFrame
    points: str
    scores: str
    sheet: HexSheet
    drawing: HexDrawing
    terrain: tuple[HexTerrain, ...]
    marks: tuple[tuple[str, str], ...]  # letters on counters, with their meaning
    closes: tuple[str, ...]  # the view of each unit, in words
    sides: Sequence[str]

    @property
    def places_help(self) -> str:
        return f"Places as (column, row), counted from the upper left; {self.sides[0]} is below."


class HexBoard(StepBoard[HexFrame]):
    """The replay of a battle on a map of hexes."""

    kind = "hexes"
    columns = COLUMNS

    def __init__(self, replay: HexReplay, sides: Sequence[str], turn_word: str = "Round") -> None:
        super().__init__(replay.frames, replay.names, turn_word, replay.art)
        self.replay, self.sides = replay, sides

    def summary(self, frame: HexFrame) -> str:
        if frame.number == 1:
            return "The map before the forces set up."
        if len(frame.lines) > MAX_LINES:
            return f"On the map: {pluralize(len(frame.units), 'units')}."
        sentences = []
        for line in frame.lines:
            parts = ", ".join(f"{part.name} {with_sign(part.value)}" for part in line.modifiers)
            sentences.append(f"{line.sentence.removesuffix('.')} ({parts})." if parts else line.sentence)
        return " ".join(sentences)

    def points(self, frame: HexFrame) -> str:
        """Describe the remaining action points of the unit whose turn it is."""
        if not any(each.points for each in self.frames):
            return ""
        if frame.points is None:
            return "Action points: it is nobody’s turn"
        name = self.names[frame.points.unit]
        return f"Action points of {name}: {frame.points.left} of {frame.points.given} left"

    def scores(self, frame: HexFrame) -> str:
        """Describe the mission points of both sides so far."""
        points = frame.ground.points
        return "" if points is None else f"{self.sides[0]} {points[0]}–{points[1]} {self.sides[1]}"

    def page(self, step: int, place: int) -> HexPage:
        """Return the map at that step, with the view of unit number `place`."""
        frame = self.at(step)
        units = on_hexes(frame.situation)
        chosen = place if 1 <= place <= len(units) else 0
        return HexPage(
            *self.page_head(frame),
            chosen=chosen,
            points=self.points(frame),
            scores=self.scores(frame),
            sheet=draw_sheet(self.frames[0].ground, TRAY_HEIGHT, self.replay.changing),
            drawing=draw_hexes(self.replay, frame),
            terrain=self.terrain(),
            marks=self.marks(),
            closes=tuple(self.view(frame, unit) for unit in units),
            sides=self.sides,
        )

    def terrain(self) -> tuple[HexTerrain, ...]:
        """Return the kinds of terrain in the whole battle, once each."""
        grounds = dict.fromkeys(frame.ground.cells for frame in self.frames)
        return tuple(dict.fromkeys(cell.terrain for cells in grounds for cell in cells))

    def marks(self) -> tuple[tuple[str, str], ...]:
        """Return the letters of all marks in the battle, with their meaning."""
        views = (unit for frame in self.frames for unit in on_hexes(frame.situation))
        return tuple(dict.fromkeys((mark.letter, mark.name) for unit in views for mark in unit.marks))

    def unit_rows(self, frame: HexFrame) -> Sequence[UnitRow]:
        return [self.unit(number, unit) for number, unit in enumerate(on_hexes(frame.situation), start=1)]

    def notes(self, frame: HexFrame) -> str:
        return " · ".join(f"{spot.name}: {self.spot(spot)}" for spot in frame.ground.spots)

    def unit(self, number: int, unit: HexView) -> UnitRow:
        """Return the unit's row in the list."""
        name, tag = self.names[unit.key], self.replay.art.tag_of(unit)
        areas = ", ".join(f"{area.name} {area.left}/{area.whole}" for area in unit.areas)
        lost = [f"lost: {', '.join(unit.lost_gear)}"] if unit.lost_gear and not unit.destroyed else []
        stands = unit.stand is not None and not unit.destroyed
        faces = f", facing {COMPASS[unit.stand.facing]}" if unit.stand and stands else ""
        return UnitRow(
            name=name,
            tag="" if tag in name else tag,
            letter=SIDE_LETTERS[unit.side],
            side=self.sides[unit.side],
            hits=areas or f"{unit.hits}/{unit.max_hits}",
            boxes=("", "") if areas else box_paths(unit.hits, unit.max_hits),
            place=f"{_place_of(unit)}{faces}",
            states=", ".join([*(mark.name for mark in unit.marks), *lost]),
            is_lost=unit.destroyed,
            number=number,
        )

    def spot(self, spot: HexSpot) -> str:
        """Describe where an objective or an object is, and who holds it."""
        held = "" if spot.side is None else f", held by {self.sides[spot.side]}"
        return spot.state or _place(spot.column, spot.row) + held

    def view(self, frame: HexFrame, unit: HexView) -> str:
        """Describe the view of a unit; empty if it isn't on the map."""
        stand, ground = unit.stand, frame.ground
        if stand is None or unit.destroyed:
            return ""
        others = [each for each in frame.units if each.key != unit.key and not each.destroyed]
        seen = ", ".join(self.names[each.key] for each in others if self.sees(ground, stand, each.stand))
        behind = ", ".join(self.names[each.key] for each in others if _is_behind(stand, each.stand))
        hexes = len(self.replay.seen(ground, stand))
        return (
            f"What {self.names[unit.key]} sees: {pluralize(hexes, 'hexes')}. "
            f"In view: {seen or 'nobody'}. Behind it: {behind or 'nobody'}."
        )

    def sees(self, ground: HexGround, stand: HexStand, other: HexStand | None) -> bool:
        """Return whether a unit sees another, which may be above or below the ground of its hex."""
        if other is None:
            return False
        cell = replace(ground.cell(other.column, other.row), level=other.level)
        return self.replay.space.sees(ground, stand, cell)

    def rows(self, frame: HexFrame) -> Mapping[str, Iterable[Row]]:
        drawing = draw_hexes(self.replay, frame)
        return {
            "cells": ((cell.classes, cell.sign, cell.text) for cell in drawing.cells),
            "spots": ((mark.classes, mark.transform or None, mark.letter) for mark in drawing.marks),
            "pieces": ((piece.classes, piece.transform or None, piece.letter) for piece in drawing.pieces),
            "tracks": ((path,) for path in drawing.tracks for _halo in range(2)),
            "wrecks": ((wreck.transform or None, wreck.classes) for wreck in drawing.wrecks),
            "fields": ((look.path,) for look in drawing.looks),
            "looks": ((look.classes, look.transform or None) for look in drawing.looks),
            "chits": map(_row, drawing.chits),
            "labels": (chit.name.row for chit in drawing.chits),
            "points": [(self.points(frame),)],
            "scores": [(self.scores(frame),)],
            "closes": ((self.view(frame, unit),) for unit in on_hexes(frame.situation)),
            **drawing.action.rows,
        }


def _place(column: int, row: int) -> str:
    return f"({column}, {row})"


def _place_of(unit: HexView) -> str:
    if unit.destroyed:
        return "destroyed"
    if unit.stand:
        level = f", level {unit.stand.level:+d}" if unit.stand.level else ""
        return _place(unit.stand.column, unit.stand.row) + level
    return f"off the map, {unit.place}" if unit.place else "not set up yet"


def _is_behind(stand: HexStand, other: HexStand | None) -> bool:
    return other is not None and is_behind(stand.column, stand.row, stand.facing, other.column, other.row)


def _row(chit: HexChit) -> Row:
    """Return a counter as a row; a counter that isn't shown stays where it was."""
    if not chit.at:
        return None, chit.classes, *[None] * 7
    parts = (chit.front, chit.whole, chit.hurt, chit.lost, chit.level, chit.marks, chit.parts)
    return chit.transform, chit.classes, *parts
