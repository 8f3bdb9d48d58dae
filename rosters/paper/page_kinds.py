"""Each kind of page as a frame to lay out: what its template shows, on which paper, within which type sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string

from rosters.paper.documents import PrintUnit, paper_of, read_pilot, read_unit
from rosters.paper.layout.measure import SMALLEST_PT
from rosters.paper.orders import (
    BlankItem,
    PrintSettings,
    ReferenceItem,
    RosterItem,
    RosterPrint,
    ScenarioItem,
    SlipItem,
    SlipPrint,
    SlipSide,
    SlipUnit,
)
from rosters.paper.page_code import code_image
from rosters.paper.page_layout import SHARE, Frame
from rosters.paper.page_theme import theme_of
from rosters.paper.sheets import paper_size
from systems import roster_rules
from systems.documents import DocumentError
from systems.paper.page_blocks import ReferenceSection, SlipWords
from systems.paper.system import SystemPaper

MARGIN = (11.0, 12.0, 10.0, 12.0)  # mm: top, right, bottom, left
HALF_MARGIN = (8.0, 8.0, 7.5, 8.0)
HALF_SIZE, HALF_FLOOR = 7.2, SMALLEST_PT
NOTE_LINES = range(8)  # to write on, at the foot of a datasheet, as far as its content leaves them free
ROSTER_ON_ONE = 40  # units that a roster is shrunk for
ROSTER_AT_EASE = 24  # units that fit in the usual size, at a line or two each
ROSTER_FLOW_SIZE, ROSTER_LARGE = 7.6, 10.4  # pt
BLANK_ROSTER = 18
BLANK_SLIP = 4  # units a side
MOST_HITS_BOXES = 12  # beyond that a number is written
COLUMN_TEXT = 62  # characters on a line of the reference's columns
SECTION_HEAD = 2.5  # lines that a heading takes
COUNT_FACES = ("0", "1", "2", "3", "4", "5", "6+")
HALF_PAPERS = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}


def half_paper(paper: str) -> tuple[float, float]:
    """Width and height in mm of half of that paper, upright."""
    paper_size(paper)
    return HALF_PAPERS[paper]


def datasheet_frame(units: Sequence[PrintUnit], settings: PrintSettings) -> Frame:
    """The page of one unit; with `two-up` that of one or two."""
    papers = [paper_of(unit.document.system, "unit.system", unit.document.options) for unit in units]
    sheets = [(paper, _sheet_context(unit, paper)) for unit, paper in zip(units, papers, strict=True)]
    title = " and ".join(unit.document.name for unit in units)
    colour = units[0].document.colour
    if any(unit.document.colour != colour for unit in units):
        colour = ""
    return _sheets_frame(sheets, settings, title=title, colour=colour)


def blank_frame(item: BlankItem, settings: PrintSettings) -> Frame:
    """Something to write on."""
    paper = paper_of(item.system, "system", item.options)
    match item.of:
        case "datasheet":
            sheets = [(paper, paper.blank_sheet())] * (2 if settings.sheet == "two-up" else 1)
            return _sheets_frame(sheets, settings, title="Datasheet")
        case "roster":
            empty = RosterPrint(system=item.system, name="Company")
            return _roster_frame(paper, empty, [None] * BLANK_ROSTER, [], settings, is_blank=True)
        case "slip":
            words = paper.slip_words()
            return _slip_frame(
                _blank_slip(words), words, settings, foot=_foot(paper), is_blank=True, has_support=paper.has_support
            )
        case _:
            raise DocumentError("of", f"a {item.of} is no page")


def roster_frame(item: RosterItem, settings: PrintSettings) -> Frame:
    """A company for its opponent."""
    roster = item.roster
    paper = paper_of(roster.system, "roster.system", roster.options)
    lines = [paper.roster_line(read_unit(unit, f"roster.units[{at}]").sheet) for at, unit in enumerate(roster.units)]
    pilots = [
        paper.roster_pilot(read_pilot(roster.system, pilot, f"roster.pilots[{at}]"))
        for at, pilot in enumerate(roster.pilots)
    ]
    return _roster_frame(paper, roster, lines, pilots, settings)


def reference_frame(item: ReferenceItem, settings: PrintSettings) -> Frame:
    """The rules of these units and this support."""
    paper = paper_of(item.system, "system", item.options)
    sheets = [read_unit(unit, f"units[{at}]").sheet for at, unit in enumerate(item.units)]
    reference = paper.reference(sheets, item.support)
    columns = _halves(reference.sections)
    body = render_to_string("print/reference.html", {"reference": reference, "columns": columns})
    return _page(
        settings, "reference", reference.title, body, foot=_foot(paper), size=8.8, most=9.6, floor=6.0, flow_size=7.4
    )


def scenario_frame(item: ScenarioItem, settings: PrintSettings) -> Frame:
    """What is played, with its map."""
    paper = paper_of(item.system, "system", item.options)
    context = paper.scenario_context(item.name, item.spec, item.terrain, settings.theme)
    body = render_to_string(paper.scenario_template, context)
    return _page(settings, "scenario", item.name, body, foot=_foot(paper), size=9.0, most=10.2, floor=6.4)


def slip_frame(item: SlipItem, settings: PrintSettings) -> Frame:
    """A match's result, to tick."""
    if not item.system:
        return _slip_frame(item.slip, SlipWords(), settings)
    paper = paper_of(item.system, "system", item.options)
    return _slip_frame(item.slip, paper.slip_words(), settings, foot=_foot(paper))


def _foot(paper: SystemPaper) -> str:
    """The house rules in force, and of which catalogue the figures are."""
    rules = roster_rules(paper.system)
    return " · ".join(filter(None, (paper.house_rules, f"{rules.name}, catalogue {rules.catalogue_release}")))


def _page(settings: PrintSettings, kind: str, title: str, body: str, **fields: Any) -> Frame:
    width, height = paper_size(settings.paper)
    return Frame(
        title=title,
        kind=kind,
        body=body,
        width=width,
        height=height,
        margin=MARGIN,
        theme=theme_of(settings),
        **fields,
    )


def _sheets_frame(
    sheets: Sequence[tuple[SystemPaper, Mapping[str, object]]],
    settings: PrintSettings,
    *,
    title: str,
    colour: str = "",
) -> Frame:
    is_half, is_pair = settings.sheet != "full", settings.sheet == "two-up"
    across, down = paper_size(settings.paper)
    pair = _pair(down, across) if is_pair else None
    parts = [render_to_string(paper.sheet_template, {**context, "half": is_half}) for paper, context in sheets]
    body = render_to_string("print/sheets.html", {"parts": parts, "pair": pair, "notes": NOTE_LINES})
    foot = " · ".join(dict.fromkeys(_foot(paper) for paper, _ in sheets))
    frame = _page(settings, "sheets", title, body, colour=colour, foot=foot)
    if not is_half:
        return frame
    width, height = (down, across) if is_pair else half_paper(settings.paper)
    return replace(
        frame,
        width=width,
        height=height,
        margin=HALF_MARGIN,
        size=HALF_SIZE,
        floor=HALF_FLOOR,
    )


def _pair(width: float, height: float) -> Mapping[str, object]:
    """Where two halves and the line between them lie on a page of that size; mm from its margins' corner."""
    top, right, bottom, left = HALF_MARGIN
    return {
        "half": f"{width / 2 - left - right:.2f}mm",
        "cut": f"left:{width / 2 - left:.2f}mm;top:{6 - top:.2f}mm;height:{height - 12:.2f}mm",
    }


def _sheet_context(unit: PrintUnit, paper: SystemPaper) -> Mapping[str, object]:
    return {**paper.sheet_context(unit.sheet), "code": code_image(unit.document.url)}


def _roster_frame(
    paper: SystemPaper,
    roster: RosterPrint,
    lines: Sequence[Any],
    pilots: Sequence[Any],
    settings: PrintSettings,
    *,
    is_blank: bool = False,
) -> Frame:
    context = {
        "roster": roster,
        "lines": lines,
        "pilots": pilots,
        "code": code_image(roster.url),
        "is_blank": is_blank,
        "has_damage": is_blank or any(line is not None and line.damage for line in lines),
        "system": roster_rules(roster.system).name,
        "notes": paper.roster_notes,
    }
    body = render_to_string("print/roster.html", context)
    frame = _page(
        settings, "roster", "Roster" if is_blank else roster.name, body, foot=_foot(paper), flow_size=ROSTER_FLOW_SIZE
    )
    if not is_blank:
        frame = replace(frame, colour=roster.colour, most=ROSTER_LARGE if lines else 0.0)
    if len(lines) > ROSTER_ON_ONE:
        return replace(frame, size=ROSTER_FLOW_SIZE, floor=ROSTER_FLOW_SIZE)
    if len(lines) > ROSTER_AT_EASE and not is_blank:
        return replace(frame, size=frame.size * (ROSTER_AT_EASE / len(lines)) ** SHARE)
    return frame


def _slip_frame(
    slip: SlipPrint,
    words: SlipWords,
    settings: PrintSettings,
    *,
    foot: str = "",
    is_blank: bool = False,
    has_support: bool = False,
) -> Frame:
    has_hits = any(unit.hits for side in slip.sides for unit in side.units)
    asked = [*words.counts, *([words.hits_name] if has_hits else [])]
    context = {
        "slip": slip,
        "words": words,
        "has_support": has_support,
        "head": f"{', '.join(asked)}, what became of {'unit and pilot' if slip.fates else 'the unit'}",
        "faces": COUNT_FACES,
        "sides": [{"side": side, "units": [_slip_row(unit) for unit in side.units]} for side in slip.sides],
        "code": code_image(slip.url),
        "is_blank": is_blank,
    }
    part = render_to_string("print/slip.html", context)
    if not is_blank:
        body = render_to_string("print/sheets.html", {"parts": [part], "pair": None})
        return _page(settings, "slip", slip.title, body, foot=foot, most=10.8, floor=5.6, flow_size=7.6)
    width, height = paper_size(settings.paper)
    body = render_to_string("print/sheets.html", {"parts": [part, part], "pair": _pair(height, width)})
    frame = _page(settings, "slip", slip.title, body, foot=foot, size=7.3)
    return replace(frame, width=height, height=width, margin=HALF_MARGIN)


def _halves(sections: Sequence[ReferenceSection]) -> tuple[Sequence[ReferenceSection], Sequence[ReferenceSection]]:
    """The sections in two columns of about equal height, in their order."""
    heights = [
        SECTION_HEAD + sum(1 + len(line.name + line.text) // (COLUMN_TEXT - 4 * len(line.cells)) for line in each.lines)
        for each in sections
    ]
    cuts = range(1, len(heights) + 1)
    cut = min(cuts, key=lambda at: max(sum(heights[:at]), sum(heights[at:])), default=0)
    return sections[:cut], sections[cut:]


def _slip_row(unit: SlipUnit) -> Mapping[str, object]:
    is_short = unit.hits <= MOST_HITS_BOXES
    return {"unit": unit, "boxes": range(1, unit.hits + 1) if is_short else (), "hits": 0 if is_short else unit.hits}


def _blank_slip(words: SlipWords) -> SlipPrint:
    units = (SlipUnit(name="–", hits=words.hits),) * BLANK_SLIP
    first, second = words.sides
    sides = (SlipSide(name=first, units=units), SlipSide(name=second, units=units))
    return SlipPrint(title="Result", outcomes=words.outcomes, fates=words.fates, sides=sides)
