"""The replay of a game on the map as its page shows it: a drawing, words, and the tables beside them.

The page draws one frame; the browser is given all of them as places and words and only puts them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from battles.replay.parts import Row, StepBoard, StepPage
from battles.replay.zone_drawing import (
    HEIGHT,
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
from battles.replay.zone_frames import MapReplay, ZoneFrame, listed
from systems.setups import SIDE_LETTERS
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
class BoardPage(StepPage):
    """The map of a replay at one step, as its page shows it."""

    view_box: ClassVar = f"0 0 {WIDTH} {HEIGHT}"
    tray_height: ClassVar = TRAY_HEIGHT - 8
    zone_side: ClassVar = ZONE

    zone: int  # looked at; 0: none
    drawing: Drawing
    panel: ZonePanel | None
    places: tuple[tuple[str, tuple[UnitLine, ...]], ...]  # everybody, zone by zone, in words


class Board(StepBoard[ZoneFrame]):
    """The replay of a game on the map."""

    columns = COLUMNS

    def __init__(self, replay: MapReplay, bands: Sequence[str], turn_word: str = "Turn") -> None:
        super().__init__(replay.frames, replay.names, turn_word)
        self.replay, self.bands = replay, bands

    def summary(self, frame: ZoneFrame) -> str:
        if frame.number == 1:
            return "The forces as they stand before the first turn."
        if not frame.moves and (not frame.chapter.zone or len(frame.lines) <= 2):
            told = " ".join(line.sentence for line in frame.lines)
            return "Nobody moves." if told == f"{frame.chapter.phase}." else told
        return " ".join(frame.says) or "Nobody moves and nobody is hurt."

    def page(self, step: int, place: int) -> BoardPage:
        """The map at that step with that zone looked at; 0: where the fight is, if there is one."""
        frame = self.at(step)
        chosen = place if 0 < place <= len(self.replay.ground) else 0
        zone = chosen or frame.chapter.zone
        return BoardPage(
            self.frames,
            frame,
            self.title(frame),
            self.summary(frame),
            self.turn_word,
            chosen,
            zone=zone,
            drawing=draw(self.replay, frame, zone),
            panel=self.panel(frame, zone) if zone else None,
            places=self.places(frame),
        )

    def line(self, unit: ZoneView) -> UnitLine:
        notes = [*(mark.replace("-", " ") for mark in unit.marks), *unit.harm]
        if unit.lost_parts:
            notes.append(f"lost: {listed(unit.lost_parts)}")
        return UnitLine(self.names[unit.key], SIDE_LETTERS[unit.side], unit, state_of(unit), tuple(notes))

    def places(self, frame: ZoneFrame) -> tuple[tuple[str, tuple[UnitLine, ...]], ...]:
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

    def panel(self, frame: ZoneFrame, number: int) -> ZonePanel:
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
            bands=band_table(pairs, self.names, self.bands, frame.sights) if pairs else None,
            fight_title=f"{fight[0].chapter.phase}, {self.turn_word.lower()} {fight[0].turn}" if fight else "",
            fight=tuple(FightStep(each.chapter.step, each.number, each is frame, self.summary(each)) for each in fight),
        )

    def _latest_fight(self, frame: ZoneFrame, zone: int) -> tuple[ZoneFrame, ...]:
        """The frames of the latest fight in that zone, up to this frame."""
        so_far = self.frames[: frame.number]
        phase = next((each.phase for each in reversed(so_far) if each.chapter.zone == zone), 0)
        return tuple(each for each in so_far if each.phase == phase)

    def rows(self, frame: ZoneFrame) -> Mapping[str, Iterable[Row]]:
        drawing = draw(self.replay, frame, 0)
        return {
            "chits": map(_look, drawing.chits),
            "zones": ((square.classes, square.label, *square.more) for square in drawing.squares),
            "trays": (tray.more for tray in drawing.trays),
            "arrows": ((path,) for path in drawing.arrows for _halo in range(2)),
        }

    def facts(self, frame: ZoneFrame) -> Mapping[str, object]:
        return {"zone": frame.chapter.zone}


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
