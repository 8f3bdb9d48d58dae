"""The print's own cards and sheets for a browser, where the server has no Pango to make a PDF with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from rosters.printing.cards import card_sides
from rosters.printing.documents import PrintUnit
from rosters.printing.impose import paper_size
from rosters.printing.layout import POKER
from rosters.printing.page_theme import COLOUR
from rosters.printing.systems import PAPER


@dataclass(frozen=True, slots=True)
class ScreenPages:
    """Cards or sheets as HTML, and the sizes that the browser needs, in mm."""

    is_cards: bool
    parts: tuple[str, ...]
    width: float
    height: float
    paper_width: float
    paper_height: float
    theme: str = COLOUR.css()


def screen_pages(units: Sequence[PrintUnit], kind: str, paper: str) -> ScreenPages:
    """Fronts of cards, or sheets, laid out as they would be in the PDF."""
    paper_width, paper_height = paper_size(paper)
    if kind == "cards":
        parts = tuple(front for unit in units for front in card_sides(unit).fronts)
        return ScreenPages(True, parts, POKER.width, POKER.height, paper_width, paper_height)
    sheets = tuple(
        render_to_string(
            PAPER[unit.document.system].sheet_template,
            PAPER[unit.document.system].sheet_context(unit.sheet),
        )
        for unit in units
        if not unit.is_support
    )
    return ScreenPages(False, sheets, paper_width - 24, paper_height - 21, paper_width, paper_height)
