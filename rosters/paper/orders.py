"""print/1: what to print and how, frozen when it is requested, so that a print is the same whenever a worker draws it;
and what to print of a company. Pure.

An order is a list of items in the reader's order. Consecutive cards share sheets; every other item has its own pages.
Nothing here knows where the facts came from: print pages, matches, battles and commands all make orders.
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
MAX_PAGES = 200  # not counting cards
MAX_VALUES = 250_000  # in a document: 900 units with everything a unit can have, and some more
MAX_BYTES = 4 * 1024 * 1024
MAX_BLANKS = 50  # of one kind

Ids = Annotated[tuple[int, ...], pydantic.Field(max_length=2000)]


class PrintOrder(Document):
    """A whole print."""

    model_config = with_example(muster="print/1", **EXAMPLE)

    muster: Literal["print/1"] = "print/1"
    title: Annotated[str, pydantic.Field(min_length=1, max_length=120)]
    settings: PrintSettings = PrintSettings()
    items: Annotated[tuple[AnyItem, ...], pydantic.Field(min_length=1, max_length=MAX_ITEMS)]


class CompanyChoice(Document):
    """What to print of a company.

    `units` and `pilots` are ids, units in printing order; None means all, in the roster's order.
    """

    products: Annotated[tuple[Offered, ...], pydantic.Field(max_length=len(OFFERED))] = (next(iter(OFFERED)),)
    units: Ids | None = None
    pilots: Ids | None = None  # only pilots without a unit
    breaks: Ids = ()  # units after which a new sheet starts
    only: Literal["all", "changed"] = "all"  # changed: what differs from the user's last print of it
    blanks: dict[BlankOf, Annotated[int, pydantic.Field(ge=0, le=MAX_BLANKS)]] = {}
    copies: Copies = 1
    options: Options | None = None  # house rules; None: those of the company's campaign
    damage: bool = True  # current damage; false: as good as new
    settings: PrintSettings = PrintSettings()

    @property
    def of_units(self) -> tuple[str, ...]:
        """The chosen products that are made of one unit each, in the order of the print form."""
        return tuple(slug for slug in OF_A_UNIT if slug in self.products)


def amounts(order: PrintOrder) -> tuple[int, int]:
    """Return the number of cards and the number of items that are pages, with copies."""
    cards = sum(copies_of(item) for item in order.items if is_card(item))
    return cards, sum(copies_of(item) for item in order.items) - cards


def read_order(data: PrintOrder | Mapping[str, object] | bytes | str) -> PrintOrder:
    """Return the order, within bounds; raises DocumentError. Unknown slugs are found by `check_order`."""
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
    """Return an order from its stored JSON; it was checked before it was stored."""
    return PrintOrder.model_validate(content, strict=False)  # the JSON has lists instead of tuples


def check_order(order: PrintOrder) -> None:
    """Check all slugs of an order, units first; raises DocumentError with the place of the first unknown thing."""
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
