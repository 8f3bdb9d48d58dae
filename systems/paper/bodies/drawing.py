"""From a body to its drawing: marks within the frame, path data for screens, and the ruler that carries what has no shape."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from systems.paper.bodies import hulls, machines
from systems.paper.bodies.ink import ALWAYS, FRAME, FULL, MIDDLE, Kind, Mark, Pen
from systems.paper.bodies.parts import Body

EDGE = 14  # that is kept free on all sides
RULER = (968, 990)  # from the line to the end of its longest stroke
RULER_BITS = 3  # of the fingerprint in each stroke: its length
STROKES = 33
KEPT = 512
CACHE_SIZE = 48  # drawings whose marks are at hand: those take a hundred times the room of what is made of them


@dataclass(frozen=True)
class Drawing:
    """A unit drawn. Equal bodies have equal drawings; `digest` tells drawings apart in a few letters."""

    body: Body = field(repr=False, compare=False)
    digest: str

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All of them, the last two its ruler."""
        return (*marks_of(self.body, FULL), *_ruler(self.digest))

    @property
    def _plain(self) -> tuple[Mark, ...]:
        """Without what only a plate shows, which takes longest to make."""
        return marks_of(self.body, MIDDLE)

    def seen(self, level: int) -> Iterator[Mark]:
        """What is drawn at a size: 0 a chit, 1 a row of a list, 2 a plate."""
        return (mark for mark in (self.marks if level == FULL else self._plain) if mark.least <= level)

    @cached_property
    def bounds(self) -> tuple[int, int, int]:
        """Left, top and side of the least square around the unit without its ruler."""
        left, top, right, bottom = _extent(self._plain)
        side = max(right - left, bottom - top) + 2 * EDGE
        return (left + right - side) // 2, (top + bottom - side) // 2, side


@lru_cache(maxsize=KEPT)
def drawing(body: Body) -> Drawing:
    """The unit of that build."""
    return Drawing(body, hashlib.sha256(repr(body).encode()).hexdigest())


@lru_cache(maxsize=CACHE_SIZE)
def marks_of(body: Body, most: int) -> tuple[Mark, ...]:
    """The unit without its ruler, with no mark that only a larger size than `most` shows."""
    pen = Pen(most)
    (hulls if body.frame in hulls.FRAMES else machines).draw(pen, body)
    return _within(pen.marks)


def _extent(marks: Sequence[Mark]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is drawn at every size but the largest."""
    points = [point for mark in marks if mark.least < FULL for outline in mark.outlines for point in outline]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _ruler(digest: str) -> Iterator[Mark]:
    """The line that it stands on, whose strokes are as long as the build says: no two builds have the same."""
    top, bottom = RULER
    bits = int(digest, 16)
    strokes = []
    for at in range(STROKES):
        x = 60 + at * (FRAME - 120) // (STROKES - 1)
        length = 5 + (bits >> (RULER_BITS * at) & 7) * (bottom - top - 5) // 7
        strokes.append(((x, top), (x, top + length)))
    yield Mark("fine", (((60, top), (FRAME - 60, top)),), FULL)
    yield Mark("fine", tuple(strokes), FULL)


def _within(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """The marks, moved and made smaller so far that all are within the frame and above its ruler."""
    left, top, right, bottom = _extent(marks)
    room = RULER[0] - 8 - EDGE
    scale = min(1.0, (FRAME - 2 * EDGE) / (right - left), room / (bottom - top))
    # in the middle; what walks or drives stands on the ruler, what is smaller than the frame keeps its size
    shift_x = FRAME / 2 - scale * (left + right) / 2
    shift_y = RULER[0] - 8 - scale * bottom
    if scale == 1.0 and bottom - top < room * 0.72:
        shift_y -= (room * 0.72 - (bottom - top)) / 2
    return tuple(
        Mark(
            mark.kind,
            tuple(
                tuple((round(x * scale + shift_x), round(y * scale + shift_y)) for x, y in each)
                for each in mark.outlines
            ),
            mark.least,
        )
        for mark in marks
    )


# --- for screens ------------------------------------------------------------------------------------------------------


def path_of(mark: Mark) -> str:
    """The mark as path data."""
    return "".join(_outline(outline) + ("" if mark.is_open else "z") for outline in mark.outlines if len(outline) > 1)


def _outline(points: tuple[tuple[int, int], ...]) -> str:
    (x, y), *rest = points
    steps = []
    for each_x, each_y in rest:
        steps.append(f"{each_x - x} {each_y - y}")
        x, y = each_x, each_y
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}".replace(" -", "-")


@lru_cache(maxsize=KEPT)
def svg_paths(made: Drawing, level: int) -> tuple[tuple[Kind, str], ...]:
    """Path data in the order in which it is painted; strokes that follow each other are one path."""
    paths: list[tuple[Kind, str]] = []
    for mark in made.seen(level):
        data = path_of(mark)
        if paths and mark.is_open and paths[-1][0] == mark.kind:
            paths[-1] = (mark.kind, paths[-1][1] + data)
        else:
            paths.append((mark.kind, data))
    return tuple(paths)


__all__ = ["ALWAYS", "FULL", "MIDDLE", "Drawing", "drawing", "marks_of", "path_of", "svg_paths"]
