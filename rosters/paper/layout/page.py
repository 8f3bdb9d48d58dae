"""A side of a card as it will be drawn: text, strokes and filled shapes, each placed in mm from the top left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from systems.paper.bodies import Drawing
from systems.paper.metrics import FontKey, direction_of

Align = Literal["left", "center", "right"]
Tone = Literal["ink", "soft", "signal"]
Direction = Literal["ltr", "rtl"]
CONTROLS = dict.fromkeys((*range(32), *range(127, 160), 8232, 8233), " ")  # characters that are replaced by spaces


@dataclass(frozen=True, slots=True)
class CardSize:
    """A card format, in mm; `safe` is kept free of text and strokes along every edge."""

    slug: str
    width: float
    height: float
    safe: float
    unit: float = 1.0  # how much larger type, boxes and spacing are than on a poker card
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
    folds: bool = False  # front and back are joined at a fold, however the rest is printed
    has_back: bool = True


POKER = CardSize("poker", 63, 88, 3.2)
TAROT = CardSize("tarot", 70, 120, 3.6, 1.1, (1.15, 1.07, 1.0, 0.94, 0.88, 0.82, 0.78), 2.5)
A7 = CardSize("a7", 74, 105, 3.8, 1.15, (1.15, 1.07, 1.0, 0.94, 0.88, 0.82, 0.76), 2.6)
A6 = CardSize("a6", 105, 148, 5.0, 1.55, (1.12, 1.06, 1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.6, 0.56), 3.4)
SIZES = {size.slug: size for size in (POKER, TAROT, A6, A7)}  # those that a print may request


@dataclass(frozen=True, slots=True)
class TextBox:
    """Lines of one paragraph.

    `turned`: upside down, rotated by half a turn about the middle of the box (its width by all of its lines).
    `direction`: the direction in which each line runs; `align` is independent of both.
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
    """A picture of a unit in a square of `side` mm with that top left corner. `turned`: upside down."""

    drawing: Drawing
    x: float
    y: float
    side: float
    turned: bool = False


@dataclass(slots=True)
class CardPage:
    """One side of one card.

    `art` is path data by kind. Strokes: hair, faint, bar, box, hot, mark, fold (a fold line, dashed). Filled: shape
    (silhouettes, arrows), qr (a code's dark modules; always black on white). `band` is the company's colour, or empty:
    a strip of `band_mm` along the whole top edge, into the bleed; no text or stroke is placed on it.
    """

    size: CardSize
    texts: list[TextBox] = field(default_factory=list)
    art: dict[str, list[str]] = field(default_factory=dict)
    band: str = ""
    band_mm: float = 0.0
    pictures: list[Picture] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def text_content(self) -> str:
        """Return the text of the side, one line per part, in reading order."""
        return "\n".join(self.said)

    def say(self, *sentences: str) -> None:
        self.said += filter(None, sentences)

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
