"""The print's own cards and sheets for a browser, where the server has no Pango to make a PDF with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from urllib.parse import quote

from django.template.loader import render_to_string

from rosters.printing.documents import PrintUnit
from rosters.printing.faces import sides_of
from rosters.printing.impose import paper_size
from rosters.printing.layout import POKER, CardPage, TextBox
from rosters.printing.metrics import is_ours
from rosters.printing.orders import PrintSettings, UnitItem
from rosters.printing.systems import PAPER

ART_STYLE = (
    "path{fill:none;stroke:#20231a}"
    ".hair{stroke-width:.18}.faint{stroke-width:.1;stroke:#a9a28d}.bar{stroke-width:.7}"
    ".box{stroke-width:.22}.hot{stroke-width:.22;stroke:#a8370b;stroke-dasharray:.7 .5}.mark{stroke-width:.4}"
)
TONES = {"ink": "", "soft": " soft", "signal": " signal"}
ALIGNS = {"left": "", "center": " c", "right": " r"}


@dataclass(frozen=True, slots=True)
class ScreenPages:
    """Cards or sheets as HTML, and the sizes that the browser needs, in mm."""

    is_cards: bool
    parts: tuple[str, ...]
    width: float
    height: float
    paper_width: float
    paper_height: float


def screen_pages(units: Sequence[PrintUnit], kind: str, paper: str) -> ScreenPages:
    """Fronts of cards, or sheets, laid out as they would be in the PDF."""
    paper_width, paper_height = paper_size(paper)
    if kind == "cards":
        settings = PrintSettings()
        items = [UnitItem(what="unit-card", unit=unit.document) for unit in units]
        parts = tuple(page_html(side.front) for item in items for side in sides_of(item, settings))
        return ScreenPages(True, parts, POKER.width, POKER.height, paper_width, paper_height)
    sheets = tuple(
        render_to_string(
            PAPER[unit.document.system].sheet_template,
            {**PAPER[unit.document.system].sheet_context(unit.sheet), "note_lines": ()},
        )
        for unit in units
        if not unit.is_support
    )
    return ScreenPages(False, sheets, paper_width - 24, paper_height - 21, paper_width, paper_height)


def page_html(page: CardPage) -> str:
    """One side as HTML: its strokes as one image, its lines of text in place."""
    width, height = page.size.width, page.size.height
    strokes = "".join(f'<path class="{kind}" d="{"".join(paths)}"/>' for kind, paths in page.art.items())
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}mm" height="{height}mm">'
        f"<style>{ART_STYLE}</style>{strokes}</svg>"
    )
    image = f'<img class="art" alt="" style="width:{width}mm;height:{height}mm" src="data:image/svg+xml,{quote(svg)}">'
    return image + "".join(map(_text_html, page.texts))


def _text_html(text: TextBox) -> str:
    if len(text.lines) > 1 and not is_ours("".join(text.lines), text.font):
        # A borrowed font may stand higher than ours and stretch a line: each line gets its own place.
        return "".join(
            _text_html(replace(text, y=text.y + at * text.leading, lines=(line,))) for at, line in enumerate(text.lines)
        )
    head = " h" if text.font == "head" else ""
    return (
        f'<div class="t{head}{ALIGNS[text.align]}{TONES[text.tone]}" style="left:{text.x:.2f}mm;top:{text.y:.2f}mm;'
        f'width:{text.width:.2f}mm;font-size:{text.size:.2f}pt;line-height:{text.leading:.3f}mm">'
        f"{escape(chr(10).join(text.lines))}</div>"
    )
