"""The body of a Warmech: its chassis and locomotion, its hardpoints, its peripheral."""

from collections.abc import Mapping

from systems.blazing_steel.catalogue.types import MELEE_WEAPON
from systems.body import Body, Frame, Mounted, Place, build_facts

from .spec import WEAPON_SLOTS, WarmechSpec, spec_json

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
