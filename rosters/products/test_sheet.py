"""A printer's test sheet: players fold it, and read the printer's offsets where the creases cross the scales.

Folding edge to edge finds the middle of the paper without a ruler. The scales don't move with the saved offsets, so a
reading is always the complete offset. Everything else on the sheet moves with the offsets, like cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal
from urllib.parse import quote

from django.template.loader import render_to_string

from rosters.paper.documents import PrintSettings, Shift
from rosters.paper.engine import open_pdf, page_document, write_pdf
from rosters.paper.sheets import paper_size
from rosters.products.base import Item, Placed, Product

TITLE = "Printer test sheet"
REACH_MM = 10  # length of a scale on each side of the middle
CROSS_MM = 20.0  # distance of a corner cross from both edges of the paper
RULE_MM = 100.0
LEVEL_SCALE_Y = 84.0
UPRIGHT_SCALE_X = 46.0
STYLE = (
    "path{fill:none;stroke:#20231a;stroke-width:.12}.whole{stroke-width:.2}.zero{stroke-width:.32}.solid{fill:#20231a;"
    "stroke:none}text{fill:#20231a;font-family:'Muster Text'}"
)
CORNERS = {"front": "ABCD", "long-edge": "BADC", "short-edge": "CDAB"}  # top left, top right, bottom left, bottom right
TURNING = {"long-edge": "the long edge", "short-edge": "the short edge"}


class AlignmentItem(Item):
    """A printer's test sheet; the settings contain the offsets."""

    what: Literal["test-sheet"]


class TestSheet(Product[AlignmentItem]):
    slug, item = "test-sheet", AlignmentItem
    __test__ = False

    def of_printer(self) -> Item:
        return AlignmentItem(what="test-sheet")

    def pages(self, settings: PrintSettings) -> int:
        return 2 if settings.is_two_sided else 1

    def look(self, item: AlignmentItem) -> set[str]:
        return {"backs", "front", "back"}

    def pdf(self, placed: Sequence[Placed[AlignmentItem]], settings: PrintSettings) -> bytes:
        return test_sheet(settings)


def test_sheet(settings: PrintSettings) -> bytes:
    """Return a tagged PDF with these settings' offsets: one page, or front and back if backs are printed."""
    from rosters.paper.pdf_structure import pdf_bytes, set_print_preferences, write_metadata

    with open_pdf(write_pdf(page_document(test_sheet_html(settings)))) as opened:
        set_print_preferences(opened, settings.backs)
        write_metadata(opened, TITLE)
        return pdf_bytes(opened)


test_sheet.__test__ = False  # type: ignore[attr-defined]


def test_sheet_html(settings: PrintSettings) -> str:
    width, height = paper_size(settings.paper)
    sides = [_side("Front", settings.front, CORNERS["front"], (width, height))]
    if settings.backs in TURNING:
        sides.append(_side("Back", settings.back, CORNERS[settings.backs], (width, height)))
    context = {
        "title": TITLE,
        "sides": sides,
        "width": width,
        "height": height,
        "paper": "A4" if settings.paper == "a4" else settings.paper.title(),
        "turning": TURNING.get(settings.backs, ""),
        "cross": CROSS_MM,
        "rule": RULE_MM,
    }
    return render_to_string("print/test_sheet.html", context)


test_sheet_html.__test__ = False  # type: ignore[attr-defined]


def _side(name: str, shift: Shift, corners: str, paper: tuple[float, float]) -> dict[str, object]:
    return {
        "name": name,
        "is_front": name == "Front",
        "shift": shift,
        "drawing": "data:image/svg+xml," + quote(_drawing(shift, corners, *paper)),
        "alt": (
            f"{name}: a level scale for x near the top, an upright scale for y at the left, both from "
            f"-{REACH_MM} to {REACH_MM} mm in steps of half a millimetre; a lettered cross in each corner; a line of "
            f"{RULE_MM:g} mm at the bottom."
        ),
    }


def _drawing(shift: Shift, corners: str, width: float, height: float) -> str:
    """Return the drawing of one side. The scales are fixed; the rest moves with the offsets."""
    moving = "".join([*_crosses(corners, width, height), _rule(width, height)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}mm" height="{height}mm">'
        f"<style>{STYLE}</style>{''.join(_scales(width / 2, height / 2))}"
        f"{_pointers(width / 2 + shift.x, height / 2 + shift.y)}"
        f'<g transform="translate({shift.x:g} {shift.y:g})">{moving}</g></svg>'
    )


def _scales(x: float, y: float) -> Iterator[str]:
    """Yield both scales, with zero in the middle of the paper, and positive numbers to the right and down."""
    for half in range(-2 * REACH_MM, 2 * REACH_MM + 1):
        at = half / 2
        length = 9.0 if half == 0 else 6.5 if half % 10 == 0 else 4.5 if half % 2 == 0 else 2.6
        kind = "zero" if half == 0 else "whole" if half % 2 == 0 else "half"
        yield f'<path class="{kind}" d="M{x + at:g} {LEVEL_SCALE_Y}v{-length:g}M{UPRIGHT_SCALE_X} {y + at:g}h{-length:g}"/>'
        if half % 10 == 0:
            label = f"+{at:g}" if at > 0 else f"{at:g}".replace("-", "\u2212")
            yield f'<text x="{x + at:g}" y="{LEVEL_SCALE_Y - length - 1.2:g}" font-size="3.2" text-anchor="middle">{label}</text>'
            yield f'<text x="{UPRIGHT_SCALE_X - length - 1:g}" y="{y + at + 1.15:g}" font-size="3.2" text-anchor="end">{label}</text>'
    yield (
        f'<path class="whole" d="M{x - REACH_MM:g} {LEVEL_SCALE_Y}h{2 * REACH_MM}'
        f'M{UPRIGHT_SCALE_X} {y - REACH_MM:g}v{2 * REACH_MM}"/>'
        f'<text x="{x - REACH_MM - 7:g}" y="{LEVEL_SCALE_Y - 1:g}" font-size="6" font-weight="600" text-anchor="end">x</text>'
        f'<text x="{UPRIGHT_SCALE_X - 3:g}" y="{y - REACH_MM - 6:g}" font-size="6" font-weight="600" text-anchor="middle">y</text>'
    )


def _pointers(x: float, y: float) -> str:
    """Return the triangles beside the scales that show the current offsets."""
    return (
        f'<path class="solid" d="M{x:g} {LEVEL_SCALE_Y + 0.7}l1.6 3.2h-3.2z'
        f'M{UPRIGHT_SCALE_X + 0.7} {y:g}l3.2 1.6v-3.2z"/>'
    )


def _crosses(corners: str, width: float, height: float) -> Iterator[str]:
    places = product((CROSS_MM, height - CROSS_MM), (CROSS_MM, width - CROSS_MM))
    for letter, (y, x) in zip(corners, places, strict=True):
        inward = 5 if x < width / 2 else -5
        yield f'<path d="M{x - 8:g} {y:g}h16M{x:g} {y - 8:g}v16"/><path d="M{x - 3:g} {y:g}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0"/>'
        yield f'<text x="{x + inward:g}" y="{y + 7.5:g}" font-size="5" font-weight="600" text-anchor="middle">{letter}</text>'


def _rule(width: float, height: float) -> str:
    y = height - 28
    ticks = "".join(f"M{(width - RULE_MM) / 2 + at:g} {y - 1.5:g}v3" for at in range(10, int(RULE_MM), 10))
    ends = "".join(f"M{(width + sign * RULE_MM) / 2:g} {y - 3.5:g}v7" for sign in (-1, 1))
    return f'<path class="whole" d="M{(width - RULE_MM) / 2:g} {y:g}h{RULE_MM:g}{ends}"/><path d="{ticks}"/>'
