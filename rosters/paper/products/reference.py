"""A quick reference: the rules, weapons and skills of some units and their support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import pydantic
from django.template.loader import render_to_string

from rosters.paper.documents import MAX_CARDS, Options, PrintSettings, UnitDocument, paper_of, sheet_of
from rosters.paper.page_layout import Frame
from rosters.paper.page_parts import foot_of, page_frame
from rosters.paper.product import Item, Product, check_support
from rosters.paper.sources import CompanySource, Packet
from systems.paper.blocks import ReferenceSection

COLUMN_TEXT = 62  # characters per line of the columns
SECTION_HEAD = 2.5  # lines per heading
MAX_SUPPORT = 60


class ReferenceItem(Item):
    """A quick reference: the rules, weapons and skills of exactly these units and this support."""

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
    """Split the sections into two columns of about equal height, in their order."""
    heights = [
        SECTION_HEAD + sum(1 + len(line.name + line.text) // (COLUMN_TEXT - 4 * len(line.cells)) for line in each.lines)
        for each in sections
    ]
    cuts = range(1, len(heights) + 1)
    cut = min(cuts, key=lambda at: max(sum(heights[:at]), sum(heights[at:])), default=0)
    return sections[:cut], sections[cut:]
