"""One shot at the table: its conditions, and the number that it needs, calculated by the battle rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from systems.engine.events import Modifier
from systems.marks import NO_MARKS, Marks
from systems.setups import Setup

ShotChoices = tuple[tuple[str, str], ...]  # value and label


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotTerms:
    """The questions about a unit's shot: weapon, range, and what hinders or helps it."""

    weapons: ShotChoices  # none: it has one way to fire
    ranges: ShotChoices
    helps: ShotChoices  # each of them: yes or no
    caveat: str = ""  # what the number leaves out, a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotQuestion:
    """A shot that a player wants to make.

    `out`: keys of units out of the fight; `marks`: what is marked on the cards of the others.
    """

    setup: Setup
    shooter: str
    target: str
    weapon: str
    range: str
    helps: frozenset[str]
    out: Collection[str] = ()
    marks: Mapping[str, Marks] = field(default_factory=dict)

    def marked(self, unit: str) -> Marks:
        return self.marks.get(unit, NO_MARKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """The number that a shot needs, with its modifiers and chance."""

    number: int  # to be reached by a die with all modifiers
    modifiers: tuple[Modifier, ...]
    rule: str
    dice: int
    chance: Fraction  # of each die; a die that is rolled again counts as one
    is_under: bool = False  # a die succeeds on that or less, and modifiers change the number
    always: int = 0  # the face that always succeeds; 0: none
    then: str = ""  # what happens to a successful die, a sentence without its full stop
    lands: Fraction | None = None  # the chance that the whole shot succeeds; None: not calculated

    @property
    def added(self) -> int:
        return sum(modifier.value for modifier in self.modifiers)

    @property
    def need(self) -> int:
        """Return the face that a die has to show."""
        if self.is_under:
            return self.number + self.added
        found = self.number - self.added
        return min(found, self.always) if self.always else found

    @property
    def told(self) -> str:
        """Return the needed number as text: "≤ 5" or "4+"."""
        return f"≤ {self.need}" if self.is_under else f"{self.need}+"


def describe_threshold(need: int, *, is_under: bool) -> str:
    """Describe the number that a die has to reach, or not to exceed."""
    return f"{need} or less" if is_under else f"{need}+"
