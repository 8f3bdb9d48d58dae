"""Pools of ten-sided dice: rolling, counting successes, rerolling. ST-112 to ST-116, ST-262, ST-266."""

from __future__ import annotations

from systems.engine.dice import Dice, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.state import State

FOCUSED = 3  # the number for a success under Focus


def pool_size(dice: int) -> int:
    """Return how many dice a pool of that size rolls. ST-112."""
    return min(c.POOL, max(0, dice))


def successes_of(face: int, success: int, crit: int) -> int:
    """Return the value of a die: 1 for a success, 2 for a critical one. ST-113, ST-114, ST-D02, ST-D03."""
    if face < success:
        return 0
    return 2 if face >= crit else 1


def roll_hits(s: State, count: int, dice: Dice) -> None:
    """Roll an attack pool."""
    for at in range(count):
        s.faces[at].hit = roll(dice, 10)


def roll_guard(s: State, count: int, dice: Dice) -> None:
    """Roll a defence pool."""
    for at in range(count):
        s.faces[at].guard = roll(dice, 10)


def roll_others(s: State, count: int, dice: Dice) -> None:
    """Roll saves, morale, and everything else that isn't a pool."""
    for at in range(count):
        s.faces[at].other = roll(dice, 10)


def reroll_ones(s: State, count: int, dice: Dice) -> int:
    """Reroll every 1 of a defence pool once; return how many there were. ST-015, ST-D09."""
    found = 0
    for at in range(count):
        if s.faces[at].guard == 1:
            s.faces[at].guard = roll(dice, 10)
            found += 1
    return found


def count_hits(s: State, count: int, success: int, crit: int) -> int:
    """Return the total of an attack pool. ST-113."""
    found = 0
    for at in range(count):
        found += successes_of(s.faces[at].hit, success, crit)
    return found


def count_guard(s: State, count: int, success: int, crit: int, flash: int) -> int:
    """Return the total of a defence pool; under Flash each non-critical success counts 1 more. ST-114, ST-262, ST-D10."""
    found = 0
    for at in range(count):
        one = successes_of(s.faces[at].guard, success, crit)
        found += 2 if one == 1 and flash else one
    return found


def failed_hits(s: State, count: int, success: int) -> int:
    """Return how many dice of an attack pool fail."""
    found = 0
    for at in range(count):
        if s.faces[at].hit < success:
            found += 1
    return found


def failed_guard(s: State, count: int, success: int) -> int:
    """Return how many dice of a defence pool fail."""
    found = 0
    for at in range(count):
        if s.faces[at].guard < success:
            found += 1
    return found


def improvise_hits(s: State, count: int, success: int, dice: Dice) -> None:
    """Reroll the failed dice of an attack pool once. ST-266."""
    for at in range(count):
        if s.faces[at].hit < success:
            s.faces[at].hit = roll(dice, 10)


def improvise_guard(s: State, count: int, success: int, dice: Dice) -> None:
    """Reroll the failed dice of a defence pool once. ST-266."""
    for at in range(count):
        if s.faces[at].guard < success:
            s.faces[at].guard = roll(dice, 10)
