"""The body of a Mek, and a drawing of the map of nine zones.

Terrain is shown by motif and name, sides by shape and letter, so that the map can be read without colour.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.meks_and_mercs.build.scenario_sheet import Mark, ZoneView
from systems.meks_and_mercs.build.spec import MekSpec, spec_json
from systems.meks_and_mercs.catalogue import CATALOGUE, SIZES

BULK = {"light": 0.0, "medium": 0.3, "heavy": 0.56, "assault": 0.8, "titan": 1.0}
KINDS = {  # how weapons are drawn, and their number of barrels
    "cannon": ("cannon", 1),
    "vulcan-cannon": ("rotary", 1),
    "rail-cannon": ("rail", 1),
    "howitzer-cannon": ("howitzer", 1),
    "laser": ("laser", 1),
    "twin-laser": ("laser", 2),
    "turbo-laser": ("turbo-laser", 1),
    "ppc": ("particle", 1),
    "missile": ("missile", 1),
    "swarm-missile": ("swarm", 1),
    "hammer-missile": ("torpedo", 1),
    "six-pack-missile": ("six-pack", 1),
    "ciws": ("ciws", 2),
    "grenade-launcher": ("grenades", 1),
    "minigun": ("minigun", 1),
}
GEAR = {
    "targeting-array": "array",
    "data-link": "link",
    "jammer": "jammer",
    "director": "director",
    "point-defense": "point-defense",
    "phalanx": "phalanx",
    "servo-boosters": "servos",
    "spaul-liner": "liner",
    "jump-jets": "jets",
    "reactive-armor": "bricks",
    "bpc-armor": "scales",
    "space-lam-armor": "layers",
    "sensor-improved": "small-eye",
    "sensor-advanced": "wide-eye",
    "masking": "net",
    "heat-sink": "sinks",
}
ARMS: tuple[Place, ...] = ("right-arm", "left-arm")
SHOULDERS: tuple[Place, ...] = ("right-shoulder", "left-shoulder")
MOUNTS: Mapping[str, tuple[Place, ...]] = {  # a family's places: the emptiest is used, on ties the first
    "cannon": ARMS,
    "laser": (*ARMS, *SHOULDERS),
    "missile": SHOULDERS,
    "small": ("chest", "right-leg", "left-leg"),
}
SUPPORT_FRAMES: Mapping[str, tuple[Frame, float]] = {
    "gun-sled": ("sled", 0.5),
    "panzer": ("tank", 0.4),
    "apc": ("carrier", 0.4),
    "gunship": ("rotor", 0.6),
    "howitzer-battery": ("sentry", 0.9),
    "commandos": ("squad", 0.0),
    "infantry": ("squad", 1.0),
}


def mek_body(spec: MekSpec, condition: Mapping[str, object] = {}) -> Body:
    lost = condition.get("weapons_lost") or ()
    mounted = mount_weapons(spec.weapons)
    hurt: list[str] = [mounted[at].place for at in lost if at < len(mounted)] if isinstance(lost, Sequence) else []
    if condition.get("legs"):
        hurt += ["right-leg"] if condition["legs"] == 1 else ["right-leg", "left-leg"]
    if condition.get("hits") == 0:
        hurt = ["all"]
    elif isinstance(left := condition.get("hits"), int) and 2 * left <= spec.frame.hits:
        hurt.append("chest")
    return Body(
        frame="walker",
        bulk=BULK[spec.chassis],
        speed=1 - SIZES.index(spec.chassis) / (len(SIZES) - 1),
        plate=(5 - spec.frame.armor) / 3,
        mounted=mounted,
        gear=tuple(GEAR[slug] for slug in spec.systems),
        hurt=tuple(dict.fromkeys(hurt)),
        facts=build_facts(spec_json(spec)),
    )


def mount_weapons(weapons: Sequence[str]) -> tuple[Mounted, ...]:
    """Return each weapon in its mount, in slot order."""
    full: Counter[Place] = Counter()
    mounted = []
    for slug in weapons:
        kind, barrels = KINDS[slug]
        weapon = CATALOGUE.weapons[slug]
        places = SHOULDERS if kind == "howitzer" else MOUNTS[weapon.family]
        place = min(places, key=lambda each: full[each])
        full[place] += 1
        mounted.append(Mounted(kind, place, 1.12 if weapon.size == "huge" else 0.96, barrels))
    return tuple(mounted)


def support_body(slug: str) -> Body:
    """Return the appearance of a support unit."""
    unit = CATALOGUE.support_units[slug]
    frame, bulk = SUPPORT_FRAMES[slug]
    return Body(
        frame=frame,
        bulk=bulk,
        speed=bulk,
        plate=(6 - (unit.armor or 5)) / 3,
        mounted=tuple(Mounted(KINDS[weapon][0], "turret") for weapon in unit.weapons),
        gear=tuple(GEAR[system] for system in unit.systems),
        facts=(slug,),
    )


CELL = 100.0
RIM, EXIT_RIM = 2.0, 20.0  # margins of the nine zones: the frame, and space for exits
TINTS = {
    "colour": {
        "plain": "#f6f1e3", "desert": "#f3dfb0", "wood": "#d3dfbb", "urban": "#dcd8d2", "highlands": "#dfcab0",
        "moors": "#cbdade", "open": "#ffffff",
    },
    "grey": {
        "plain": "#ffffff", "desert": "#f2f2f2", "wood": "#e2e2e2", "urban": "#ebebeb", "highlands": "#d8d8d8",
        "moors": "#f2f2f2", "open": "#ffffff",
    },
}  # fmt: skip
WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the map: fill and ink for each side, fill for the key zone."""

    line: str
    text: str
    soft: str
    attacker: tuple[str, str]
    defender: tuple[str, str]
    key: str


PALETTES = {
    "colour": Palette("#20231a", "#20231a", "#55574a", ("#46562a", WHITE), ("#35546f", WHITE), "#a8370b"),
    "grey": Palette("#1c1c1c", "#1c1c1c", "#505050", ("#2e2e2e", WHITE), (WHITE, "#1c1c1c"), "#1c1c1c"),
    "ink-saver": Palette("#000000", "#000000", "#000000", (WHITE, "#000000"), (WHITE, "#000000"), WHITE),
}


def zone_map(zones: Sequence[ZoneView], exit_edge: str | None, theme: str) -> str:
    """Return the map as an SVG element with alternative text."""
    inks = PALETTES[theme]
    rim = EXIT_RIM if any(mark.kind == "exit" for zone in zones for mark in zone.marks) else RIM
    size = 3 * CELL + 2 * rim
    drawn = "".join("".join(_zone(zone, exit_edge, theme, inks)) for zone in zones)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="{-rim} {-rim} {size} {size}" role="img" '
        f"font-family=\"'Muster Condensed'\"><title>{escape(map_text(zones))}</title>{drawn}"
        f'<rect x="0" y="0" width="{3 * CELL}" height="{3 * CELL}" fill="none" stroke="{inks.line}" stroke-width="2"/>'
        "</svg>"
    )


def map_text(zones: Sequence[ZoneView]) -> str:
    """Return the map in words."""
    lines = (
        f"Zone {zone.number}: {', '.join([zone.terrain_name, *(mark.text for mark in zone.marks)])}." for zone in zones
    )
    return " ".join(("Map of nine zones, three to a row from the top.", *lines))


def _zone(zone: ZoneView, exit_edge: str | None, theme: str, inks: Palette) -> Iterator[str]:
    left, top = (zone.number - 1) % 3 * CELL, (zone.number - 1) // 3 * CELL
    fill = TINTS.get(theme, {}).get(zone.terrain, "none")
    yield (
        f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{inks.line}" '
        f'stroke-width="0.8"/>'
    )
    if motifs := _motifs(zone.terrain, left, top):
        yield (
            f'<path d="{motifs}" fill="none" stroke="{inks.soft}" stroke-width="0.9" stroke-linecap="round" '
            f'stroke-linejoin="round"/>'
        )
    yield _text(left + 7, top + 22, str(zone.number), 22, inks.text, is_head=True)
    yield _text(left + 23, top + 14.5, zone.terrain_name, 12, inks.text, is_head=True)
    yield _text(left + 23, top + 23.5, short_effect(zone), 8, inks.soft)
    at = left + 17
    for mark in zone.marks:
        if mark.kind == "key":
            yield _star(left + CELL - 14, top + CELL - 16, inks)
        elif mark.kind == "exit":
            yield from _exit(zone.number, exit_edge, left, top, inks)
        else:
            yield from _side(mark, at, top + CELL - 16, inks)
            at += 25


def short_effect(zone: ZoneView) -> str:
    """Return a zone's terrain effect, short enough to fit."""
    if zone.terrain == "open":
        return "Plain, or as chosen"
    return zone.terrain_effect.replace(" movement", " move").replace("Heat Rating", "heat")


def _motifs(terrain: str, left: float, top: float) -> str:
    """Return small terrain symbols in two rows."""
    if terrain not in ("wood", "urban", "highlands", "moors", "desert"):
        return ""
    paths = []
    for row in range(2):
        for column in range(5 - row):
            x, y = left + 18 + column * 16 + row * 8, top + 41 + row * 16
            match terrain:
                case "wood":
                    paths.append(f"M{x - 4} {y + 3}L{x} {y - 6}L{x + 4} {y + 3}ZM{x} {y + 3}v3")
                case "urban":
                    paths.append(f"M{x - 5} {y + 5}v-6h4v-5h6v11z")
                case "highlands":
                    paths.append(f"M{x - 6} {y + 5}L{x} {y - 5}L{x + 6} {y + 5}")
                case "moors":
                    paths.append(f"M{x - 6} {y}q3 -4 6 0t6 0M{x - 3} {y + 5}q2 -3 4 0t4 0")
                case _:
                    paths.append(f"M{x - 4} {y}h.1M{x + 1} {y + 4}h.1M{x + 4} {y - 2}h.1")
    return "".join(paths)


def _side(mark: Mark, x: float, y: float, inks: Palette) -> Iterator[str]:
    """Yield a disc for the attacker or a square for the defender, with its letters."""
    fill, ink = inks.attacker if mark.kind == "attacker" else inks.defender
    if mark.kind == "attacker":
        yield f'<circle cx="{x}" cy="{y}" r="11" fill="{fill}" stroke="{inks.line}" stroke-width="1.2"/>'
    else:
        yield (
            f'<rect x="{x - 10.5}" y="{y - 10.5}" width="21" height="21" fill="{fill}" stroke="{inks.line}" '
            f'stroke-width="1.2"/>'
        )
    yield _text(x, y + 4.6, mark.letters, 13, ink, anchor="middle", is_head=True)


def _star(x: float, y: float, inks: Palette) -> str:
    points = []
    for at in range(10):
        radius = 11 if at % 2 == 0 else 4.6
        angle = math.pi * at / 5
        points.append(f"{x + radius * math.sin(angle):.2f},{y - radius * math.cos(angle):.2f}")
    return f'<polygon points="{" ".join(points)}" fill="{inks.key}" stroke="{inks.line}" stroke-width="1"/>'


def _exit(number: int, edge: str | None, left: float, top: float, inks: Palette) -> Iterator[str]:
    """Yield an arrow across the edge at an exit, clear of the zone's name and sides.

    If no edge is given, the nearest one is used.
    """
    if edge is None:
        edge = "top" if number <= 3 else "bottom" if number >= 7 else "right" if number % 3 == 0 else "left"
    middle_y = top + CELL / 2
    x, y, across, down = {
        "top": (left + 0.84 * CELL, 0.0, 0, -1),
        "bottom": (left + 0.66 * CELL, 3 * CELL, 0, 1),
        "left": (0.0, middle_y, -1, 0),
        "right": (3 * CELL, middle_y, 1, 0),
    }[edge]
    start, neck, tip = -9, 5, 17
    shaft, wing = 4, 10

    def at(along: float, aside: float) -> str:
        return f"{x + across * along + down * aside:.1f} {y + down * along + across * aside:.1f}"

    outline = "L".join(
        (
            at(start, -shaft),
            at(neck, -shaft),
            at(neck, -wing),
            at(tip, 0),
            at(neck, wing),
            at(neck, shaft),
            at(start, shaft),
        )
    )
    yield f'<path d="M{outline}Z" fill="{inks.key}" stroke="{inks.line}" stroke-width="1.2"/>'
    label_x, label_y = (x + across * 9, y + 20) if across else (x - 24, y + 3 + down * 9)
    yield _text(label_x, label_y, "EXIT", 8.5, inks.text, anchor="middle")


def _text(x: float, y: float, text: str, size: float, ink: str, *, anchor: str = "start", is_head: bool = False) -> str:
    head = ' font-family="\'Muster Head\'" font-weight="700"' if is_head else ' font-weight="500"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}" text-anchor="{anchor}"{head}>'
        f"{escape(text)}</text>"
    )
