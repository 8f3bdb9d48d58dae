"""What is marked on the cards of units at a table, by the names of their boxes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


def box_name(*words: str) -> str:
    """What a box is called that stands in such a part of a card, on such a line. A letter for the side joins: "Leg L" is legl."""
    joined = (re.sub(r" ([lr])$", r"\1", word.casefold()) for word in words)
    return "-".join(filter(None, (re.sub(r"[^a-z0-9]+", "-", word).strip("-") for word in joined))) or "x"


class BoxNames:
    """Names of boxes of one card; of two alike the second has a number."""

    def __init__(self) -> None:
        self._given = dict[str, int]()

    def of(self, *words: str) -> str:
        name = box_name(*words)
        self._given[name] = self._given.get(name, 0) + 1
        return f"{name}-{self._given[name]}" if self._given[name] > 1 else name


@dataclass(frozen=True, slots=True)
class Marks:
    """How many boxes of each line of one unit's card are crossed out, those that it came with among them."""

    boxes: Mapping[str, int] = field(default_factory=dict)

    def of(self, *words: str) -> int:
        return self.boxes.get(box_name(*words), 0)

    def begun(self, *words: str) -> int:
        """Of the line whose name begins so: what is left of it may be worded in some ways."""
        start = f"{box_name(*words)}-"
        return next((count for name, count in self.boxes.items() if name.startswith(start)), 0)

    def each(self, lines: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
        """Of lines in the order of the card, where some may be worded alike."""
        names = BoxNames()
        return tuple(self.boxes.get(names.of(*words), 0) for words in lines)


NONE = Marks()
