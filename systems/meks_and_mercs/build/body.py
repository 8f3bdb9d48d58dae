"""The appearance of a Mek: its chassis, each weapon in a mount, each system, and what it has lost."""

from collections import Counter
from collections.abc import Mapping, Sequence

from systems.body import Body, Frame, Mounted, Place, build_facts
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import SIZES

from .spec import MekSpec, spec_json

BULK = {"light": 0.0, "medium": 0.3, "heavy": 0.56, "assault": 0.8, "titan": 1.0}
KINDS = {  # how weapons are drawn, with their barrels
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
MOUNTS: Mapping[str, tuple[Place, ...]] = {  # places for a family: the emptiest is used, the first of equals
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
