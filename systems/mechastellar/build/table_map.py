"""The table as one drawing, to scale: deployment, control points with their rings, pieces, a scale in inches. Pieces differ by
pattern and letter too, so that it reads without colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from systems.mechastellar.catalogue.types import CAPTURE_IN, DEPLOY_IN, TABLE_IN

from .tables import Table, TablePiece

INCH = 10.0  # of the drawing
RIM = 20.0  # around the table, for the scale
STEP_IN = 6  # of the grid
LETTERS = {"tall": "T", "low": "L", "forest": "F", "high": "H", "deep-water": "W", "wreck": "X"}


@dataclass(frozen=True, slots=True)
class Inks:
    line: str
    soft: str
    key: str
    zone_a: str
    zone_b: str
    block: str
    on_block: str
    low: str
    water: str


SCREEN = Inks(
    "currentColor", "currentColor", "var(--signal)", "var(--zone-a)", "var(--zone-b)", "var(--block)", "#ffffff",
    "var(--low)", "var(--water)",
)  # fmt: skip


def draw_map(table: Table, inks: Inks = SCREEN, font: str = "inherit") -> str:
    """The table as an SVG element with its alternative text; side B's edge on top."""
    side = TABLE_IN * INCH
    size = side + 2 * RIM
    drawn = "".join((*_zones(inks), *_grid(inks), *_pieces(table, inks), *_points(table, inks), *_scale(inks)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map stellar-map" viewBox="{-RIM:g} {-RIM:g} {size:g} {size:g}" '
        f'role="img" font-family="{escape(font)}"><title>{escape(map_told(table))}</title>{drawn}'
        f'<rect x="0" y="0" width="{side:g}" height="{side:g}" fill="none" stroke="{inks.line}" stroke-width="2.4"/></svg>'
    )


def map_told(table: Table) -> str:
    """The table in words."""
    points = ", ".join(f"{at} ({x:g}, {y:g})" for at, (x, y) in enumerate(table.points, start=1))
    kinds = dict.fromkeys(piece.kind for piece in table.pieces)
    pieces = "; ".join(f"{kind.replace('-', ' ')} {_places(table, kind)}" for kind in kinds)
    return (
        f"{table.name}: a table of {TABLE_IN} by {TABLE_IN} in, side A's edge in the south, {DEPLOY_IN} in to deploy. "
        f"Control points {points}, captured within {CAPTURE_IN} in{f'; {pieces}' if pieces else ''}. "
        "Inches from the south-west corner, of a piece the radius too."
    )


def _places(table: Table, kind: str) -> str:
    return ", ".join(f"({each.x:g}, {each.y:g}; {each.radius:g})" for each in table.pieces if each.kind == kind)


def _zones(inks: Inks) -> Iterator[str]:
    side, deep = TABLE_IN * INCH, DEPLOY_IN * INCH
    for top, fill, name in ((0.0, inks.zone_b, "B"), (side - deep, inks.zone_a, "A")):
        yield (
            f'<rect x="0" y="{top:g}" width="{side:g}" height="{deep:g}" fill="{fill}" stroke="{inks.line}" '
            f'stroke-width="1" stroke-dasharray="7 4"/>'
        )
        yield _text(side / 2, top + deep / 2 + 14, name, 40, inks.soft, is_bold=True)


def _grid(inks: Inks) -> Iterator[str]:
    side = TABLE_IN * INCH
    lines = "".join(f"M{at * INCH:g} 0V{side:g}M0 {at * INCH:g}H{side:g}" for at in range(STEP_IN, TABLE_IN, STEP_IN))
    yield f'<path d="{lines}" fill="none" stroke="{inks.soft}" stroke-width="0.4" stroke-opacity="0.45"/>'


def _pieces(table: Table, inks: Inks) -> Iterator[str]:
    for piece in table.pieces:
        yield _disc(piece, inks)
        ink = inks.on_block if piece.kind in ("tall", "wreck") else inks.line
        letter = LETTERS[piece.kind] + ("+" if piece.is_high and piece.kind != "high" else "")
        yield _text(piece.x * INCH, (TABLE_IN - piece.y) * INCH + 6, letter, 17, ink, is_bold=True)


def _disc(piece: TablePiece, inks: Inks) -> str:
    fills = {"tall": inks.block, "wreck": inks.block, "deep-water": inks.water}
    dashes = ' stroke-dasharray="5 3"' if piece.is_destructible else ""
    return (
        f'<circle cx="{piece.x * INCH:g}" cy="{(TABLE_IN - piece.y) * INCH:g}" r="{piece.radius * INCH:g}" '
        f'fill="{fills.get(piece.kind, inks.low)}" stroke="{inks.line}" stroke-width="1.6"{dashes}/>'
    )


def _points(table: Table, inks: Inks) -> Iterator[str]:
    """Each control point with the ring within which it is captured, and its number."""
    for number, (x, y) in enumerate(table.points, start=1):
        left, top = x * INCH, (TABLE_IN - y) * INCH
        yield (
            f'<circle cx="{left:g}" cy="{top:g}" r="{CAPTURE_IN * INCH:g}" fill="none" stroke="{inks.key}" '
            f'stroke-width="1.4" stroke-dasharray="3 2"/>'
        )
        yield f'<path d="M{left:g} {top - 9:g}l9 9-9 9-9-9z" fill="{inks.key}" stroke="{inks.line}" stroke-width="0.8"/>'
        yield _text(left, top + 26, str(number), 13, inks.line, is_bold=True)


def _scale(inks: Inks) -> Iterator[str]:
    """Inches from the south-west corner, along the south and up the west edge."""
    side = TABLE_IN * INCH
    for inch in range(0, TABLE_IN + 1, STEP_IN):
        at = inch * INCH
        yield f'<path d="M{at:g} {side:g}v4M0 {side - at:g}h-4" stroke="{inks.line}" stroke-width="1"/>'
        yield _text(at, side + 14, str(inch), 10, inks.soft)
        yield _text(-11, side - at + 3.5, str(inch), 10, inks.soft)


def _text(x: float, y: float, text: str, size: float, ink: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="700"' if is_bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}" text-anchor="middle"{weight}>{escape(text)}</text>'
