"""Hexes on paper: a map, or part of one, as a drawing at any scale. Pure.

Terrain kinds also have symbols, so that a map can be read without colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from systems.spaces.hex_map import (
    HEIGHT,
    SIDE,
    HexCell,
    HexGround,
    HexSpot,
    HexTerrain,
    border,
    centre,
    face,
    height_of,
    patches,
    width_of,
)

FONT = "'Muster Condensed'"
MIN_PT = 6.0  # minimum size of letters on a map
PT_PER_MM = 72 / 25.4
MARGIN = 34.0  # around a whole map, for column and row numbers
SIGNS = {  # symbols of terrain kinds, drawn around the centre of a hex; coordinates after each M are relative
    "plain": "",
    "barred": "M-18,-12l36,36M18,-12l-36,36M-28,6l22,22M28,6l-22,22M-28,-2l28,-28M28,-2l-28,-28",
    "woods": "M-18,-4l7,-14l7,14zM4,-8l7,-14l7,14zM-8,16l7,-14l7,14zM14,14l6,-12l6,12zM-26,14l6,-12l6,12z",
    "sand": "M-20,-10h.1M-8,-20h.1M8,-14h.1M20,-6h.1M-14,6h.1M0,0h.1M14,10h.1M-24,14h.1M-4,18h.1M24,14h.1",
    "smoke": "M-24,-4a6,6 0 0 1 10,-5a7,7 0 0 1 13,0a7,7 0 0 1 13,1a5,5 0 0 1 8,5M-18,14a6,6 0 0 1 10,-5a7,7 0 0 1 13,0a6,6 0 0 1 10,5",
    "snow": "M-14,-20v14M-20,-16l12,6M-20,-10l12,-6M12,-12v14M6,-8l12,6M6,-2l12,-6M-6,8v14M-12,12l12,6M-12,18l12,-6",
    "shallows": "M-24,-8q6,-7 12,0t12,0t12,0t12,0M-20,14q6,-7 12,0t12,0t12,0",
    "deep": "M-18,-20q6,-7 12,0t12,0t12,0M-28,-6q7,-7 14,0t14,0t14,0t14,0M-26,8q6,-7 13,0t13,0t13,0t13,0M-18,22q6,-7 12,0t12,0t12,0",
}
PLACE = re.compile(r"(-?[0-9.]+),(-?[0-9.]+)")
STROKES = frozenset({"sand", "smoke", "snow", "shallows", "deep", "barred"})  # symbols made only of lines


@dataclass(frozen=True, slots=True)
class HexInks:
    line: str
    soft: str
    signal: str
    fills: tuple[tuple[str, str], ...]  # by terrain look
    wall: str

    def fill(self, look: str) -> str:
        return dict(self.fills)[look]


INKS = {
    "colour": HexInks(
        "#20231a", "#55574a", "#a8370b",
        (("plain", "#ffffff"), ("barred", "#e39a94"), ("woods", "#a9cc9d"), ("sand", "#ecd3a2"), ("smoke", "#a3a3a3"),
         ("snow", "#eef4f8"), ("shallows", "#b5dcf1"), ("deep", "#7fa6d3")), "#ded8c6",
    ),
    "grey": HexInks(
        "#1c1c1c", "#505050", "#1c1c1c",
        (("plain", "#ffffff"), ("barred", "#c4c4c4"), ("woods", "#d6d6d6"), ("sand", "#ececec"), ("smoke", "#b0b0b0"),
         ("snow", "#f7f7f7"), ("shallows", "#e0e0e0"), ("deep", "#bdbdbd")), "#dcdcdc",
    ),
    "ink-saver": HexInks(
        "#000000", "#000000", "#000000",
        tuple((look, "none") for look in SIGNS), "none",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HexPlan:
    """A map that can be printed."""

    slug: str
    name: str
    ground: HexGround


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a map that is on one page, in units of the drawing."""

    across: int  # column of the page, from 1
    down: int
    x: float
    y: float
    guides: str  # path of the lines where pages are joined


@dataclass(frozen=True, slots=True)
class Tiling:
    """The division of a map into pages; lengths in mm."""

    across: int
    down: int
    width: float  # width of the part on one page
    height: float
    overlap: float
    scale: float  # mm per unit of the drawing

    @property
    def pages(self) -> int:
        return self.across * self.down

    def windows(self) -> Iterator[Window]:
        """Yield the parts, row by row."""
        step_x, step_y = (self.width - self.overlap) / self.scale, (self.height - self.overlap) / self.scale
        for down in range(self.down):
            for across in range(self.across):
                x, y = across * step_x - self.overlap / self.scale / 2, down * step_y - self.overlap / self.scale / 2
                yield Window(across + 1, down + 1, x, y, self._guides(across, down, x, y))

    def _guides(self, across: int, down: int, x: float, y: float) -> str:
        """Return the lines in the middle of the overlaps with neighbouring pages."""
        wide, high, half = self.width / self.scale, self.height / self.scale, self.overlap / self.scale / 2
        parts = []
        if across:
            parts.append(f"M{x + half:.2f},{y:.2f}v{high:.2f}")
        if across < self.across - 1:
            parts.append(f"M{x + wide - half:.2f},{y:.2f}v{high:.2f}")
        if down:
            parts.append(f"M{x:.2f},{y + half:.2f}h{wide:.2f}")
        if down < self.down - 1:
            parts.append(f"M{x:.2f},{y + high - half:.2f}h{wide:.2f}")
        return "".join(parts)


def tiling(columns: int, rows: int, hex_mm: float, width: float, height: float, overlap: float) -> Tiling:
    """Return the pages of that usable size for a map with hexes `hex_mm` high between flat sides; sizes in mm."""
    scale = hex_mm / HEIGHT
    across = ceil(width_of(columns) * scale / (width - overlap))
    down = ceil(height_of(columns, rows) * scale / (height - overlap))
    return Tiling(across, down, width, height, overlap, scale)


def map_svg(ground: HexGround, inks: HexInks, words: str, width_mm: float) -> str:
    """Draw a whole map at that width, with column and row numbers around it and no legend."""
    wide, high = width_of(ground.columns) + 2 * MARGIN, height_of(ground.columns, ground.rows) + 2 * MARGIN
    least = MIN_PT / (width_mm * PT_PER_MM / wide)
    type_size = max(16.0, least)
    around = [_text(centre(column, 0)[0], -8, str(column), type_size, inks.soft) for column in range(ground.columns)]
    around += [
        _text(-MARGIN / 2, centre(0, row)[1] + type_size / 3, str(row), type_size, inks.soft)
        for row in range(ground.rows)
    ]
    box = _box((-MARGIN, -MARGIN, wide, high))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="{box}" role="img" font-family="{escape(FONT)}">'
        f"<title>{escape(words)}</title>{_drawn(ground, inks, ground.cells, least)}{''.join(around)}</svg>"
    )


def sign_svg(terrain: HexTerrain, inks: HexInks) -> str:
    """Draw one hex of a terrain kind, for the list of terrain rules."""
    cell = HexCell(0, 0, terrain)
    drawn = "".join(_faces([cell], inks))
    box = _box((-2, -2, 2 * SIDE + 4, HEIGHT + 4))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sign" viewBox="{box}" role="img">'
        f"<title>{escape(f'A hex of {terrain.name}')}</title>{drawn}</svg>"
    )


def part_svg(ground: HexGround, inks: HexInks, part: Tiling, window: Window) -> str:
    """Draw the part of a map that is on one page, at its printed size."""
    wide, high = part.width / part.scale, part.height / part.scale
    cells = [cell for cell in ground.cells if _touches(cell, window.x, window.y, wide, high)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_box((window.x, window.y, wide, high))}" '
        f'width="{part.width:g}mm" height="{part.height:g}mm" font-family="{escape(FONT)}">'
        f"{_drawn(ground, inks, cells)}{''.join(_number(cell, inks) for cell in cells)}"
        f'<path d="{window.guides}" fill="none" stroke="{inks.signal}" stroke-width="0.9" stroke-dasharray="5 3"/></svg>'
    )


def tiles_svg(cells: Iterable[HexCell], inks: HexInks, hex_mm: float, across: int, width: float, height: float) -> str:
    """Draw hexes to cut out, side by side, at their printed size, looking as on their map."""
    scale = hex_mm / HEIGHT
    wide, high = 84.0, HEIGHT + 4
    parts = []
    for at, cell in enumerate(cells):
        x, y = centre(cell.column, cell.row)
        to_x, to_y = (at % across + 0.5) * wide, (at // across + 0.5) * high
        drawn = "".join(_faces([cell], inks)) + _standing(cell, inks)
        parts.append(f'<g transform="translate({to_x - x:.2f} {to_y - y:.2f})">{drawn}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_box((0, 0, width / scale, height / scale))}" '
        f'width="{width:g}mm" height="{height:g}mm" font-family="{escape(FONT)}">{"".join(parts)}</svg>'
    )


def tiles_on(hex_mm: float, width: float, height: float) -> tuple[int, int]:
    """Return how many tiles fit across and down a page of that usable size, in mm."""
    scale = hex_mm / HEIGHT
    return int(width // (84.0 * scale)), int(height // ((HEIGHT + 4) * scale))


def _touches(cell: HexCell, x: float, y: float, wide: float, high: float) -> bool:
    at_x, at_y = centre(cell.column, cell.row)
    return x - 42 <= at_x <= x + wide + 42 and y - 36 <= at_y <= y + high + 36


def _drawn(ground: HexGround, inks: HexInks, cells: Sequence[HexCell], least: float = 0.0) -> str:
    """Draw cells with their contents; with a minimum letter size `least`, terrain letters are left out."""
    parts = [*_faces(cells, inks), *(_standing(cell, inks, least) for cell in cells)]
    for side, dash in ((0, ""), (1, ' stroke-dasharray="9 7"')):
        path = border(ground, {at for at, cell in enumerate(ground.cells) if cell.side == side})
        parts.append(
            f'<path d="{path}" fill="none" stroke="{inks.line}" stroke-width="3" stroke-linecap="round"{dash}/>'
        )
    parts += [_spot(spot, inks, least) for spot in ground.spots if not spot.is_away]
    return "".join(parts)


def _faces(cells: Sequence[HexCell], inks: HexInks) -> Iterator[str]:
    """Yield the terrain of hexes with its symbols, in one or two paths per kind."""
    for patch in patches(cells):
        look = patch.terrain.look
        yield f'<path d="{patch.path}" fill="{inks.fill(look)}" stroke="{inks.line}" stroke-width="1"/>'
        if SIGNS[look]:
            signs = "".join(_sign(cell) for cell in cells if cell.terrain == patch.terrain)
            yield (
                f'<path d="{signs}" fill="{"none" if look in STROKES else inks.line}" stroke="{inks.line}" stroke-width='
                f'"{"3.4" if look == "sand" else "1.5"}" stroke-linecap="round" stroke-opacity="0.7" fill-opacity="0.7"/>'
            )


def _sign(cell: HexCell) -> str:
    x, y = centre(cell.column, cell.row)
    parts = []
    for piece in SIGNS[cell.terrain.look].split("M")[1:]:
        at, rest = PLACE.match(piece), PLACE.sub("", piece, count=1)
        assert at is not None
        parts.append(f"M{x + float(at[1]):g},{y + float(at[2]):.1f}{rest}")
    return "".join(parts)


def _standing(cell: HexCell, inks: HexInks, least: float = 0.0) -> str:
    """Draw a hex's level and building, and the first letter of its terrain."""
    x, y = centre(cell.column, cell.row)
    parts = []
    if SIGNS[cell.terrain.look] and not least:
        parts.append(_text(x - 25, y + 4, cell.terrain.name[:1].upper(), 9, inks.soft))
    if cell.floors:
        parts.append(
            f'<path d="M{x - 19:g},{y - 19:g}h38v38h-38zM{x - 19:g},{y - 19:g}l7,7M{x + 19:g},{y - 19:g}l-7,7'
            f'M{x - 19:g},{y + 19:g}l7,-7M{x + 19:g},{y + 19:g}l-7,-7M{x - 12:g},{y - 12:g}h24v24h-24z" '
            f'fill="{inks.wall}" stroke="{inks.line}" stroke-width="1.6"/>'
        )
        size = max(16.0, least)
        parts.append(_text(x, y + 0.35 * size, str(cell.floors), size, inks.line))
    if cell.level > 0:
        size = max(15.0, least)
        parts.append(_text(x, y + size / 3, f"+{cell.level}", size, inks.line))
        inner = face(cell.column, cell.row, 0.86)
        parts.append(f'<path d="{inner}" fill="none" stroke="{inks.line}" stroke-width="1.2"/>')
    return "".join(parts)


def _number(cell: HexCell, inks: HexInks) -> str:
    x, y = centre(cell.column, cell.row)
    return _text(x, y + 31, f"{cell.column}, {cell.row}", 7, inks.soft)


def _spot(spot: HexSpot, inks: HexInks, least: float) -> str:
    x, y = centre(spot.column, spot.row)
    size = max(16.0, least)
    return (
        f'<path d="M{x:g},{y - 24:g}l20,24l-20,24l-20,-24z" fill="none" stroke="{inks.signal}" stroke-width="2.4"/>'
        f"{_text(x, y + 0.37 * size, spot.letter, size, inks.signal)}"
    )


def _text(x: float, y: float, text: str, size: float, ink: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="600" fill="{ink}" text-anchor="middle">'
        f"{escape(text)}</text>"
    )


def _box(box: tuple[float, float, float, float]) -> str:
    return " ".join(f"{each:.2f}" for each in box)
