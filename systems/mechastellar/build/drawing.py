"""A unit from above and a table to scale, as SVGs; the body of a unit, and the contents of a table.

A body has kind, size, weapons with their values, shield, traits; a table has deployment, control points, pieces, a
scale in inches. Pieces also differ by pattern and letter, so that the drawing can be read without colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from systems.artwork.arms import HELD, RAISED, WORN, kind_named
from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.mechastellar.build.spec import UnitSpec, spec_json
from systems.mechastellar.catalogue import CAPTURE_IN, CATALOGUE, TABLE_IN, Weapon

SIDE = 200
MIDDLE = SIDE / 2
REACH = 88.0  # radius at which the longest range is drawn
MIN_GAP = 10.0  # minimum distance of two labelled rings
MAX_INCHES = 72


@dataclass(frozen=True, slots=True)
class Palette:
    line: str = "currentColor"
    soft: str = "currentColor"
    font: str = ""


SCREEN = Palette()


def machine_svg(kind: str, size: int, sensors_in: int, ranges: Sequence[int], inks: Palette = SCREEN) -> str:
    """Return the drawing as an SVG element with alternative text."""
    font = f' font-family="{escape(inks.font)}"' if inks.font else ""
    engaged = 5 + max(0, min(9, size))
    shots = sorted({min(each, MAX_INCHES) for each in ranges if each > 0})
    longest = max([engaged, sensors_in, *shots])
    scale = REACH / longest
    drawn = "".join((*_arcs(inks), *_rings(engaged, shots, scale, inks), *_unit(kind, inks)))
    title = describe_machine(engaged, shots)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="machine" viewBox="0 0 {SIDE} {SIDE}" role="img"{font}>'
        f"<title>{escape(title)}</title>{drawn}</svg>"
    )


def describe_machine(engaged: int, shots: Sequence[int]) -> str:
    """Describe the drawing in words."""
    shoots = f"shoots to {', '.join(f'{each} in' for each in shots)}" if shots else "does not shoot"
    return f"Front half above, rear half below. Engages within {engaged} in; {shoots}."


def _arcs(inks: Palette) -> Iterator[str]:
    """Yield the border of the front: a line through the unit at right angles to its facing. ST-064."""
    yield (
        f'<path d="M4 {MIDDLE:g}H{SIDE - 4}" fill="none" stroke="{inks.soft}" stroke-width="0.8" '
        f'stroke-dasharray="5 4" stroke-opacity="0.7"/>'
    )
    for y, word in ((10, "front"), (SIDE - 3, "rear")):
        yield f'<text x="2" y="{y}" font-size="9" fill="{inks.soft}">{word}</text>'


def _rings(engaged: int, shots: Sequence[int], scale: float, inks: Palette) -> Iterator[str]:
    yield _ring(engaged * scale, f'stroke="{inks.line}" stroke-width="1.6"')
    yield _label(engaged * scale, f"{engaged}", inks, below=True)
    last = 0.0
    for each in reversed(shots):
        radius = each * scale
        yield _ring(radius, f'stroke="{inks.soft}" stroke-width="0.9" stroke-dasharray="3 3" stroke-opacity="0.8"')
        if not last or last - radius >= MIN_GAP:
            yield _label(radius, str(each), inks)
            last = radius


def _ring(radius: float, look: str) -> str:
    return f'<circle cx="{MIDDLE:g}" cy="{MIDDLE:g}" r="{radius:.1f}" fill="none" {look}/>'


def _label(radius: float, text: str, inks: Palette, *, below: bool = False) -> str:
    y = MIDDLE + radius + 9 if below else MIDDLE - radius - 2
    return f'<text x="{MIDDLE:g}" y="{y:.1f}" font-size="9" fill="{inks.line}" text-anchor="middle">{text}"</text>'


def _unit(kind: str, inks: Palette) -> Iterator[str]:
    shape = "M100 90l5 12h-10z" if kind == "warship" else "M100 91l8 14-8-4-8 4z"
    yield f'<path d="{shape}" fill="{inks.line}" stroke="{inks.line}" stroke-width="1"/>'


FRAMES: Mapping[str, Frame] = {"ms": "robot", "super-robot": "giant", "kaiju": "beast", "warship": "ship"}
TRAITS = {
    "fly": "wings",
    "amphibious": "fins",
    "sniper": "finder",
    "transform": "folded-wings",
    "reroll-evade-1s": "vanes",
}
SHIELDS = ("buckler", "shield", "tower-shield")
MAX_MOVE, MAX_HP, MAX_PERFORMANCE, MAX_DEF = 20, 14000, 9, 6
LARGE = 400  # weapons with at least this damage are drawn larger
MAX_WEAPONS = 8  # maximum weapons in a drawing
MAX_BARRIER, MAX_LEVEL = (CATALOGUE.limits[name].most for name in ("barrier", "level"))  # the legal limits
BESIDE: tuple[Place, ...] = ("chest", "left-shoulder", "right-shoulder", "back", "left-leg", "right-leg")


def unit_body(spec: UnitSpec, condition: Mapping[str, object] = {}) -> Body:
    kinds = [(weapon, _kind(weapon)) for weapon in spec.weapons[:MAX_WEAPONS]]
    frame = FRAMES.get(spec.kind)
    if frame is None:  # a super heavy: on tracks if it crushes with them
        frame = "tank" if any(kind == "treads" for _, kind in kinds) else "quad"
    left = condition.get("hits")
    return Body(
        frame=frame,
        bulk=_share(spec.hp + 1200 * spec.size - 3500, MAX_HP - 3500),
        speed=_share(
            spec.performance if frame == "robot" else spec.move_half,
            MAX_PERFORMANCE if frame == "robot" else MAX_MOVE,
        ),
        plate=_share(spec.evade_def, MAX_DEF),
        mounted=(*_mounted(kinds, frame), *_shield(spec)),
        gear=tuple(_gear(spec, frame)),
        hurt=_hurt(left, spec.hp) if isinstance(left, int) else (),
        facts=build_facts(spec_json(spec)),
    )


def _share(figure: float, most: float) -> float:
    return round(min(1.0, max(0.0, figure / most)), 3)


def _hurt(left: int, most: int) -> tuple[str, ...]:
    if left <= 0:
        return ("all",)
    parts = ("chest", "hull") if left * 2 < most else ()
    return (*parts, "left-arm", "left-leg") if left * 4 < most else parts


def _kind(weapon: Weapon) -> str:
    """Return how a weapon is drawn: by its name, or by its properties if the name isn't known."""
    if weapon.is_melee:
        return kind_named(weapon.name, "saber" if weapon.is_energy else "axe")
    if weapon.is_remote:
        return "bits"
    otherwise = "missile" if weapon.is_explosive else "beam-rifle" if weapon.is_energy else "rifle"
    return kind_named(weapon.name, otherwise)


def _mounted(kinds: list[tuple[Weapon, str]], frame: Frame) -> Iterator[Mounted]:
    """Yield guns in the right hand, blades in the left, fists on both, everything else on the body."""
    hands: list[Place] = ["right-arm", "left-arm"]
    beside = list(BESIDE)
    for weapon, kind in kinds:
        size = 1.12 if weapon.dmg >= LARGE else 1.0
        barrels = 2 if weapon.name.lower().startswith("twin") else 1
        if frame in ("ship", "beast", "tank"):
            yield Mounted(kind, "turret" if kind in ("main-gun", "cannon") else "back", size, barrels)
        elif kind in WORN:
            for place in ("right-arm", "left-arm"):
                yield Mounted(kind, place, size, barrels)
        elif kind == "breath":
            yield Mounted(kind, "chest", size, barrels)
        elif kind in HELD | RAISED and hands:
            yield Mounted(kind, hands.pop(0 if kind in HELD or len(hands) == 1 else 1), size, barrels)
        else:
            place = (
                "back" if kind in ("bits", "bazooka") or kind in RAISED | HELD else beside.pop(0) if beside else "back"
            )
            yield Mounted(kind, place, size, barrels)


def _shield(spec: UnitSpec) -> Iterator[Mounted]:
    if spec.shield > 0:
        yield Mounted(SHIELDS[min(spec.shield, len(SHIELDS)) - 1], "left-arm")


def _gear(spec: UnitSpec, frame: Frame) -> Iterator[str]:
    for trait in spec.traits:
        if trait in TRAITS:
            yield TRAITS[trait]
    yield from ("halo",) * min(spec.barrier, MAX_BARRIER)
    if spec.boost > 0:
        yield "pack"
    if spec.power > 0:
        yield "coil"
    yield from ("stripes",) * min(spec.level, MAX_LEVEL)
    if spec.role == "assault" and frame in ("robot", "giant"):
        yield "aerials"


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
        f"{table.name}: a table of {table.size} by {table.size} in. Side A's edge is in the south; each side deploys within {table.depth:g} in of its edge. "
        f"Control points {points}, captured within {CAPTURE_IN} in{f'; {pieces}' if pieces else ''}. "
        f"Positions are in inches from the south-west corner; the third number of a piece is its radius.{IN_SPACE if table.stellar else ''}"
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
