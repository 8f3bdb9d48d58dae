"""The contents of a table, and a drawing of it to scale: deployment, control points, pieces, a scale in inches.

Pieces also differ by pattern and letter, so that the drawing can be read without colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from systems.mechastellar.catalogue import CAPTURE_IN, TABLE_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePiece:
    slug: str
    x: float
    y: float
    radius: float
    kind: str
    is_destructible: bool
    is_high: bool = False
    has_roof: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The contents of a table: control points and pieces, each in the order that breaks ties."""

    name: str
    points: tuple[tuple[float, float], ...]
    pieces: tuple[TablePiece, ...]
    size: int = TABLE_IN  # length of each side
    stellar: bool = False  # in space, where cannons can't fire indirectly. ST-099

    @property
    def depth(self) -> float:
        """The depth of the deployment zones, a quarter of the table. ST-023."""
        return self.size / 4


MAP_SIDE = 480.0  # width of the drawing, whatever the table's size
RIM = 20.0  # margin around the table, for the scale
STEP_IN = 6  # distance between grid lines
IN_SPACE = " A battlefield in space: cannons don't fire indirectly."
SCALE_SIZE = 12.5  # 6 pt if the drawing fills half a page
LETTERS = {"tall": "T", "low": "L", "forest": "F", "high": "H", "deep-water": "W", "wreck": "X"}


@dataclass(frozen=True, slots=True)
class MapPalette:
    line: str
    soft: str
    key: str
    zone_a: str
    zone_b: str
    block: str
    on_block: str
    low: str
    water: str


SCREEN_PALETTE = MapPalette(
    "currentColor", "currentColor", "var(--signal)", "var(--zone-a)", "var(--zone-b)", "var(--block)", "#ffffff",
    "var(--low)", "var(--water)",
)  # fmt: skip


def draw_map(table: Table, inks: MapPalette = SCREEN_PALETTE, font: str = "inherit") -> str:
    """Return the table as an SVG element with alternative text, side B's edge at the top."""
    size = MAP_SIDE + 2 * RIM
    parts = (_zones(table, inks), _grid(table, inks), _pieces(table, inks), _points(table, inks), _scale(table, inks))
    drawn = "".join(each for part in parts for each in part)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map stellar-map" viewBox="{-RIM:g} {-RIM:g} {size:g} {size:g}" '
        f'role="img" font-family="{escape(font)}"><title>{escape(describe_map(table))}</title>{drawn}'
        f'<rect x="0" y="0" width="{MAP_SIDE:g}" height="{MAP_SIDE:g}" fill="none" stroke="{inks.line}" stroke-width="2.4"/></svg>'
    )


def describe_map(table: Table) -> str:
    """Return the table in words."""
    points = ", ".join(f"{at} ({x:g}, {y:g})" for at, (x, y) in enumerate(table.points, start=1))
    kinds = dict.fromkeys(piece.kind for piece in table.pieces)
    pieces = "; ".join(f"{kind.replace('-', ' ')} {_places(table, kind)}" for kind in kinds)
    return (
        f"{table.name}: a table of {table.size} by {table.size} in, side A's edge in the south, {table.depth:g} in to deploy. "
        f"Control points {points}, captured within {CAPTURE_IN} in{f'; {pieces}' if pieces else ''}. "
        f"Inches from the south-west corner, of a piece the radius too.{IN_SPACE if table.stellar else ''}"
    )


def _places(table: Table, kind: str) -> str:
    return ", ".join(f"({each.x:g}, {each.y:g}; {each.radius:g})" for each in table.pieces if each.kind == kind)


def _inch(table: Table) -> float:
    """Return the length of an inch in the drawing."""
    return MAP_SIDE / table.size


def _zones(table: Table, inks: MapPalette) -> Iterator[str]:
    deep = table.depth * _inch(table)
    for top, fill, name in ((0.0, inks.zone_b, "B"), (MAP_SIDE - deep, inks.zone_a, "A")):
        yield (
            f'<rect x="0" y="{top:g}" width="{MAP_SIDE:g}" height="{deep:g}" fill="{fill}" stroke="{inks.line}" '
            f'stroke-width="1" stroke-dasharray="7 4"/>'
        )
        yield _text(MAP_SIDE / 2, top + deep / 2 + 14, name, 40, inks.soft, is_bold=True)


def _grid(table: Table, inks: MapPalette) -> Iterator[str]:
    at = [inches * _inch(table) for inches in range(STEP_IN, table.size, STEP_IN)]
    lines = "".join(f"M{each:g} 0V{MAP_SIDE:g}M0 {MAP_SIDE - each:g}H{MAP_SIDE:g}" for each in at)
    yield f'<path d="{lines}" fill="none" stroke="{inks.soft}" stroke-width="0.4" stroke-opacity="0.45"/>'


def _pieces(table: Table, inks: MapPalette) -> Iterator[str]:
    inch = _inch(table)
    for piece in table.pieces:
        left, top = piece.x * inch, MAP_SIDE - piece.y * inch
        yield _disc(piece, left, top, piece.radius * inch, inks)
        ink = inks.on_block if piece.kind in ("tall", "wreck") else inks.line
        letter = LETTERS[piece.kind] + ("+" if piece.is_high and piece.kind != "high" else "")
        yield _text(left, top + 6, letter, 17, ink, is_bold=True)


def _disc(piece: TablePiece, left: float, top: float, radius: float, inks: MapPalette) -> str:
    fills = {"tall": inks.block, "wreck": inks.block, "deep-water": inks.water}
    dashes = ' stroke-dasharray="5 3"' if piece.is_destructible else ""
    return (
        f'<circle cx="{left:g}" cy="{top:g}" r="{radius:g}" '
        f'fill="{fills.get(piece.kind, inks.low)}" stroke="{inks.line}" stroke-width="1.6"{dashes}/>'
    )


def _points(table: Table, inks: MapPalette) -> Iterator[str]:
    """Yield each control point with its number and the ring in which it is captured."""
    inch = _inch(table)
    for number, (x, y) in enumerate(table.points, start=1):
        left, top = x * inch, MAP_SIDE - y * inch
        yield (
            f'<circle cx="{left:g}" cy="{top:g}" r="{CAPTURE_IN * inch:g}" fill="none" stroke="{inks.key}" '
            f'stroke-width="1.4" stroke-dasharray="3 2"/>'
        )
        yield f'<path d="M{left:g} {top - 9:g}l9 9-9 9-9-9z" fill="{inks.key}" stroke="{inks.line}" stroke-width="0.8"/>'
        yield _text(left, top + 26, str(number), 13, inks.line, is_bold=True)


def _scale(table: Table, inks: MapPalette) -> Iterator[str]:
    """Yield a scale in inches from the south-west corner, along the south and west edges."""
    for inches in range(0, table.size + 1, STEP_IN):
        at = inches * _inch(table)
        yield f'<path d="M{at:g} {MAP_SIDE:g}v4M0 {MAP_SIDE - at:g}h-4" stroke="{inks.line}" stroke-width="1"/>'
        yield _text(at, MAP_SIDE + 15, str(inches), SCALE_SIZE, inks.soft)
        yield _text(-11, MAP_SIDE - at + 4, str(inches), SCALE_SIZE, inks.soft)


def _text(x: float, y: float, text: str, size: float, ink: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="700"' if is_bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}" text-anchor="middle"{weight}>{escape(text)}</text>'
