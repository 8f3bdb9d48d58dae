"""One shot at the table and the number it needs; the marks on units' cards, by the names of their boxes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from systems.engine.events import Modifier
from systems.setups import Setup


def box_name(*words: str) -> str:
    """Return a box's name from its part of the card and its line; a side's letter is appended: "Leg L" is legl."""
    joined = (re.sub(r" ([lr])$", r"\1", word.casefold()) for word in words)
    return "-".join(filter(None, (re.sub(r"[^a-z0-9]+", "-", word).strip("-") for word in joined))) or "x"


class BoxNames:
    """Names for the boxes of one card; repeated names get a number."""

    def __init__(self) -> None:
        self._given = dict[str, int]()

    def of(self, *words: str) -> str:
        name = box_name(*words)
        self._given[name] = self._given.get(name, 0) + 1
        return f"{name}-{self._given[name]}" if self._given[name] > 1 else name


@dataclass(frozen=True, slots=True)
class Marks:
    """How many boxes of each line of a unit's card are crossed out, including those from earlier games."""

    boxes: Mapping[str, int] = field(default_factory=dict)

    def of(self, *words: str) -> int:
        return self.boxes.get(box_name(*words), 0)

    def begun(self, *words: str) -> int:
        """Return the marks of the line whose name begins with these words; the rest may vary."""
        start = f"{box_name(*words)}-"
        return next((count for name, count in self.boxes.items() if name.startswith(start)), 0)

    def each(self, lines: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
        """Return the marks of these lines in the order of the card; lines may share a name."""
        names = BoxNames()
        return tuple(self.boxes.get(names.of(*words), 0) for words in lines)


NO_MARKS = Marks()


ShotChoices = tuple[tuple[str, str], ...]  # value and label


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotTerms:
    """The questions about a unit's shot: weapon, range, hindrances and aids."""

    weapons: ShotChoices  # empty: it has only one way to fire
    ranges: ShotChoices
    helps: ShotChoices  # each is a yes or no
    caveat: str = ""  # what the number doesn't include, a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotQuestion:
    """A shot that a player wants to make.

    `out`: keys of the units out of action; `marks`: the marks on the other units' cards.
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

    number: int  # what a die has to reach, with all modifiers
    modifiers: tuple[Modifier, ...]
    rule: str
    dice: int
    chance: Fraction  # of each die, with rerolls included
    is_under: bool = False  # a die succeeds at or below the number, and modifiers change the number
    always: int = 0  # the face that always succeeds; 0: none
    then: str = ""  # what follows a success, a sentence without its full stop
    lands: Fraction | None = None  # the chance that the whole shot succeeds; None: not calculated

    @property
    def added(self) -> int:
        return sum(modifier.value for modifier in self.modifiers)

    @property
    def need(self) -> int:
        """Return the face that a die needs."""
        if self.is_under:
            return self.number + self.added
        found = self.number - self.added
        return min(found, self.always) if self.always else found

    @property
    def need_label(self) -> str:
        """Return the needed number as text: "≤ 5" or "4+"."""
        return f"≤ {self.need}" if self.is_under else f"{self.need}+"


def describe_threshold(need: int, *, is_under: bool) -> str:
    """Describe the number that a die has to reach, or must not exceed."""
    return f"{need} or less" if is_under else f"{need}+"
