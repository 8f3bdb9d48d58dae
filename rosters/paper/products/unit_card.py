"""Cards of units and support units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rosters.paper.documents import PrintSettings, UnitDocument, drawing_of, paper_of, sheet_of
from rosters.paper.faces import ALL, Side, card_sides
from rosters.paper.layout import POKER, SIZES
from rosters.paper.page_parts import card_foot, unit_foot
from rosters.paper.product import Item, UnitItem, UnitProduct
from rosters.paper.products.support_card import packet_cards
from rosters.paper.sources import LETTERS, Packet


class UnitCard(UnitProduct):
    slug, command = "unit-card", "cards"
    label = blank_label = "Unit cards"
    packet_label = "Unit cards of both sides"
    said = "its card"
    made_of, blank_of = ("card",), ("blank_unit_card",)
    is_card = shows_number = tells_day = True

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        """Yield the cards of each side's units, then those of its support."""
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
            ("brief",) if size is POKER else ALL,  # all cards of a poker deck have the same level of detail
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
