"""One shot at the table: what has to be known of it, and the number that it needs, worked out by the rules themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from systems.engine.events import Modifier
from systems.marks import NONE, Marks
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
    """A shot that somebody wants to make. `out`: keys of the units that fight no more; `marks`: of the others, what their
    cards have marked."""

    setup: Setup
    shooter: str
    target: str
    weapon: str
    range: str
    helps: frozenset[str]
    out: Collection[str] = ()
    marks: Mapping[str, Marks] = field(default_factory=dict)

    def marked(self, unit: str) -> Marks:
        return self.marks.get(unit, NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """What a shot needs."""

    number: int  # to be reached by a die with all that is added
    modifiers: tuple[Modifier, ...]
    rule: str
    dice: int
    chance: Fraction  # of each die, one that is rolled again counted whole
    is_under: bool = False  # a die has to show that or less, and modifiers change the number
    always: int = 0  # the face that makes it whatever is needed; 0: none does
    then: str = ""  # what happens to a die that made it, a sentence without its full stop
    lands: Fraction | None = None  # the chance of it all; None: that is not counted

    @property
    def added(self) -> int:
        return sum(modifier.value for modifier in self.modifiers)

    @property
    def need(self) -> int:
        """The face that a die has to show."""
        if self.is_under:
            return self.number + self.added
        found = self.number - self.added
        return min(found, self.always) if self.always else found

    @property
    def told(self) -> str:
        """The number as it is said."""
        return f"≤ {self.need}" if self.is_under else f"{self.need}+"


def describe_threshold(need: int, *, is_under: bool) -> str:
    """The number that a die has to reach, or not to pass."""
    return f"{need} or less" if is_under else f"{need}+"
