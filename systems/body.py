"""Body: the parts of a unit that its drawing shows. A game's `body` returns one for each build."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Frame = Literal[
    "walker",  # a machine on two legs, its cockpit in the chest
    "robot",  # one with a head and hands
    "giant",  # a robot of a story, with horns and a crest
    "quad",  # on four legs
    "tracked",  # a walker's chest on tracks
    "tank",
    "sapper",  # a tank that digs
    "carrier",  # a box on wheels
    "sled",  # a gun on an air cushion
    "rotor",  # flying on fans
    "jet",
    "boat",
    "space",  # a fighter without wings
    "sentry",  # a gun on a stand
    "squad",  # infantry
    "beast",
    "ship",
]
Place = Literal[
    "right-arm", "left-arm", "right-shoulder", "left-shoulder", "chest", "head", "back", "right-leg", "left-leg", "hull",
    "turret",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mounted:
    """A weapon, a shield or a tool: its kind among `arms.KINDS`, where it is, its size, and how many there are."""

    kind: str
    place: Place
    size: float = 1.0
    barrels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The visible parts of a unit. Numbers from 0 to 1 are relative to the least and the most of its game.

    `facts`: properties without a shape of their own; they become strokes on the ruler below, so that no two builds have
    the same drawing.
    """

    frame: Frame
    bulk: float = 0.5  # size or weight
    speed: float = 0.5
    plate: float = 0.5  # thickness of its armour
    mounted: tuple[Mounted, ...] = ()
    gear: tuple[str, ...] = ()  # systems, each among `gear.KINDS`
    areas: tuple[tuple[str, float], ...] = ()  # extra armour on one part
    hurt: tuple[str, ...] = ()  # crippled or lost parts, by place; "all": it is destroyed
    facts: tuple[str, ...] = ()


def build_facts(spec: Mapping[str, object]) -> tuple[str, ...]:
    """Return every fact of a build, from its spec as JSON values."""
    return (json.dumps(spec, sort_keys=True, separators=(",", ":")),)
