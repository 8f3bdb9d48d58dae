"""The table as one drawing, to scale: zones, hill, blocks, woods, a scale in inches. Pieces differ by pattern and letter too,
so that it reads without colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from systems.blazing_steel.catalogue.types import CENTRE_IN, HILL_WITHIN_IN, TABLE_IN, ZONE_IN, Disc, TableMap
from systems.legality import counted, listed

INCH = 10.0  # of the drawing
RIM = 20.0  # around the table, for the scale
STEP_IN = 6  # of the grid


@dataclass(frozen=True, slots=True)
class Inks:
    line: str
    soft: str
    key: str
    zone_a: str
    zone_b: str
    block: str
    on_block: str
    woods: str
    hill: str


SCREEN = Inks(
    "currentColor", "currentColor", "var(--signal)", "var(--zone-a)", "var(--zone-b)", "var(--block)", "#ffffff",
    "var(--woods)", "var(--hill)",
)  # fmt: skip


def draw_map(table: TableMap, inks: Inks = SCREEN, font: str = "inherit", zone_in: int = ZONE_IN) -> str:
    """The table as an SVG element with its alternative text; side B's edge on top."""
    side = TABLE_IN * INCH
    size = side + 2 * RIM
    drawn = "".join((*_zones(inks, zone_in), *_grid(inks), *_discs(table, inks), *_marker(inks), *_scale(inks)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map steel-map" viewBox="{-RIM:g} {-RIM:g} {size:g} {size:g}" role="img" '
        f'font-family="{escape(font)}"><title>{escape(map_told(table))}</title>{drawn}'
        f'<rect x="0" y="0" width="{side:g}" height="{side:g}" fill="none" stroke="{inks.line}" stroke-width="2.4"/></svg>'
    )


def map_told(table: TableMap) -> str:
    """The table in words."""
    return (
        f"{table.name}: a table of {TABLE_IN} by {TABLE_IN} in, side A's edge in the south. "
        f"Blocks {_places(table.blocks)}; woods {_places(table.woods)}; hill {_places(table.hills)}. "
        "Inches from the south-west corner, then the radius."
    )


def contents_told(table: TableMap) -> str:
    """What lies on the table, counted: "4 blocks, 2 woods and the hill."."""
    if not table.blocks and not table.woods:
        return "Nothing but the hill."
    found = [counted(len(table.blocks), "block"), counted(len(table.woods), "wood"), "the hill"]
    return f"{listed(found)}."


def _places(discs: tuple[Disc, ...]) -> str:
    return ", ".join(f"({x}, {y}; {radius})" for x, y, radius in discs) or "none"


def _zones(inks: Inks, zone_in: int) -> Iterator[str]:
    side, deep = TABLE_IN * INCH, zone_in * INCH
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


def _discs(table: TableMap, inks: Inks) -> Iterator[str]:
    for disc in table.hills:
        yield _disc(disc, inks.hill, inks.line, dash="2 3")
    for disc in table.woods:
        yield _disc(disc, inks.woods, inks.line, dash="5 3")
        yield _mark(disc, "W", inks.line)
    for disc in table.blocks:
        yield _disc(disc, inks.block, inks.line, width=2)
        yield _mark(disc, "X", inks.on_block)


def _disc(disc: Disc, fill: str, line: str, *, dash: str = "", width: float = 1.2) -> str:
    x, y, radius = disc
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<circle cx="{x * INCH:g}" cy="{(TABLE_IN - y) * INCH:g}" r="{radius * INCH:g}" fill="{fill}" stroke="{line}" '
        f'stroke-width="{width}"{dashes}/>'
    )


def _mark(disc: Disc, letter: str, ink: str) -> str:
    x, y, _ = disc
    return _text(x * INCH, (TABLE_IN - y) * INCH + 6, letter, 17, ink, is_bold=True)


def _marker(inks: Inks) -> Iterator[str]:
    """The hill's marker, and how near a base must be to it."""
    at = CENTRE_IN * INCH
    yield (
        f'<circle cx="{at:g}" cy="{at:g}" r="{HILL_WITHIN_IN * INCH:g}" fill="none" stroke="{inks.key}" '
        f'stroke-width="1.2" stroke-dasharray="3 2"/>'
    )
    yield f'<path d="M{at:g} {at - 7:g}l7 7-7 7-7-7z" fill="{inks.key}" stroke="{inks.line}" stroke-width="0.8"/>'


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
