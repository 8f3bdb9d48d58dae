"""Names beside counters, if they have room: whole names or none; a counter without one has its short tag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from battles.replay.fire import Point

Box = tuple[float, float, float, float]  # left, top, right, bottom
NAME_COLUMNS = (("", ""), ("", "x"), ("", "y"))  # of names, as `Looks` has them
NAME_LETTER_WIDTH, NAME_HEIGHT, NAME_DEPTH = 7.4, 14.0, 4.0  # width of a letter, height above the baseline, depth below it
COUNTER_HALF = 28.0  # from the middle of a counter of size 1 to its edge, with what hangs on it


@dataclass(frozen=True, slots=True)
class NamedCounter:
    """A counter's position, and its unit's name."""

    at: Point | None  # None: it isn't shown
    size: float
    name: str
    is_busy: bool = False  # dice lie below it, and what happens to it is written above


@dataclass(frozen=True, slots=True)
class CounterName:
    """A name centred on its line; without text there was no room for it."""

    text: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def row(self) -> tuple[str, str, str]:
        return self.text, f"{self.x:g}", f"{self.y:g}"

    @property
    def box(self) -> Box:
        half = len(self.text) * NAME_LETTER_WIDTH / 2
        return self.x - half, self.y - NAME_HEIGHT, self.x + half, self.y + NAME_DEPTH


def place_names(counters: Sequence[NamedCounter], taken: Sequence[Box], within: Box) -> tuple[CounterName, ...]:
    """Return each counter's name below it, else above, else beside it, where it covers nothing and crosses no edge."""
    boxes = [*taken, *(_counter_box(counter.at, counter.size) for counter in counters if counter.at)]
    found = []
    for counter in counters:
        free = (
            place
            for place in _name_places(counter)
            if _holds(within, place.box) and not any(_overlap(place.box, other) for other in boxes)
        )
        name = next(free, CounterName())
        if name.text:
            boxes.append(name.box)
        found.append(name)
    return tuple(found)


def _name_places(counter: NamedCounter) -> list[CounterName]:
    if counter.at is None:
        return []
    (x, y), half, text = counter.at, COUNTER_HALF * counter.size, counter.name
    aside = half + 4 + len(text) * NAME_LETTER_WIDTH / 2
    beside = [CounterName(text, round(x + aside, 1), round(y + 6, 1)), CounterName(text, round(x - aside, 1), round(y + 6, 1))]
    upright = [CounterName(text, x, round(y + half + NAME_HEIGHT, 1)), CounterName(text, x, round(y - half - 12 * counter.size, 1))]
    return beside if counter.is_busy else upright + beside


def _counter_box(at: Point, size: float) -> Box:
    half = COUNTER_HALF * size
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _holds(area: Box, box: Box) -> bool:
    return area[0] <= box[0] and area[1] <= box[1] and box[2] <= area[2] and box[3] <= area[3]
