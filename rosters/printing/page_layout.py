"""A page of paper that its content decides the type size of: laid out, measured, set smaller where it must be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from rosters.printing.engine import page_document
from rosters.printing.page_theme import Theme, company_css

PX = 96 / 25.4  # WeasyPrint's px in a mm
PT = 25.4 / 72
NOTE_REM = 1.98  # height of a line to write on
NOTES_HEAD_REM = 2.6
STEP = 0.1  # pt
SHARE = 0.72  # lines grow shorter and fewer: height goes with the size to the power of about 1 / SHARE
MOST_TRIES = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What is set, and within which bounds. Its body marks its ends: an element with an id of `end-...` each."""

    title: str
    kind: str  # style sheet print-<kind>.css
    body: Callable[[int], str]  # the HTML with that many lines for notes
    width: float  # mm
    height: float
    margin: tuple[float, float, float, float]  # mm: top, right, bottom, left
    theme: Theme
    colour: str = ""  # of the company
    size: float = 9.0  # root size in pt to begin with
    floor: float = 5.0  # no smaller than this; then the content goes on to a further page
    flow_size: float | None = None  # the size for content that takes several pages anyway; None: the floor
    note_lines: int = 0  # to write on, as far as there is room

    @property
    def room(self) -> float:
        """Height of the content of a page, mm."""
        return self.height - self.margin[0] - self.margin[2]


def lay_out_page(frame: Frame) -> Any:
    """WeasyPrint's document of a frame: on one page if any size between its bounds allows that."""
    size, notes = frame.size, frame.note_lines
    document = _draw(frame, size, notes)
    for _ in range(MOST_TRIES):
        if len(document.pages) == 1:
            return document
        used = _used(frame, document)
        if notes:
            bare = used - (notes * NOTE_REM + NOTES_HEAD_REM) * size * PT
            spare = (frame.room - bare) / (size * PT) - NOTES_HEAD_REM
            notes = min(notes - 1, max(0, math.floor(spare / NOTE_REM)))
            used = bare
        elif size <= frame.floor:
            break
        if used > frame.room or not notes:
            wanted = size * min(1.0, (frame.room / used)) ** SHARE
            shrunk = math.floor(wanted / STEP) * STEP
            size = max(frame.floor, min(shrunk, size - STEP) if used > frame.room else size)
        document = _draw(frame, size, notes)
    if len(document.pages) > 1 and frame.flow_size:
        document = _draw(frame, frame.flow_size, 0)
    return document


def page_html(frame: Frame, size: float, notes: int = 0) -> str:
    top, right, bottom, left = frame.margin
    return render_to_string(
        "print/page.html",
        {
            "frame": frame,
            "theme": frame.theme.css() + company_css(frame.theme, frame.colour),
            "page": f"size:{frame.width}mm {frame.height}mm;margin:{top}mm {right}mm {bottom}mm {left}mm",
            "size": f"{size:.2f}",
            "body": frame.body(notes),
        },
    )


def _draw(frame: Frame, size: float, notes: int) -> Any:
    return page_document(page_html(frame, size, notes))


def _used(frame: Frame, document: Any) -> float:
    """Height in mm that the content takes on one page after the other."""
    ends = [
        at * frame.room + place[1] / PX - frame.margin[0]
        for at, page in enumerate(document.pages)
        for name, place in page.anchors.items()
        if name.startswith("end-")
    ]
    return max([*ends, (len(document.pages) - 1) * frame.room + 1])
