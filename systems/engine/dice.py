"""Dice from a counter-based generator, the log of a battle, and a log that keeps nothing.

The stream for battle `i` under seed `s` starts at mix(s + mix(i * GOLDEN)). `runner.py` has compiled code for the same
arithmetic, and a test compares the two. Rules modules import `roll`, `pick`, `overwrite` and `note` from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

MASK = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
MAX_SEED = MASK


def mix(value: int) -> int:
    """The splitmix64 finaliser: mix 64 bits into 64 bits."""
    value = ((value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return value ^ (value >> 31)


def stream(seed: int, index: int) -> int:
    """Return the start of the dice stream of battle `index` under `seed` (both 0 .. 2^64 - 1)."""
    return mix((seed + mix((index * GOLDEN) & MASK)) & MASK)


class Dice(Protocol):
    """A source of die faces."""

    def face(self, sides: int) -> int:
        """Return the next face of a die: 1 .. sides."""
        ...

    def choice(self, count: int) -> int:
        """Return one of `count` equally likely numbers: 0 .. count - 1. With a count of one no die is rolled."""
        ...


class SeededDice:
    """The dice of one battle, in order, from seed and battle index."""

    __slots__ = ("state",)

    def __init__(self, seed: int, index: int = 0) -> None:
        if not 0 <= seed <= MAX_SEED:
            raise ValueError("a seed is a whole number from 0 to 2^64 - 1")
        self.state = stream(seed, index)

    def face(self, sides: int) -> int:
        self.state = (self.state + GOLDEN) & MASK
        return ((mix(self.state) >> 32) * sides >> 32) + 1

    def choice(self, count: int) -> int:
        return 0 if count == 1 else self.face(count) - 1


class TurnedDice(SeededDice):
    """The dice of one battle up to a given roll, then other dice."""

    __slots__ = ("other", "turn")

    def __init__(self, state: int, turn: int, other: int) -> None:
        """`state` and `other` are states of the streams; when the first reaches `turn`, the second takes over."""
        self.state = state
        self.turn = turn
        self.other = other

    def face(self, sides: int) -> int:
        if self.state == self.turn:
            self.state = self.other
        return super().face(sides)


class ReplacedDice(SeededDice):
    """The dice of one seed until a log holds `notes` notes, then those of another seed."""

    __slots__ = ("is_replaced", "log", "notes", "other")

    def __init__(self, seed: int, log: Log, notes: int, other: int) -> None:
        super().__init__(seed)
        self.log = log
        self.notes = notes
        self.other = stream(other, 0)
        self.is_replaced = False

    def face(self, sides: int) -> int:
        if not self.is_replaced and len(self.log) >= self.notes:
            self.is_replaced = True
            self.state = self.other
        return super().face(sides)


class OutOfDiceError(AssertionError):
    """Raised when the rules roll a die that isn't scripted."""


class ScriptedDice:
    """Dice with scripted faces, for tests and worked examples. Raises OutOfDiceError for an unscripted roll."""

    def __init__(self, faces: Iterable[int], choices: Iterable[int] = ()) -> None:
        self.faces = list(faces)
        self.choices = list(choices)
        self.rolled: list[int] = []

    def face(self, sides: int) -> int:
        if not self.faces:
            raise OutOfDiceError(f"a d{sides} was rolled that the script does not hold, after {self.rolled}")
        face = self.faces.pop(0)
        if not 1 <= face <= sides:
            raise OutOfDiceError(f"the script says {face}, the die has {sides} sides")
        self.rolled.append(face)
        return face

    def choice(self, count: int) -> int:
        if count == 1:
            return 0
        if not self.choices:
            raise OutOfDiceError(f"a choice among {count} was made that the script does not hold")
        return self.choices.pop(0)


class Named(Protocol):
    """A tuple of named numbers."""

    def _asdict(self) -> dict[str, int]: ...


Log = list[tuple[str, dict[str, int]]]  # kinds of fact, and their fields by name


def roll(dice: Dice, sides: int) -> int:
    """Return the next face of a die: 1 .. sides."""
    return dice.face(sides)


def pick(dice: Dice, count: int) -> int:
    """Return one of `count` equally likely numbers: 0 .. count - 1."""
    return dice.choice(count)


def overwrite(record: Any, source: object) -> None:
    """Copy all fields of one record over those of another of the same class."""
    for name in record.__slots__:
        setattr(record, name, getattr(source, name))


def note(log: Log, kind: str, /, *parts: Named, **fields: int) -> None:
    """Write a fact to the log of a recorded battle, with the fields that the game's facts list; not compiled.

    Each of `parts`, such as the modifiers of a roll, adds several fields.
    """
    for part in parts:
        fields |= part._asdict()
    log.append((kind, fields))


class NullLog(list[tuple[str, dict[str, int]]]):
    """A log that drops its notes."""

    def append(self, fact: tuple[str, dict[str, int]], /) -> None:
        pass
