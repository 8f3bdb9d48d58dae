"""Draws card sides as PDF pages, directly into WeasyPrint's page stream.

A `CardPage` contains the position of each line of text and each stroke, so it needs no HTML, CSS or layout engine,
which would take ten times as long. We use only WeasyPrint's typesetting: Pango for kerning, shaping and fallback fonts,
and the PDF writer, which embeds subsets of the fonts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from rosters.card_layout import CardPage, TextBox
from rosters.card_layout.page import CONTROLS
from rosters.paper.engine import STATIC_DIR, fetcher, missing_glyphs, weasyprint
from rosters.paper.themes import THEMES, Theme, ThemeName
from rosters.paper.unit_artwork import paint
from rosters.paper.weasyprint_inside import LineOfType, pages_pdf, trace_curves
from systems.paper.metrics import FontKey

if TYPE_CHECKING:
    from weasyprint.text.fonts import FontConfiguration

    from rosters.paper.weasyprint_inside import Stream

PX_PER_MM = 96 / 25.4
PX_PER_PT = 96 / 72
STAND_INS = ("Noto Sans", "Noto Sans CJK JP", "DejaVu Sans Condensed", "DejaVu Sans", "sans-serif")
FAMILIES: dict[FontKey, tuple[int, tuple[str, ...]]] = {
    "text": (500, ("Muster Condensed", "Muster Other", *STAND_INS)),
    "head": (700, ("Muster Head", "Muster Other Head", *STAND_INS)),
}
COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
STRAIGHT = frozenset("MmLlHhVvZz")


def draw_pages(pages: Sequence[CardPage], theme: ThemeName = "colour", bleed: float = 0.0) -> tuple[bytes, list[str]]:
    """Return a PDF of these sides, and for each side the characters that no font has.

    Pages are larger than the card by the bleed (mm) on all sides.
    """
    sheets = [_Side(page, THEMES[theme], bleed) for page in pages]
    pdf = pages_pdf(sheets, _fonts())
    return pdf, [sheet.missing for sheet in sheets]


class _Side:
    """A card side with the interface of a WeasyPrint page; sizes in CSS pixels."""

    bookmarks: Sequence[object] = ()
    links: Sequence[object] = ()
    anchors: dict[str, object] = {}
    forms: dict[object, list[object]] = {None: []}
    bleed = {"top": 0, "right": 0, "bottom": 0, "left": 0}  # of the PDF boxes; unused, because imposing clips the page

    def __init__(self, page: CardPage, theme: Theme, bleed: float) -> None:
        self.page, self.theme, self.edge = page, theme, bleed
        self.width = (page.size.width + 2 * bleed) * PX_PER_MM
        self.height = (page.size.height + 2 * bleed) * PX_PER_MM
        self.missing = ""

    def paint(self, stream: Stream, scale: float = 1) -> None:
        """Draw the side into a PDF page stream."""
        with stream.stacked():
            unit = scale * PX_PER_MM
            stream.transform(a=unit, d=unit, e=self.edge * unit, f=self.edge * unit)
            self._band(stream)
            for kind, paths in self.page.art.items():
                self._art(stream, kind, "".join(paths))
            for picture in self.page.pictures:
                paint(stream, picture, self.theme.picture, self.theme.band(self.page.band))
        with stream.stacked(), missing_glyphs() as missing:
            edge = self.edge * PX_PER_MM * scale
            stream.transform(a=scale, d=scale, e=edge, f=edge)
            for text in self.page.texts:
                _draw_text(stream, text, self.theme)
        self.missing = "".join(sorted(missing))

    def _band(self, stream: Stream) -> None:
        """Draw the company's colour along the top edge, into the bleed."""
        colour = self.theme.band(self.page.band)
        if colour and self.page.band_mm:
            stream.set_color_rgb(*colour)
            stream.rectangle(
                -self.edge, -self.edge, self.page.size.width + 2 * self.edge, self.page.band_mm + self.edge
            )
            stream.fill()

    def _art(self, stream: Stream, kind: str, path: str) -> None:
        """Draw the strokes or filled shapes of one kind; `band` is filled with the company's colour."""
        if stroke := self.theme.strokes.get(kind):
            stream.set_color_rgb(*stroke.colour, stroke=True)
            stream.set_line_width(stroke.width)
            stream.set_dash(stroke.dash, 0)
            trace(stream, path)
            stream.stroke()
        elif colour := self.theme.band(self.page.band) if kind == "band" else self.theme.fills[kind]:
            stream.set_color_rgb(*colour)
            trace(stream, path)
            stream.fill()


# --- strokes and shapes -----------------------------------------------------------------------------------------------


def trace(stream: Stream, path: str) -> None:
    """Add the path of an SVG `d` attribute to the stream.

    WeasyPrint could draw all paths, but slowly; most of ours are straight and are drawn here.
    """
    commands = COMMAND.findall(path)
    if not STRAIGHT.issuperset(letter for letter, _ in commands):
        trace_curves(stream, path)
        return
    x = y = first_x = first_y = 0.0
    for letter, rest in commands:
        numbers = [float(number) for number in NUMBER.findall(rest)]
        is_relative = letter.islower()
        match letter.upper():
            case "Z":
                stream.close()
                x, y = first_x, first_y
            case "H":
                for number in numbers:
                    x = x + number if is_relative else number
                    stream.line_to(x, y)
            case "V":
                for number in numbers:
                    y = y + number if is_relative else number
                    stream.line_to(x, y)
            case _:
                for at in range(0, len(numbers), 2):
                    x = x + numbers[at] if is_relative else numbers[at]
                    y = y + numbers[at + 1] if is_relative else numbers[at + 1]
                    if letter in "Mm" and at == 0:
                        stream.move_to(x, y)
                        first_x, first_y = x, y
                    else:
                        stream.line_to(x, y)


# --- text -------------------------------------------------------------------------------------------------------------


def _draw_text(stream: Stream, text: TextBox, theme: Theme) -> None:
    if text.turned:
        with stream.stacked():
            right, bottom = 2 * text.x + text.width, 2 * text.y + text.leading * len(text.lines)
            stream.transform(a=-1, d=-1, e=right * PX_PER_MM, f=bottom * PX_PER_MM)
            _draw_text(stream, replace(text, turned=False), theme)
        return
    face = _face(text.font, text.size, text.direction)
    stream.set_color_rgb(*theme.tones[text.tone])
    for at, line in enumerate(text.lines):
        if not line.strip():
            continue
        face.set(line.translate(CONTROLS))
        x = text.x * PX_PER_MM
        if text.align != "left":
            slack = text.width * PX_PER_MM - face.width
            x += slack if text.align == "right" else slack / 2
        y = (text.y + (at + 0.5) * text.leading) * PX_PER_MM + face.below_middle
        if face.draw(stream, x, y):
            stream.set_color_rgb(*theme.tones[text.tone])


@lru_cache(maxsize=1)
def _fonts() -> FontConfiguration:
    """Return the configuration of our own fonts and the system's."""
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    weasyprint().CSS(filename=str(STATIC_DIR / "css" / "print-fonts.css"), font_config=fonts, url_fetcher=fetcher())
    return fonts


@lru_cache(maxsize=256)
def _face(font: FontKey, size: float, direction: str) -> LineOfType:
    """Return the style of a line of text at this size in pt."""
    weight, families = FAMILIES[font]
    return LineOfType(_fonts(), families, weight, size * PX_PER_PT, direction)


def forget_fonts() -> None:
    """Free the fonts, so that WeasyPrint deletes its temporary folder before the process ends."""
    _face.cache_clear()
    _fonts.cache_clear()
