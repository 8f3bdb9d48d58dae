"""A Warmech from above and a table to scale, as SVGs; the body of a Warmech, and the contents of a table.

A body has chassis, locomotion, hardpoints, peripheral; a table has zones, hill, blocks, woods, a scale in inches.
Pieces also differ by pattern and letter, so that the drawing can be read without colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.blazing_steel.build.spec import SLOTS, WEAPON_SLOTS, WarmechSpec, spec_json
from systems.blazing_steel.catalogue import (
    CATALOGUE,
    CENTRE_IN,
    HILL_WITHIN_IN,
    MELEE_WEAPON,
    TABLE_IN,
    ZONE_IN,
    Arc,
    TableMap,
)
from systems.legality import join_words, pluralize

WIDTH, HEIGHT = 200, 156
MIDDLE = (100, 80)
BASE, REACH = 34, 74  # radii of the base and of the surrounding arcs
CORNER = 0.70710678  # sine and cosine of 45 degrees
ARCS: tuple[tuple[Arc, int, int], ...] = (("front", 0, -1), ("right-side", 1, 0), ("rear", 0, 1), ("left-side", -1, 0))
PLACES = {"l1": (-24, -6), "l2": (-24, 9), "r1": (24, -6), "c1": (0, -8), "p1": (0, 14)}
BOX = (18, 12)


@dataclass(frozen=True, slots=True)
class Machine:
    """The data of a drawing, by slot: hardpoints, their options, and the arcs that they fire into."""

    slots: tuple[str, ...]
    held: Mapping[str, str]
    arcs: Mapping[str, tuple[Arc, ...]]


@dataclass(frozen=True, slots=True)
class Palette:
    line: str = "currentColor"
    soft: str = "currentColor"
    covered: str = "currentColor"  # the light fill of arcs that weapons fire into
    paper: str = "none"
    font: str = ""


SCREEN = Palette()


def machine_svg(machine: Machine, inks: Palette = SCREEN) -> str:
    """Return the drawing as an SVG element with alternative text."""
    font = f' font-family="{escape(inks.font)}"' if inks.font else ""
    drawn = "".join((*_arcs(machine, inks), *_hardpoints(machine, inks)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="machine" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"{font}>'
        f"<title>{escape(describe_machine(machine))}</title>{drawn}</svg>"
    )


def describe_machine(machine: Machine) -> str:
    """Describe the drawing in words."""
    held = [f"{slot} {name}" for slot, name in machine.held.items()]
    fires = [
        f"{CATALOGUE.arcs[arc].name.lower()} {', '.join(firing_slots(machine, arc)) or 'nothing'}" for arc, _, _ in ARCS
    ]
    return f"Hardpoints: {'; '.join(held) or 'nothing'}. Fires to: {'; '.join(fires)}."


def firing_slots(machine: Machine, arc: Arc) -> tuple[str, ...]:
    """Return the slots whose weapons fire into that arc. BS-073."""
    return tuple(slot for slot, arcs in machine.arcs.items() if arc in arcs)


def _arcs(machine: Machine, inks: Palette) -> Iterator[str]:
    x, y = MIDDLE
    for arc, right, down in ARCS:
        slots = firing_slots(machine, arc)
        # from the quarter's left or upper corner around the outside to its other corner, and back along the base
        (ax, ay), (bx, by) = ((right, -1), (right, 1)) if right else ((-1, down), (1, down))
        out, near = REACH * CORNER, BASE * CORNER
        sweep = int(right > 0 or down < 0)
        fill = f'fill="{inks.covered}" fill-opacity="0.14"' if slots else 'fill="none"'
        dash = "" if slots else ' stroke-dasharray="3 2"'
        yield (
            f'<path d="M{x + near * ax:.1f} {y + near * ay:.1f}L{x + out * ax:.1f} {y + out * ay:.1f}'
            f"A{REACH} {REACH} 0 0 {sweep} {x + out * bx:.1f} {y + out * by:.1f}"
            f"L{x + near * bx:.1f} {y + near * by:.1f}"
            f'A{BASE} {BASE} 0 0 {1 - sweep} {x + near * ax:.1f} {y + near * ay:.1f}Z" {fill} '
            f'stroke="{inks.soft}" stroke-width="0.8"{dash}/>'
        )
        at = BASE + (REACH - BASE) / 2
        name = CATALOGUE.arcs[arc].name.split()[0].lower()
        yield _text(x + right * at, y + down * at - 1, name, 8.5, inks.soft)
        yield _text(x + right * at, y + down * at + 9, " ".join(slots) or "–", 9, inks.line, is_bold=True)


def _hardpoints(machine: Machine, inks: Palette) -> Iterator[str]:
    x, y = MIDDLE
    yield f'<circle cx="{x}" cy="{y}" r="{BASE}" fill="{inks.paper}" stroke="{inks.line}" stroke-width="1.6"/>'
    yield f'<path d="M{x - 5} {y - BASE + 7}l5-6 5 6z" fill="{inks.line}"/>'
    width, height = BOX
    for slot in SLOTS:
        if slot not in machine.slots:
            continue
        right, down = PLACES[slot]
        left, top = x + right - width / 2, y + down - height / 2
        dash = "" if slot in machine.held else ' stroke-dasharray="2 1.5"'
        fill = f'fill="{inks.covered}" fill-opacity="0.3"' if slot in machine.held else 'fill="none"'
        yield (
            f'<rect x="{left:g}" y="{top:g}" width="{width}" height="{height}" rx="2" {fill} stroke="{inks.line}" '
            f'stroke-width="0.9"{dash}/>'
        )
        yield _text(x + right, y + down + 3, slot, 8.5, inks.line, is_bold=slot in machine.held)


BULK = {"L": 0.05, "M": 0.35, "H": 0.7, "SH": 1.0}
FRAMES: Mapping[str, Frame] = {"bipedal": "walker", "quadruped": "quad", "tracked": "tracked"}
MOUNT_PLACES: Mapping[str, Place] = {"l1": "left-arm", "l2": "left-shoulder", "r1": "right-arm", "c1": "chest"}
KINDS = {
    "auto-cannon": "autocannon",
    "rotary-cannon": "rotary",
    "howitzer": "howitzer",
    "shotcannon": "scatter",
    "railgun": "rail",
    "submunition-launcher": "submunition",
    "laser": "laser",
    "particle-cannon": "particle",
    "rocket-pod": "rocket-pod",
    "missile-launcher": "missile",
    MELEE_WEAPON: "blade",
}
GEAR = {
    "targeting-scope": "scope",
    "combat-gyros": "gyros",
    "booster-jets": "jets",
    "agility-suite": "vanes",
    "coolant-rods": "rods",
    "smoke-canisters": "canisters",
    "optical-camo": "net",
    "extended-magazine": "magazine",
}


def warmech_body(spec: WarmechSpec, condition: Mapping[str, object] = {}) -> Body:
    frame = spec.frame
    return Body(
        frame=FRAMES.get(spec.locomotion, "walker"),
        bulk=BULK[frame.weight],
        speed=min(1.0, (frame.dodge - 3) / 2),
        plate=(frame.armor - 2) / 3,
        mounted=tuple(
            Mounted(KINDS[spec.option(slot)], MOUNT_PLACES[slot]) for slot in WEAPON_SLOTS if spec.option(slot) in KINDS
        ),
        gear=tuple(GEAR[spec.p1] for _ in (1,) if spec.p1 in GEAR),
        hurt=("chest",) if condition.get("repair") else (),
        facts=build_facts(spec_json(spec)),
    )


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
