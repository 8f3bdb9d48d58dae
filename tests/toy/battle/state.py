"""The state of a toy battle: whole numbers only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

CHARGE, WAIT = 0, 1
ATTACKER, DEFENDER, NOBODY = 0, 1, -1
SIDE_GONE, ROUND_LIMIT = 1, 2


@dataclass(slots=True)
class Battle:
    count: int = 0
    round: int = 0
    winner: int = NOBODY
    reason: int = 0


@dataclass(slots=True)
class Unit:
    side: int = 0
    hits: int = 0
    full_hits: int = 0
    cost: int = 0
    place: int = 0  # inches from the left end of the line
    doctrine: int = 0
    kills: int = 0


class State(NamedTuple):
    battle: Battle
    units: list[Unit]
