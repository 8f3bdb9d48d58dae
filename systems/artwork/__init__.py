"""Drawings of units, made only from the visible parts (`Body`) that a game lists; and silhouettes of sizes. Pure.

A drawing has marks within the frame, path data, and a ruler for facts without a shape. The silhouettes are those of
`static/img/counters.svg`, for screen and paper.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from systems.artwork import hulls, machines
from systems.artwork.canvas import FRAME, FULL, MIDDLE, Body, Mark, MarkKind, Pen

EDGE = 14  # margin on all sides
RULER = (968, 990)  # from the line to the end of the longest stroke
RULER_BITS = 3  # bits of the fingerprint that one stroke's length encodes
STROKES = 33
KEPT = 512
CACHE_SIZE = 48  # drawings with cached marks; marks take a hundred times the memory of the paths made from them


@dataclass(frozen=True)
class Drawing:
    """The drawing of a unit. Equal bodies have equal drawings; `digest` identifies the drawing."""

    body: Body = field(repr=False, compare=False)
    digest: str

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks; the last two are its ruler."""
        return (*marks_of(self.body, FULL), *_ruler(self.digest))

    @property
    def _plain(self) -> tuple[Mark, ...]:
        """The marks except those that only a large drawing shows, which take longest to make."""
        return marks_of(self.body, MIDDLE)

    def seen(self, level: int) -> Iterator[Mark]:
        """Yield the marks drawn at a size: 0 a chit, 1 a row of a list, 2 large."""
        return (mark for mark in (self.marks if level == FULL else self._plain) if mark.least <= level)

    @cached_property
    def bounds(self) -> tuple[int, int, int]:
        """Left, top and side length of the smallest square around the unit, without its ruler."""
        left, top, right, bottom = _extent(self._plain)
        side = max(right - left, bottom - top) + 2 * EDGE
        return (left + right - side) // 2, (top + bottom - side) // 2, side


@lru_cache(maxsize=KEPT)
def drawing(body: Body) -> Drawing:
    """Return the drawing of that body."""
    return Drawing(body, hashlib.sha256(repr(body).encode()).hexdigest())


@lru_cache(maxsize=CACHE_SIZE)
def marks_of(body: Body, most: int) -> tuple[Mark, ...]:
    """Return the unit's marks without its ruler and without those that only sizes above `most` show."""
    pen = Pen(most)
    (hulls if body.frame in hulls.FRAMES else machines).draw(pen, body)
    return _within(pen.marks)


def _extent(marks: Sequence[Mark]) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the marks at all sizes except the largest."""
    points = [point for mark in marks if mark.least < FULL for outline in mark.outlines for point in outline]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _ruler(digest: str) -> Iterator[Mark]:
    """Yield the ruler below the unit; its strokes encode the build, so no two builds have the same."""
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
    """Return the marks, moved and scaled down to fit within the frame and above the ruler."""
    left, top, right, bottom = _extent(marks)
    room = RULER[0] - 8 - EDGE
    scale = min(1.0, (FRAME - 2 * EDGE) / (right - left), room / (bottom - top))
    # centred; walkers and vehicles stand on the ruler; units smaller than the frame keep their size
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
    """Return the mark as path data."""
    return "".join(_outline(outline) + ("" if mark.is_open else "z") for outline in mark.outlines if len(outline) > 1)


def _outline(points: tuple[tuple[int, int], ...]) -> str:
    (x, y), *rest = points
    steps = []
    for each_x, each_y in rest:
        steps.append(f"{each_x - x} {each_y - y}")
        x, y = each_x, each_y
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}".replace(" -", "-")


@lru_cache(maxsize=KEPT)
def svg_paths(made: Drawing, level: int) -> tuple[tuple[MarkKind, str], ...]:
    """Return path data in painting order; consecutive strokes share a path."""
    paths: list[tuple[MarkKind, str]] = []
    for mark in made.seen(level):
        data = path_of(mark)
        if paths and mark.is_open and paths[-1][0] == mark.kind:
            paths[-1] = (mark.kind, paths[-1][1] + data)
        else:
            paths.append((mark.kind, data))
    return tuple(paths)


SHAPES = {
    "light": "LGT",
    "medium": "MED",
    "heavy": "HVY",
    "assault": "AST",
    "titan": "TTN",
    "vehicle": "VEH",
    "infantry": "INF",
    "drone": "DRN",
    "gun": "GUN",
}
LIKE = {  # kinds of units that share a silhouette
    "light-mech": "light",
    "heavy-mech": "heavy",
    "super-heavy": "titan",
    "track": "vehicle",
    "gun-sentry": "gun",
    "gun-sled": "gun",
    "howitzer-battery": "gun",
    "panzer": "vehicle",
    "apc": "vehicle",
    "gunship": "drone",
    "commandos": "infantry",
    "size-0": "medium",
    "size-1": "heavy",
    "size-2": "assault",
    "size-3": "titan",
    "size-4": "titan",
    "size-5": "titan",
    "ms": "medium",
    "super-robot": "heavy",
    "kaiju": "titan",
    "tank": "vehicle",
    "warship": "drone",
    "militia": "light",
    "scout": "light",
    "standard": "medium",
    "gunner": "medium",
    "striker": "assault",
    "terrestrial": "vehicle",
    "aquatic": "vehicle",
    "aerial": "drone",
    "extraterrestrial": "drone",
}

CODES = {  # letters beside a silhouette, where the default would be another game's word
    "track": "TRK",
    "gun-sentry": "GUN",
    "super-heavy": "SHV",
    **{f"size-{size}": f"S{size}" for size in range(6)},
    "ms": "MS",
    "super-robot": "SR",
    "kaiju": "KJU",
    "tank": "TNK",
    "warship": "SHP",
    "militia": "MIL",
    "scout": "SCT",
    "standard": "STD",
    "gunner": "GNR",
    "striker": "STR",
    "terrestrial": "TER",
    "aquatic": "AQU",
    "aerial": "AIR",
    "extraterrestrial": "EXT",
}


def silhouette(slug: str) -> str:
    """Return the silhouette for a size or kind of unit; empty if there is none."""
    shape = LIKE.get(slug, slug)
    return shape if shape in SHAPES else ""


def code_of(slug: str) -> str:
    """Return the letters beside the silhouette of a size or kind of unit; empty if there are none."""
    return CODES.get(slug) or SHAPES.get(silhouette(slug), "")
