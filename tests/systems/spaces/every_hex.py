"""Every answer of a plane of hexes, as rules that can be compiled, summed up in one number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from systems.spaces.hexes import (
    direction_towards,
    hex_beside,
    hex_distance,
    hex_on_line,
    hex_opposite,
    is_behind,
    is_in_front,
)


@dataclass(slots=True)
class Pair:
    digest: int = 0


class State(NamedTuple):
    battle: Pair
    pairs: list[Pair]


def begin(state, dice, log):
    digest = 0
    for at in range(72):
        for to in range(72):
            digest = (digest * 31 + answers(at % 9, at // 9, to % 9, to // 9)) % 1_000_003
    state.battle.digest = digest


def go_on(state, dice, log):
    return False


def answers(ac, ar, bc, br):
    digest = hex_distance(ac, ar, bc, br)
    for turn in range(6):
        digest = digest * 3 + direction_towards(ac, ar, bc, br, turn) + is_in_front(ac, ar, turn, bc, br)
        digest = digest * 3 + is_behind(ac, ar, turn, bc, br) + hex_beside(ac, ar, turn, 9, 8)
        digest %= 1_000_003
    for step in range(hex_distance(ac, ar, bc, br) + 1):
        digest = (digest * 3 + hex_on_line(ac, ar, bc, br, step, 1, 9, 8)) % 1_000_003
        digest = (digest * 3 + hex_on_line(ac, ar, bc, br, step, -1, 9, 8)) % 1_000_003
    return digest + hex_opposite(br * 9 + bc, 9, 8)


def count(state, tally, units):
    return state.battle.digest
