"""One shot at the table: what has to be known of it, and the number that it needs, worked out by the rules themselves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from systems.engine.events import Modifier
from systems.setups import Setup

Choices = tuple[tuple[str, str], ...]  # value and words


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotTerms:
    """What is asked of a shot of a unit: what it fires, how far, and what lies between or helps."""

    weapons: Choices  # none: it has one way to fire
    ranges: Choices
    helps: Choices  # each of them is so, or not
    caveat: str = ""  # what the number leaves out, a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A shot that somebody wants to make. `out`: keys of the units that fight no more."""

    setup: Setup
    shooter: str
    target: str
    weapon: str
    range: str
    helps: frozenset[str]
    out: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """What a shot needs."""

    number: int  # to be reached by a die with all that is added
    modifiers: tuple[Modifier, ...]
    rule: str
    dice: int
    chance: Fraction  # of each die, one that is rolled again counted whole

    @property
    def added(self) -> int:
        return sum(modifier.value for modifier in self.modifiers)

    @property
    def need(self) -> int:
        """The face that a die has to show."""
        return self.number - self.added
