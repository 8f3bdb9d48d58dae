"""A Warmech from above as an SVG, and its body: chassis, locomotion, hardpoints, peripheral."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.blazing_steel.build.spec import SLOTS, WEAPON_SLOTS, WarmechSpec, spec_json
from systems.blazing_steel.catalogue import CATALOGUE, MELEE_WEAPON, Arc

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


def _text(x: float, y: float, text: str, size: float, ink: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="700"' if is_bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="middle"{weight}>{escape(text)}</text>'
    )


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
