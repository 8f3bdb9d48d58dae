"""print/1: what to print and how, frozen when it is asked for, so that a print is the same whenever a worker draws it; and what is asked of a company. Pure.

An order is a list of items in the reader's order. Cards that follow each other share sheets; every other item is pages
of its own. Nothing here knows where the facts came from: shop, match, battle and command all make orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import pydantic

from rosters.paper.documents import MAX_CARDS, Copies, Options, PrintSettings, paper_of, sheet_of
from rosters.paper.product import BreakItem, copies_of
from rosters.paper.products import EXAMPLE, OF_A_UNIT, OFFERED, PRODUCTS, AnyItem, BlankOf, Offered, is_card
from systems import roster_rules
from systems.documents import Document, DocumentError, parse_document, with_example
from systems.reading import read_system

MAX_ITEMS = 2000
MAX_PAGES = 200  # that are not cards
MAX_VALUES = 250_000  # in a document: 900 units with all that a unit can have, and room beside them
MAX_BYTES = 4 * 1024 * 1024
MAX_BLANKS = 50  # of a kind

Ids = Annotated[tuple[int, ...], pydantic.Field(max_length=2000)]


class PrintOrder(Document):
    """A whole print."""

    model_config = with_example(muster="print/1", **EXAMPLE)

    muster: Literal["print/1"] = "print/1"
    title: Annotated[str, pydantic.Field(min_length=1, max_length=120)]
    settings: PrintSettings = PrintSettings()
    items: Annotated[tuple[AnyItem, ...], pydantic.Field(min_length=1, max_length=MAX_ITEMS)]


class CompanyChoice(Document):
    """`units` and `pilots` are ids, units in the order of printing; None stands for all, as the roster has them."""

    products: Annotated[tuple[Offered, ...], pydantic.Field(max_length=len(OFFERED))] = (next(iter(OFFERED)),)
    units: Ids | None = None
    pilots: Ids | None = None  # of those who sit in no unit
    breaks: Ids = ()  # units after which a new sheet begins
    only: Literal["all", "changed"] = "all"  # changed: what differs from the asker's last print of it
    blanks: dict[BlankOf, Annotated[int, pydantic.Field(ge=0, le=MAX_BLANKS)]] = {}
    copies: Copies = 1
    options: Options | None = None  # house rules; None: those of the campaign that the company plays in
    damage: bool = True  # as it stands; else as good as new
    settings: PrintSettings = PrintSettings()

    @property
    def of_units(self) -> tuple[str, ...]:
        """The chosen products that are made of one unit each, in the order of the shop."""
        return tuple(slug for slug in OF_A_UNIT if slug in self.products)


def amounts(order: PrintOrder) -> tuple[int, int]:
    """How many cards, and how many items that are pages."""
    cards = sum(copies_of(item) for item in order.items if is_card(item))
    return cards, sum(copies_of(item) for item in order.items) - cards


def read_order(data: PrintOrder | Mapping[str, object] | bytes | str) -> PrintOrder:
    """The order, within bounds; raises DocumentError. Whether every slug is known is asked by `check_order`."""
    if isinstance(data, PrintOrder):
        order = data
    else:
        order = parse_document(PrintOrder, data, most=MAX_BYTES, most_values=MAX_VALUES)
    cards, pages = amounts(order)
    if cards > MAX_CARDS:
        raise DocumentError("items", f"come to {cards} cards; at most {MAX_CARDS} in one print")
    if pages > MAX_PAGES:
        raise DocumentError("items", f"come to {pages} pages beside the cards; at most {MAX_PAGES} in one print")
    if all(isinstance(item, BreakItem) for item in order.items):
        raise DocumentError("items", "there is nothing to print")
    return order


def kept_order(content: object) -> PrintOrder:
    """An order that was checked before it was kept, of its JSON."""
    return PrintOrder.model_validate(content, strict=False)  # lists stand for tuples there


def check_order(order: PrintOrder) -> None:
    """Raises DocumentError with the place of the first thing that is not known, units first."""
    placed = [(f"items[{at}]", item, PRODUCTS[item.what]) for at, item in enumerate(order.items)]
    checked: set[int] = set()
    for place, item, product in placed:
        for path, unit in product.units(item, place):
            if id(unit) not in checked:
                checked.add(id(unit))
                sheet_of(unit, path)
    for place, item, product in placed:
        if options := getattr(item, "options", {}):
            read_system(getattr(item, "system", ""), f"{place}.system").parse_options(options, f"{place}.options")
        product.check(item, place)
        if system := product.system_of(item):
            paper_of(system, f"{place}.system")
            if lacked := product.lacked(item):
                raise DocumentError(place, f"{roster_rules(system).name} has no {lacked.replace('-', ' ')} to print")
