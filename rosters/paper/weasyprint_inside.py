"""All uses of WeasyPrint's private interface. No other module uses its internals.

To update WeasyPrint, change the pinned version, and run `tests/rosters/paper/test_weasyprint_inside.py`, which checks
the names in USED, and `test_drawing.py`, which checks the drawings.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING

from rosters.paper.engine import fetcher, no_collection, weasyprint

if TYPE_CHECKING:
    from weasyprint.pdf.stream import Stream as Stream

USED = {  # the parameters that we pass, by name
    "document.Document": "pages metadata url_fetcher font_config color_profiles output_intent",  # accepts our own pages
    "pdf.metadata.DocumentMetadata": "",
    "pdf.stream.Stream": "",  # for painting pages
    "pdf.stream.Stream.begin_text": "",
    "pdf.stream.Stream.close": "",
    "pdf.stream.Stream.end_text": "",
    "pdf.stream.Stream.fill": "",
    "pdf.stream.Stream.line_to": "x y",
    "pdf.stream.Stream.move_to": "x y",
    "pdf.stream.Stream.rectangle": "x y width height",
    "pdf.stream.Stream.set_color_rgb": "r g b stroke",
    "pdf.stream.Stream.set_dash": "dash_array dash_phase",
    "pdf.stream.Stream.set_line_width": "width",
    "pdf.stream.Stream.stacked": "",
    "pdf.stream.Stream.stroke": "",
    "pdf.stream.Stream.transform": "a d e f",
    "css.properties.INITIAL_VALUES": "",  # initial values of a style
    "svg.text.Style": "",  # a style without a page
    "svg.text.TextBox": "pango_layout style",  # a line without a page
    "svg.path.path": "svg node font_size",  # curves
    "text.line_break.Layout": "style",  # Pango's layout of a line: kerning, shaping, fallback fonts
    "text.line_break.line_size": "line style",
    "text.ffi.FROM_UNITS": "",
    "text.ffi.ffi": "",
    "text.ffi.fontconfig": "",
    "text.ffi.harfbuzz": "",
    "text.ffi.pango": "",
    "draw.text.draw_first_line": "stream textbox text_overflow block_ellipsis matrix",
    "draw.text.draw_emojis": "stream style x y emojis",
    "matrix.Matrix": "d e f",
}


def pages_pdf(pages: Sequence[object], fonts: object) -> bytes:
    """Return a PDF of pages that paint themselves; they need the interface of WeasyPrint's pages."""
    from weasyprint.document import Document
    from weasyprint.pdf.metadata import DocumentMetadata

    with no_collection():
        document = Document(pages, DocumentMetadata(), fetcher(), fonts, {}, None)
        pdf: bytes = document.write_pdf()
    return pdf


def trace_curves(stream: Stream, path: str) -> None:
    """Add the path of any SVG `d` attribute to the stream."""
    from weasyprint.svg.path import path as trace

    svg = SimpleNamespace(stream=stream, point=lambda x, y, _size: (float(x), float(y)))
    trace(svg, SimpleNamespace(get={"d": path}.get, vertices=deque()), 0)


class LineOfType:
    """A line of text in one style, which is reused for many texts; lengths are in CSS pixels."""

    def __init__(self, fonts: object, families: Sequence[str], weight: int, size: float, direction: str) -> None:
        from weasyprint.css.properties import INITIAL_VALUES
        from weasyprint.svg.text import Style, TextBox
        from weasyprint.text.ffi import FROM_UNITS, pango
        from weasyprint.text.line_break import Layout

        self._style = Style(INITIAL_VALUES)
        self._style.font_config = fonts
        self._style |= {"font_family": families, "font_weight": weight, "font_size": size, "direction": direction}
        self._layout = Layout(self._style)
        self._layout.set_text("x")
        _, height = self._size()
        self._box = TextBox(self._layout, self._style)
        self._box.baseline = pango.pango_layout_get_baseline(self._layout.layout) * FROM_UNITS
        # Lines use the baseline of this font even if another font replaces it.
        self.below_middle = self._box.baseline - height / 2

    def set(self, text: str) -> None:
        self._layout.set_text(text)

    @property
    def width(self) -> float:
        """The width of the current text."""
        return self._size()[0]

    def draw(self, stream: Stream, x: float, y: float) -> bool:
        """Draw the text from this point on its baseline; return whether it has emojis, which change the colour."""
        from weasyprint.draw.text import draw_emojis, draw_first_line
        from weasyprint.matrix import Matrix

        stream.begin_text()
        emojis = draw_first_line(stream, self._box, "none", "none", Matrix(d=-1, e=x, f=y))
        stream.end_text()
        if emojis:
            draw_emojis(stream, self._style, x, y, emojis)
        return bool(emojis)

    def _size(self) -> tuple[float, float]:
        from weasyprint.text.line_break import line_size

        width, height = line_size(self._layout.get_first_line()[0], self._style)
        return width, height


def versions() -> dict[str, str]:
    """Return the versions of WeasyPrint's drawing libraries, and the number of system fonts that can replace ours."""
    weasyprint()
    from weasyprint.text.ffi import ffi, fontconfig, harfbuzz, pango

    config = ffi.gc(fontconfig.FcInitLoadConfigAndFonts(), fontconfig.FcConfigDestroy)
    return {
        "pango": str(pango.pango_version()),
        "harfbuzz": _harfbuzz(harfbuzz.hb_version_atleast),
        "system fonts": str(fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem).nfont),
    }


def _harfbuzz(is_at_least: Callable[[int, int, int], bool]) -> str:
    """Return the version of HarfBuzz, found by comparisons, because WeasyPrint offers nothing else."""
    found: tuple[int, ...] = ()
    for _ in range(3):
        parts = (part for part in count() if not is_at_least(*(*found, part + 1, 0, 0)[:3]))
        found += (next(parts),)
    return ".".join(map(str, found))
