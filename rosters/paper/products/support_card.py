"""Support cards: one for each kind of support that a side can use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import pydantic

from rosters.paper.documents import AnyColour, Copies, Options, PrintSettings, Url, paper_of
from rosters.paper.documents import Side as BattleSide
from rosters.paper.faces import ALL, Side, card_sides
from rosters.paper.layout import SIZES
from rosters.paper.page_parts import card_foot
from rosters.paper.product import Item, Product, check_support
from rosters.paper.sources import CompanySource, Packet, PacketSide

LARGE_TYPE = 1.3  # for cards with little text, to be read across a table


class SupportItem(Item):
    """The card of a kind of support that a side can use."""

    what: Literal["support-card"]
    system: str
    support: Annotated[str, pydantic.Field(max_length=40)]
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    side: BattleSide = ""
    url: Url = ""  # of the company that can use it
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
    """Yield the cards of that side's support in a battle."""
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
