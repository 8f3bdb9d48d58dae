"""The datasheet of a unit: a page, half a page, or two halves to a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.template.loader import render_to_string

from rosters.paper.documents import PrintSettings, UnitDocument, drawing_of, paper_of, sheet_of
from rosters.paper.engine import write_pdf
from rosters.paper.page_layout import SMALLEST_PT, Frame, frame_pdf, lay_out_page
from rosters.paper.page_parts import (
    HALF_MARGIN,
    code_image,
    foot_beside,
    foot_of,
    lying,
    page_frame,
    pair_on,
    sheets_body,
)
from rosters.paper.product import Item, Placed, UnitItem, UnitProduct
from rosters.paper.themes import THEMES
from rosters.paper.units_drawn import picture_image
from systems.documents import DocumentError, within
from systems.paper.blocks import in_columns
from systems.paper.system import SystemPaper

HALF_SIZE, HALF_FLOOR = 7.2, SMALLEST_PT
ADDED_FLOOR = 7.4  # pt: additions never make a sheet's type smaller than this
NOTE_LINES = range(8)  # for notes at the foot, as many as the content leaves room for
HALF_PAPERS = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}  # mm, portrait


class Datasheet(UnitProduct):
    slug, command, said = "datasheet", "sheets", "its datasheet"
    label = blank_label = "Datasheets"
    made_of, blank_of = ("sheet_context",), ("blank_sheet",)
    tells_service = True

    def refusal(self, unit: UnitDocument) -> DocumentError | None:
        return DocumentError("unit", "support units have a card, but no datasheet") if unit.support else None

    def shares_page(self, settings: PrintSettings) -> bool:
        return settings.sheet == "two-up"

    def look(self, item: Item) -> set[str]:
        return {"sheet"}

    def pdf(self, placed: Sequence[Placed[UnitItem]], settings: PrintSettings) -> bytes:
        units = [(item.unit, self._sheet(item, place)) for place, item in placed]
        frame = _datasheet_frame(units, settings)
        if added := _added(units, settings):
            document = lay_out_page(replace(frame, body=frame.body + added, floor=ADDED_FLOOR))
            if len(document.pages) == 1:
                return write_pdf(document)
        return frame_pdf(frame)

    def blank_frame(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> Frame:
        paper = paper_of(system, "system", options)
        sheets = [(paper, paper.blank_sheet())] * (2 if settings.sheet == "two-up" else 1)
        return _sheets_frame(sheets, settings, title="Datasheet")

    def _sheet(self, item: UnitItem, place: str) -> object:
        with within(place):
            sheet = sheet_of(item.unit)
            if error := self.refusal(item.unit):
                raise error
            return sheet


def _datasheet_frame(units: Sequence[tuple[UnitDocument, object]], settings: PrintSettings) -> Frame:
    """Return the page of one unit and its sheet; with `two-up` the page of one or two."""
    papers = [paper_of(unit.system, "unit.system", unit.options) for unit, _ in units]
    sheets = [
        (paper, {**paper.sheet_context(sheet), "code": _beside(unit, settings)})
        for paper, (unit, sheet) in zip(papers, units, strict=True)
    ]
    title = " and ".join(unit.name for unit, _ in units)
    colours = {unit.colour for unit, _ in units}
    return _sheets_frame(sheets, settings, title=title, colour=colours.pop() if len(colours) == 1 else "")


def _added(units: Sequence[tuple[UnitDocument, object]], settings: PrintSettings) -> str:
    """Return additions below a sheet that has a page to itself; empty: none."""
    if settings.sheet != "full":
        return ""
    ((unit, sheet),) = units
    blocks = [each.block for each in paper_of(unit.system, "unit.system", unit.options).additions(sheet)]
    return render_to_string("print/additions.html", {"columns": in_columns(blocks)}) if blocks else ""


def _beside(unit: UnitDocument, settings: PrintSettings) -> str:
    """Return what is beside the tracks: the QR code of the live unit, and the unit as it is built."""
    return code_image(unit.url) + picture_image(drawing_of(unit), unit.name, THEMES[settings.theme], unit.colour)


def _sheets_frame(
    sheets: Sequence[tuple[SystemPaper, Mapping[str, object]]],
    settings: PrintSettings,
    *,
    title: str,
    colour: str = "",
) -> Frame:
    is_half, is_pair = settings.sheet != "full", settings.sheet == "two-up"
    parts = [render_to_string(paper.sheet_template, {**context, "half": is_half}) for paper, context in sheets]
    beside = foot_beside(sheets[1][0]) if len(sheets) > 1 else ""
    body = sheets_body(parts, pair_on(settings) if is_pair else None, NOTE_LINES, beside=beside)
    foot = " · ".join(dict.fromkeys(foot_of(paper) for paper, _ in sheets))
    frame = replace(page_frame(settings, "sheets", title, body, foot), colour=colour)
    if not is_half:
        return frame
    half = replace(frame, size=HALF_SIZE, floor=HALF_FLOOR, margin=HALF_MARGIN)
    if is_pair:
        return lying(half, settings)
    width, height = HALF_PAPERS[settings.paper]
    return replace(half, width=width, height=height)
