"""A unit from above as an SVG, and its body: kind, size, weapons with their values, shield, traits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from systems.artwork.arms import HELD, RAISED, WORN
from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.artwork.weapon_names import kind_named
from systems.mechastellar.build.spec import UnitSpec, spec_json
from systems.mechastellar.catalogue import CATALOGUE, Weapon

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
