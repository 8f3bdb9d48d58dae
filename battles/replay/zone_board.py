"""The replay of a game on the map as its page shows it: a drawing, words, and the tables beside them.

The page draws one frame; the browser is given all of them as places and words and only puts them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from battles.replay.parts import Looks, Row, TurnLink, step_title, turn_links
from battles.replay.zone_drawing import (
    HEIGHT,
    SIDE_LETTERS,
    TRAY_HEIGHT,
    TRAY_TITLES,
    TRAYS,
    WIDTH,
    ZONE,
    Chit,
    Drawing,
    draw,
    state_of,
    tray_of,
)
from battles.replay.zone_frames import Frame, MapReplay, listed
from systems.situation import BandView
from systems.spaces.zones import Sight, ZoneGround, ZoneView

COLUMNS = {  # of the parts of the drawing, as `Looks` has them
    "chits": (("", "transform"), ("", "class"), (".chit__hits", ""), (".chit__name", ""), (".chit__art", "href")),
    "zones": (("", "class"), ("", "aria-label"), (".zone__more.side-a", ""), (".zone__more.side-b", "")),
    "trays": ((".zone__more.side-a", ""), (".zone__more.side-b", "")),
    "arrows": (("", "d"),),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """How two opponents stand to each other, in a table of bands."""

    band: str  # "0", "1", "2", "broken", "none"
    letter: str
    said: str
    sights: tuple[tuple[str, bool, str], ...] = ()  # side letter, found, in words


@dataclass(frozen=True, slots=True)
class BandTable:
    """All pairs of a fight: units of side a down, of side b across."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    has_sights: bool

    @property
    def pair(self) -> tuple[str, str, int | None, bool] | None:
        """Two names, the band and whether contact is broken, where there is but one pair."""
        if len(self.columns) != 1 or len(self.rows) != 1:
            return None
        name, (cell,) = self.rows[0]
        return name, self.columns[0], int(cell.band) if cell.band.isdecimal() else None, cell.band == "broken"


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit in a list beside the map."""

    name: str
    letter: str
    view: ZoneView
    state: str  # "destroyed", "withdrew", "wounded", ""
    notes: tuple[str, ...]  # "dug in", "lost: Laser"


@dataclass(frozen=True, slots=True)
class FightStep:
    """A step of a fight, to go to."""

    title: str
    step: int
    is_here: bool
    says: str


@dataclass(frozen=True, slots=True)
class ZonePanel:
    """A zone looked at closely: who is there, how far apart, and its latest fight up to now."""

    ground: ZoneGround
    sides: tuple[tuple[str, tuple[UnitLine, ...]], ...]  # letter, units
    bands: BandTable | None
    fight_title: str
    fight: tuple[FightStep, ...]

    @property
    def is_over(self) -> bool:
        """True if the fight was fought at an earlier step."""
        return not any(step.is_here for step in self.fight)


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The map of a replay at one step, as its page shows it."""

    frame: Frame
    steps: int
    title: str
    summary: str
    drawing: Drawing
    turns: tuple[TurnLink, ...]
    previous: int | None
    following: int | None
    zone: int  # looked at; 0: none
    chosen: int  # zone that was asked for; 0: the page's own choice
    panel: ZonePanel | None
    places: tuple[tuple[str, tuple[UnitLine, ...]], ...]  # everybody, zone by zone, in words
    view_box: str = f"0 0 {WIDTH} {HEIGHT}"
    tray_height: int = TRAY_HEIGHT - 8
    zone_side: int = ZONE

    @property
    def step(self) -> int:
        return self.frame.number

    @property
    def turn(self) -> int:
        return self.frame.turn


class Board:
    """The replay of a game, drawn frame by frame."""

    def __init__(self, replay: MapReplay, bands: Sequence[str], turn_title: str = "Turn") -> None:
        self.replay = replay
        self.bands = bands
        self.turn_word = turn_title

    @property
    def names(self) -> Mapping[str, str]:
        """What all units are called, by key."""
        return self.replay.names

    def at(self, step: int) -> Frame:
        """The frame of that number, or the nearest there is."""
        frames = self.replay.frames
        return frames[max(1, min(step, len(frames))) - 1]

    def title(self, frame: Frame) -> str:
        return step_title(frame, self.turn_word)

    def summary(self, frame: Frame) -> str:
        """The step in words: what a reader who doesn't see the map has to know."""
        if frame.number == 1:
            return "The forces as they stand before the first turn."
        if not frame.moves and (not frame.chapter.zone or len(frame.lines) <= 2):
            told = " ".join(line.sentence for line in frame.lines)
            return "Nobody moves." if told == f"{frame.chapter.phase}." else told
        return " ".join(frame.says) or "Nobody moves and nobody is hurt."

    def page(self, step: int, zone: int) -> BoardPage:
        """The map at that step with that zone looked at; 0: where the fight is, if there is one."""
        frame = self.at(step)
        zone = zone if 0 < zone <= len(self.replay.ground) else 0
        shown = zone or frame.chapter.zone
        return BoardPage(
            frame=frame,
            steps=len(self.replay.frames),
            title=self.title(frame),
            summary=self.summary(frame),
            drawing=draw(self.replay, frame, shown),
            turns=turn_links(self.replay.frames, frame, self.turn_word),
            previous=frame.number - 1 if frame.number > 1 else None,
            following=frame.number + 1 if frame.number < len(self.replay.frames) else None,
            zone=shown,
            chosen=zone,
            panel=self.panel(frame, shown) if shown else None,
            places=self.places(frame),
        )

    # --- words --------------------------------------------------------------------------------------------------------

    def line(self, unit: ZoneView) -> UnitLine:
        notes = [*(mark.replace("-", " ") for mark in unit.marks), *unit.harm]
        if unit.lost_parts:
            notes.append(f"lost: {listed(unit.lost_parts)}")
        return UnitLine(self.replay.names[unit.key], SIDE_LETTERS[unit.side], unit, state_of(unit), tuple(notes))

    def places(self, frame: Frame) -> tuple[tuple[str, tuple[UnitLine, ...]], ...]:
        """Everybody zone by zone, then those off the map."""
        found: list[tuple[str, tuple[UnitLine, ...]]] = []
        for ground in self.replay.ground:
            here = tuple(self.line(unit) for unit in frame.units if unit.zone == ground.number)
            if here:
                found.append((f"Zone {ground.number}, {ground.terrain_name}", here))
        for tray in TRAYS:
            off = tuple(self.line(unit) for unit in frame.units if tray_of(unit) == tray)
            if off:
                found.append((TRAY_TITLES[tray], off))
        return tuple(found)

    def panel(self, frame: Frame, number: int) -> ZonePanel:
        here = [unit for unit in frame.units if unit.zone == number]
        keys = {unit.key for unit in here}
        pairs = [pair for pair in frame.situation.bands if pair.a_key in keys and pair.d_key in keys]
        fight = self._latest_fight(frame, number)
        return ZonePanel(
            ground=self.replay.ground[number - 1],
            sides=tuple(
                (letter, tuple(self.line(unit) for unit in here if unit.side == side))
                for side, letter in enumerate(SIDE_LETTERS)
            ),
            bands=self.band_table(pairs, frame.sights) if pairs else None,
            fight_title=f"{fight[0].chapter.phase}, {self.turn_word.lower()} {fight[0].turn}" if fight else "",
            fight=tuple(FightStep(each.chapter.step, each.number, each is frame, self.summary(each)) for each in fight),
        )

    def _latest_fight(self, frame: Frame, zone: int) -> tuple[Frame, ...]:
        """The frames of the latest fight in that zone, up to this frame."""
        so_far = self.replay.frames[: frame.number]
        phase = next((each.phase for each in reversed(so_far) if each.chapter.zone == zone), 0)
        return tuple(each for each in so_far if each.phase == phase)

    def band_table(self, pairs: Sequence[BandView], sights: Iterable[Sight] = ()) -> BandTable:
        """The pairs as a table."""
        return band_table(pairs, self.replay.names, self.bands, sights)

    # --- for the browser ----------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """All frames, as `Looks` has them."""
        looks = Looks(COLUMNS)
        frames = []
        for frame in self.replay.frames:
            drawing = draw(self.replay, frame, 0)
            frames.append(
                {
                    "turn": frame.turn,
                    "phase": frame.phase,
                    "zone": frame.chapter.zone,
                    "title": self.title(frame),
                    "says": self.summary(frame),
                    "chits": looks.places("chits", [_look(chit) for chit in drawing.chits]),
                    "zones": looks.places(
                        "zones", [(square.classes, square.label, *square.more) for square in drawing.squares]
                    ),
                    "trays": looks.places("trays", [tray.more for tray in drawing.trays]),
                    "arrows": looks.places("arrows", [(path,) for path in drawing.arrows for _halo in range(2)]),
                }
            )
        return looks.to_json(frames)

    @cached_property
    def steps_of_lines(self) -> dict[int, int]:
        """The number of the frame that each line of the record is in, by the line's number."""
        return {line.number: frame.number for frame in self.replay.frames for line in frame.lines}


def _look(chit: Chit) -> Row:
    """A counter as a row; one that is out of sight stays where it was."""
    if not chit.scale:
        return None, chit.classes, None, None, None
    return chit.transform, chit.classes, chit.hits, chit.name, chit.shape


def band_table(
    pairs: Sequence[BandView], names: Mapping[str, str], bands: Sequence[str], sights: Iterable[Sight] = ()
) -> BandTable:
    """Pairs as a table: a unit of side a in each row, one of side b in each column."""
    rows = list(dict.fromkeys(pair.a_key for pair in pairs))
    columns = list(dict.fromkeys(pair.d_key for pair in pairs))
    found = {(pair.a_key, pair.d_key): pair for pair in pairs}
    seen = {(sight.unit, sight.target): sight.found for sight in sights}

    def cell(a: str, d: str) -> Cell:
        pair = found.get((a, d))
        if pair is None:
            return Cell("none", "", "not in contact")
        marks = tuple(
            (
                letter,
                seen[unit, target],
                f"{names[unit]} has {'' if seen[unit, target] else 'not '}found {names[target]}",
            )
            for letter, unit, target in (("a", a, d), ("b", d, a))
            if (unit, target) in seen
        )
        if pair.broken:
            return Cell("broken", "–", "contact broken", marks)
        return Cell(str(pair.band), bands[pair.band][0], bands[pair.band], marks)

    table = tuple((names[a], tuple(cell(a, d) for d in columns)) for a in rows)
    return BandTable(
        columns=tuple(names[d] for d in columns),
        rows=table,
        has_sights=any(each.sights for _name, cells in table for each in cells),
    )
