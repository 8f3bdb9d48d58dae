"""The layout of a bracket's drawing, from the first round on the left to the final on the right. Pure.

All numbers are in the drawing's own units: pixels at its natural size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaigns.cups.bracket import THIRD, distance_to_final

WIDTH, LINE_HEIGHT = 208, 28  # a tie's box: its width, and the height of each of its two sides
COLUMN_GAP, ROW_STEP = 40, 80  # between columns, and from tie to tie in the first column
HEADING_HEIGHT = 34  # above the first tie, for the name of the round
MAX_NAME_LENGTH, MAX_PLACEHOLDER_LENGTH = 20, 26  # max letters of a name, and of the placeholder for an unknown side


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One side of a tie."""

    name: str
    colour: str
    has_won: bool
    is_known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A tie to be drawn."""

    place: int
    stage: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEntry:
    name: str  # truncated to fit
    colour: str
    has_won: bool
    is_known: bool
    y: int  # top of the line
    name_x: int
    text_y: int
    swatch_y: int

    @property
    def look(self) -> str:
        """The CSS classes of the name."""
        return "is-winner" if self.has_won else "" if self.is_known else "is-awaited"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTie:
    x: int
    swatch_x: int
    mark_x: int
    entries: tuple[DrawnEntry, ...]
    way: str  # SVG path to the tie the winner advances to; empty for the last


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The name of a round, over its ties."""

    x: int
    y: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketDrawing:
    width: int
    height: int
    box: int  # width of a tie
    line: int  # height of each side
    ties: tuple[DrawnTie, ...]
    columns: tuple[Column, ...]


def draw_bracket(spots: Sequence[Spot]) -> BracketDrawing:
    """Draw a column for each round and third place under the final.

    Each tie is centred between the two that lead to it.
    """
    deepest = max(distance_to_final(spot.place) for spot in spots)
    tops = {spot.place: _top(spot.place, deepest) for spot in spots}
    ties = tuple(_tie(spot, tops, deepest) for spot in spots)
    columns = [
        Column(
            x=_left(spot.place, deepest), y=HEADING_HEIGHT - 14, name=_plural(spot.stage, distance_to_final(spot.place))
        )
        for spot in spots
        if spot.place != THIRD and spot.place == 1 << distance_to_final(spot.place)
    ]
    if THIRD in tops:
        columns.append(Column(x=_left(THIRD, deepest), y=tops[THIRD] - 10, name="Third place"))
    low = max(tops.values()) + 2 * LINE_HEIGHT
    return BracketDrawing(
        width=(deepest + 1) * WIDTH + deepest * COLUMN_GAP + 2,
        height=low + 4,
        box=WIDTH,
        line=LINE_HEIGHT,
        ties=ties,
        columns=tuple(columns),
    )


def _left(place: int, deepest: int) -> int:
    return 1 + (deepest - distance_to_final(place)) * (WIDTH + COLUMN_GAP)


def _top(place: int, deepest: int) -> int:
    """Return the top of a tie.

    Ties of the first round are evenly spaced, later ones centred between the two before them.
    """
    if place == THIRD:
        return _top(1, deepest) + 2 * LINE_HEIGHT + HEADING_HEIGHT + 12
    first = place << (deepest - distance_to_final(place))
    last = first + (1 << (deepest - distance_to_final(place))) - 1
    start = 1 << deepest
    return HEADING_HEIGHT + (first + last - 2 * start) * ROW_STEP // 2


def _tie(spot: Spot, tops: dict[int, int], deepest: int) -> DrawnTie:
    x, y = _left(spot.place, deepest), tops[spot.place]
    way = ""
    if spot.place > 1:
        to = tops[spot.place // 2] + LINE_HEIGHT
        bend = x + WIDTH + COLUMN_GAP // 2
        way = f"M{x + WIDTH},{y + LINE_HEIGHT}H{bend}V{to}H{x + WIDTH + COLUMN_GAP}"
    entries = tuple(
        DrawnEntry(
            name=_truncate(entry.name, MAX_NAME_LENGTH if entry.is_known else MAX_PLACEHOLDER_LENGTH),
            colour=entry.colour,
            has_won=entry.has_won,
            is_known=entry.is_known,
            y=y + at * LINE_HEIGHT,
            name_x=x + (29 if entry.is_known else 9),
            text_y=y + at * LINE_HEIGHT + 19,
            swatch_y=y + at * LINE_HEIGHT + 8,
        )
        for at, entry in enumerate(spot.entries)
    )
    return DrawnTie(x=x, swatch_x=x + 9, mark_x=x + WIDTH - 16, entries=entries, way=way)


def _plural(stage: str, depth: int) -> str:
    return f"{stage}s" if depth and stage.endswith("final") else stage


def _truncate(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1].rstrip()}…"
