"""The body of a unit: its kind and size, its weapons with their values, its shield and its traits."""

from collections.abc import Iterator, Mapping

from systems.body import Body, Frame, Mounted, Place, build_facts
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import Weapon
from systems.paper.bodies.arms import HELD, RAISED, WORN
from systems.paper.bodies.named import kind_named

from .spec import UnitSpec, spec_json

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
LARGE = 400  # least damage of a weapon that is drawn larger
MAX_WEAPONS = 8  # most weapons in a drawing
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
    """Return the drawing of a weapon by its name, or by its properties if the name isn't known."""
    if weapon.is_melee:
        return kind_named(weapon.name, "saber" if weapon.is_energy else "axe")
    if weapon.is_remote:
        return "bits"
    otherwise = "missile" if weapon.is_explosive else "beam-rifle" if weapon.is_energy else "rifle"
    return kind_named(weapon.name, otherwise)


def _mounted(kinds: list[tuple[Weapon, str]], frame: Frame) -> Iterator[Mounted]:
    """Yield guns in the right hand, blades in the left one, fists on both, and the rest on the body."""
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
