"""Builds to draw: every published unit, and random legal ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from systems import ROSTERS, roster_rules
from systems.blazing_steel.catalogue import CATALOGUE as STEEL
from systems.hex_core.catalogue import CATALOGUE as HEXES
from systems.meks_and_mercs.catalogue import CATALOGUE as MEKS
from tests.systems.any_battle import any_battle

DRAWN = tuple(
    slug for slug, rules in ROSTERS.items() if any(rules.body(each.spec) for each in rules.published.values())
)
Spec = dict[str, Any]


def published(system: str) -> dict[str, Any]:
    return {each.name: each.spec for each in roster_rules(system).published.values()}


def legal_builds(system: str, count: int) -> list[Any]:
    """Return this many different legal builds, or all there are."""
    rules, build = roster_rules(system), any_battle(system).build
    assert build, f"define `build` of ANY in any_battle.py of {system}"
    luck = random.Random(f"bodies of {system}")
    found: dict[str, Any] = {}
    for _ in range(count * 200):
        spec = rules.parse_spec(build(luck))
        if rules.check_design(spec).legal:
            found.setdefault(json.dumps(rules.spec_json(spec), sort_keys=True), spec)
        if len(found) == count:
            break
    return list(found.values())


def weapons_apart() -> Iterator[tuple[str, list[Any]]]:
    """Yield builds that differ only in the weapon of one mount."""
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
