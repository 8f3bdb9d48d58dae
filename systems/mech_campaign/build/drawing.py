"""The body of a unit, and a drawing of a scenario's table: sectors, zones, tunnel mouths, objectives.

Sides also differ by shape and letter, so that the drawing can be read without colour. Sectors stay white, because
players sketch the rolled terrain there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from systems.artwork.arms import RAISED, WORN, kinds_named
from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.mech_campaign.build.scenario import ScenarioSheet, Spot
from systems.mech_campaign.build.spec import UnitSpec, spec_json

FRAMES: Mapping[str, tuple[Frame, float, float]] = {  # with bulk and speed
    "heavy-mech": ("walker", 0.78, 0.25),
    "light-mech": ("walker", 0.12, 0.9),
    "track": ("sapper", 0.6, 0.4),
    "drone": ("rotor", 0.3, 0.8),
    "gun-sentry": ("sentry", 0.4, 0.0),
}
ARMED: Mapping[str, tuple[str, ...]] = {
    "heavy-mech": ("cannon", "autocannon", "missile"),
    "light-mech": ("laser", "rotary"),
    "track": ("autocannon",),
    "drone": ("minigun",),
    "gun-sentry": ("autocannon",),
}
PLACES: tuple[Place, ...] = ("right-arm", "left-arm", "left-shoulder", "right-shoulder", "chest")
ON_SHOULDERS = frozenset({"missile", "swarm", "rocket-pod", "howitzer", "torpedo"})
MAX_WEAPONS = 5


def unit_body(spec: UnitSpec, condition: Mapping[str, object] = {}) -> Body:
    frame, bulk, speed = FRAMES[spec.kind]
    kinds = (kinds_named(spec.armament) or ARMED[spec.kind])[:MAX_WEAPONS]
    is_mech = spec.unit_kind.is_mech
    hurt = ("chest", "hull") if condition.get("damage") or condition.get("workshop") else ()
    return Body(
        frame=frame,
        bulk=bulk,
        speed=speed,
        plate=bulk,
        mounted=_mech_mounts(kinds) if is_mech else tuple(Mounted(kind, "turret") for kind in kinds),
        gear=("small-eye",) if spec.unit_kind.can_lock and is_mech else (),
        hurt=hurt,
        facts=build_facts(spec_json(spec)),
    )


def _mech_mounts(kinds: tuple[str, ...]) -> tuple[Mounted, ...]:
    """Mount launchers on the shoulders and other weapons in the arms, as far as there is room."""
    free = list(PLACES)
    mounted = []
    for kind in kinds:
        preferred = [place for place in free if place.endswith("shoulder") == (kind in ON_SHOULDERS)]
        if kind in WORN | RAISED:
            preferred = [place for place in preferred if place.endswith("arm")] or preferred
        place = (preferred or free)[0]
        free.remove(place)
        mounted.append(Mounted(kind, place))
    return tuple(mounted)


SIDE = 360.0  # width of the drawing, whatever the table's size
STEP_IN = 6  # distance between marks on the scale
RIM = 14.0  # margin around the table, for the scale
WHITE = "#ffffff"
REACH_IN = 2  # distance within which units can act on an objective


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the drawing: each side's zone, and its sign with a letter."""

    line: str
    soft: str
    key: str
    zone_a: str
    zone_b: str
    side_a: tuple[str, str]
    side_b: tuple[str, str]


INKS = {
    "colour": Palette(
        "#20231a", "#55574a", "#a8370b", "#e3e8d3", "#d6e0e8", ("#46562a", WHITE), ("#35546f", WHITE)
    ),
    "grey": Palette("#1c1c1c", "#505050", "#1c1c1c", "#dedede", "#f0f0f0", ("#2e2e2e", WHITE), (WHITE, "#1c1c1c")),
    "ink-saver": Palette("#000000", "#000000", WHITE, "none", "none", (WHITE, "#000000"), (WHITE, "#000000")),
}  # fmt: skip


def table_map(sheet: ScenarioSheet, theme: str) -> str:
    """Return the table as an SVG element with alternative text."""
    inks = INKS[theme]
    side, size = SIDE, SIDE + 2 * RIM
    layers = (_zones, _sectors, _scale, _sides, _pieces, _places)
    drawn = "".join(part for layer in layers for part in layer(sheet, inks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="{-RIM} {-RIM} {size} {size}" role="img" '
        f"font-family=\"'Muster Condensed'\"><title>{escape(map_text(sheet))}</title>{drawn}"
        f'<rect x="0" y="0" width="{side}" height="{side}" fill="none" stroke="{inks.line}" stroke-width="2"/></svg>'
    )


def map_text(sheet: ScenarioSheet) -> str:
    """Return the table in words."""
    return " ".join(("Table of nine sectors, three to a row from side B's edge at the top.", *sheet.words))


def _inch(sheet: ScenarioSheet) -> float:
    """Return the length of an inch in the drawing."""
    return SIDE / sheet.size


def _zones(sheet: ScenarioSheet, inks: Palette) -> Iterator[str]:
    side, deep = SIDE, sheet.depth * _inch(sheet)
    for top, fill in ((0.0, inks.zone_b), (side - deep, inks.zone_a)):
        yield (
            f'<rect x="0" y="{top}" width="{side}" height="{deep}" fill="{fill}" stroke="{inks.line}" '
            f'stroke-width="0.8"/>'
        )


def _sectors(sheet: ScenarioSheet, inks: Palette) -> Iterator[str]:
    side, step = SIDE, SIDE / 3
    for at in (step, 2 * step):
        yield f'<path d="M{at} 0V{side}M0 {at}H{side}" fill="none" stroke="{inks.soft}" stroke-width="0.7"/>'
    for number in range(9):
        left, top = number % 3 * step, number // 3 * step
        yield _text(left + 12, top + 24, str(number + 1), 19, inks.soft, is_head=True)
    sentries = sheet.sentry_depth * _inch(sheet)
    for at, above in ((sentries, True), (side - sentries, False)):
        yield f'<path d="M0 {at}H{side}" fill="none" stroke="{inks.line}" stroke-width="1.4" stroke-dasharray="5 3"/>'
        yield _text(side - 4, at - 3 if above else at + 9, "sentries to here", 9.1, inks.soft, anchor="end")


def _scale(sheet: ScenarioSheet, inks: Palette) -> Iterator[str]:
    """Yield a scale in inches from the left along side A's edge, and upwards from that edge."""
    side = SIDE
    for inch in range(0, sheet.size + 1, STEP_IN):
        at = inch * _inch(sheet)
        yield f'<path d="M{at} {side}v4M0 {side - at}h-4" stroke="{inks.line}" stroke-width="0.8"/>'
        yield _text(at, side + 12, str(inch), 9.1, inks.soft, anchor="middle")
        yield _text(-5, side - at + 3, str(inch), 9.1, inks.soft, anchor="end")


def _sides(sheet: ScenarioSheet, inks: Palette) -> Iterator[str]:
    """Yield a disc for side A and a square for side B, with their letters."""
    middle, side, half = SIDE / 2, SIDE, sheet.depth * _inch(sheet) / 2
    fill, ink = inks.side_a
    yield f'<circle cx="{middle}" cy="{side - half}" r="15" fill="{fill}" stroke="{inks.line}" stroke-width="1.4"/>'
    yield _text(middle, side - half + 6.4, "A", 18, ink, anchor="middle", is_head=True)
    fill, ink = inks.side_b
    yield (
        f'<rect x="{middle - 14}" y="{half - 14}" width="28" height="28" fill="{fill}" stroke="{inks.line}" '
        f'stroke-width="1.4"/>'
    )
    yield _text(middle, half + 6.4, "B", 18, ink, anchor="middle", is_head=True)


def _pieces(sheet: ScenarioSheet, inks: Palette) -> Iterator[str]:
    """Yield each disc placed by the author, with its kind's letter."""
    inch = _inch(sheet)
    for disc in sheet.pieces:
        x, y = disc.x * inch, disc.y * inch
        dashes = ' stroke-dasharray="4 2.5"' if disc.kind == "rubble" else ""
        yield (
            f'<circle cx="{x:g}" cy="{y:g}" r="{disc.radius * inch:g}" fill="{WHITE}" stroke="{inks.line}" '
            f'stroke-width="{2.4 if disc.kind == "works" else 1.2}"{dashes}/>'
        )
        yield _text(x, y + 5, disc.kind[0].upper(), 15, inks.line, anchor="middle", is_head=True)


def _places(sheet: ScenarioSheet, inks: Palette) -> Iterator[str]:
    for spot in sheet.mouths:
        yield _mouth(spot, _inch(sheet), inks)
    for spot in sheet.spots:
        x, y = spot.x * _inch(sheet), spot.y * _inch(sheet)
        reach = REACH_IN * _inch(sheet)
        yield (
            f'<circle cx="{x:g}" cy="{y:g}" r="{reach:g}" fill="none" stroke="{inks.line}" stroke-width="0.9" '
            f'stroke-dasharray="3 2.5"/>'
        )
        yield (f'<path d="M{x:g} {y - 9:g}l9 9-9 9-9-9z" fill="{inks.key}" stroke="{inks.line}" stroke-width="1.2"/>')
        yield _text(x, y + reach + 11, spot.name, 11, inks.line, anchor="middle", is_head=True)


def _mouth(spot: Spot, inch: float, inks: Palette) -> str:
    """Return an arch with a dark opening."""
    x, y = spot.x * inch, spot.y * inch
    return (
        f'<path d="M{x - 8:g} {y + 6:g}v-6a8 8 0 0 1 16 0v6z" fill="{WHITE}" stroke="{inks.line}" stroke-width="1.4"/>'
        f'<path d="M{x - 4.5:g} {y + 6:g}v-5a4.5 4.5 0 0 1 9 0v5z" fill="{inks.line}"/>'
    )


def _text(x: float, y: float, text: str, size: float, ink: str, *, anchor: str = "start", is_head: bool = False) -> str:
    head = ' font-family="\'Muster Head\'" font-weight="700"' if is_head else ' font-weight="500"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"{head}>'
        f"{escape(text)}</text>"
    )
