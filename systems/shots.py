"""One shot at the table, the number that it needs, and the marks on units' cards, by the names of their boxes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from systems.engine.events import Modifier
from systems.setups import Setup


def box_name(*words: str) -> str:
    """Return the name of a box by its part of the card and its line; a letter for the side joins: "Leg L" is legl."""
    joined = (re.sub(r" ([lr])$", r"\1", word.casefold()) for word in words)
    return "-".join(filter(None, (re.sub(r"[^a-z0-9]+", "-", word).strip("-") for word in joined))) or "x"


class BoxNames:
    """Names of the boxes of one card; a repeated name gets a number."""

    def __init__(self) -> None:
        self._given = dict[str, int]()

    def of(self, *words: str) -> str:
        name = box_name(*words)
        self._given[name] = self._given.get(name, 0) + 1
        return f"{name}-{self._given[name]}" if self._given[name] > 1 else name


@dataclass(frozen=True, slots=True)
class Marks:
    """How many boxes of each line of a unit's card are crossed out, including those from before the game."""

    boxes: Mapping[str, int] = field(default_factory=dict)

    def of(self, *words: str) -> int:
        return self.boxes.get(box_name(*words), 0)

    def begun(self, *words: str) -> int:
        """Return the marks of the line whose name begins like this; the rest of its name may vary."""
        start = f"{box_name(*words)}-"
        return next((count for name, count in self.boxes.items() if name.startswith(start)), 0)

    def each(self, lines: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
        """Return the marks of these lines in the order of the card; some may have equal names."""
        names = BoxNames()
        return tuple(self.boxes.get(names.of(*words), 0) for words in lines)


NO_MARKS = Marks()


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

    def marks_on(self, unit: str) -> Marks:
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
    def need_label(self) -> str:
        """Return the needed number as text: "≤ 5" or "4+"."""
        return f"≤ {self.need}" if self.is_under else f"{self.need}+"


def describe_threshold(need: int, *, is_under: bool) -> str:
    """Describe the number that a die has to reach, or not to exceed."""
    return f"{need} or less" if is_under else f"{need}+"
