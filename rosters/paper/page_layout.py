"""A page of paper that its content decides the type size of: laid out, measured, set smaller where it must be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from rosters.paper.engine import page_document, write_pdf
from rosters.paper.themes import Theme

if TYPE_CHECKING:
    from weasyprint import Document

SMALLEST_PT = 6.0  # that anything on a page is set in
PX = 96 / 25.4  # WeasyPrint's px in a mm
STEP = 0.1  # pt
SHARE = 0.72  # lines grow shorter and fewer: height goes with the size to the power of about 1 / SHARE
LOOSE = 0.85  # of a page: less than this is worth another try with larger type
HOPELESS = 0.94  # of the floor: a size that content must not ask for, if it may as well take several pages
MAX_TRIES = 6
SMALL_TYPE = (72, 75, 80, 85, 90, 95)  # percents of the root size: type that stops shrinking at the least


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What is set, and within which bounds."""

    title: str
    kind: str  # style sheet print-<kind>.css
    body: str
    foot: str = ""  # said once, below the body
    width: float  # mm
    height: float
    margin: tuple[float, float, float, float]  # mm: top, right, bottom, left
    theme: Theme
    colour: str = ""  # of the company
    size: float = 9.0  # root size in pt to begin with
    most: float = 0.0  # as large as this if the page would be left empty otherwise
    floor: float = SMALLEST_PT  # no smaller than this; then the content goes on to a further page
    flow_size: float | None = None  # the size for content that takes several pages anyway; None: the floor

    @property
    def room(self) -> float:
        """Height of the content of a page, mm."""
        return self.height - self.margin[0] - self.margin[2]


def lay_out_page(frame: Frame) -> Document:
    """WeasyPrint's document of a frame: on one page if any size between its bounds allows that."""
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
    if size < max(frame.size, frame.most) and share < LOOSE:  # shrunk more than it needed, or little to say
        larger = min(math.floor(size / share**0.5 / STEP) * STEP, max(frame.size, frame.most))
        if larger > size and len((better := _draw(frame, larger)).pages) == 1:
            return better
    return document


def frame_pdf(frame: Frame) -> bytes:
    """The frame laid out, as a tagged PDF; the same bytes for the same frame."""
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
    """Height in mm that the content takes, one page after the other."""
    at = len(document.pages) - 1
    place = document.pages[at].anchors.get("end")
    below = place[1] / PX - frame.margin[0] if place else 0.0
    return at * frame.room + max(below, 1.0)
