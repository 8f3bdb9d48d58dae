"""What the toy's odds add up."""

from __future__ import annotations

from dataclasses import dataclass

from tests.toy.battle.state import ATTACKER, NOBODY, State


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


def winner_of(end: int) -> int:
    return end % 3 - 1


def margin_of(end: int) -> int:
    return end // 3


def count(s: State, t: BattleTally, units: list[UnitTally]) -> int:
    b = s.battle
    t.battles += 1
    t.rounds += b.round
    if b.winner == NOBODY:
        t.draws += 1
    elif b.winner == ATTACKER:
        t.attacker_wins += 1
    else:
        t.defender_wins += 1
    margin = 0
    for i in range(b.count):
        u = s.units[i]
        units[i].kills += u.kills
        if u.hits <= 0:
            units[i].lost += 1
        elif u.side == ATTACKER:
            margin += u.cost
        else:
            margin -= u.cost
    return margin * 3 + b.winner + 1
