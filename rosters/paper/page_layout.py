"""Pages of paper whose type size depends on their content: laid out, measured, and set smaller if necessary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from rosters.paper.engine import page_document, write_pdf
from rosters.paper.themes import Theme

if TYPE_CHECKING:
    from weasyprint import Document

SMALLEST_PT = 6.0  # of anything on a page
PX = 96 / 25.4  # WeasyPrint's px per mm
STEP = 0.1  # pt
SHARE = 0.72  # smaller type also means fewer lines: height changes with the size to the power of about 1 / SHARE
LOOSE = 0.85  # of a page: a page less full than this is worth another try with larger type
HOPELESS = 0.94  # of the floor: content that needs type smaller than this may take several pages instead
MAX_TRIES = 6
SMALL_TYPE = (72, 75, 80, 85, 90, 95)  # percents of the root size: type that stops shrinking at the smallest size


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What to set, and the limits for it."""

    title: str
    kind: str  # style sheet print-<kind>.css
    body: str
    foot: str = ""  # once, below the body
    width: float  # mm
    height: float
    margin: tuple[float, float, float, float]  # mm: top, right, bottom, left
    theme: Theme
    colour: str = ""  # the company's colour
    size: float = 9.0  # root size in pt to start with
    most: float = 0.0  # largest size, for a page with much room left
    floor: float = SMALLEST_PT  # smallest size; below it the content continues on another page
    flow_size: float | None = None  # the size for content that needs several pages anyway; None: the floor

    @property
    def room(self) -> float:
        """Height of the content of a page, mm."""
        return self.height - self.margin[0] - self.margin[2]


def lay_out_page(frame: Frame) -> Document:
    """Return a WeasyPrint document of a frame: on one page if any size within its limits allows it."""
    size = frame.size
    document = _draw(frame, size)
    for _ in range(MAX_TRIES):
        if len(document.pages) == 1 or size <= frame.floor:
            break
        wanted = size * (frame.room / _used(frame, document)) ** SHARE
        if frame.flow_size and wanted < frame.floor * HOPELESS:
            break
        size = max(frame.floor, min(math.floor(wanted / STEP) * STEP, size - STEP))
        document = _draw(frame, size)
    if len(document.pages) > 1:
        return _draw(frame, frame.flow_size) if frame.flow_size and frame.flow_size != size else document
    share = _used(frame, document) / frame.room
    if size < max(frame.size, frame.most) and share < LOOSE:  # shrunk more than needed, or little text
        larger = min(math.floor(size / share**0.5 / STEP) * STEP, max(frame.size, frame.most))
        if larger > size and len((better := _draw(frame, larger)).pages) == 1:
            return better
    return document


def frame_pdf(frame: Frame) -> bytes:
    """Return the frame laid out as a tagged PDF; the same bytes for the same frame."""
    return write_pdf(lay_out_page(frame))


def page_html(frame: Frame, size: float) -> str:
    top, right, bottom, left = frame.margin
    return render_to_string(
        "print/page.html",
        {
            "frame": frame,
            "theme": frame.theme.css(frame.colour),
            "page": f"size:{frame.width}mm {frame.height}mm;margin:{top}mm {right}mm {bottom}mm {left}mm",
            "size": f"{size:.2f}",
            "small": " ".join(f"--type-{share}: {max(size * share / 100, SMALLEST_PT):.2f}pt;" for share in SMALL_TYPE),
        },
    )


def _draw(frame: Frame, size: float) -> Document:
    return page_document(page_html(frame, size))


def _used(frame: Frame, document: Document) -> float:
    """Return the height in mm of the content, summed over all pages."""
    at = len(document.pages) - 1
    place = document.pages[at].anchors.get("end")
    below = place[1] / PX - frame.margin[0] if place else 0.0
    return at * frame.room + max(below, 1.0)
