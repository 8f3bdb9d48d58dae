"""A company on one page, for the opponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import pydantic
from django.template.loader import render_to_string

from rosters.livery.emblems import emblem_of
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
    paper_of,
    read_pilot,
    sheet_of,
)
from rosters.paper.emblems_drawn import emblem_image
from rosters.paper.page_layout import SHARE, Frame
from rosters.paper.page_parts import code_image, foot_of, page_frame
from rosters.paper.product import Item, Product
from rosters.paper.sources import CompanySource, Packet, PacketSide
from rosters.paper.themes import THEMES
from systems import roster_rules
from systems.documents import Document, Name
from systems.paper.blocks import RosterLine, RosterPilot
from systems.paper.system import SystemPaper
from systems.reading import read_system

ON_ONE = 40  # number of units for which a roster is shrunk to one page
AT_EASE = 24  # number of units that fit in the usual size, at a line or two each
FLOW_SIZE, LARGE = 7.6, 10.4  # pt
BLANK_LINES = 18
PLAIN = "#8a2b1d"  # for rosters without a company


class RosterPrint(Document):
    """A company on one page, for the opponent."""

    system: str
    name: Name
    motto: Annotated[str, pydantic.Field(max_length=120)] = ""
    player: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: Colour = PLAIN
    emblem: Emblem = ""
    points: int = 0
    bill: Annotated[
        tuple[Text, ...], pydantic.Field(max_length=20)
    ] = ()  # what the points consist of, if not only units
    balance: int | None = None  # left to spend, if the company has a balance
    money: Annotated[str, pydantic.Field(max_length=40)] = "points"  # unit of the balance
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
