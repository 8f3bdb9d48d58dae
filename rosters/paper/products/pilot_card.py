"""Cards of pilots: with the numbers of the unit they are assigned to, or of pilots without a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import pydantic

from rosters.paper.changes import pilot_changes
from rosters.paper.documents import (
    AnyColour,
    Copies,
    PilotDocument,
    PrintSettings,
    UnitDocument,
    Url,
    paper_of,
    read_pilot,
    sheet_of,
)
from rosters.paper.faces import ALL, Side, card_sides
from rosters.paper.layout import SIZES
from rosters.paper.product import Item, Product, UnitItem, UnitProduct
from rosters.paper.products.unit_card import unit_fill
from rosters.paper.sources import CompanySource
from systems import PAPER, roster_rules
from systems.documents import DocumentError
from systems.reading import read_system


class PilotItem(Item):
    """The card of a pilot without a unit."""

    what: Literal["free-pilot-card"]
    system: str
    pilot: PilotDocument
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    url: Url = ""  # of the live pilot's page
    copies: Copies = 1


class PilotCard(UnitProduct):
    slug, said = "pilot-card", "its pilot's card"
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

    def shown(self, unit: UnitDocument) -> UnitDocument:
        """Return the unit with the pilot's wound as its only damage."""
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
