"""What a unit is made of, in the words of its drawing. A game's `body` says it of each of its builds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Frame = Literal[
    "walker",  # a machine on two legs, its cockpit in the chest
    "robot",  # one with a head and hands
    "giant",  # the same with horns and a crest, of a story
    "quad",  # on four legs
    "tracked",  # a walker's chest on tracks
    "tank",
    "sapper",  # a tank that digs
    "carrier",  # a box on wheels
    "sled",  # a gun on a skirt of air
    "rotor",  # it hovers on fans
    "jet",
    "boat",
    "space",  # a fighter without wings
    "sentry",  # a gun on a stand
    "squad",  # people
    "beast",
    "ship",
]
Place = Literal[
    "right-arm", "left-arm", "right-shoulder", "left-shoulder", "chest", "head", "back", "right-leg", "left-leg", "hull",
    "turret",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mounted:
    """A weapon, a shield or a tool: its kind among `arms.KINDS`, where it is, how large, and how often it stands there."""

    kind: str
    place: Place
    size: float = 1.0
    barrels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A unit as far as it can be seen. Figures from 0 to 1 lie between the least and the most of its game.

    `facts`: what has no shape of its own; it stands as strokes on the ruler below, so that no two builds are drawn alike.
    """

    frame: Frame
    bulk: float = 0.5  # size or weight
    speed: float = 0.5
    plate: float = 0.5  # thickness of its armour
    mounted: tuple[Mounted, ...] = ()
    gear: tuple[str, ...] = ()  # systems, each among `gear.KINDS`
    areas: tuple[tuple[str, float], ...] = ()  # armour that lies on one part more than on the others
    hurt: tuple[str, ...] = ()  # parts that are crippled or gone, by place; "all": it is destroyed
    facts: tuple[str, ...] = ()


def build_facts(spec: Mapping[str, object]) -> tuple[str, ...]:
    """Every fact of a build, from its spec as JSON values."""
    return (json.dumps(spec, sort_keys=True, separators=(",", ":")),)
