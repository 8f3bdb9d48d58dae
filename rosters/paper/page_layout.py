"""Pages whose type size depends on their content, and the parts of pages: frame, halves, foot, QR code."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from django.template.loader import render_to_string

from rosters.paper.documents import PrintSettings, UnitDocument, read_pilot
from rosters.paper.engine import page_document, write_pdf
from rosters.paper.sheets import paper_size
from rosters.paper.themes import THEMES, Theme
from systems import roster_rules
from systems.paper import SystemPaper
from systems.reading import read_system
from systems.roster import AnyRoster, AnySheet
from systems.text import format_signed, pluralize

if TYPE_CHECKING:
    from weasyprint import Document


SMALLEST_PT = 6.0  # the smallest type on a page
PX = 96 / 25.4  # WeasyPrint's px per mm
STEP = 0.1  # pt
SHARE = 0.72  # smaller type also needs fewer lines, so height grows about as the size to the power of 1 / SHARE
LOOSE = 0.85  # a page that is less full than this share is tried again with larger type
HOPELESS = 0.94  # if the type had to be smaller than this share of the floor, content may take several pages instead
MAX_TRIES = 6
SMALL_TYPE = (72, 75, 80, 85, 90, 95)  # type sizes, in percent of the root size, that never get below SMALLEST_PT


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The content of a page, and the limits for its layout."""

    title: str
    kind: str  # the style sheet is print-<kind>.css
    body: str
    foot: str = ""  # printed once, below the body
    width: float  # mm
    height: float
    margin: tuple[float, float, float, float]  # mm: top, right, bottom, left
    theme: Theme
    colour: str = ""  # the company's colour
    size: float = 9.0  # the root size in pt that is tried first
    most: float = 0.0  # the largest root size, for a page with a lot of free room
    floor: float = SMALLEST_PT  # the smallest root size; content that doesn't fit continues on another page
    flow_size: float | None = None  # the root size if several pages are needed anyway; None for the floor

    @property
    def room(self) -> float:
        """The height in mm for the content of a page."""
        return self.height - self.margin[0] - self.margin[2]


def lay_out_page(frame: Frame) -> Document:
    """Return a frame as a WeasyPrint document, on one page if any size within its limits allows that."""
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
    if size < max(frame.size, frame.most) and share < LOOSE:  # it was shrunk too far, or has little text
        larger = min(math.floor(size / share**0.5 / STEP) * STEP, max(frame.size, frame.most))
        if larger > size and len((better := _draw(frame, larger)).pages) == 1:
            return better
    return document


def frame_pdf(frame: Frame) -> bytes:
    """Return the frame as a tagged PDF; the same frame gives the same bytes."""
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
    """Return the height of the content on all pages together, in mm."""
    at = len(document.pages) - 1
    place = document.pages[at].anchors.get("end")
    below = place[1] / PX - frame.margin[0] if place else 0.0
    return at * frame.room + max(below, 1.0)


MARGIN = (11.0, 12.0, 10.0, 12.0)  # mm: top, right, bottom, left
HALF_MARGIN = (8.0, 8.0, 7.5, 8.0)
MASK = 3  # of a QR code; fixed, because trying all eight would take four fifths of the time
QUIET = 2  # width of a QR code's quiet zone in modules; the page around it is white, too


def page_frame(settings: PrintSettings, kind: str, title: str, body: str, foot: str = "") -> Frame:
    """Return a page with this body and the usual margins."""
    width, height = paper_size(settings.paper)
    return Frame(
        title=title,
        kind=kind,
        body=body,
        width=width,
        height=height,
        margin=MARGIN,
        theme=THEMES[settings.theme],
        foot=foot,
    )


def sheets_body(
    parts: Sequence[str], pair: Mapping[str, object] | None, notes: range | None = None, *, beside: str = ""
) -> str:
    """Return the body of a page with one part, or with two side by side as in `pair`.

    `beside` is the foot of the second part.
    """
    return render_to_string("print/sheets.html", {"parts": parts, "pair": pair, "notes": notes, "beside": beside})


def foot_beside(paper: SystemPaper) -> str:
    """Return the foot of the second half; empty unless the licence requires a credit, which must be on both halves."""
    return foot_of(paper) if roster_rules(paper.system).attribution else ""


def lying(frame: Frame, settings: PrintSettings) -> Frame:
    """Return the frame as a landscape page for two halves."""
    width, height = paper_size(settings.paper)
    return replace(frame, width=height, height=width, margin=HALF_MARGIN)


def pair_on(settings: PrintSettings) -> Mapping[str, object]:
    """Return the positions of two halves and the line between them on a landscape page, in mm from its margins."""
    height, width = paper_size(settings.paper)
    top, right, bottom, left = HALF_MARGIN
    return {
        "half": f"{width / 2 - left - right:.2f}mm",
        "cut": f"left:{width / 2 - left:.2f}mm;top:{6 - top:.2f}mm;height:{height - 12:.2f}mm",
    }


def foot_of(paper: SystemPaper) -> str:
    """Return the foot of a page: the house rules in force, the catalogue version, and the credit for the rules."""
    rules = roster_rules(paper.system)
    parts = (paper.house_rules, f"{rules.name}, catalogue {rules.catalogue_release}", rules.attribution)
    return " · ".join(filter(None, parts))


def card_foot(paper: SystemPaper) -> str:
    """Return the foot of each card of a unit: the house rules in force, and the credit for the rules."""
    return "\n".join(filter(None, (paper.house_rules, roster_rules(paper.system).attribution)))


def unit_foot(unit: UnitDocument, sheet: AnySheet, settings: PrintSettings) -> tuple[str, ...]:
    """Return the lines below the card's foot, most useful first: catalogue version and day, then the points.

    Only as many lines are printed as fit.
    """
    rules = read_system(unit.system, "unit.system", unit.release)
    day = f", printed {settings.printed_on}" if settings.printed_on else ""
    catalogue = f"{rules.name}, catalogue {unit.release}{day}"
    return (catalogue,) if unit.support else tuple(filter(None, (catalogue, _bill(unit, sheet.points, rules))))


def _bill(unit: UnitDocument, points: int, rules: AnyRoster) -> str:
    """Return the bill of the points, with the pilot's points and the price of hiring one; empty if it has one line."""
    check = rules.check_design(
        rules.parse_spec(unit.spec, "unit.spec"), rules.parse_options(unit.options, "unit.options")
    )
    lines = [f"{line.label} {line.points}" for line in check.bill]
    if points != check.points:
        lines.append(f"its pilot {format_signed(points - check.points)}")
    if unit.pilot:
        level = read_pilot(unit.system, unit.pilot, "unit.pilot").experience
        if hired := rules.hire_points.get(level):
            lines.append(f"a {rules.level_names[level]} hired for the game {format_signed(hired)}")
    return f"{pluralize(points, 'points')}: {', '.join(lines)}" if len(lines) > 1 else ""


def code_image(url: str) -> str:
    """Return an img element with the QR code of the URL; empty without a URL."""
    if not url:
        return ""
    import segno

    out = io.BytesIO()
    segno.make(url, error="m", mask=MASK, micro=False).save(out, kind="svg", border=QUIET, xmldecl=False, omitsize=True)
    alt = escape(f"Code that opens {url}")
    return f'<img class="code" alt="{alt}" src="data:image/svg+xml,{quote(out.getvalue().decode())}">'
