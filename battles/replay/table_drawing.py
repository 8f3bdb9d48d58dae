"""One frame of a replay on a measured table: ground, counters, tracks, lines of fire.

All figures are in units of the drawing's view box, 20 to the inch; side A's edge is below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot

from battles.replay import drawing
from battles.replay.base import Wreck, struck_path
from battles.replay.drawing import (
    AIM_OUTCOMES,
    DIE_EYES,
    DIE_SIZE,
    Action,
    Box,
    CounterName,
    Label,
    Lane,
    NamedCounter,
    Point,
    Shot,
    build_lanes,
    describe_outcome,
    draw_action,
    place_names,
)
from battles.replay.symbols import SymbolSet
from battles.replay.table_frames import LineOfFire, TableFrame, TableReplay
from systems.battle_display import boxes_of
from systems.setups import SIDE_LETTERS
from systems.spaces import MeasuredTable, Piece, Spot, Stand, TableView, on_table

PER_UNIT = 5  # hundredths of an inch per unit of the drawing
FOOT = 240
EDGE = 22  # around the table
RADIUS = 24  # of a counter
ROOM = 42  # minimum distance between the middles of counters; closer ones are moved apart
PIP, PIP_GAP = 6, 1.5
ROW = 45.0  # maximum width of all of them
SPOT_LETTER = 7.6  # width of a letter of an objective's name
LETTERS = 1.35  # size of the text at a line of fire


@dataclass(frozen=True, slots=True)
class TableChit:
    """A counter at its place; without a place it isn't shown."""

    at: Point | None
    classes: str
    tag: str
    art: str  # its symbol
    turn: float  # clockwise, from up
    pips: str  # path of the hits left
    slots: str  # ... and of all hits
    foot: str  # path to the unit's true position, if the counter was moved
    suppression: str
    scale: float = 1.0  # of a counter for a unit with a base
    dice: str = ""  # path of the dice beside it
    eyes: str = ""  # ... and of their pips
    parts: str = ""  # path of the marks for lost parts
    name: CounterName = CounterName()
    reach: float = 0.0  # radius of the ring in which it affects others; 0: none is drawn

    @property
    def transform(self) -> str:
        scale = "" if self.scale == 1 else f" scale({self.scale:g})"
        return f"translate({self.at[0]:g} {self.at[1]:g}){scale}" if self.at else ""

    @property
    def front(self) -> str:
        return f"rotate({self.turn:g})"


@dataclass(frozen=True, slots=True)
class Disc:
    """A piece of terrain."""

    piece: Piece
    at: Point
    radius: float
    letter: str
    is_there: bool

    @property
    def classes(self) -> str:
        return "piece" if self.is_there else "piece is-away"


@dataclass(frozen=True, slots=True)
class Mark:
    """An objective or another named point."""

    spot: Spot
    at: Point
    holder: str  # side letter

    @property
    def classes(self) -> str:
        return f"spot side-{self.holder}" if self.holder else "spot"


@dataclass(frozen=True, slots=True)
class Ground:
    """The parts of the drawing that are the same in all frames."""

    width: float
    height: float
    depth: float
    feet_across: tuple[tuple[float, int], ...]  # place, inches
    feet_up: tuple[tuple[float, int], ...]

    @property
    def view_box(self) -> str:
        return f"{-EDGE:g} {-EDGE:g} {self.width + 2 * EDGE:g} {self.height + 2 * EDGE + drawing.TRAY_HEIGHT:g}"

    @property
    def far_side(self) -> float:
        """The edge of side A's zone, from above."""
        return self.height - self.depth

    @property
    def tray(self) -> float:
        """The top of the tray of units off the table."""
        return self.height + EDGE


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """One frame, drawn."""

    ground: Ground
    discs: tuple[Disc, ...]
    marks: tuple[Mark, ...]  # objectives
    mouths: tuple[Mark, ...]  # other named points
    wrecks: tuple[Wreck, ...]  # in the order of the situation's units, like the counters
    chits: tuple[TableChit, ...]
    tracks: tuple[str, str]  # paths, side a and side b
    action: Action


def ground_of(table: MeasuredTable) -> Ground:
    width, height = table.width / PER_UNIT, table.height / PER_UNIT
    return Ground(
        width=width,
        height=height,
        depth=table.depth / PER_UNIT,
        feet_across=tuple((foot * FOOT, 12 * foot) for foot in range(1, -(-int(width) // FOOT))),
        feet_up=tuple((height - foot * FOOT, 12 * foot) for foot in range(1, -(-int(height) // FOOT))),
    )


def draw_table(replay: TableReplay, frame: TableFrame) -> TableDrawing:
    """Return the frame with the parts of all frames, shown or not."""
    table = replay.table
    ground = ground_of(table)
    chits = _chits(replay, ground, frame)
    return TableDrawing(
        ground=ground,
        discs=tuple(
            Disc(piece, _at(table, piece), piece.radius / PER_UNIT, letter_of(piece), piece in frame.pieces)
            for piece in replay.pieces
        ),
        marks=tuple(
            Mark(spot, _at(table, spot), "" if holder is None else SIDE_LETTERS[holder])
            for spot, holder in zip(table.objectives, frame.holders, strict=True)
        ),
        mouths=tuple(Mark(spot, _at(table, spot), "") for spot in table.spots),
        wrecks=tuple(
            Wreck(
                _at(table, frame.fallen[unit.key]) if unit.key in frame.fallen else None,
                SIDE_LETTERS[unit.side],
                replay.art.tag_of(unit),
            )
            for unit in on_table(frame.situation)
        ),
        chits=chits,
        tracks=(_track_paths(table, frame, 0), _track_paths(table, frame, 1)),
        action=_action(replay, frame, chits),
    )


def letter_of(piece: Piece) -> str:
    """Return the letter for terrain of one kind."""
    return piece.kind[:1].upper()


def _at(table: MeasuredTable, place: Stand | Spot | Piece) -> Point:
    return round(place.x / PER_UNIT, 1), round((table.height - place.y) / PER_UNIT, 1)


# --- counters ---------------------------------------------------------------------------------------------------------


def _chits(replay: TableReplay, ground: Ground, frame: TableFrame) -> tuple[TableChit, ...]:
    table = replay.table
    units = on_table(frame.situation)
    stands = {unit.key: _at(table, unit.stand) for unit in units if unit.stand is not None}
    places = list(stands.values())
    if not any(unit.base for unit in units):
        places = spread(places, ground.width, ground.height)
    lies = dict(zip(stands, places, strict=True))
    off = [unit.key for unit in units if unit.stand is None and not unit.destroyed]
    lies |= drawing.tray_places(off, ground.width, ground.tray)
    acting = _acting(frame)
    chits = [_chit(unit, replay.art, lies.get(unit.key), stands.get(unit.key), unit.key in acting) for unit in units]
    busy = {line.event.unit for line in frame.lines if line.faces}
    counters = [
        NamedCounter(chit.at, chit.scale, replay.names[unit.key], unit.key in busy)
        for unit, chit in zip(units, chits, strict=True)
    ]
    taken = [*_written(table), drawing.tray_heading_box(ground.tray)]
    names = place_names(counters, taken, (0, 0, ground.width, ground.height + EDGE + drawing.TRAY_HEIGHT))
    return tuple(_with_name(chit, name) for chit, name in zip(chits, names, strict=True))


def _written(table: MeasuredTable) -> list[Box]:
    """Return the boxes of objectives and their names."""
    boxes: list[Box] = []
    for spot in table.objectives:
        (x, y), half = _at(table, spot), len(spot.name) * SPOT_LETTER / 2
        boxes += [(x - 19, y - 19, x + 19, y + 19), (x - half, y + 44, x + half, y + 64)]
    return boxes


def _with_name(chit: TableChit, name: CounterName) -> TableChit:
    return replace(chit, name=name, classes=f"{chit.classes} is-named") if name.text else chit


def _acting(frame: TableFrame) -> set[str]:
    if frame.points is None:
        return set()
    return {track.unit for track in frame.tracks} | {line.aim.unit for line in frame.fire}


def _chit(unit: TableView, art: SymbolSet, at: Point | None, true: Point | None, is_acting: bool) -> TableChit:
    classes = ["chit", "chit--table", f"side-{SIDE_LETTERS[unit.side]}"]
    for word, on in (
        ("away", at is None),
        ("off", unit.stand is None),
        ("acting", is_acting),
        ("suppressed", unit.suppression),
        ("locked", unit.locked_by),
        ("withdrew", unit.withdrew),
    ):
        if on:
            classes.append(f"is-{word}")
    classes += [f"is-{mark}" for mark in unit.marks] + (["chit--based"] if unit.base else [])
    dice, eyes = dice_paths(unit.dice)
    foot = ""
    if at and true and hypot(at[0] - true[0], at[1] - true[1]) > 2:
        foot = f"M0,0L{true[0] - at[0]:.1f},{true[1] - at[1]:.1f}"
    based = unit.base / PER_UNIT / RADIUS if unit.base else 1.0
    boxes, of = boxes_of(unit.hits, unit.max_hits)
    pitch = min(PIP + PIP_GAP, ROW / max(1, of))
    wide, left = pitch * PIP / (PIP + PIP_GAP), -pitch * of / 2
    pips = [f"M{left + pitch * pip:.4g},10h{wide:.3g}v{PIP}h-{wide:.3g}z" for pip in range(of)]
    return TableChit(
        at=(round(at[0], 1), round(at[1], 1)) if at else None,
        classes=" ".join(classes),
        tag=art.tag_of(unit),
        art=art.of(unit),
        turn=round(degrees(atan2(unit.stand.face_x, unit.stand.face_y))) if unit.stand else 0,
        pips="".join(pips[:boxes]),
        slots="".join(pips),
        foot=foot,
        suppression=str(unit.suppression or ""),
        # off the table nothing is measured, and counters lie side by side
        scale=round(based, 3) if unit.stand else 1.0,
        dice=dice,
        eyes=eyes,
        parts="" if unit.destroyed else struck_path(unit.struck, -22, 26),
        reach=round(unit.ring / PER_UNIT / based, 1),
    )


def dice_paths(faces: Sequence[int]) -> tuple[str, str]:
    """Return the paths of dice in a row above a counter, and of their pips."""
    left = -(len(faces) * (DIE_SIZE + 2) - 2) / 2
    dice, eyes = [], []
    for at, face in enumerate(faces):
        x, y = left + at * (DIE_SIZE + 2), -RADIUS - DIE_SIZE - 4
        dice.append(f"M{x:g},{y:g}h{DIE_SIZE}v{DIE_SIZE}h-{DIE_SIZE}z")
        for column, row in DIE_EYES[face]:
            eyes.append(f"M{x + DIE_SIZE / 2 + column * DIE_SIZE / 4:g},{y + DIE_SIZE / 2 + row * DIE_SIZE / 4:g}h0")
    return "".join(dice), "".join(eyes)


def spread(places: Sequence[Point], width: float, height: float) -> list[Point]:
    """Return the places, moved apart until counters can be told apart, without leaving the table."""
    found = [list(place) for place in places]
    for _round in range(24):
        is_moved = False
        for at, one in enumerate(found):
            for other in found[:at]:
                x, y = one[0] - other[0], one[1] - other[1]
                apart = hypot(x, y)
                if apart >= ROOM - 0.5:
                    continue
                is_moved = True
                x, y = (x / apart, y / apart) if apart else (1.0, 0.0)
                push = (ROOM - apart) / 2
                for point, way in ((one, push), (other, -push)):
                    point[0] = min(max(point[0] + x * way, 0.0), width)
                    point[1] = min(max(point[1] + y * way, 0.0), height)
        if not is_moved:
            break
    return [(x, y) for x, y in found]


# --- moves and fire ---------------------------------------------------------------------------------------------------


def _track_paths(table: MeasuredTable, frame: TableFrame, side: int) -> str:
    parts = []
    for track in frame.tracks:
        if track.side != side or track.before is None:
            continue
        x, y = _at(table, track.before)
        parts.append(f"M{x - 5:g},{y:g}a5,5 0 1 0 10,0a5,5 0 1 0 -10,0")
        if track.after is not None:
            to_x, to_y = _at(table, track.after)
            parts.append(f"M{x:g},{y:g}L{to_x:g},{to_y:g}")
    return "".join(parts)


def _lanes(table: MeasuredTable, fire: Iterable[LineOfFire]) -> list[Lane]:
    return build_lanes(
        ((line.aim.unit, line.aim.target), _at(table, line.start), _at(table, line.end)) for line in fire
    )


def _action(replay: TableReplay, frame: TableFrame, chits: Sequence[TableChit]) -> Action:
    units = on_table(frame.situation)
    places = {key: _at(replay.table, stand) for key, stand in frame.fallen.items()}
    places |= {unit.key: chit.at for unit, chit in zip(units, chits, strict=True) if chit.at}
    lines = _lanes(replay.table, frame.fire)
    shots = [
        Shot(
            lane,
            line.aim.success,
            Label((0, 0), describe_outcome(line.weapon, AIM_OUTCOMES[line.aim.what, line.aim.success])),
        )
        for line, lane in zip(frame.fire, lines, strict=True)
    ]
    before = replay.frames[max(0, frame.number - 2)].situation
    most = max(len(each.fire) for each in replay.frames)
    return draw_action(
        before, frame.situation, frame.lines, shots, places, most=most, half=RADIUS + 8, lost=replay.lost, size=LETTERS
    )
