"""Cards of units, pilots and support.

A pilot's card contains the numbers of their unit. There is one support card for each kind of support.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import pydantic

from rosters.card_layout import POKER, SIZES
from rosters.card_layout.card_fronts import ALL, Side, card_sides
from rosters.paper.documents import (
    AnyColour,
    Copies,
    Options,
    PilotDocument,
    PrintSettings,
    UnitDocument,
    Url,
    drawing_of,
    paper_of,
    pilot_changes,
    read_pilot,
    sheet_of,
)
from rosters.paper.documents import Side as BattleSide
from rosters.paper.page_layout import card_foot, unit_foot
from rosters.paper.sources import LETTERS, CompanySource, Packet, PacketSide
from rosters.products.base import Item, Product, UnitItem, UnitProduct, check_support
from systems import PAPER, roster_rules
from systems.documents import DocumentError
from systems.reading import read_system

LARGE_TYPE = 1.3  # scale of cards with little text, so that they can be read across a table


class SupportItem(Item):
    """The card of one kind of support that a side can use."""

    what: Literal["support-card"]
    system: str
    support: Annotated[str, pydantic.Field(max_length=40)]
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    side: BattleSide = ""
    url: Url = ""  # page of the company that can use it
    options: Options = {}
    copies: Copies = 1


class SupportCard(Product[SupportItem]):
    slug, item = "support-card", SupportItem
    label = "Support cards"
    made_of = ("support_card",)
    is_card = True

    def is_offered(self, support: Mapping[str, str]) -> bool:
        return bool(support)

    def note(self, support: Mapping[str, str]) -> str:
        return ", ".join(support.values())

    def of_company(self, company: CompanySource) -> Iterator[Item]:
        for slug in dict.fromkeys(company.support):
            yield SupportItem(
                what="support-card",
                system=company.sheet.system,
                support=slug,
                company=company.sheet.name,
                colour=company.sheet.colour,
                url=company.url,
                options=dict(company.options),
                copies=company.copies,
            )

    def check(self, item: SupportItem, path: str) -> None:
        check_support(item.system, item.support, path, f"{path}.support")

    def sides(self, item: SupportItem, settings: PrintSettings) -> tuple[Side, ...]:
        paper = paper_of(item.system, "system", item.options)
        size = SIZES[settings.card]
        return card_sides(
            lambda detail: paper.support_card(item.support, "support", company=item.company, detail=detail),
            replace(size, scales=(LARGE_TYPE, *size.scales)),
            ALL,
            url=item.url,
            colour=item.colour,
            side=item.side,
            has_backs=settings.has_backs,
            foot=card_foot(paper),
        )


def packet_cards(packet: Packet, side: PacketSide, letter: BattleSide, copies: int) -> Iterator[Item]:
    """Yield the cards of a side's support in a battle."""
    for slug in dict.fromkeys(side.support):
        yield SupportItem(
            what="support-card",
            system=packet.system,
            support=slug,
            company=side.name[:60],
            colour=side.colour,
            side=letter,
            options=dict(packet.options),
            copies=copies,
        )


class UnitCard(UnitProduct):
    slug, command = "unit-card", "cards"
    label = blank_label = "Unit cards"
    packet_label = "Unit cards of both sides"
    phrase = "its card"
    made_of, blank_of = ("card",), ("blank_unit_card",)
    is_card = shows_number = tells_day = True

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        """Yield the cards of each side's units, followed by those of its support."""
        for letter, side in zip(LETTERS, packet.sides, strict=True):
            for unit in side.units:
                document = unit.document.model_copy(update={"side": letter})
                yield self.item(what=self.slug, unit=document, copies=copies)
            yield from packet_cards(packet, side, letter, copies)

    def fill(self, item: UnitItem) -> tuple[int, Sequence[str]]:
        return unit_fill(item.unit)

    def sides(self, item: UnitItem, settings: PrintSettings) -> tuple[Side, ...]:
        unit = item.unit
        sheet = sheet_of(unit)
        paper = paper_of(unit.system, "unit.system", unit.options)
        size = SIZES[settings.card]
        return card_sides(
            lambda detail: paper.card(sheet, detail),
            size,
            ("brief",) if size is POKER else ALL,  # so that all cards of a poker deck have the same level of detail
            url=unit.url,
            picture=drawing_of(unit),
            colour=unit.colour,
            side=unit.side,
            tag=unit.tag,
            has_backs=settings.has_backs,
            foot=card_foot(paper),
            more=unit_foot(unit, sheet, settings),
            additions=paper.additions(sheet),
        )

    def blank_sides(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> tuple[Side, ...]:
        paper = paper_of(system, "system", options)
        blank = paper.blank_unit_card()
        return card_sides(
            lambda detail: blank, SIZES[settings.card], ("brief",), has_backs=settings.has_backs, foot=card_foot(paper)
        )


def unit_fill(unit: UnitDocument) -> tuple[int, Sequence[str]]:
    """Return the number of weapons, systems and skills of a unit and its pilot, and the names on its card."""
    entries = sum(len(value) for value in unit.spec.values() if isinstance(value, list | tuple))
    pilot = unit.pilot
    names = (unit.name, unit.design_name, unit.company, pilot.full_name if pilot else "")
    return entries + (len(pilot.skills) if pilot else 0), names


class PilotItem(Item):
    """The card of a pilot without a unit."""

    what: Literal["free-pilot-card"]
    system: str
    pilot: PilotDocument
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    url: Url = ""  # of the pilot's page
    copies: Copies = 1


class PilotCard(UnitProduct):
    slug, phrase = "pilot-card", "its pilot's card"
    label = blank_label = "Pilot cards"
    made_of, blank_of = ("pilot_card",), ("blank_pilot_card",)
    is_card = needs_pilot = True

    def of_pilot(self, pilot: PilotDocument, company: CompanySource, url: str) -> Item:
        return PilotItem(
            what="free-pilot-card",
            system=company.sheet.system,
            pilot=pilot,
            company=company.sheet.name,
            colour=company.sheet.colour,
            url=url,
            copies=company.copies,
        )

    def refusal(self, unit: UnitDocument) -> DocumentError | None:
        if unit.pilot is None or unit.support:
            return DocumentError("unit.pilot", f"{unit.name} has no pilot to print a card of")
        return None

    def printed_unit(self, unit: UnitDocument) -> UnitDocument:
        """Return the unit without damage, except the pilot's wound."""
        field = PAPER[unit.system].wound_field if unit.system in PAPER else ""
        return unit.model_copy(update={"condition": {field: unit.condition.get(field, False)} if field else {}})

    def fill(self, item: UnitItem) -> tuple[int, Sequence[str]]:
        return unit_fill(item.unit)

    def sides(self, item: UnitItem, settings: PrintSettings) -> tuple[Side, ...]:
        unit = item.unit
        paper = paper_of(unit.system, "unit.system")
        if (error := self.refusal(unit)) or unit.pilot is None:
            raise error or DocumentError("unit.pilot", "is missing")
        sheet = sheet_of(unit)
        pilot = read_pilot(unit.system, unit.pilot, "unit.pilot")
        return card_sides(
            lambda detail: paper.pilot_card(pilot, sheet=sheet, company=unit.company, detail=detail),
            SIZES[settings.card],
            ALL,
            url=unit.url,
            colour=unit.colour,
            side=unit.side,
            has_backs=settings.has_backs,
            foot=roster_rules(unit.system).attribution,
        )

    def blank_sides(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> tuple[Side, ...]:
        blank = paper_of(system, "system", options).blank_pilot_card()
        foot = roster_rules(system).attribution
        return card_sides(
            lambda detail: blank, SIZES[settings.card], ("brief",), has_backs=settings.has_backs, foot=foot
        )


class FreePilotCard(Product[PilotItem]):
    slug, item, sold_as = "free-pilot-card", PilotItem, PilotCard.slug
    made_of = PilotCard.made_of
    is_card = True

    def check(self, item: PilotItem, path: str) -> None:
        read_system(item.system, f"{path}.system")
        read_pilot(item.system, item.pilot, f"{path}.pilot")

    def facts(self, item: PilotItem) -> dict[str, object]:
        return {**super().facts(item), "pilot": item.pilot.facts()}

    def changes(self, before: PilotItem, now: PilotItem) -> tuple[str, ...]:
        return pilot_changes(now.system, before, now)

    def fill(self, item: PilotItem) -> tuple[int, Sequence[str]]:
        return len(item.pilot.skills), (item.pilot.full_name, item.company)

    def sides(self, item: PilotItem, settings: PrintSettings) -> tuple[Side, ...]:
        paper = paper_of(item.system, "system")
        pilot = read_pilot(item.system, item.pilot, "pilot")
        return card_sides(
            lambda detail: paper.pilot_card(pilot, company=item.company, detail=detail),
            SIZES[settings.card],
            ALL,
            url=item.url,
            colour=item.colour,
            has_backs=settings.has_backs,
            foot=roster_rules(item.system).attribution,
        )
