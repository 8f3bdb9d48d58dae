"""Marks on the cards of units at a table, by the names of their boxes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


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
