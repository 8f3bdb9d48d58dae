"""Parts shared by several kinds of page: their frame, halves of a page, the line at the foot, the QR code."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from urllib.parse import quote

from django.template.loader import render_to_string

from rosters.paper.documents import PrintSettings, UnitDocument, read_pilot
from rosters.paper.page_layout import Frame
from rosters.paper.sheets import paper_size
from rosters.paper.themes import THEMES
from systems import roster_rules
from systems.figures import format_signed
from systems.paper.system import SystemPaper
from systems.reading import read_system
from systems.roster import AnyRoster, AnySheet
from systems.words import pluralize

MARGIN = (11.0, 12.0, 10.0, 12.0)  # mm: top, right, bottom, left
HALF_MARGIN = (8.0, 8.0, 7.5, 8.0)
MASK = 3  # of a code; fixed, because trying all eight takes four fifths of the time
QUIET = 2  # modules around a code that stay white; the page around it is white too


def page_frame(settings: PrintSettings, kind: str, title: str, body: str, foot: str = "") -> Frame:
    """Return a page with that body and the usual margins."""
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
    """Return the body of one part, or of two side by side as in `pair`; `beside` is the foot of the second."""
    return render_to_string("print/sheets.html", {"parts": parts, "pair": pair, "notes": notes, "beside": beside})


def foot_beside(paper: SystemPaper) -> str:
    """Return the foot of the second of two halves: a credit that a licence requires has to be on both."""
    return foot_of(paper) if roster_rules(paper.system).attribution else ""


def lying(frame: Frame, settings: PrintSettings) -> Frame:
    """Return the frame as a landscape page, for two halves."""
    width, height = paper_size(settings.paper)
    return replace(frame, width=height, height=width, margin=HALF_MARGIN)


def pair_on(settings: PrintSettings) -> Mapping[str, object]:
    """Return the places of two halves and the line between them on a landscape page; mm from its margins' corner."""
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

    They are printed as far as there is room.
    """
    rules = read_system(unit.system, "unit.system", unit.release)
    day = f", printed {settings.printed_on}" if settings.printed_on else ""
    told = f"{rules.name}, catalogue {unit.release}{day}"
    return (told,) if unit.support else tuple(filter(None, (told, _bill(unit, sheet.points, rules))))


def _bill(unit: UnitDocument, points: int, rules: AnyRoster) -> str:
    """Return the points line by line, with the pilot's points and the price of hiring them; empty for a single line."""
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
