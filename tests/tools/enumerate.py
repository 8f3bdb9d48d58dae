"""Exact chances: run the rules for every sequence of rolls, and add up the fractions."""

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
    """Dice that repeat a path of faces and choices, then take the first option each time."""

    def __init__(self, path: list[tuple[int, int]]) -> None:
        self.path = path  # (option from 0, number of options); grows as dice are rolled
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


def every_outcome(play: Callable[[Dice], T]) -> Iterator[tuple[T, Fraction]]:
    """Yield the result of `play` for each possible sequence of rolls, with its chance."""
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
    """Return the chance of each result of `play`; they add up to 1."""
    total: dict[T, Fraction] = {}
    for result, chance in every_outcome(play):
        total[result] = total.get(result, Fraction(0)) + chance
    return total


def follow(before: Mapping[S, Fraction], play: Callable[[S, Dice], T]) -> dict[T, Fraction]:
    """Return the chance of each result of `play` after `before`.

    Equal results in `before` are continued once, not once for each way to reach them.
    """
    total: dict[T, Fraction] = {}
    for start, weight in before.items():
        for result, chance in every_outcome(lambda dice, start=start: play(start, dice)):
            total[result] = total.get(result, Fraction(0)) + weight * chance
    return total


def freeze(state: tuple[object, ...]) -> Frozen:
    """Return a state as plain tuples, equal for equal states."""
    return tuple(tuple(_read(record) for record in part) if isinstance(part, list) else _read(part) for part in state)


def thaw(pattern: State, frozen: Frozen) -> State:
    """Return the frozen state with new records; `pattern` is any state of the same structure."""
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
