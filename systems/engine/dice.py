"""Dice from a counter-based generator, logs of battles, and provably fair dice. Pure.

The stream for battle `i` under seed `s` starts at mix(s + mix(i * GOLDEN)). `runner.py` has compiled code for the same
arithmetic, and a test compares the two. Rules modules import `roll`, `pick`, `overwrite` and `note` from here.

Provably fair dice are sealed, rolled by two phones without a network, or prepared for offline play. Two phones, or a
player who goes offline, roll from chains of secrets. The first link of a chain seals it, and each roll reveals the next
one. A link is the text of 16 bytes: the first 16 of the SHA-256 of the link after it. So anyone with one roll's link
can check it against the previous one, and nobody can calculate the next. The end of a prepared chain follows from the
secret of the table's sealed dice, so anyone with that secret can calculate all its rolls.

docs/formats/dice.md has the format; docs/decisions/0017-where-secrets-live.md explains how the secret is hidden. In the
browser, static/js/paired-dice.js and static/js/prepared-rolls.js do the same.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
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


SEALED_FORMAT = "muster-dice/1"
HIDING_FORMAT = "muster-dice-hidden/1"


def commitment(secret: str) -> str:
    """Return the hash that is published before anybody rolls: SHA-256 of the secret's text, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def sealed_seed(secret: str, purpose: str, words: Sequence[str] = ()) -> int:
    """Return the seed for one use of the dice, 0 .. 2^64 - 1: the first 16 hex digits of SHA-256 over these lines."""
    lines = "\n".join([SEALED_FORMAT, secret, purpose, *words])
    return int(hashlib.sha256(lines.encode()).hexdigest()[:16], 16)


def key_name(key: str) -> str:
    """Return the stored name of a secret's key: enough to find the key, not enough to calculate it."""
    return hashlib.sha256(f"{HIDING_FORMAT}\nname\n{key}".encode()).hexdigest()[:16]


def hide_secret(secret: str, key: str, name: str) -> str:
    """Hide 64 hex digits, or reveal hidden ones.

    The pad depends on key and name, so a name stands for one secret only. The commitment shows whether the key was
    right.
    """
    pad = hmac.digest(key.encode(), f"{HIDING_FORMAT}\n{name}".encode(), "sha256")
    return bytes(left ^ right for left, right in zip(bytes.fromhex(secret), pad, strict=True)).hex()


PAIRED_FORMAT = "muster-pair/1"
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that look like others
LINK_PATTERN = re.compile(f"[{LETTERS}]{{26}}")
PAIRED_CHAIN_LENGTH = 300  # rolls per chain
MAX_DICE, DIE_SIDES = 20, (4, 6, 8, 10, 12, 20)


def link_before(link: str) -> str:
    """Return the previous roll's link; before the first roll's link comes the sealed one."""
    return link_text(hashlib.sha256(f"{PAIRED_FORMAT}\n{link}".encode()).digest()[:16])


def links_of(last: str, length: int = PAIRED_CHAIN_LENGTH) -> list[str]:
    """Return all links of a chain, calculated from the last: the sealed one, then one per roll."""
    links = [last]
    for _ in range(length):
        links.append(link_before(links[-1]))
    return links[::-1]


def is_next_link(link: str, roll: int, sealed: str) -> bool:
    """Return whether the link belongs to this roll in the sealed chain."""
    if not LINK_PATTERN.fullmatch(link) or not 0 < roll <= PAIRED_CHAIN_LENGTH:
        return False
    for _ in range(roll):
        link = link_before(link)
    return link == sealed


def link_text(data: bytes) -> str:
    """Return 16 bytes as 26 letters, after two leading zero bits."""
    number = int.from_bytes(data)
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(26)))


def pair_faces(links: Sequence[str], roll: int, count: int, sides: int) -> list[int]:
    """Return the faces of a roll from its two links.

    The chain whose sealed link is first in alphabetical order comes first.
    """
    one, other = links
    dice = SeededDice(sealed_seed(one, f"pair-{roll}", [other]))
    return [dice.face(sides) for _ in range(count)]


PREPARED_FORMAT = "muster-ahead/1"
PREPARED_CHAIN_LENGTH = 60  # rolls per chain


def ahead_last(secret: str, side: int, number: int) -> str:
    """Return the last link of a side's chain; chains are numbered from 1."""
    return link_text(hashlib.sha256(f"{PREPARED_FORMAT}\n{secret}\n{side}\n{number}".encode()).digest()[:16])


def ahead_links(last: str) -> list[str]:
    """Return all links of a chain, calculated from the last: the sealed one, then one per roll."""
    return links_of(last, PREPARED_CHAIN_LENGTH)


def ahead_purpose(roll: int) -> str:
    """Return the purpose of a roll, for its seed."""
    return f"ahead-{roll}"


def ahead_faces(link: str, roll: int, count: int, sides: int) -> list[int]:
    """Return the faces of a roll from its link."""
    dice = SeededDice(sealed_seed(link, ahead_purpose(roll)))
    return [dice.face(sides) for _ in range(count)]
