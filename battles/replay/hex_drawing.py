"""One frame of a replay on hexes: ground, counters with their areas, fields of view, tracks, lines of fire.

All figures are in units of `systems.spaces.hex_map`; side A's edge is below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from battles.replay import drawing
from battles.replay.base import Wreck, struck_path
from battles.replay.drawing import (
    Action,
    CounterName,
    Label,
    Lane,
    NamedCounter,
    Shot,
    build_lanes,
    describe_outcome,
    draw_action,
    place_names,
)
from battles.replay.hex_frames import HexFire, HexFrame, HexReplay
from battles.replay.symbols import SymbolSet
from systems.setups import SIDE_LETTERS
from systems.spaces.hex_map import (
    EDGE,
    HexCell,
    HexGround,
    HexPiece,
    HexSpot,
    HexStand,
    HexView,
    Point,
    centre,
    face,
    height_of,
    on_hexes,
    width_of,
)

RADIUS = 24  # of a counter
PIECE_PITCH = 15  # from one small piece to the next in a hex
PIECE_ASIDE = (25, -25)  # from the middle of the hex, for both sides
BESIDE = 17  # distance by which counters that share a hex are moved aside
SHARED = 0.72  # ... and their size
LETTERS = 1.35  # size of the text at a line of fire
AREA, AREA_GAP, AREA_TOP = (4.6, 8.0), 1.2, 9.0  # the box of an area under the picture of its unit


@dataclass(frozen=True, slots=True)
class HexChit:
    """A counter at its place; without a place it isn't shown."""

    at: Point | None
    scale: float
    classes: str
    tag: str
    art: str  # its symbol
    turn: int  # clockwise, from up
    whole: str  # paths of its areas: unhurt
    hurt: str
    lost: str
    level: str
    marks: str
    parts: str = ""  # path of the marks for other lost parts
    name: CounterName = CounterName()

    @property
    def transform(self) -> str:
        scale = "" if self.scale == 1 else f" scale({self.scale:g})"
        return f"translate({self.at[0]:g} {self.at[1]:g}){scale}" if self.at else ""

    @property
    def front(self) -> str:
        return f"rotate({self.turn})"


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """The view of one unit: its place, and a path through the hexes that it sees."""

    number: int  # of the unit, from 1
    name: str
    at: Point | None  # None: off the map
    path: str

    @property
    def classes(self) -> str:
        return "seat" if self.at else "seat is-away"

    @property
    def transform(self) -> str:
        return f"translate({self.at[0]:g} {self.at[1]:g})" if self.at else ""


@dataclass(frozen=True, slots=True)
class Mark:
    """An objective or an object; without a spot it hasn't appeared yet."""

    spot: HexSpot | None

    @property
    def classes(self) -> str:
        if self.spot is None or self.spot.is_away:
            return "spot is-away"
        return "spot" if self.spot.side is None else f"spot side-{SIDE_LETTERS[self.spot.side]}"

    @property
    def transform(self) -> str:
        if self.spot is None or self.spot.is_away:
            return ""
        x, y = centre(self.spot.column, self.spot.row)
        return f"translate({x:g} {y:g})"

    @property
    def letter(self) -> str:
        return self.spot.letter if self.spot else ""


@dataclass(frozen=True, slots=True)
class Small:
    """A drone, or another separate piece on the map; without a place it isn't there now."""

    side: str
    at: Point | None = None
    letter: str = ""

    @property
    def classes(self) -> str:
        return f"piece side-{self.side}" + ("" if self.at else " is-away")

    @property
    def transform(self) -> str:
        return f"translate({self.at[0]:g} {self.at[1]:g})" if self.at else ""


@dataclass(frozen=True, slots=True)
class Changing:
    """A hex that changes during the battle, drawn over the others."""

    cell: HexCell

    @property
    def face(self) -> str:
        return face(self.cell.column, self.cell.row)

    @property
    def classes(self) -> str:
        return f"cell hex--{self.cell.terrain.look}{' has-building' if self.cell.floors else ''}"

    @property
    def sign(self) -> str:
        look = self.cell.terrain.look
        return "none" if look == "plain" else f"url(#hex-{look})"

    @property
    def at(self) -> Point:
        return centre(self.cell.column, self.cell.row)

    @property
    def text(self) -> str:
        return str(self.cell.floors or "")

    @property
    def level(self) -> str:
        """The height of raised ground, which stays when the building on it falls."""
        return f"+{self.cell.level}" if self.cell.level > 0 else ""


@dataclass(frozen=True, slots=True)
class HexDrawing:
    """One frame, drawn. Every frame has the parts of all frames, shown or not."""

    cells: tuple[Changing, ...]
    marks: tuple[Mark, ...]
    pieces: tuple[Small, ...]  # side a's, then side b's
    wrecks: tuple[Wreck, ...]  # in the order of the situation's units, like the counters
    looks: tuple[FieldOfView, ...]
    chits: tuple[HexChit, ...]
    tracks: tuple[str, str]  # paths, side a and side b
    action: Action


def draw_hexes(replay: HexReplay, frame: HexFrame) -> HexDrawing:
    """Return the frame with the parts of all frames."""
    units = on_hexes(frame.situation)
    spots = frame.ground.spots
    chits = _chits(replay, frame)
    return HexDrawing(
        cells=tuple(Changing(frame.ground.cells[at]) for at in replay.changing),
        marks=(*map(Mark, spots), *[Mark(None)] * (replay.most_spots - len(spots))),
        pieces=_pieces(replay, frame),
        wrecks=tuple(_wreck(unit, frame.fallen.get(unit.key), replay.art) for unit in units),
        looks=tuple(_look(replay, frame.ground, number, unit) for number, unit in enumerate(units, start=1)),
        chits=chits,
        tracks=(_tracks(frame, 0), _tracks(frame, 1)),
        action=_action(replay, frame, chits),
    )


def _pieces(replay: HexReplay, frame: HexFrame) -> tuple[Small, ...]:
    """Return the pieces side by side: side A's along the lower edge of their hexes, side B's along the upper."""
    found: list[Small] = []
    for side, (pieces, most) in enumerate(zip(frame.pieces, replay.most_pieces, strict=True)):
        together: dict[tuple[int, int], list[HexPiece]] = {}
        for piece in pieces:
            together.setdefault((piece.column, piece.row), []).append(piece)
        for (column, row), here in together.items():
            x, y = centre(column, row)
            first = x - PIECE_PITCH * (len(here) - 1) / 2
            found += (
                Small(
                    SIDE_LETTERS[side],
                    (round(first + PIECE_PITCH * at, 1), round(y + PIECE_ASIDE[side], 1)),
                    each.letter,
                )
                for at, each in enumerate(here)
            )
        found += [Small(SIDE_LETTERS[side])] * (most - len(pieces))
    return tuple(found)


# --- counters ---------------------------------------------------------------------------------------------------------


def _chits(replay: HexReplay, frame: HexFrame) -> tuple[HexChit, ...]:
    units = on_hexes(frame.situation)
    together: dict[tuple[int, int], list[str]] = {}
    for unit in units:
        if unit.stand is not None and not unit.destroyed:
            together.setdefault((unit.stand.column, unit.stand.row), []).append(unit.key)
    off = [unit.key for unit in units if unit.stand is None and not unit.destroyed]
    ground = frame.ground
    width, top = width_of(ground.columns), height_of(ground.columns, ground.rows) + EDGE
    lies = {key: (at, 1.0) for key, at in drawing.tray_places(off, width, top).items()}
    for (column, line), keys in together.items():
        lies |= dict(zip(keys, _beside(centre(column, line), len(keys)), strict=True))
    acting = {frame.points.unit} if frame.points else set()
    chits = [_chit(unit, replay.art, lies.get(unit.key), unit.key in acting) for unit in units]
    busy = {line.event.unit for line in frame.lines if line.faces}
    counters = [
        NamedCounter(chit.at, chit.scale, replay.names[unit.key], unit.key in busy)
        for unit, chit in zip(units, chits, strict=True)
    ]
    spots = [centre(spot.column, spot.row) for spot in ground.spots if not spot.is_away]
    taken = [drawing.tray_heading_box(top), *((x - 26, y - 30, x + 26, y + 30) for x, y in spots)]
    edges = (0.0, 0.0, width, top + drawing.TRAY_HEIGHT)
    names = place_names(counters, taken, edges)
    return tuple(
        replace(chit, name=name, classes=f"{chit.classes} is-named") if name.text else chit
        for chit, name in zip(chits, names, strict=True)
    )


def _beside(middle: Point, count: int) -> list[tuple[Point, float]]:
    """Return the position and size of each counter that shares a hex."""
    if count == 1:
        return [(middle, 1.0)]
    aside = 2 * BESIDE / (count - 1)
    return [((round(middle[0] - BESIDE + aside * at, 1), middle[1]), SHARED) for at in range(count)]


def _chit(unit: HexView, art: SymbolSet, lies: tuple[Point, float] | None, is_acting: bool) -> HexChit:
    at, scale = lies or (None, 1.0)
    classes = ["chit", "chit--hex", f"side-{SIDE_LETTERS[unit.side]}"]
    for word, on in (
        ("away", at is None),
        ("off", unit.stand is None),
        ("acting", is_acting),
        ("withdrew", unit.withdrew),
    ):
        if on:
            classes.append(f"is-{word}")
    level = unit.stand.level if unit.stand else 0
    whole, hurt, lost = area_paths(unit)
    return HexChit(
        at=at,
        scale=scale,
        classes=" ".join(classes),
        tag=art.tag_of(unit),
        art=art.of(unit),
        turn=unit.stand.facing * 60 if unit.stand else 0,
        whole=whole,
        hurt=hurt,
        lost=lost,
        level=f"{level:+d}" if level else "",
        marks="".join(mark.letter for mark in unit.marks),
        parts="" if unit.destroyed else struck_path(unit.struck, -22, 26),
    )


def area_paths(unit: HexView) -> tuple[str, str, str]:
    """Return the paths of a machine's areas in a row: unhurt (full), hurt (half full) and lost (crossed out)."""
    paths = ["", "", ""]
    (width, height), top = AREA, AREA_TOP
    first = -(len(unit.areas) * (width + AREA_GAP) - AREA_GAP) / 2
    for at, area in enumerate(unit.areas):
        left = round(first + at * (width + AREA_GAP), 1)
        box = f"M{left:g},{top:g}h{width:g}v{height:g}h{-width:g}z"
        if area.state == "whole":
            paths[0] += box
        elif area.state == "hurt":
            paths[1] += box
            filled = height * max(0.15, area.left / area.whole)
            paths[0] += f"M{left:g},{top + height:g}h{width:g}v{-filled:.1f}h{-width:g}z"
        else:
            paths[2] += f"{box}l{width:g},{height:g}m0,{-height:g}l{-width:g},{height:g}"
    return paths[0], paths[1], paths[2]


def _wreck(unit: HexView, stand: HexStand | None, art: SymbolSet) -> Wreck:
    at = None if stand is None else centre(stand.column, stand.row)
    return Wreck(at, SIDE_LETTERS[unit.side], art.tag_of(unit))


def _look(replay: HexReplay, ground: HexGround, number: int, unit: HexView) -> FieldOfView:
    name = replay.names[unit.key]
    if unit.stand is None or unit.destroyed:
        return FieldOfView(number, name, None, "")
    path = "".join(_dot(ground.cells[at]) for at in sorted(replay.seen(ground, unit.stand)))
    return FieldOfView(number, name, centre(unit.stand.column, unit.stand.row), path)


def _dot(cell: HexCell) -> str:
    x, y = centre(cell.column, cell.row)
    return f"M{x:g},{y:g}h0"


# --- moves and fire ---------------------------------------------------------------------------------------------------


def _tracks(frame: HexFrame, side: int) -> str:
    parts = []
    for track in frame.tracks:
        if track.side != side or track.before is None:
            continue
        x, y = _middle(track.before)
        parts.append(f"M{x - 5:g},{y:g}a5,5 0 1 0 10,0a5,5 0 1 0 -10,0")
        if track.after is not None:
            to_x, to_y = _middle(track.after)
            parts.append(f"M{x:g},{y:g}L{to_x:g},{to_y:g}")
    return "".join(parts)


def _lanes(fire: Iterable[HexFire]) -> list[Lane]:
    return build_lanes(((line.aim.unit, line.aim.target), _middle(line.start), _middle(line.end)) for line in fire)


def _action(replay: HexReplay, frame: HexFrame, chits: Sequence[HexChit]) -> Action:
    places = {key: _middle(stand) for key, stand in frame.fallen.items()}
    places |= {unit.key: chit.at for unit, chit in zip(on_hexes(frame.situation), chits, strict=True) if chit.at}
    shots = [
        Shot(lane, line.aim.success, Label((0, 0), describe_outcome(line.weapon, line.aim.word)))
        for line, lane in zip(frame.fire, _lanes(frame.fire), strict=True)
    ]
    before = replay.frames[max(0, frame.number - 2)].situation
    most, half = replay.most_fire, RADIUS + 8
    return draw_action(
        before, frame.situation, frame.lines, shots, places, most=most, half=half, lost=replay.lost, size=LETTERS
    )


def _middle(stand: HexStand) -> Point:
    return centre(stand.column, stand.row)
