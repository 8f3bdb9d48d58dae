"""What of a company is to be printed, and how: as its page asks it, a preset keeps it and the API takes it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import pydantic

from rosters.paper.orders import Copies, PrintSettings
from systems.documents import Document, SystemOptions

Product = Literal["unit-card", "pilot-card", "support-card", "datasheet", "roster", "reference", "counter", "standee"]
BlankProduct = Literal["unit-card", "pilot-card", "datasheet", "roster", "slip"]
Ids = Annotated[tuple[int, ...], pydantic.Field(max_length=2000)]

PRODUCTS: Mapping[Product, str] = {
    "unit-card": "Unit cards",
    "pilot-card": "Pilot cards",
    "support-card": "Support cards",
    "datasheet": "Datasheets",
    "roster": "Roster on one page",
    "reference": "Quick reference",
    "counter": "Counters",
    "standee": "Standees",
}
BLANKS: Mapping[BlankProduct, str] = {
    "unit-card": "Unit cards",
    "pilot-card": "Pilot cards",
    "datasheet": "Datasheets",
    "roster": "Rosters",
    "slip": "Result slips",
}
OF_A_UNIT: tuple[Product, ...] = ("unit-card", "pilot-card", "datasheet", "counter", "standee")
MOST_BLANKS = 50  # of a kind


class CompanyChoice(Document):
    """`units` and `pilots` are ids, units in the order of printing; None stands for all, as the roster has them."""

    products: Annotated[tuple[Product, ...], pydantic.Field(max_length=len(PRODUCTS))] = ("unit-card",)
    units: Ids | None = None
    pilots: Ids | None = None  # of those who sit in no unit
    breaks: Ids = ()  # units after which a new sheet begins
    only: Literal["all", "changed"] = "all"  # changed: what differs from the asker's last print of it
    blanks: dict[BlankProduct, Annotated[int, pydantic.Field(ge=0, le=MOST_BLANKS)]] = {}
    copies: Copies = 1
    options: SystemOptions | None = None  # house rules; None: those of the campaign that the company plays in
    damage: bool = True  # as it stands; else as good as new
    settings: PrintSettings = PrintSettings()

    @property
    def of_units(self) -> tuple[Product, ...]:
        """The chosen products that are made of one unit each, in the order of OF_A_UNIT."""
        return tuple(product for product in OF_A_UNIT if product in self.products)
