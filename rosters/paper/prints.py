"""Orders of what the site knows: a company as it stands, designs, scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from rosters.paper.changes import subject_of, subjects_json
from rosters.paper.choices import OF_A_UNIT, CompanyChoice, Product
from rosters.paper.documents import PilotDocument, ServiceDocument, UnitDocument
from rosters.paper.orders import (
    BlankItem,
    BreakItem,
    Item,
    PilotItem,
    PrintOrder,
    PrintSettings,
    ReferenceItem,
    RosterItem,
    RosterPrint,
    ScenarioItem,
    SupportItem,
    UnitItem,
)
from rosters.paper.sources import pilot_name
from systems import PAPER
from systems.documents import DocumentError
from systems.ledger import PilotRecord

if TYPE_CHECKING:
    from rosters.selectors import CompanySheet, PilotRow, UnitRow

MOST_ITEMS = 2000


class Link(Protocol):
    """The address of the page of a unit, of a pilot, or of the company."""

    def __call__(self, *, unit: int | None = None, pilot: int | None = None) -> str: ...


def no_link(*, unit: int | None = None, pilot: int | None = None) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class CompanyPrint:
    """A company's order, and which unit or pilot each of its items is made of: see PrintJob.subjects."""

    order: PrintOrder
    subjects: Mapping[str, Mapping[Product, Sequence[Any]]]


@dataclass(slots=True)
class _Items:
    """The items of an order under way, and of which unit or pilot they are."""

    items: list[Item] = field(default_factory=list)
    subjects: dict[int, str] = field(default_factory=dict)

    def add(self, item: Item, subject: str = "") -> None:
        if len(self.items) >= MOST_ITEMS:
            raise DocumentError("items", f"come to more than {MOST_ITEMS}; print fewer units or fewer products at once")
        if subject:
            self.subjects[len(self.items)] = subject
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
    """The order of that choice; raises DocumentError for what is too much or nothing at all.

    `support` are the results that the company has rolled.
    """
    units, pilots = chosen_units(company, choice), chosen_pilots(company, choice)
    options = dict(choice.options or {})
    documents = {
        unit.id: unit_document(company, unit, damage=choice.damage, link=link, options=options) for unit in units
    }
    made = _Items()
    for group in (("unit-card", "pilot-card"), ("counter",), ("standee",), ("datasheet",)):
        _add_units(made, group, units, documents, choice)
        if "pilot-card" in group and "pilot-card" in choice.products:
            for pilot in pilots:
                made.add(pilot_item(company, pilot, choice.copies, link=link), subject_of(pilot=pilot.id))
        if "unit-card" in group:
            _add_support(made, company, choice, support, link)
    if "roster" in choice.products:
        unmanned = [pilot_document(pilot) for pilot in pilots]
        roster = roster_print(
            company, tuple(documents.values()), tuple(unmanned), url=link(), as_of=as_of, options=options
        )
        made.add(RosterItem(what="roster", roster=roster))
    if "reference" in choice.products and documents:
        facts = ReferenceItem(
            what="reference",
            system=company.system,
            units=tuple(documents.values()),
            support=tuple(support)[:60],
            options=options,
        )
        made.add(facts)
    for of, count in choice.blanks.items():
        if count:
            made.add(BlankItem(what="blank", of=of, system=company.system, options=options, copies=count))
    if not made.items:
        raise DocumentError("products", "there is nothing to print: choose units or pilots, and what to make of them")
    order = PrintOrder(title=company.name, settings=choice.settings, items=tuple(made.items))
    return CompanyPrint(order, subjects_json(made.subjects, order.items))


def subject_items(company: CompanySheet, choice: CompanyChoice) -> dict[str, tuple[UnitItem | PilotItem, ...]]:
    """What the choice would print today of each unit and each pilot without one, whether it is chosen or not."""
    found: dict[str, tuple[UnitItem | PilotItem, ...]] = {}
    for unit in company.units:
        document = unit_document(company, unit, damage=choice.damage, options=choice.options or {})
        items = (unit_item(product, document) for product in choice.of_units)
        found[subject_of(unit.id)] = tuple(item for item in items if item is not None)
    if "pilot-card" in choice.products:
        for pilot in free_pilots(company):
            found[subject_of(pilot=pilot.id)] = (pilot_item(company, pilot, 1),)
    return found


def chosen_units(company: CompanySheet, choice: CompanyChoice) -> list[UnitRow]:
    """Ready units in the order of printing; ids that the company does not have ready are passed over."""
    if choice.units is None:
        return list(company.units)
    ready = {unit.id: unit for unit in company.units}
    return [ready[pk] for pk in dict.fromkeys(choice.units) if pk in ready]


def free_pilots(company: CompanySheet) -> list[PilotRow]:
    """Pilots on the roll who sit in no unit."""
    return [pilot for pilot in company.pilots if pilot.seat is None]


def chosen_pilots(company: CompanySheet, choice: CompanyChoice) -> list[PilotRow]:
    return [pilot for pilot in free_pilots(company) if choice.pilots is None or pilot.id in choice.pilots]


def unit_item(product: Product, unit: UnitDocument, copies: int = 1) -> UnitItem | None:
    """That product made of the unit; None where the unit has none: a pilot's card without a pilot."""
    if product not in OF_A_UNIT or (product == "pilot-card" and unit.pilot is None):
        return None
    if product != "datasheet":  # nothing else tells of it
        unit = unit.model_copy(update={"service": None})
    return UnitItem(what=product, unit=unit, copies=copies)  # type: ignore[arg-type]


def unit_items(products: Iterable[Product], unit: UnitDocument, copies: int = 1) -> list[Item]:
    """All of these products that can be made of the unit."""
    made = (unit_item(product, unit, copies) for product in OF_A_UNIT if product in products)
    return [item for item in made if item is not None]


def unit_document(
    company: CompanySheet,
    unit: UnitRow,
    *,
    damage: bool = True,
    link: Link = no_link,
    options: Mapping[str, object] = {},
) -> UnitDocument:
    """The unit with its pilot under these house rules; undamaged unless it is wanted as it stands."""
    paper = PAPER.get(company.system)
    condition = dict(unit.condition) if damage else {}
    if damage and paper and paper.wound_field and unit.pilot and unit.pilot.status == "wounded":
        condition[paper.wound_field] = True
    has_service = paper is not None and paper.shows_service
    return UnitDocument(
        system=company.system,
        name=unit.name,
        design_name=unit.design_name,
        spec=dict(unit.spec),
        company=company.name,
        colour=company.colour,
        url=link(unit=unit.id),
        pilot=pilot_document(unit.pilot) if unit.pilot else None,
        condition=condition,
        options=dict(options),
        service=ServiceDocument(games=max(unit.games, 0), kills=max(unit.kills, 0)) if has_service else None,
    )


def pilot_document(pilot: PilotRecord | PilotRow) -> PilotDocument:
    return PilotDocument(
        name=pilot_name(pilot.name, pilot.callsign),
        experience=pilot.experience if isinstance(pilot, PilotRecord) else pilot.level,
        skills=tuple(pilot.skills),
        kills=max(pilot.kills, 0),
        games=max(pilot.games, 0),
    )


def pilot_item(company: CompanySheet, pilot: PilotRow, copies: int, *, link: Link = no_link) -> PilotItem:
    return PilotItem(
        what="free-pilot-card",
        system=company.system,
        pilot=pilot_document(pilot),
        company=company.name,
        colour=company.colour,
        url=link(pilot=pilot.id),
        copies=copies,
    )


def roster_print(
    company: CompanySheet,
    units: tuple[UnitDocument, ...],
    pilots: tuple[PilotDocument, ...] = (),
    *,
    url: str = "",
    as_of: str = "",
    options: Mapping[str, object] = {},
) -> RosterPrint:
    """The company on a page, with these of its units."""
    return RosterPrint(
        system=company.system,
        name=company.name,
        motto=company.motto,
        player=company.owner[:60],
        colour=company.colour,
        points=company.value,
        balance=company.balance,
        money=company.money,
        as_of=as_of,
        url=url,
        units=units,
        pilots=pilots,
        problems=tuple(problem.message[:400] for problem in company.check.problems[:100]),
        options=dict(options),
    )


def design_order(
    system: str,
    name: str,
    spec: Mapping[str, Any],
    products: Iterable[Product],
    settings: PrintSettings,
    copies: int,
    options: Mapping[str, object] = {},
) -> PrintOrder:
    """A design as a unit fresh from the works, without a pilot."""
    unit = UnitDocument(system=system, name=name, design_name=name, spec=dict(spec), options=dict(options))
    return order_of(name, settings, unit_items(products, unit, copies))


def scenario_order(
    system: str, name: str, spec: Mapping[str, Any], settings: PrintSettings, options: Mapping[str, object] = {}
) -> PrintOrder:
    """The sheet of a scenario."""
    item = ScenarioItem(what="scenario", system=system, name=name, spec=dict(spec), options=dict(options))
    return order_of(name, settings, [item])


def order_of(title: str, settings: PrintSettings, items: Sequence[Item]) -> PrintOrder:
    """These items; raises DocumentError if there are none, or too many."""
    if not items:
        raise DocumentError("products", "there is nothing to print: choose at least one thing")
    if len(items) > MOST_ITEMS:
        raise DocumentError("items", f"come to more than {MOST_ITEMS}; print less at once")
    return PrintOrder(title=title[:120], settings=settings, items=tuple(items))


def _add_units(
    made: _Items,
    group: tuple[Product, ...],
    units: Sequence[UnitRow],
    documents: Mapping[int, UnitDocument],
    choice: CompanyChoice,
) -> None:
    """Products that share sheets, unit by unit, with the breaks that were asked for."""
    products = [product for product in group if product in choice.products]
    for at, unit in enumerate(units):
        for product in products:
            item = unit_item(product, documents[unit.id], choice.copies)
            if item is not None:
                made.add(item, subject_of(unit.id))
        if products and unit.id in choice.breaks and at < len(units) - 1:
            made.add_break()


def _add_support(
    made: _Items, company: CompanySheet, choice: CompanyChoice, support: Sequence[str], link: Link
) -> None:
    if "support-card" in choice.products:
        for slug in dict.fromkeys(support):
            made.add(
                SupportItem(
                    what="support-card",
                    system=company.system,
                    support=slug,
                    company=company.name,
                    colour=company.colour,
                    url=link(),
                    options=dict(choice.options or {}),
                    copies=choice.copies,
                )
            )
