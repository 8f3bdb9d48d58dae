"""Exact chances: runs the rules over every way the dice can fall and adds up the fractions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, TypeVar

from systems.engine.dice import Dice

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)
State = TypeVar("State", bound=tuple[object, ...])  # a named tuple of records and of lists of records
Frozen = tuple[Any, ...]  # a state whose records are tuples


class BranchingDice:
    """Dice that repeat a path of faces and choices, and then take the first of each until the run is over."""

    def __init__(self, path: list[tuple[int, int]]) -> None:
        self.path = path  # (taken, of how many), from 0; grows as dice are rolled
        self.rolled = 0

    def choice(self, count: int) -> int:
        if self.rolled == len(self.path):
            self.path.append((0, count))
        taken, of = self.path[self.rolled]
        if of != count:
            raise AssertionError(f"the same dice led to a choice of {of} once and of {count} now: hidden chance")
        self.rolled += 1
        return taken

    def face(self, sides: int) -> int:
        return self.choice(sides) + 1


def every_way(play: Callable[[Dice], T]) -> Iterator[tuple[T, Fraction]]:
    """What `play` gives for each sequence of dice it can roll, with the chance of that sequence."""
    path: list[tuple[int, int]] = []
    while True:
        dice = BranchingDice(path)
        result = play(dice)
        if dice.rolled != len(path):
            raise AssertionError("the same dice led to fewer rolls than before: hidden chance")
        chance = Fraction(1)
        for _taken, of in path:
            chance /= of
        yield result, chance
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return
        taken, of = path.pop()
        path.append((taken + 1, of))


def chances(play: Callable[[Dice], T]) -> dict[T, Fraction]:
    """The chance of each result of `play`; they add up to 1."""
    total: dict[T, Fraction] = {}
    for result, chance in every_way(play):
        total[result] = total.get(result, Fraction(0)) + chance
    return total


def follow(before: Mapping[S, Fraction], play: Callable[[S, Dice], T]) -> dict[T, Fraction]:
    """The chance of each result of `play` after `before`: equal results are followed once, not once for each way to them."""
    total: dict[T, Fraction] = {}
    for start, weight in before.items():
        for result, chance in every_way(lambda dice, start=start: play(start, dice)):
            total[result] = total.get(result, Fraction(0)) + weight * chance
    return total


def freeze(state: tuple[object, ...]) -> Frozen:
    """A state as plain tuples; equal for equal states."""
    return tuple(tuple(_read(record) for record in part) if isinstance(part, list) else _read(part) for part in state)


def thaw(pattern: State, frozen: Frozen) -> State:
    """The frozen state with fresh records; `pattern` is any state of the same shape."""
    return type(pattern)(
        *(
            [type(part[0])(*record) for record in values] if isinstance(part, list) else type(part)(*values)
            for part, values in zip(pattern, frozen, strict=True)
        )
    )


_readers: dict[type, Callable[[object], tuple[int, ...]]] = {}


def _read(record: object) -> tuple[int, ...]:
    kind = type(record)
    if kind not in _readers:
        names = [field.name for field in fields(kind)]
        read = operator.attrgetter(*names)
        _readers[kind] = read if len(names) > 1 else lambda record: (read(record),)
    return _readers[kind](record)
