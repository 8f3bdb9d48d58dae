"""Builds to draw: every published unit, and legal ones put together at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from systems import ROSTERS, roster_rules
from systems.blazing_steel.catalogue import CATALOGUE as STEEL
from systems.hex_core.catalogue import CATALOGUE as HEXES
from systems.mech_campaign.catalogue import CATALOGUE as CAMPAIGN
from systems.meks_and_mercs.catalogue import CATALOGUE as MEKS

DRAWN = tuple(
    slug for slug, rules in ROSTERS.items() if any(rules.body(each.spec) for each in rules.published.values())
)
WORDS = ("cannon", "twin autocannon", "claw", "rocket pod", "laser", "flamer", "railgun", "a big stick", "missiles")
Spec = dict[str, Any]


def published(system: str) -> dict[str, Any]:
    return {each.name: each.spec for each in roster_rules(system).published.values()}


def legal_builds(system: str, count: int) -> list[Any]:
    """So many different ones."""
    rules = roster_rules(system)
    luck = random.Random(f"bodies of {system}")
    found: dict[str, Any] = {}
    for _ in range(count * 200):
        spec = rules.parse_spec(MAKERS[system](luck))
        if rules.check_design(spec).legal:
            found.setdefault(json.dumps(rules.spec_json(spec), sort_keys=True), spec)
        if len(found) == count:
            break
    return list(found.values())


def _some(luck: random.Random, choices: Any, most: int) -> list[str]:
    return [luck.choice(list(choices)) for _ in range(luck.randint(0, most))]


def _mek(luck: random.Random) -> Spec:
    return {
        "chassis": luck.choice(list(MEKS.chassis)),
        "weapons": _some(luck, MEKS.weapons, 4),
        "systems": list(dict.fromkeys(_some(luck, MEKS.systems, 3))),
    }


def _warmech(luck: random.Random) -> Spec:
    frame = luck.choice(list(STEEL.chassis.values()))
    weapons = [*STEEL.weapons, *STEEL.melee, ""]
    slots = {slot: luck.choice(weapons) for slot in frame.slots if slot != "p1"}
    return {
        "chassis": frame.slug,
        "locomotion": luck.choice(list(STEEL.locomotion)),
        **slots,
        "p1": luck.choice([each for each in STEEL.peripherals if each != "extended-magazine"] + [""]),
    }


def _unit(luck: random.Random) -> Spec:
    kind = luck.choice(list(CAMPAIGN.unit_kinds))
    base = {"base_vehicle": luck.choice(("jeep", "jet", "crane"))} if CAMPAIGN.unit_kinds[kind].has_base_vehicle else {}
    return {"kind": kind, "armament": ", ".join(_some(luck, WORDS, 4)), **base}


def _machine(luck: random.Random) -> Spec:
    core = luck.choice(list(HEXES.cores.values()))
    areas = [area.slug for area in HEXES.areas.values() if area.of == core.of]
    mounted = [{"weapon": each, "place": luck.choice(areas)} for each in _some(luck, HEXES.weapons, 2)]
    held = []
    if not core.is_vehicle:
        weapon = luck.choice(list(HEXES.weapons.values()))
        held = [{"weapon": weapon.slug, "place": "both" if weapon.hands == 2 else "right"}]
    return {
        "core": core.slug,
        "armour": {area: luck.randint(0, 3) for area in areas},
        "weapons": held + mounted,
        "drones": _some(luck, HEXES.drones, 1),
        "systems": _some(luck, HEXES.systems, 1),
        "mods": _some(luck, HEXES.mods, 1),
    }


def _profile(luck: random.Random) -> Spec:
    rules = roster_rules("mechastellar")
    base = luck.choice(list(rules.published.values())).spec
    weapons = [each for design in rules.published.values() for each in rules.spec_json(design.spec)["weapons"]]
    spec = rules.spec_json(base)
    return {
        **spec,
        "hp": luck.randint(6, 30) * 500,
        "weapons": [luck.choice(weapons) for _ in range(luck.randint(1, 3))],
    }


MAKERS: dict[str, Callable[[random.Random], Spec]] = {
    "meks-and-mercs": _mek,
    "blazing-steel": _warmech,
    "mech-campaign": _unit,
    "hex-core": _machine,
    "mechastellar": _profile,
}


def weapons_apart() -> Iterator[tuple[str, list[Any]]]:
    """Builds that differ in the weapon of one mount alone."""
    yield "meks-and-mercs", [_read("meks-and-mercs", {"chassis": "titan", "weapons": [each]}) for each in MEKS.weapons]
    for slot in ("l1", "l2", "r1", "c1"):
        yield (
            "blazing-steel",
            [
                _read("blazing-steel", {"chassis": "heavy", "locomotion": "bipedal", slot: each})
                for each in (*STEEL.weapons, *STEEL.melee)
            ],
        )
    for place in ("right", "torso", "carried"):
        yield (
            "hex-core",
            [
                _read("hex-core", {"core": "standard", "weapons": [{"weapon": each, "place": place}]})
                for each in HEXES.weapons
            ],
        )


def _read(system: str, spec: Spec) -> Any:
    return roster_rules(system).parse_spec(spec)
