"""print/1 orders: the items and settings of a print, made from the site's data and frozen at the request.

An order is a list of items in the reader's order. Consecutive cards share sheets; all other items have pages of their
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Literal

import pydantic

from rosters.paper.documents import (
    MAX_CARDS,
    Copies,
    Options,
    PrintSettings,
    UnitDocument,
    paper_of,
    sheet_of,
    subject_of,
)
from rosters.paper.sources import CompanySource, Link, Packet, ScenarioSource, no_link, pilot_document, unit_document
from rosters.products import (
    EXAMPLE,
    OF_A_UNIT,
    OFFERED,
    PACKET,
    PRODUCTS,
    AnyItem,
    BlankItem,
    BlankOf,
    Offered,
    is_card,
)
from rosters.products.base import AnyProduct, BreakItem, Item, UnitProduct, copies_of
from systems import roster_rules
from systems.documents import Document, DocumentError, parse_document, with_example
from systems.reading import read_system

if TYPE_CHECKING:
    from rosters.selectors import CompanySheet, PilotRow, UnitRow


MAX_ITEMS = 2000
MAX_PAGES = 200  # without cards
MAX_VALUES = 250_000  # in a document; enough for 900 units with everything that a unit can have
MAX_BYTES = 4 * 1024 * 1024
MAX_BLANKS = 50  # of each kind

Ids = Annotated[tuple[int, ...], pydantic.Field(max_length=2000)]


class PrintOrder(Document):
    """A complete print order."""

    model_config = with_example(muster="print/1", **EXAMPLE)

    muster: Literal["print/1"] = "print/1"
    title: Annotated[str, pydantic.Field(min_length=1, max_length=120)]
    settings: PrintSettings = PrintSettings()
    items: Annotated[tuple[AnyItem, ...], pydantic.Field(min_length=1, max_length=MAX_ITEMS)]


class CompanyChoice(Document):
    """The choices for printing a company.

    `units` and `pilots` are IDs, units in printing order; None means all, in the roster's order.
    """

    products: Annotated[tuple[Offered, ...], pydantic.Field(max_length=len(OFFERED))] = (next(iter(OFFERED)),)
    units: Ids | None = None
    pilots: Ids | None = None  # only pilots without a unit
    breaks: Ids = ()  # units after which a new sheet starts
    only: Literal["all", "changed"] = "all"  # changed: only cards that differ from the user's last print
    blanks: dict[BlankOf, Annotated[int, pydantic.Field(ge=0, le=MAX_BLANKS)]] = {}
    copies: Copies = 1
    options: Options | None = None  # house rules; None for those of the company's campaign
    damage: bool = True  # whether to show the current damage
    settings: PrintSettings = PrintSettings()

    @property
    def of_units(self) -> tuple[str, ...]:
        """The chosen products that show one unit each, in the order of the print form."""
        return tuple(slug for slug in OF_A_UNIT if slug in self.products)


def amounts(order: PrintOrder) -> tuple[int, int]:
    """Return the number of cards and the number of other items, including copies."""
    cards = sum(copies_of(item) for item in order.items if is_card(item))
    return cards, sum(copies_of(item) for item in order.items) - cards


def read_order(data: PrintOrder | Mapping[str, object] | bytes | str) -> PrintOrder:
    """Return the parsed order; DocumentError if it is invalid or too large. `check_order` finds unknown slugs."""
    if isinstance(data, PrintOrder):
        order = data
    else:
        order = parse_document(PrintOrder, data, most=MAX_BYTES, most_values=MAX_VALUES)
    cards, pages = amounts(order)
    if cards > MAX_CARDS:
        raise DocumentError("items", f"make {cards} cards; one print can have at most {MAX_CARDS}")
    if pages > MAX_PAGES:
        raise DocumentError("items", f"make {pages} pages besides the cards; one print can have at most {MAX_PAGES}")
    if all(isinstance(item, BreakItem) for item in order.items):
        raise DocumentError("items", "there is nothing to print")
    return order


def kept_order(content: object) -> PrintOrder:
    """Return an order from its stored JSON, which was checked before it was stored."""
    return PrintOrder.model_validate(content, strict=False)  # the JSON has lists instead of tuples


def check_order(order: PrintOrder) -> None:
    """Check all slugs of an order, units first; DocumentError with the path of the first unknown one."""
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


Subjects = dict[str, dict[str, list[str | int]]]  # see PrintJob.subjects


@dataclass(frozen=True, slots=True)
class CompanyPrint:
    """The order for a company, and the items of each unit and pilot."""

    order: PrintOrder
    subjects: Subjects


@dataclass(slots=True)
class _Items:
    """Collects the items of an order, and by unit or pilot and product: the fingerprint and index of the item."""

    items: list[Item] = field(default_factory=list)
    subjects: Subjects = field(default_factory=dict)

    def add(self, item: Item | None, subject: str = "") -> None:
        if item is None:
            return
        if len(self.items) >= MAX_ITEMS:
            raise DocumentError("items", f"make more than {MAX_ITEMS}; print fewer units or products at a time")
        if subject:
            product = PRODUCTS[item.what]
            of = self.subjects.setdefault(subject, {})
            of[product.sold_as] = [product.fingerprint(item), len(self.items)]
        self.items.append(item)

    def add_break(self) -> None:
        if self.items and not isinstance(self.items[-1], BreakItem):
            self.items.append(BreakItem(what="break"))


def company_print(
    company: CompanySheet,
    choice: CompanyChoice,
    *,
    link: Link = no_link,
    support: Sequence[str] = (),
    as_of: str = "",
) -> CompanyPrint:
    """Return the order for this choice; DocumentError if it is empty or too large.

    `support` is the support that the company has rolled.
    """
    units, pilots = chosen_units(company, choice), chosen_pilots(company, choice)
    options = dict(choice.options or {})
    source = CompanySource(
        sheet=company,
        units=[unit_document(company, unit, damage=choice.damage, link=link, options=options) for unit in units],
        pilots=[pilot_document(pilot) for pilot in pilots],
        support=support,
        options=options,
        copies=choice.copies,
        url=link(),
        as_of=as_of,
    )
    made = _Items()
    for group in _on_the_same_sheets(choice):
        _add_units(made, group, units, source, choice)
        for product in group:
            for pilot, document in zip(pilots, source.pilots, strict=True):
                url = link(pilot=pilot.id)
                made.add(product.of_pilot(document, source, url), subject_of(pilot=pilot.id))
            for item in product.of_company(source):
                made.add(item)
    for of, count in choice.blanks.items():
        if count:
            made.add(BlankItem(what="blank", of=of, system=company.system, options=options, copies=count))
    if not made.items:
        raise DocumentError("products", "there is nothing to print: choose units or pilots, and what to print")
    order = PrintOrder(title=company.name, settings=choice.settings, items=tuple(made.items))
    return CompanyPrint(order, made.subjects)


def subject_items(company: CompanySheet, choice: CompanyChoice) -> dict[str, tuple[Item, ...]]:
    """Return the items that the choice's products have today, for each unit and each pilot without a unit.

    Includes units and pilots that aren't chosen.
    """
    found: dict[str, tuple[Item, ...]] = {}
    for unit in company.units:
        document = unit_document(company, unit, damage=choice.damage, options=choice.options or {})
        items = (OF_A_UNIT[slug].of_unit(document) for slug in choice.of_units)
        found[subject_of(unit.id)] = tuple(item for item in items if item is not None)
    source = CompanySource(sheet=company)
    for pilot in free_pilots(company):
        made = (PRODUCTS[slug].of_pilot(pilot_document(pilot), source, "") for slug in choice.products)
        if cards := tuple(item for item in made if item is not None):
            found[subject_of(pilot=pilot.id)] = cards
    return found


def chosen_units(company: CompanySheet, choice: CompanyChoice) -> list[UnitRow]:
    """Return the chosen ready units in printing order; IDs of other units are ignored."""
    if choice.units is None:
        return list(company.units)
    ready = {unit.id: unit for unit in company.units}
    return [ready[pk] for pk in dict.fromkeys(choice.units) if pk in ready]


def free_pilots(company: CompanySheet) -> list[PilotRow]:
    """Return the company's pilots without a unit."""
    return [pilot for pilot in company.pilots if pilot.seat is None]


def chosen_pilots(company: CompanySheet, choice: CompanyChoice) -> list[PilotRow]:
    return [pilot for pilot in free_pilots(company) if choice.pilots is None or pilot.id in choice.pilots]


def design_products(system: str) -> list[tuple[str, str]]:
    """Return the products for a design, as pairs of slug and label."""
    made = {slug: product for slug, product in OF_A_UNIT.items() if product.is_made(system)}
    return [(slug, OFFERED[slug]) for slug, product in made.items() if not product.needs_pilot]


def design_order(
    system: str,
    name: str,
    spec: Mapping[str, object],
    products: Sequence[str],
    settings: PrintSettings,
    copies: int,
    options: Mapping[str, object] = {},
) -> PrintOrder:
    """Return the order for a design, printed as a new unit without a pilot."""
    unit = design_unit(system, name, spec, options)
    made = (product.of_unit(unit, copies) for slug, product in OF_A_UNIT.items() if slug in products)
    return order_of(name, settings, made)


def design_unit(system: str, name: str, spec: Mapping[str, object], options: Mapping[str, object] = {}) -> UnitDocument:
    """Return a new unit of the design without a pilot, in the newest catalogue version, which designs are read with."""
    return UnitDocument(
        system=system,
        name=name,
        design_name=name,
        spec=dict(spec),
        options=dict(options),
        release=roster_rules(system).catalogue_release,
    )


def scenario_products(scenario: ScenarioSource) -> list[tuple[str, str]]:
    """Return the products for a scenario, as pairs of value and label.

    A value is the product's slug, followed by a colon and a choice if the product has choices.
    """
    made = {slug: product for slug, product in PRODUCTS.items() if product.is_made(scenario.system)}
    return [
        (f"{slug}:{choice}" if choice else slug, label)
        for slug, product in made.items()
        for choice, label in product.scenario_choices(scenario).items()
    ]


def scenario_order(scenario: ScenarioSource, products: Sequence[str], settings: PrintSettings) -> PrintOrder:
    """Return the order of these products for a scenario; DocumentError if it is empty."""
    chosen = [value.partition(":") for value, _ in scenario_products(scenario) if value in products]
    made = (PRODUCTS[slug].of_scenario(scenario, choice) for slug, _, choice in chosen)
    return order_of(scenario.name, settings, made)


def packet_products(packet: Packet) -> list[tuple[str, str]]:
    """Return the products for a packet, as pairs of slug and label."""
    made = {slug: PRODUCTS[slug] for slug in PACKET if PRODUCTS[slug].is_made(packet.system)}
    return [(slug, product.packet_label) for slug, product in made.items() if product.is_in(packet)]


def usual_products(products: Sequence[tuple[str, str]]) -> list[str]:
    """Return the products of a packet that are ticked by default; players with miniatures need no counters."""
    return [slug for slug, _ in products if PRODUCTS[slug].is_usual]


def packet_order(packet: Packet, products: Sequence[str], settings: PrintSettings, copies: int) -> PrintOrder:
    """Return the order of these products for a packet; DocumentError if it is empty."""
    made = (item for slug in PACKET if slug in products for item in PRODUCTS[slug].of_packet(packet, copies))
    return order_of(packet.title, settings, made)


def printer_order(title: str, settings: PrintSettings) -> PrintOrder:
    """Return the order for a printer's test sheet, printed with its current offsets."""
    return order_of(title, settings, (product.of_printer() for product in PRODUCTS.values()))


def order_of(title: str, settings: PrintSettings, made: Iterable[Item | None]) -> PrintOrder:
    """Return the order of these items; DocumentError if there are none or too many."""
    items = tuple(item for item in made if item is not None)
    if not items:
        raise DocumentError("products", "there is nothing to print: choose at least one item")
    if len(items) > MAX_ITEMS:
        raise DocumentError("items", f"make more than {MAX_ITEMS}; print less at a time")
    return PrintOrder(title=title[:120], settings=settings, items=items)


def _on_the_same_sheets(choice: CompanyChoice) -> Iterator[list[AnyProduct]]:
    """Yield the chosen products in groups: first cards, those of one size together, then pages."""
    chosen = [PRODUCTS[slug] for slug in OFFERED if slug in choice.products]
    chosen.sort(key=lambda product: not product.is_card)
    for _, group in groupby(chosen, lambda product: (product.is_card, product.size)):
        yield list(group)


def _add_units(
    made: _Items,
    group: Sequence[AnyProduct],
    units: Sequence[UnitRow],
    source: CompanySource,
    choice: CompanyChoice,
) -> None:
    """Add the items of all units, unit by unit, with the requested breaks."""
    products = [product for product in group if isinstance(product, UnitProduct)]
    for at, (unit, document) in enumerate(zip(units, source.units, strict=True)):
        for product in products:
            made.add(product.of_unit(document, choice.copies), subject_of(unit.id))
        if products and unit.id in choice.breaks and at < len(units) - 1:
            made.add_break()
