"""A side of a card ready to be drawn: text, strokes and shapes in mm, and its type sizes.

Silhouettes are the same shapes as on the screen, from `static/img/counters.svg`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from systems.artwork import Drawing
from systems.paper.metrics import MM_PER_PT, FontKey, direction_of

Align = Literal["left", "center", "right"]
Tone = Literal["ink", "soft", "signal"]
Direction = Literal["ltr", "rtl"]
CONTROLS = dict.fromkeys(
    (*range(32), *range(127, 160), 8232, 8233), " "
)  # control characters, which are replaced by spaces


@dataclass(frozen=True, slots=True)
class CardSize:
    """A card format in mm; no text or stroke is nearer than `safe` to an edge."""

    slug: str
    width: float
    height: float
    safe: float
    unit: float = 1.0  # the size of type, boxes and spacing, relative to a poker card
    scales: tuple[float, ...] = (
        1.15,
        1.07,
        1.0,
        0.94,
        0.88,
        0.84,
        0.78,
        0.74,
        0.7,
        0.66,
        0.62,
    )  # from a sparse card down to the smallest allowed
    band: float = 2.2  # height of the strip along the top edge in the company's colour
    folds: bool = False  # whether front and back are always printed side by side, joined at a fold
    has_back: bool = True


POKER = CardSize("poker", 63, 88, 3.2)
TAROT = CardSize("tarot", 70, 120, 3.6, 1.1, (1.15, 1.07, 1.0, 0.94, 0.88, 0.82, 0.78), 2.5)
A7 = CardSize("a7", 74, 105, 3.8, 1.15, (1.15, 1.07, 1.0, 0.94, 0.88, 0.82, 0.76), 2.6)
A6 = CardSize("a6", 105, 148, 5.0, 1.55, (1.12, 1.06, 1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.6, 0.56), 3.4)
SIZES = {size.slug: size for size in (POKER, TAROT, A6, A7)}  # the sizes that a print order may name


@dataclass(frozen=True, slots=True)
class TextBox:
    """The lines of one paragraph.

    `turned` text is upside down, rotated about the middle of the box (its width, and the height of all its lines).
    `direction` is the reading direction of the lines. `align` depends on neither.
    """

    x: float
    y: float
    width: float
    leading: float  # height of a line, mm
    size: float  # pt
    font: FontKey
    align: Align
    tone: Tone
    lines: tuple[str, ...]
    turned: bool = False
    direction: Direction = "ltr"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a unit in a square of `side` mm whose top left corner is at x, y; upside down if `turned`."""

    drawing: Drawing
    x: float
    y: float
    side: float
    turned: bool = False


@dataclass(slots=True)
class CardPage:
    """One side of one card.

    `art` is path data by kind. Strokes: hair, faint, bar, box, hot, mark, fold (a dashed fold line). Filled: shape
    (silhouettes, arrows), qr (the dark modules of a QR code, always black on white). `band` is the company's colour, or
    empty. It fills a strip of `band_mm` along the whole top edge and into the bleed, which has no text or strokes.
    """

    size: CardSize
    texts: list[TextBox] = field(default_factory=list)
    art: dict[str, list[str]] = field(default_factory=dict)
    band: str = ""
    band_mm: float = 0.0
    pictures: list[Picture] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    def text_content(self) -> str:
        """Return the text of the side in reading order, one line per part."""
        return "\n".join(self.sentences)

    def say(self, *sentences: str) -> None:
        self.sentences += filter(None, sentences)

    def text(
        self,
        x: float,
        y: float,
        width: float,
        lines: Sequence[str],
        size: float,
        leading: float,
        font: FontKey = "text",
        align: Align = "left",
        tone: Tone = "ink",
        *,
        turned: bool = False,
    ) -> None:
        if any(lines):
            direction = direction_of("".join(lines))
            self.texts.append(TextBox(x, y, width, leading, size, font, align, tone, tuple(lines), turned, direction))

    def columns(
        self,
        x: float,
        y: float,
        pitch: float,
        values: Sequence[str],
        size: float,
        leading: float,
        font: FontKey = "text",
        tone: Tone = "ink",
    ) -> None:
        """Add short texts, each centred in a column `pitch` mm wide."""
        for at, value in enumerate(values):
            self.text(x + at * pitch, y, pitch, (value,), size, leading, font, "center", tone)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = "hair") -> None:
        self.path(stroke, f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}")

    def box(self, x: float, y: float, side: float, *, is_marked: bool = False, is_hot: bool = False) -> None:
        self.path("hot" if is_hot else "box", f"M{x:.2f} {y:.2f}h{side:.2f}v{side:.2f}h-{side:.2f}z")
        if is_marked:
            far = side * 0.86
            near = side - far
            self.path(
                "mark",
                f"M{x + near:.2f} {y + near:.2f}L{x + far:.2f} {y + far:.2f}"
                f"M{x + far:.2f} {y + near:.2f}L{x + near:.2f} {y + far:.2f}",
            )

    def path(self, kind: str, data: str) -> None:
        self.art.setdefault(kind, []).append(data)


SMALLEST_PT = 6.0  # the smallest type on a card
FINE_PT = SMALLEST_PT  # for labels and for figures in boxes
MIN_HEAD_SCALE = 0.84  # below this scale the head gets smaller, and two short lines share one
COLUMN_GAP_MM = 2.0  # between two columns
MIN_BOX_MM = 3.0  # the smallest box that can be crossed out with a pencil


@dataclass(frozen=True, slots=True)
class Piece:
    """An indivisible part of a block: its height in mm, a function to draw it, and its text for screen readers.

    `draw` gets the page and the piece's top edge. Most pieces are only measured, at scales that turn out not to fit, so
    slow work belongs in `draw` and `describe`.
    """

    height: float
    draw: Callable[[CardPage, float], None]
    describe: Callable[[], str] = str
    heading: Piece | None = None  # drawn again above this piece when it starts a continuation card
    keeps_with_next: bool = False

    def put(self, page: CardPage, y: float) -> float:
        """Draw the piece at this y; return the y below it."""
        self.draw(page, y)
        page.say(self.describe())
        return y + self.height


class Measure:
    """The room on a card and its sizes at one scale. `mm` and `pt` convert the sizes of a poker card at scale 1."""

    def __init__(self, size: CardSize, scale: float) -> None:
        self.size = size
        self.factor = size.unit * scale
        self.is_crowded = scale < MIN_HEAD_SCALE
        self.left = size.safe
        self.right = size.width - size.safe
        self.width = self.right - self.left
        self.top = size.safe
        self.bottom = size.height - size.safe

    @property
    def half(self) -> Measure:
        """The left half of the room."""
        return self._part(self.left, self.left + (self.width - self.mm(COLUMN_GAP_MM)) / 2)

    @property
    def other_half(self) -> Measure:
        return self._part(self.right - (self.width - self.mm(COLUMN_GAP_MM)) / 2, self.right)

    def _part(self, left: float, right: float) -> Measure:
        part = copy(self)
        part.left, part.right, part.width = left, right, right - left
        return part

    def mm(self, length: float) -> float:
        return length * self.factor

    def pt(self, points: float) -> float:
        """Return the type size of text, which is never scaled below SMALLEST_PT."""
        return max(points * self.factor, min(points, SMALLEST_PT))

    def fine(self, points: float) -> float:
        """Return the type size of labels, which are not scaled down."""
        return max(points * self.factor, points)

    def box(self, length: float) -> float:
        """Return the side in mm of a box to cross out, which is at least MIN_BOX_MM."""
        return max(length * self.factor, MIN_BOX_MM)

    @staticmethod
    def leading(points: float, lines: float = 1.16) -> float:
        """Return the height in mm of a line of this type size."""
        return points * MM_PER_PT * lines


SILHOUETTES_FILE = Path(__file__).resolve().parents[2] / "static" / "img" / "counters.svg"
SILHOUETTE_SIDE = 64.0  # side of the square in which silhouettes are defined
CORNERS = 12  # corners that replace a semicircle
_STEP = re.compile(r"([MLaz])([^MLaz]*)")


@lru_cache(maxsize=1)
def _shapes() -> dict[str, str]:
    """Return the silhouettes' path data by name."""
    source = SILHOUETTES_FILE.read_text(encoding="utf-8")
    return dict(re.findall(r'<symbol id="(\w+)"[^>]*><path [^>]*d="([^"]+)"', source))


@lru_cache(maxsize=512)
def silhouette_path(shape: str, x: float, y: float, side: float, *, turned: bool = False) -> str:
    """Return the path of a silhouette in a square of `side` mm with this top left corner; empty if it is unknown."""
    scale = -side / SILHOUETTE_SIDE if turned else side / SILHOUETTE_SIDE
    left, top = (x + side, y + side) if turned else (x, y)
    parts = []
    for step, numbers in _STEP.findall(_shapes().get(shape, "")):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        match step:
            case "a":
                across, along, *flags, right, down = values
                kept = " ".join(f"{flag:.0f}" for flag in flags)
                parts.append(
                    f"a{across * abs(scale):.3f} {along * abs(scale):.3f} {kept} {right * scale:.3f} {down * scale:.3f}"
                )
            case "z":
                parts.append("z")
            case _:
                parts.append(f"{step}{left + values[0] * scale:.3f} {top + values[1] * scale:.3f}")
    return "".join(parts)


@lru_cache(maxsize=64)
def silhouette_outlines(shape: str) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return a silhouette's outlines in a square of SILHOUETTE_SIDE, with curves as polygons; empty if unknown."""
    outlines: list[list[tuple[float, float]]] = []
    for step, numbers in _STEP.findall(_shapes().get(shape, "")):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if step == "M":
            outlines.append([(values[0], values[1])])
        elif step == "L":
            outlines[-1].append((values[0], values[1]))
        elif step == "a":  # half a circle or ellipse, to a point relative to this one
            across, along, _, _, sweep, right, down = values
            x, y = outlines[-1][-1]
            begins = math.atan2(-down / 2 / along, -right / 2 / across)
            turn = math.pi / CORNERS * (1 if sweep else -1)
            outlines[-1] += [
                (
                    x + right / 2 + across * math.cos(begins + at * turn),
                    y + down / 2 + along * math.sin(begins + at * turn),
                )
                for at in range(1, CORNERS + 1)
            ]
    return tuple(tuple(outline) for outline in outlines)
