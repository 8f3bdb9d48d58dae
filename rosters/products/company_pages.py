"""Pages about a company: data sheets of its units, a one-page roster, a quick reference.

Emblems are printed in their colours, or in greys of the same lightness if the theme has no colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Annotated, Literal
from urllib.parse import quote

import pydantic
from django.template.loader import render_to_string

from rosters.appearance.emblems import drawn_paths, emblem_of
from rosters.paper.documents import (
    MAX_CARDS,
    Colour,
    Emblem,
    Options,
    PilotDocument,
    PrintSettings,
    Text,
    UnitDocument,
    Url,
    drawing_of,
    paper_of,
    read_pilot,
    sheet_of,
)
from rosters.paper.engine import write_pdf
from rosters.paper.page_layout import (
    HALF_MARGIN,
    SHARE,
    SMALLEST_PT,
    Frame,
    code_image,
    foot_beside,
    foot_of,
    frame_pdf,
    lay_out_page,
    lying,
    page_frame,
    pair_on,
    sheets_body,
)
from rosters.paper.sources import CompanySource, Packet, PacketSide
from rosters.paper.themes import THEMES, Theme, grey_of
from rosters.paper.unit_artwork import picture_image
from rosters.products.base import Item, Placed, Product, UnitItem, UnitProduct, check_support
from systems import roster_rules
from systems.documents import Document, DocumentError, Name, within
from systems.emblems import TINCTURES, EmblemError, read_emblem
from systems.emblems.shields import FRAME
from systems.paper import SystemPaper
from systems.paper.blocks import ReferenceSection, RosterLine, RosterPilot, in_columns
from systems.reading import read_system

HALF_SIZE, HALF_FLOOR = 7.2, SMALLEST_PT
ADDED_FLOOR = 7.4  # pt; additions never make a sheet's type smaller
NOTE_LINES = range(8)  # lines for notes at the foot; only those that fit are printed
HALF_PAPERS = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}  # mm, portrait


class Datasheet(UnitProduct):
    slug, command, phrase = "datasheet", "sheets", "its datasheet"
    label = blank_label = "Datasheets"
    made_of, blank_of = ("sheet_context",), ("blank_sheet",)
    tells_service = True

    def refusal(self, unit: UnitDocument) -> DocumentError | None:
        return DocumentError("unit", "support units have a card but no datasheet") if unit.support else None

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
    """Return the page of one unit, or with `two-up` the page of one or two units."""
    papers = [paper_of(unit.system, "unit.system", unit.options) for unit, _ in units]
    sheets = [
        (paper, {**paper.sheet_context(sheet), "code": _beside(unit, settings)})
        for paper, (unit, sheet) in zip(papers, units, strict=True)
    ]
    title = " and ".join(unit.name for unit, _ in units)
    colours = {unit.colour for unit, _ in units}
    return _sheets_frame(sheets, settings, title=title, colour=colours.pop() if len(colours) == 1 else "")


def _added(units: Sequence[tuple[UnitDocument, object]], settings: PrintSettings) -> str:
    """Return the additions below a data sheet that has a whole page; empty if there are none."""
    if settings.sheet != "full":
        return ""
    ((unit, sheet),) = units
    blocks = [each.block for each in paper_of(unit.system, "unit.system", unit.options).additions(sheet)]
    return render_to_string("print/additions.html", {"columns": in_columns(blocks)}) if blocks else ""


def _beside(unit: UnitDocument, settings: PrintSettings) -> str:
    """Return the QR code and the picture of a unit, which are placed beside its tracks."""
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


COLUMN_TEXT = 62  # approximate characters per line of a column
SECTION_HEAD = 2.5  # height of a heading in lines
MAX_SUPPORT = 60


class ReferenceItem(Item):
    """A quick reference: only the rules, weapons and skills that these units and this support need."""

    what: Literal["reference"]
    system: str
    units: Annotated[tuple[UnitDocument, ...], pydantic.Field(max_length=MAX_CARDS)] = ()
    support: Annotated[tuple[str, ...], pydantic.Field(max_length=MAX_SUPPORT)] = ()
    options: Options = {}


class Reference(Product[ReferenceItem]):
    slug, item = "reference", ReferenceItem
    label = packet_label = "Quick reference"
    made_of = ("reference",)

    def of_company(self, company: CompanySource) -> Iterator[Item]:
        if company.units:
            yield ReferenceItem(
                what="reference",
                system=company.sheet.system,
                units=tuple(company.units),
                support=tuple(company.support)[:MAX_SUPPORT],
                options=dict(company.options),
            )

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        if units := tuple(unit.document for side in packet.sides for unit in side.units):
            support = tuple(dict.fromkeys(slug for side in packet.sides for slug in side.support))
            yield ReferenceItem(
                what="reference", system=packet.system, units=units, support=support, options=dict(packet.options)
            )

    def units(self, item: ReferenceItem, path: str) -> Iterator[tuple[str, UnitDocument]]:
        yield from ((f"{path}.units[{at}]", unit) for at, unit in enumerate(item.units))

    def check(self, item: ReferenceItem, path: str) -> None:
        for at, slug in enumerate(item.support):
            check_support(item.system, slug, path, f"{path}.support[{at}]")

    def frame(self, item: ReferenceItem, settings: PrintSettings) -> Frame:
        paper = paper_of(item.system, "system", item.options)
        sheets = [sheet_of(unit, f"units[{at}]") for at, unit in enumerate(item.units)]
        reference = paper.reference(sheets, item.support)
        columns = _halves(reference.sections)
        body = render_to_string("print/reference.html", {"reference": reference, "columns": columns})
        frame = page_frame(settings, "reference", reference.title, body, foot_of(paper))
        return replace(frame, size=8.8, most=9.6, floor=6.0, flow_size=7.4)


def _halves(sections: Sequence[ReferenceSection]) -> tuple[Sequence[ReferenceSection], Sequence[ReferenceSection]]:
    """Split the sections, in order, into two columns of about equal height."""
    heights = [
        SECTION_HEAD + sum(1 + len(line.name + line.text) // (COLUMN_TEXT - 4 * len(line.cells)) for line in each.lines)
        for each in sections
    ]
    cuts = range(1, len(heights) + 1)
    cut = min(cuts, key=lambda at: max(sum(heights[:at]), sum(heights[at:])), default=0)
    return sections[:cut], sections[cut:]


SAVED = ("#ffffff", "#8a8a8a")  # light and dark tinctures in the ink-saver theme


def emblem_image(code: str, theme: Theme) -> str:
    """Return an img element of the emblem; empty if the code is empty or invalid."""
    try:
        emblem = read_emblem(code)
    except EmblemError:
        return ""
    paths = drawn_paths(emblem, 1, lambda letter: _paint(letter, theme))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {FRAME} {FRAME}">'
        f'<g stroke="{theme.page.ink}" stroke-linejoin="round">{paths}</g></svg>'
    )
    return f'<img class="emblem" alt="{escape(f"Emblem: {emblem.description}")}" src="data:image/svg+xml,{quote(svg)}">'


def _paint(letter: str, theme: Theme) -> str:
    tincture = TINCTURES[letter]
    if not theme.has_band:
        return SAVED[0] if tincture.is_light else SAVED[1]
    if theme.is_grey:
        return f"#{3 * f'{round(grey_of(tincture.paint)[0] * 255):02x}'}"
    return tincture.paint


ON_ONE = 40  # largest number of units for which a roster is shrunk to one page
AT_EASE = 24  # number of units that fit at the usual type size, with a line or two each
FLOW_SIZE, LARGE = 7.6, 10.4  # pt
BLANK_LINES = 18
PLAIN = "#8a2b1d"  # for rosters without a company


class RosterPrint(Document):
    """A company on one page, to show to the opponent."""

    system: str
    name: Name
    motto: Annotated[str, pydantic.Field(max_length=120)] = ""
    player: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: Colour = PLAIN
    emblem: Emblem = ""
    points: int = 0
    bill: Annotated[
        tuple[Text, ...], pydantic.Field(max_length=20)
    ] = ()  # lines of the points' bill, if it has more than units
    balance: int | None = None  # points left to spend, if the company has a balance
    money: Annotated[str, pydantic.Field(max_length=40)] = "points"  # currency of the balance
    as_of: Annotated[str, pydantic.Field(max_length=40)] = ""
    url: Url = ""
    units: Annotated[tuple[UnitDocument, ...], pydantic.Field(max_length=MAX_CARDS)] = ()
    pilots: Annotated[tuple[PilotDocument, ...], pydantic.Field(max_length=1000)] = ()  # only pilots without a unit
    problems: Annotated[tuple[Text, ...], pydantic.Field(max_length=100)] = ()
    options: Options = {}


class RosterItem(Item):
    what: Literal["roster"]
    roster: RosterPrint


class Roster(Product[RosterItem]):
    slug, item = "roster", RosterItem
    label, blank_label, packet_label = "Roster on one page", "Rosters", "Rosters of both sides"

    made_of = ("roster_line",)

    def system_of(self, item: RosterItem) -> str:
        return item.roster.system

    def of_company(self, company: CompanySource) -> Iterator[Item]:
        sheet = company.sheet
        roster = RosterPrint(
            system=sheet.system,
            name=sheet.name,
            motto=sheet.motto,
            player=sheet.owner[:60],
            colour=sheet.colour,
            emblem=emblem_of(sheet.emblem, sheet.name).code,
            points=sheet.value,
            balance=sheet.balance,
            money=sheet.money,
            as_of=company.as_of,
            url=company.url,
            units=tuple(company.units),
            pilots=tuple(company.pilots),
            problems=tuple(problem.message[:400] for problem in sheet.check.problems[:100]),
            options=dict(company.options),
        )
        yield RosterItem(what="roster", roster=roster)

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        for side in packet.sides:
            if side.units:
                yield RosterItem(what="roster", roster=_packet_roster(packet, side))

    def units(self, item: RosterItem, path: str) -> Iterator[tuple[str, UnitDocument]]:
        yield from ((f"{path}.roster.units[{at}]", unit) for at, unit in enumerate(item.roster.units))

    def check(self, item: RosterItem, path: str) -> None:
        roster = item.roster
        read_system(roster.system, f"{path}.roster.system").parse_options(roster.options, f"{path}.roster.options")
        for at, pilot in enumerate(roster.pilots):
            read_pilot(roster.system, pilot, f"{path}.roster.pilots[{at}]")

    def frame(self, item: RosterItem, settings: PrintSettings) -> Frame:
        roster = item.roster
        paper = paper_of(roster.system, "roster.system", roster.options)
        lines = [
            replace(paper.roster_line(sheet_of(unit, f"roster.units[{at}]")), number=unit.number)
            for at, unit in enumerate(roster.units)
        ]
        pilots = [
            paper.roster_pilot(read_pilot(roster.system, pilot, f"roster.pilots[{at}]"))
            for at, pilot in enumerate(roster.pilots)
        ]
        frame = _roster_frame(paper, roster, lines, pilots, settings, has_damage=any(line.damage for line in lines))
        frame = replace(frame, colour=roster.colour, most=LARGE if lines else 0.0)
        if len(lines) > ON_ONE:
            return replace(frame, size=FLOW_SIZE, floor=FLOW_SIZE)
        return replace(frame, size=frame.size * (AT_EASE / len(lines)) ** SHARE) if len(lines) > AT_EASE else frame

    def blank_frame(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> Frame:
        empty = RosterPrint(system=system, name="Company")
        paper = paper_of(system, "system", options)
        return _roster_frame(paper, empty, [None] * BLANK_LINES, [], settings, has_damage=True, is_blank=True)


def _roster_frame(
    paper: SystemPaper,
    roster: RosterPrint,
    lines: Sequence[RosterLine | None],
    pilots: Sequence[RosterPilot],
    settings: PrintSettings,
    *,
    has_damage: bool,
    is_blank: bool = False,
) -> Frame:
    context = {
        "roster": roster,
        "lines": lines,
        "pilots": pilots,
        "code": code_image(roster.url),
        "emblem": emblem_image(roster.emblem, THEMES[settings.theme]),
        "is_blank": is_blank,
        "has_damage": has_damage,
        "system": roster_rules(roster.system).name,
        "has_pilots": bool(roster_rules(roster.system).hire_points),
        "notes": paper.roster_notes,
    }
    body = render_to_string("print/roster.html", context)
    title = "Roster" if is_blank else roster.name
    return replace(page_frame(settings, "roster", title, body, foot_of(paper)), flow_size=FLOW_SIZE)


def _packet_roster(packet: Packet, side: PacketSide) -> RosterPrint:
    return RosterPrint(
        system=packet.system,
        name=side.name,
        player=side.player,
        points=side.points,
        bill=side.bill(roster_rules(packet.system).unit_words[1].capitalize()),
        url=side.url,
        units=tuple(unit.document for unit in side.units),
        colour=side.colour or PLAIN,
        emblem=side.emblem,
        options=dict(packet.options),
    )
