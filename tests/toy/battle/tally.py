"""The numbers that the odds of Toy Soldiers add up."""

from __future__ import annotations

from dataclasses import dataclass

from systems.engine.ends import count_end, pack_end
from tests.toy.battle import state as c
from tests.toy.battle.state import State


@dataclass(slots=True)
class BattleTally:
    battles: int = 0
    attacker_wins: int = 0
    defender_wins: int = 0
    draws: int = 0
    rounds: int = 0


@dataclass(slots=True)
class UnitTally:
    lost: int = 0
    kills: int = 0


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    b = s.battle
    count_end(t, b.winner, b.round)
    margin = 0
    for i in range(b.count):
        u = s.units[i]
        units[i].kills += u.kills
        if u.hits <= 0:
            units[i].lost += 1
        elif u.side == c.ATTACKER:
            margin += u.cost
        else:
            margin -= u.cost
    return pack_end(b.winner, margin, b.round)
