"""Where everything lies on the drawn map of a replay: zones, counters, arrows, trays, and the tables beside it.

Figures of the drawing are in the units of its view box. The page draws one frame; the browser is given all of them as
places and words and only puts them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from battles.engine.frames import Frame, MapReplay, listed
from battles.systems.base import BandView, Sight, UnitView, ZoneGround
from rosters.templatetags.face import silhouette

ZONE = 220  # side of a zone
GAP = 4
EDGE = 20  # around the zones, for what comes and goes
PITCH = ZONE + GAP
WIDTH = 2 * EDGE + 3 * ZONE + 2 * GAP
TRAY_TOP = WIDTH
TRAY_HEIGHT = 128
HEIGHT = TRAY_TOP + TRAY_HEIGHT
HEAD = 30  # of a zone: number, terrain, marks
Packing = tuple[int, int, int, float]  # most a side, columns, rows, scale
CHIT_WIDTH, CHIT_HEIGHT = 66, 43  # of a counter at scale 1
PACKINGS: tuple[Packing, ...] = ((2, 2, 1, 1.45), (6, 3, 2, 1.0), (12, 4, 3, 0.7))
TRAY_PACKINGS: tuple[Packing, ...] = ((4, 4, 1, 0.75), (10, 5, 2, 0.5))
TRAYS = ("waiting", "left", "destroyed")
TRAY_TITLES = {"waiting": "Waiting", "left": "Left the map", "destroyed": "Destroyed"}
SHORT_NAME = 9  # characters that fit on a counter
SIDE_LETTERS = ("a", "b")


@dataclass(frozen=True, slots=True)
class Chit:
    """A counter as it lies; scale 0: it is in nobody's sight."""

    x: float
    y: float
    scale: float
    classes: str
    hits: str
    name: str
    shape: str  # of the silhouette

    @property
    def transform(self) -> str:
        return f"translate({self.x:g} {self.y:g}) scale({self.scale:g})"


@dataclass(frozen=True, slots=True)
class Square:
    """A zone as it is drawn."""

    ground: ZoneGround
    x: int
    y: int
    classes: str
    label: str
    more: tuple[str, str]  # "+3": units of each side that found no place
    is_exit_up: bool
    is_exit_down: bool

    @property
    def marks(self) -> tuple[tuple[str, int], ...]:
        """Symbols of what the scenario makes of the zone, each with its place from the right."""
        slugs = []
        for mark in self.ground.marks:
            side, _, does = mark.partition(" ")
            if mark == "key zone":
                slugs.append("key")
            elif side in ("attacker", "defender"):
                slugs.append(("arrives-" if does == "arrives" else "start-") + ("a" if side == "attacker" else "b"))
        return tuple((slug, self.x + ZONE - 18 - 22 * at) for at, slug in enumerate(slugs))

    @property
    def more_places(self) -> tuple[tuple[str, str, float, float], ...]:
        """Side, text and place of the two counts of units without a place."""
        half = (ZONE - HEAD) / 2
        right = self.x + ZONE - 6
        return tuple(
            (letter, text, right, self.y + HEAD + half * (at + 1) - 8)
            for at, (letter, text) in enumerate(zip(SIDE_LETTERS, self.more, strict=True))
        )


@dataclass(frozen=True, slots=True)
class Tray:
    """A box under the map for those who are not on it."""

    slug: str
    title: str
    x: int
    y: int
    more: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One frame, drawn."""

    squares: tuple[Square, ...]
    trays: tuple[Tray, ...]
    chits: tuple[Chit, ...]  # in the order of the situation's units
    arrows: tuple[str, str]  # paths, side a and side b


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
    view: UnitView
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
class TurnLink:
    title: str
    step: int  # its first frame
    is_here: bool


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
        turn = f"{self.turn_word} {frame.turn}" if frame.turn else ""
        return " · ".join(part for part in (turn, frame.chapter.phase, frame.chapter.step) if part)

    def summary(self, frame: Frame) -> str:
        """The step in words: what a reader who doesn't see the map has to know."""
        if frame.number == 1:
            return "The forces as they stand before the first turn."
        if not frame.chapter.zone and not frame.moves:
            told = " ".join(line.sentence for line in frame.lines)
            return "Nobody moves." if told == f"{frame.chapter.phase}." else told
        return " ".join(frame.says) or "Nobody moves and nobody is hurt."

    def turns(self, frame: Frame) -> tuple[TurnLink, ...]:
        firsts: dict[int, int] = {}
        for each in self.replay.frames:
            firsts.setdefault(each.turn, each.number)
        return tuple(
            TurnLink(f"{self.turn_word} {turn}" if turn else "Set-up", step, turn == frame.turn)
            for turn, step in firsts.items()
        )

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
            drawing=self.draw(frame, shown),
            turns=self.turns(frame),
            previous=frame.number - 1 if frame.number > 1 else None,
            following=frame.number + 1 if frame.number < len(self.replay.frames) else None,
            zone=shown,
            chosen=zone,
            panel=self.panel(frame, shown) if shown else None,
            places=self.places(frame),
        )

    # --- words --------------------------------------------------------------------------------------------------------

    def line(self, unit: UnitView) -> UnitLine:
        lost = [name for name, intact in (*unit.weapons, *unit.systems) if not intact]
        notes = [word for word, on in (("hidden", unit.hidden), ("dug in", unit.dug_in), ("decoy", unit.decoy)) if on]
        if unit.legs:
            notes.append(f"legs −{unit.legs}")
        if lost:
            notes.append(f"lost: {listed(lost)}")
        return UnitLine(self.replay.names[unit.key], SIDE_LETTERS[unit.side], unit, _state(unit), tuple(notes))

    def places(self, frame: Frame) -> tuple[tuple[str, tuple[UnitLine, ...]], ...]:
        """Everybody zone by zone, then those off the map."""
        found: list[tuple[str, tuple[UnitLine, ...]]] = []
        for ground in self.replay.ground:
            here = tuple(self.line(unit) for unit in frame.units if unit.zone == ground.number)
            if here:
                found.append((f"Zone {ground.number}, {ground.terrain_name}", here))
        for tray in TRAYS:
            off = tuple(self.line(unit) for unit in frame.units if _tray(unit) == tray)
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

    # --- the drawing --------------------------------------------------------------------------------------------------

    def draw(self, frame: Frame, zone: int) -> Drawing:
        units = frame.situation.units
        chits: dict[str, Chit] = {}
        more: dict[object, list[str]] = {}
        for place in [ground.number for ground in self.replay.ground] + list(TRAYS):
            sides = [
                [unit for unit in frame.units if unit.side == side and (unit.zone or _tray(unit)) == place]
                for side in range(2)
            ]
            more[place] = self._lay(chits, place, sides)
        hidden = Chit(0, 0, 0, "chit is-away", "", "", "")
        return Drawing(
            squares=tuple(self._square(ground, frame, zone, more[ground.number]) for ground in self.replay.ground),
            trays=tuple(
                Tray(slug, TRAY_TITLES[slug], EDGE + at * PITCH, TRAY_TOP, (more[slug][0], more[slug][1]))
                for at, slug in enumerate(TRAYS)
            ),
            chits=tuple(chits.get(unit.key, hidden) for unit in units),
            arrows=(self._arrows(frame, 0), self._arrows(frame, 1)),
        )

    def _lay(self, chits: dict[str, Chit], place: int | str, sides: Sequence[Sequence[UnitView]]) -> list[str]:
        """Puts the units of both sides down, side a above, side b below; how many of each find no place."""
        if isinstance(place, int):
            x, y = _corner(self.replay.ground[place - 1])
            top, half, width = y + HEAD, (ZONE - HEAD) / 2, ZONE
            packings = PACKINGS
        else:
            x, y = EDGE + TRAYS.index(place) * PITCH, TRAY_TOP
            top, half, width, packings = y + 26, (TRAY_HEIGHT - 34) / 2, ZONE, TRAY_PACKINGS
        most = max(len(units) for units in sides)
        room, columns, rows, scale = next((packing for packing in packings if most <= packing[0]), packings[-1])
        step_x, step_y = (width - 8) / columns, half / rows
        more = []
        for side, units in enumerate(sides):
            shown = units if len(units) <= room else units[: room - 1]
            for at, unit in enumerate(shown):
                left = x + 4 + (at % columns) * step_x + (step_x - CHIT_WIDTH * scale) / 2
                above = top + side * half + (at // columns) * step_y + (step_y - CHIT_HEIGHT * scale) / 2
                chits[unit.key] = self._chit(unit, round(left, 1), round(above, 1), scale)
            more.append(f"+{len(units) - len(shown)}" if len(units) > len(shown) else "")
        return more

    def _chit(self, unit: UnitView, x: float, y: float, scale: float) -> Chit:
        name = self.replay.names[unit.key]
        state = _state(unit)
        classes = ["chit", f"side-{SIDE_LETTERS[unit.side]}"] + ([f"is-{state}"] if state else [])
        if unit.wounded and state != "wounded":
            classes.append("is-wounded")
        for word, on in (("hidden", unit.hidden), ("dug-in", unit.dug_in), ("decoy", unit.decoy)):
            if on:
                classes.append(f"is-{word}")
        return Chit(x, y, scale, " ".join(classes), str(unit.hits), shortened(name), silhouette(unit.chassis))

    def _square(self, ground: ZoneGround, frame: Frame, chosen: int, more: Sequence[str]) -> Square:
        here = [unit for unit in frame.units if unit.zone == ground.number]
        is_contested = len({unit.side for unit in here}) > 1
        is_fight = frame.chapter.zone == ground.number
        classes = ["zone"]
        classes += ["is-contested"] if is_contested else []
        classes += ["is-fight"] if is_fight else []
        classes += ["is-chosen"] if chosen == ground.number else []
        x, y = _corner(ground)
        exits = [mark for mark in ground.marks if mark.startswith("exit")]
        return Square(
            ground=ground,
            x=x,
            y=y,
            classes=" ".join(classes),
            label=self._label(ground, here, is_contested, is_fight),
            more=(more[0], more[1]),
            is_exit_up=any("top" in mark for mark in exits),
            is_exit_down=any("bottom" in mark for mark in exits),
        )

    def _label(self, ground: ZoneGround, here: Sequence[UnitView], is_contested: bool, is_fight: bool) -> str:
        what = " fight" if is_fight else " contested" if is_contested else ""
        parts = [f"Zone {ground.number} {ground.terrain_name}{what}", *ground.marks]  # begins as it reads on the map
        for side, word in enumerate(("attacker", "defender")):
            own = [self.replay.names[unit.key] for unit in here if unit.side == side]
            if own:
                parts.append(f"{word}: {listed(own)}")
        return ", ".join(parts) if here else ", ".join([*parts, "empty"])

    def _arrows(self, frame: Frame, side: int) -> str:
        parts = []
        for move in frame.moves:
            if move.side != side:
                continue
            ends = [_middle(self.replay.ground[zone - 1]) if zone else None for zone in (move.before, move.zone)]
            edge = _way_out(self.replay.ground[(move.before or move.zone) - 1])
            start, end = ends[0] or edge, ends[1] or edge
            if start and end:
                parts.append(_arrow(start, end, *_part(bool(ends[0]), bool(ends[1])), side))
        return "".join(parts)

    # --- for the browser ----------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """All frames: tables of the distinct counters, zones and trays, and for each frame its places in them."""
        chits = _Table()
        squares = _Table()
        trays = _Table()
        frames = []
        for frame in self.replay.frames:
            drawing = self.draw(frame, 0)
            frames.append(
                {
                    "turn": frame.turn,
                    "phase": frame.phase,
                    "zone": frame.chapter.zone,
                    "title": self.title(frame),
                    "says": self.summary(frame),
                    "chits": [
                        chits.place(chit.transform, chit.classes, chit.hits, chit.name, chit.shape)
                        for chit in drawing.chits
                    ],
                    "zones": [squares.place(square.classes, square.label, *square.more) for square in drawing.squares],
                    "trays": [trays.place(*tray.more) for tray in drawing.trays],
                    "arrows": drawing.arrows,
                }
            )
        return {"chits": chits.rows, "zones": squares.rows, "trays": trays.rows, "frames": frames}

    @cached_property
    def steps_of_lines(self) -> dict[int, int]:
        """The number of the frame that each line of the record is in, by the line's number."""
        return {line.number: frame.number for frame in self.replay.frames for line in frame.lines}


class _Table:
    """Rows without doubles, each found again by its place."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []
        self._places: dict[tuple[str, ...], int] = {}

    def place(self, *row: str) -> int:
        if row not in self._places:
            self._places[row] = len(self.rows)
            self.rows.append(row)
        return self._places[row]


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


def shortened(name: str) -> str:
    """The name as it fits on a counter; a short last word, which tells like units apart, is kept."""
    if len(name) <= SHORT_NAME:
        return name
    rest, _, last = name.rpartition(" ")
    end = f" {last}" if rest and len(last) <= 3 else ""
    return f"{(rest if end else name)[: SHORT_NAME - 1 - len(end)].rstrip()}…{end}"


def _state(unit: UnitView) -> str:
    if unit.destroyed:
        return "destroyed"
    return "withdrew" if unit.withdrew and not unit.zone else "wounded" if unit.wounded else ""


def _tray(unit: UnitView) -> str:
    """The tray of a unit that is off the map; none for one that is on it."""
    if unit.zone:
        return ""
    return "destroyed" if unit.destroyed else "left" if unit.withdrew else "waiting"


def _corner(ground: ZoneGround) -> tuple[int, int]:
    return EDGE + (ground.column - 1) * PITCH, EDGE + (ground.row - 1) * PITCH


def _middle(ground: ZoneGround) -> tuple[float, float]:
    x, y = _corner(ground)
    return x + ZONE / 2, y + ZONE / 2


def _way_out(ground: ZoneGround) -> tuple[float, float] | None:
    """The point at the map's edge through which units of a zone come and go; the middle one has none."""
    x, y = _middle(ground)
    if any("top" in mark for mark in ground.marks):
        return x, 2
    if any("bottom" in mark for mark in ground.marks):
        return x, WIDTH - 2
    if ground.column != 2:
        return (2 if ground.column == 1 else WIDTH - 2), y
    return (x, 2 if ground.row == 1 else WIDTH - 2) if ground.row != 2 else None


def _part(is_from_zone: bool, is_to_zone: bool) -> tuple[float, float]:
    """The part of the way that an arrow covers: over the border, or between zone and edge."""
    if not is_from_zone:
        return 0, 0.5
    return (0.34, 0.64) if is_to_zone else (0.4, 1)


def _arrow(start: tuple[float, float], end: tuple[float, float], first: float, last: float, side: int) -> str:
    """A path along part of the way between two points, beside the other side's, with its head."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    aside = 70 if side == 0 else -70
    ox, oy = -uy * aside, ux * aside
    points = [(x1 + (x2 - x1) * part + ox, y1 + (y2 - y1) * part + oy) for part in (first, last)]
    (ax, ay), (bx, by) = points
    head = [(bx - 16 * ux + turn * 11 * uy, by - 16 * uy - turn * 11 * ux) for turn in (1, -1)]
    (h1x, h1y), (h2x, h2y) = head
    return f"M{ax:.0f},{ay:.0f}L{bx:.0f},{by:.0f}M{h1x:.0f},{h1y:.0f}L{bx:.0f},{by:.0f}L{h2x:.0f},{h2y:.0f}"
