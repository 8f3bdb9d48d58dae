"""The contents of a table, and a drawing of it to scale: zones, hill, blocks, woods, a scale in inches.

Pieces also differ by pattern and letter, so that the drawing can be read without colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from systems.blazing_steel.catalogue import CENTRE_IN, HILL_WITHIN_IN, TABLE_IN, ZONE_IN, TableMap
from systems.legality import join_words, pluralize

HILL_IN = 4  # radius of the hill in drawings; in play only its marker counts, BS-194
Disc = tuple[float, float, float]  # x east, y north, radius, in inches from the south-west corner


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A square table with its hill, blocks and woods."""

    slug: str
    name: str
    size: int = TABLE_IN  # inches along each side
    marker: tuple[float, float] = (CENTRE_IN, CENTRE_IN)  # place of the hill's marker
    blocks: tuple[Disc, ...] = ()
    woods: tuple[Disc, ...] = ()

    @property
    def hills(self) -> tuple[Disc, ...]:
        return ((*self.marker, HILL_IN),)


def map_table(entry: TableMap) -> Table:
    """Return a map from the catalogue as a table."""
    ((x, y, _radius),) = entry.hills
    return Table(slug=entry.slug, name=entry.name, marker=(x, y), blocks=entry.blocks, woods=entry.woods)


SIDE = 480.0  # width of the drawing, whatever the table's size
RIM = 20.0  # margin around the table, for the scale
STEP_IN = 6  # distance between grid lines
SCALE_SIZE = 12.5  # 6 pt if the drawing fills half a page


@dataclass(frozen=True, slots=True)
class MapPalette:
    line: str
    soft: str
    key: str
    zone_a: str
    zone_b: str
    block: str
    on_block: str
    woods: str
    hill: str


SCREEN_PALETTE = MapPalette(
    "currentColor", "currentColor", "var(--signal)", "var(--zone-a)", "var(--zone-b)", "var(--block)", "#ffffff",
    "var(--woods)", "var(--hill)",
)  # fmt: skip


def draw_map(table: Table, inks: MapPalette = SCREEN_PALETTE, font: str = "inherit", zone_in: int = ZONE_IN) -> str:
    """Return the table as an SVG element with alternative text, side B's edge at the top."""
    size = SIDE + 2 * RIM
    parts = (
        _zones(table, inks, zone_in),
        _grid(table, inks),
        _discs(table, inks),
        _marker(table, inks),
        _scale(table, inks),
    )
    drawn = "".join(each for part in parts for each in part)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map steel-map" viewBox="{-RIM:g} {-RIM:g} {size:g} {size:g}" role="img" '
        f'font-family="{escape(font)}"><title>{escape(describe_map(table))}</title>{drawn}'
        f'<rect x="0" y="0" width="{SIDE:g}" height="{SIDE:g}" fill="none" stroke="{inks.line}" stroke-width="2.4"/></svg>'
    )


def describe_map(table: Table) -> str:
    """Return the table in words."""
    return (
        f"{table.name}: a table of {table.size} by {table.size} in, side A's edge in the south. "
        f"Blocks {_places(table.blocks)}; woods {_places(table.woods)}; hill {_places(table.hills)}. "
        "Inches from the south-west corner, then the radius."
    )


def describe_contents(table: Table) -> str:
    """List the contents of the table with their numbers, as in "4 blocks, 2 woods and the hill"."""
    if not table.blocks and not table.woods:
        return "Nothing but the hill."
    found = [pluralize(len(table.blocks), "block"), pluralize(len(table.woods), "wood"), "the hill"]
    return f"{join_words(found)}."


def _places(discs: tuple[Disc, ...]) -> str:
    return ", ".join(f"({x:g}, {y:g}; {radius:g})" for x, y, radius in discs) or "none"


def _inch(table: Table) -> float:
    """Return the length of an inch in the drawing."""
    return SIDE / table.size


def _zones(table: Table, inks: MapPalette, zone_in: int) -> Iterator[str]:
    deep = zone_in * _inch(table)
    for top, fill, name in ((0.0, inks.zone_b, "B"), (SIDE - deep, inks.zone_a, "A")):
        yield (
            f'<rect x="0" y="{top:g}" width="{SIDE:g}" height="{deep:g}" fill="{fill}" stroke="{inks.line}" '
            f'stroke-width="1" stroke-dasharray="7 4"/>'
        )
        yield _text(SIDE / 2, top + deep / 2 + 14, name, 40, inks.soft, is_bold=True)


def _grid(table: Table, inks: MapPalette) -> Iterator[str]:
    at = [inches * _inch(table) for inches in range(STEP_IN, table.size, STEP_IN)]
    lines = "".join(f"M{each:g} 0V{SIDE:g}M0 {SIDE - each:g}H{SIDE:g}" for each in at)
    yield f'<path d="{lines}" fill="none" stroke="{inks.soft}" stroke-width="0.4" stroke-opacity="0.45"/>'


def _discs(table: Table, inks: MapPalette) -> Iterator[str]:
    inch = _inch(table)
    for disc in table.hills:
        yield _disc(disc, inch, inks.hill, inks.line, dash="2 3")
    for disc in table.woods:
        yield _disc(disc, inch, inks.woods, inks.line, dash="5 3")
        yield _mark(disc, inch, "W", inks.line)
    for disc in table.blocks:
        yield _disc(disc, inch, inks.block, inks.line, width=2)
        yield _mark(disc, inch, "X", inks.on_block)


def _disc(disc: Disc, inch: float, fill: str, line: str, *, dash: str = "", width: float = 1.2) -> str:
    x, y, radius = disc
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<circle cx="{x * inch:g}" cy="{SIDE - y * inch:g}" r="{radius * inch:g}" fill="{fill}" stroke="{line}" '
        f'stroke-width="{width}"{dashes}/>'
    )


def _mark(disc: Disc, inch: float, letter: str, ink: str) -> str:
    x, y, _ = disc
    return _text(x * inch, SIDE - y * inch + 6, letter, 17, ink, is_bold=True)


def _marker(table: Table, inks: MapPalette) -> Iterator[str]:
    """Yield the hill's marker, and the circle within which a base holds it."""
    inch = _inch(table)
    left, top = table.marker[0] * inch, SIDE - table.marker[1] * inch
    yield (
        f'<circle cx="{left:g}" cy="{top:g}" r="{HILL_WITHIN_IN * inch:g}" fill="none" stroke="{inks.key}" '
        f'stroke-width="1.2" stroke-dasharray="3 2"/>'
    )
    yield f'<path d="M{left:g} {top - 7:g}l7 7-7 7-7-7z" fill="{inks.key}" stroke="{inks.line}" stroke-width="0.8"/>'


def _scale(table: Table, inks: MapPalette) -> Iterator[str]:
    """Yield a scale in inches from the south-west corner, along the south and west edges."""
    for inches in range(0, table.size + 1, STEP_IN):
        at = inches * _inch(table)
        yield f'<path d="M{at:g} {SIDE:g}v4M0 {SIDE - at:g}h-4" stroke="{inks.line}" stroke-width="1"/>'
        yield _text(at, SIDE + 15, str(inches), SCALE_SIZE, inks.soft)
        yield _text(-11, SIDE - at + 4, str(inches), SCALE_SIZE, inks.soft)


def _text(x: float, y: float, text: str, size: float, ink: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="700"' if is_bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}" text-anchor="middle"{weight}>{escape(text)}</text>'
