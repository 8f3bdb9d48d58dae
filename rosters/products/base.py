"""Base class of printed products, and blank products to be filled in by pen.

The defaults that most products share are here; a product overrides the rest. Products are found by the `what` of their
items, and only `products/__init__.py` lists them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, NoReturn, TypeVar

from rosters.card_layout import SIZES, CardSize
from rosters.card_layout.card_fronts import Side
from rosters.paper.documents import Copies, Options, PilotDocument, PrintSettings, UnitDocument, unit_changes
from rosters.paper.page_layout import Frame, frame_pdf
from rosters.paper.sources import CompanySource, Packet, ScenarioSource
from systems import PAPER
from systems.documents import Document, DocumentError, unknown_slug, within
from systems.reading import read_system


class Item(Document):
    what: str


class UnitItem(Item):
    """Something made from one unit. The registry has the possible values of `what`; see `products.UnitItem`."""

    unit: UnitDocument
    copies: Copies = 1


class BreakItem(Item):
    """The next item starts on a new sheet."""

    what: Literal["break"]


ItemT = TypeVar("ItemT", bound=Item)
Placed = tuple[str, ItemT]  # an item and the path of its place in an order; empty if it is alone


class Product(Generic[ItemT]):
    """A printed product. Everything with a default here is optional."""

    slug: str  # the `what` of its items
    item: type[ItemT]  # its part of the order document

    # Its label in each place where it is offered; empty: not offered there.
    label = ""  # for a company
    blank_label = ""  # to be filled in by pen
    packet_label = ""  # for both sides of a battle
    scenario_label = ""
    is_usual = True  # ticked at first in a packet

    made_of: tuple[str, ...] = ()  # what a game's print rules must provide for it
    blank_of: tuple[str, ...] = ()  # what they must also provide for a blank one

    is_card = False  # shares a sheet with others and is cut out; else it has its own pages
    size: CardSize | None = None  # of its cards, overrides the size in the settings
    tells_day = False  # its foot has the day of printing

    # --- availability -------------------------------------------------------------------------------------------------

    def is_made(self, system: str) -> bool:
        """Return whether that rule system has it."""
        return system in PAPER and PAPER[system].answers(*self.made_of)

    def is_made_blank(self, system: str) -> bool:
        return bool(self.blank_label) and self.is_made(system) and PAPER[system].answers(*self.blank_of)

    def system_of(self, item: ItemT) -> str:
        """Return the rule system of the item; empty if it has none."""
        return getattr(item, "system", "")

    def lacked(self, item: ItemT) -> str:
        """Return the product that the item's rule system doesn't have; empty if it has it."""
        return "" if self.is_made(self.system_of(item)) else self.sold_as

    # --- sources ------------------------------------------------------------------------------------------------------

    def is_offered(self, support: Mapping[str, str]) -> bool:
        """Return whether a company that has rolled this support can have it."""
        return True

    def note(self, support: Mapping[str, str]) -> str:
        """Return the note beside its label."""
        return ""

    def of_pilot(self, pilot: PilotDocument, company: CompanySource, url: str) -> Item | None:
        """Return the item for a pilot without a unit."""
        return None

    def of_company(self, company: CompanySource) -> Iterator[Item]:
        """Yield the items for the company itself, besides those for each of its units."""
        yield from ()

    def is_in(self, packet: Packet) -> bool:
        """Return whether the packet contains what it is made from."""
        return any(side.units for side in packet.sides)

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        yield from ()

    def scenario_choices(self, scenario: ScenarioSource) -> Mapping[str, str]:
        """Return the variants for a scenario, as labels by choice; the choice is empty if there is only one."""
        return {"": self.scenario_label} if self.scenario_label else {}

    def of_scenario(self, scenario: ScenarioSource, choice: str = "") -> Item | None:
        return None

    def of_printer(self) -> Item | None:
        return None

    # --- contents -----------------------------------------------------------------------------------------------------

    def units(self, item: ItemT, path: str) -> Iterator[tuple[str, UnitDocument]]:
        """Yield its unit documents, each with the path of its place."""
        yield from ()

    def check(self, item: ItemT, path: str) -> None:
        """Check everything it names besides its units; raises DocumentError for anything unknown."""

    @property
    def sold_as(self) -> str:
        """The product under which its prints are recorded."""
        return self.slug

    def facts(self, item: ItemT) -> dict[str, object]:
        """Return the facts that identify the contents of a print, as JSON values, without the URL of the live unit."""
        return item.model_dump(mode="json", exclude={"copies": True, "url": True, "unit": {"url"}})

    def fingerprint(self, item: ItemT) -> str:
        return fingerprint_of(self.facts(item))

    def is_as_printed(self, item: ItemT, fingerprint: str) -> bool:
        """Return whether a print with that fingerprint has the same contents as the item."""
        return fingerprint == self.fingerprint(item)

    def changes(self, before: ItemT, now: ItemT) -> tuple[str, ...]:
        """Describe the differences between two prints of it, in words for the reader."""
        return ()

    # --- cards --------------------------------------------------------------------------------------------------------

    def is_card_item(self, item: ItemT) -> bool:
        return self.is_card

    def card_size(self, settings: PrintSettings) -> CardSize:
        return self.size or SIZES[settings.card]

    def size_of(self, item: ItemT, settings: PrintSettings) -> CardSize:
        """Return the size of that item's cards, for products whose cards differ in size."""
        return self.card_size(settings)

    def fill(self, item: ItemT) -> tuple[int, Sequence[str]] | None:
        """Return the number of entries and the names that decide whether all of a card fits; None: it always does."""
        return None

    def sides(self, item: ItemT, settings: PrintSettings) -> tuple[Side, ...]:
        """Return its cards, more than one where its text needs them; copies are not included.

        They depend on the item, on `settings.card` and on whether backs are printed. Raises DocumentError with a path
        within the item.
        """
        self._cannot("is no card")

    def blank_sides(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> tuple[Side, ...]:
        self._cannot("is no card")

    # --- pages --------------------------------------------------------------------------------------------------------

    def shares_page(self, settings: PrintSettings) -> bool:
        """Return whether two consecutive items share one page."""
        return False

    def pages(self, settings: PrintSettings) -> int:
        """Return the number of pages that one copy counts as."""
        return 1

    def pages_of(self, item: ItemT, settings: PrintSettings) -> int:
        """Return the same for one item, for products whose items differ in length."""
        return self.pages(settings)

    def look(self, item: ItemT) -> set[str]:
        """Return the settings that decide its look, besides paper and theme."""
        return set()

    def pdf(self, placed: Sequence[Placed[ItemT]], settings: PrintSettings) -> bytes:
        """Return one item's pages, or the page of two; raises DocumentError, which names the item by its place."""
        ((place, item),) = placed
        with within(place):
            frame = self.frame(item, settings)
        return frame_pdf(frame)

    def frame(self, item: ItemT, settings: PrintSettings) -> Frame:
        """Return its pages, to be laid out; raises DocumentError with a path within the item."""
        self._cannot("is no page")

    def blank_frame(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> Frame:
        self._cannot("is no page")

    def _cannot(self, reason: str) -> NoReturn:
        raise DocumentError("what", f"{reason}: {self.slug}")


AnyProduct = Product[Any]


class UnitProduct(Product[UnitItem]):
    """A product made of one unit. The registry sets its item class."""

    said: str  # its part of the sentence that lists everything made of a unit
    command = ""  # its --kind on the command line
    needs_pilot = False
    tells_service = False  # shows what the unit has been through
    shows_number = False

    def refusal(self, unit: UnitDocument) -> DocumentError | None:
        """Return why that unit has none, with a path within the item; None if it has one."""
        return None

    def system_of(self, item: UnitItem) -> str:
        return item.unit.system

    def of_unit(self, unit: UnitDocument, copies: int = 1) -> UnitItem | None:
        """Return the item for the unit; None where the unit has none."""
        if self.refusal(unit):
            return None
        if not self.tells_service:
            unit = unit.model_copy(update={"service": None})
        if not self.shows_number:
            unit = unit.model_copy(update={"number": 0})
        return self.item(what=self.slug, unit=unit, copies=copies)

    def units(self, item: UnitItem, path: str) -> Iterator[tuple[str, UnitDocument]]:
        yield f"{path}.unit", item.unit

    def check(self, item: UnitItem, path: str) -> None:
        if error := self.refusal(item.unit):
            raise DocumentError(f"{path}.{error.path}", error.reason)

    def printed_unit(self, unit: UnitDocument) -> UnitDocument:
        """Return the unit with only what this product shows."""
        return unit

    def facts(self, item: UnitItem) -> dict[str, object]:
        unit = self.printed_unit(item.unit)
        facts = _numbered(super().facts(item.model_copy(update={"unit": unit})))
        return {**facts, "unit": {**facts["unit"], "pilot": unit.pilot.facts() if unit.pilot else None}}

    def is_as_printed(self, item: UnitItem, fingerprint: str) -> bool:
        """Compare the fingerprints; prints from before units had numbers still count as current."""
        bare = item.model_copy(update={"unit": item.unit.model_copy(update={"number": 0})})
        return super().is_as_printed(item, fingerprint) or fingerprint == self.fingerprint(bare)

    def changes(self, before: UnitItem, now: UnitItem) -> tuple[str, ...]:
        return unit_changes(self.printed_unit(before.unit), self.printed_unit(now.unit))


class Break(Product[BreakItem]):
    """A break between sheets; prints nothing."""

    slug, item = "break", BreakItem


def _numbered(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a unit; without a number they equal those of prints from before there were numbers."""
    unit = {name: value for name, value in facts["unit"].items() if name != "number" or value}
    return {**facts, "unit": unit}


def fingerprint_of(facts: object) -> str:
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def copies_of(item: Item) -> int:
    return getattr(item, "copies", 1)


def check_support(system: str, slug: str, path: str, where: str) -> None:
    """Check a support slug; raises DocumentError if the system doesn't have it.

    `path` is the path of the item, `where` that of the slug.
    """
    names = read_system(system, f"{path}.system").support_names
    if slug not in names:
        raise unknown_slug(where, "support", slug, names)


class BlankItem(Item):
    """A blank product. The registry has the possible values of `of`; see `products.BlankItem`."""

    what: Literal["blank"]
    of: str
    system: str
    options: Options = {}
    copies: Copies = 1


class Blank(Product[BlankItem]):
    slug = "blank"

    def __init__(self, item: type[BlankItem], products: Mapping[str, AnyProduct]) -> None:
        self.item, self._products = item, products

    def check(self, item: BlankItem, path: str) -> None:
        read_system(item.system, f"{path}.system")

    def lacked(self, item: BlankItem) -> str:
        return "" if self._products[item.of].is_made_blank(item.system) else item.of

    def is_card_item(self, item: BlankItem) -> bool:
        return self._products[item.of].is_card

    def sides(self, item: BlankItem, settings: PrintSettings) -> tuple[Side, ...]:
        return self._products[item.of].blank_sides(item.system, item.options, settings)

    def look(self, item: BlankItem) -> set[str]:
        return self._products[item.of].look(item)

    def frame(self, item: BlankItem, settings: PrintSettings) -> Frame:
        return self._products[item.of].blank_frame(item.system, item.options, settings)
