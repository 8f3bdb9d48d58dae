"""The body of a machine: its core, its held and mounted equipment, its armour, area by area."""

from collections.abc import Iterator, Mapping

from systems.body import Body, Frame, Mounted, Place, build_facts
from systems.hex_core.catalogue.types import BOTH, CARRIED

from .spec import MachineSpec, spec_json

FRAMES: Mapping[str, Frame] = {
    "terrestrial": "tank",
    "aerial": "jet",
    "aquatic": "boat",
    "extraterrestrial": "space",
}
MOUNT_PLACES: Mapping[str, Place] = {
    "left": "left-arm",
    "right": "right-arm",
    BOTH: "right-arm",
    CARRIED: "back",
    "head": "head",
    "torso": "chest",
    "arm-l": "left-arm",
    "arm-r": "right-arm",
    "leg-l": "left-leg",
    "leg-r": "right-leg",
    "tail": "head",
    "cockpit": "chest",
    "inner-wing-l": "left-arm",
    "inner-wing-r": "right-arm",
    "outer-wing-l": "left-leg",
    "outer-wing-r": "right-leg",
}
ON_A_TANK: Mapping[Place, Place] = {
    "left-arm": "turret", "right-arm": "turret", "chest": "turret", "left-leg": "hull", "right-leg": "hull",
    "head": "back", "back": "back",
}  # fmt: skip
KINDS = {
    "vulcan": "rotary",
    "beam-pistol": "pistol",
    "machine-gun": "machine-gun",
    "assault-rifle": "rifle",
    "beam-rifle": "beam-rifle",
    "gatling-gun": "gatling",
    "bazooka": "bazooka",
    "sniper-rifle": "sniper",
    "missile-pod": "six-pack",
    "beam-cannon": "beam-cannon",
    "combat-knife": "knife",
    "beam-saber": "saber",
    "heat-axe": "axe",
    "great-sword": "great-sword",
    "lance": "lance",
}
GEAR = {
    "thrusters": "pack",
    "high-thrusters": "boosters",
    "jump": "jets",
    "flight": "wings",
    "marine-kit": "fins",
    "transform-terrestrial": "wheels",
    "transform-aerial": "folded-wings",
    "transform-aquatic": "keels",
    "transform-extraterrestrial": "tanks",
    "capacitor": "coil",
    "coolant-loop": "loop",
    "winter-joints": "joints",
    "reinforced-grip": "grip",
    "smoke-filters": "filters",
    "range-finder": "finder",
}
DRAWN_DP, DRAWN_MOVE = 75, 5
MUCH_ARMOUR = 12


def machine_body(spec: MachineSpec, condition: Mapping[str, object] = {}) -> Body:
    frame = FRAMES.get(spec.core, "robot")
    areas = ((MOUNT_PLACES[area.slug], min(1.0, spec.armour[area.index] / MUCH_ARMOUR)) for area in spec.areas)
    return Body(
        frame=frame,
        bulk=min(1.0, max(0.0, spec.total_dp - 20) / (DRAWN_DP - 20)),
        speed=min(1.0, spec.movement / DRAWN_MOVE),
        plate=min(1.0, sum(more for more in spec.armour if more > 0) / (4 * MUCH_ARMOUR)),
        mounted=tuple(_mounted(spec, frame)),
        gear=tuple(_gear(spec)),
        areas=tuple((place, more) for place, more in areas if more > 0),
        hurt=("chest",) if condition.get("repair") else (),
        facts=build_facts(spec_json(spec)),
    )


def _mounted(spec: MachineSpec, frame: Frame) -> Iterator[Mounted]:
    for armed in spec.weapons:
        place = MOUNT_PLACES[armed.place]
        size = 1.0 if armed.is_in_hand or armed.is_carried else 0.82
        yield Mounted(KINDS[armed.weapon], ON_A_TANK[place] if frame == "tank" else place, size)
    for held in spec.shields:
        yield Mounted(held.shield, MOUNT_PLACES[held.place])


def _gear(spec: MachineSpec) -> Iterator[str]:
    for slug in (*spec.systems, *spec.mods):
        yield GEAR[slug]
    for at, slug in enumerate(spec.drones):
        yield "headed-drone" if at < spec.royroy else slug
    for _ in spec.traits:
        yield "stripes"
