"""Random but repeatable battles of ready-made forces, to check that results don't change unnoticed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup, setup_json
from systems.simulation.records import resolve

FORCES_DRAWN = {"meks-and-mercs": 18, "hex-core": 5}  # later ones would change which battles are drawn


def drawn_documents(slug: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield this many legal set-up documents with random forces, AI styles, scenarios and terrains."""
    system = battle_rules(slug)
    luck = random.Random(slug)
    forces = [*system.forces.values()][: FORCES_DRAWN.get(slug)]
    made = 0
    while made < count:
        document = setup_json(system.example())
        document["scenario"] = luck.choice([system.plain_scenario, *system.scenarios])
        grounds = list(system.terrain_choices(document["scenario"])) or [system.printed]
        document["terrain"] = luck.choice(grounds)
        for letter, side in zip("ad", document["sides"], strict=True):
            force = luck.choice(forces)
            side["doctrine"] = luck.choice(list(system.doctrines))
            side["units"] = [
                _unit(f"{letter}{at}", design, luck, system.levels) for at, design in enumerate(force["units"], 1)
            ]
        try:
            read_setup(document)
        except DocumentError:
            continue
        made += 1
        yield document


def _unit(key: str, design: str, luck: random.Random, levels: Mapping[str, str]) -> dict[str, Any]:
    pilot = {"experience": luck.choice(list(levels))} if levels else None
    return {"key": key, "design": design, "pilot": pilot}


def digest_of(setups: list[Setup]) -> str:
    """Return the digest of the records of all these battles."""
    return hashlib.sha256(
        "".join(resolve(setup, seed).text() for seed, setup in enumerate(setups)).encode()
    ).hexdigest()
