"""The base class of printed products, and blank products to be filled in by pen.

The base class has defaults that suit most products. Products are found by the `what` of their items, and are listed
only in `products/__init__.py`.
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
    """A product of one unit. `products.UnitItem` adds the possible values of `what`."""

    unit: UnitDocument
    copies: Copies = 1


class BreakItem(Item):
    """A break; the next item starts on a new sheet."""

    what: Literal["break"]


ItemT = TypeVar("ItemT", bound=Item)
Placed = tuple[str, ItemT]  # the item's path in an order (empty if it is alone), and the item


class Product(Generic[ItemT]):
    """A printed product. Subclasses need not override anything that has a default here."""

    slug: str  # the `what` of its items
    item: type[ItemT]  # its part of the order document

    # Its labels; if one is empty, it isn't offered there.
    label = ""  # for a company
    blank_label = ""  # blank, to be filled in by pen
    packet_label = ""  # for both sides of a battle
    scenario_label = ""
    is_usual = True  # whether it is ticked by default in a packet

    made_of: tuple[str, ...] = ()  # methods that a game's print rules must have for it
    blank_of: tuple[str, ...] = ()  # methods that they must also have for a blank one

    is_card = False  # whether it is printed on a sheet with others and cut out; otherwise it has its own pages
    size: CardSize | None = None  # size of its cards, if it doesn't depend on the settings
    tells_day = False  # whether its foot shows the day of printing

    # --- availability -------------------------------------------------------------------------------------------------

    def is_made(self, system: str) -> bool:
        """Return whether this game has the product."""
        return system in PAPER and PAPER[system].answers(*self.made_of)

    def is_made_blank(self, system: str) -> bool:
        return bool(self.blank_label) and self.is_made(system) and PAPER[system].answers(*self.blank_of)

    def system_of(self, item: ItemT) -> str:
        """Return the game of the item; empty if it has none."""
        return getattr(item, "system", "")

    def lacked(self, item: ItemT) -> str:
        """Return the slug of the product if the item's game doesn't have it, else an empty string."""
        return "" if self.is_made(self.system_of(item)) else self.sold_as

    # --- sources ------------------------------------------------------------------------------------------------------

    def is_offered(self, support: Mapping[str, str]) -> bool:
        """Return whether it is offered to a company that has rolled this support."""
        return True

    def note(self, support: Mapping[str, str]) -> str:
        """Return the note that is shown beside its label."""
        return ""

    def of_pilot(self, pilot: PilotDocument, company: CompanySource, url: str) -> Item | None:
        """Return the item for a pilot without a unit; None if it has none."""
        return None

    def of_company(self, company: CompanySource) -> Iterator[Item]:
        """Yield the items for the company itself, in addition to those for its units."""
        yield from ()

    def is_in(self, packet: Packet) -> bool:
        """Return whether the packet contains the data that it needs."""
        return any(side.units for side in packet.sides)

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        yield from ()

    def scenario_choices(self, scenario: ScenarioSource) -> Mapping[str, str]:
        """Return the variants for a scenario, label by choice; the choice is empty if there is only one."""
        return {"": self.scenario_label} if self.scenario_label else {}

    def of_scenario(self, scenario: ScenarioSource, choice: str = "") -> Item | None:
        return None

    def of_printer(self) -> Item | None:
        return None

    # --- contents -----------------------------------------------------------------------------------------------------

    def units(self, item: ItemT, path: str) -> Iterator[tuple[str, UnitDocument]]:
        """Yield the item's unit documents, each with its path."""
        yield from ()

    def check(self, item: ItemT, path: str) -> None:
        """Check all slugs of the item except those of its units; DocumentError for an unknown one."""

    @property
    def sold_as(self) -> str:
        """The slug of the product as which its prints are recorded."""
        return self.slug

    def facts(self, item: ItemT) -> dict[str, object]:
        """Return the facts that identify the contents of a print, as JSON values, without the unit's URL."""
        return item.model_dump(mode="json", exclude={"copies": True, "url": True, "unit": {"url"}})

    def fingerprint(self, item: ItemT) -> str:
        return fingerprint_of(self.facts(item))

    def is_as_printed(self, item: ItemT, fingerprint: str) -> bool:
        """Return whether a print with this fingerprint has the same contents as the item."""
        return fingerprint == self.fingerprint(item)

    def changes(self, before: ItemT, now: ItemT) -> tuple[str, ...]:
        """Return the differences between two prints, as short texts for the reader."""
        return ()

    # --- cards --------------------------------------------------------------------------------------------------------

    def is_card_item(self, item: ItemT) -> bool:
        return self.is_card

    def card_size(self, settings: PrintSettings) -> CardSize:
        return self.size or SIZES[settings.card]

    def size_of(self, item: ItemT, settings: PrintSettings) -> CardSize:
        """Return the size of this item's cards, for products whose cards differ in size."""
        return self.card_size(settings)

    def fill(self, item: ItemT) -> tuple[int, Sequence[str]] | None:
        """Return the number of entries and the names that decide whether a card is too full; None if it never is."""
        return None

    def sides(self, item: ItemT, settings: PrintSettings) -> tuple[Side, ...]:
        """Return the item's cards, several if its text needs them, without copies.

        They depend on the item, on `settings.card` and on whether backs are printed. DocumentError, with a path within
        the item, if it is invalid.
        """
        self._cannot("is no card")

    def blank_sides(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> tuple[Side, ...]:
        self._cannot("is no card")

    # --- pages --------------------------------------------------------------------------------------------------------

    def shares_page(self, settings: PrintSettings) -> bool:
        """Return whether two consecutive items share one page."""
        return False

    def pages(self, settings: PrintSettings) -> int:
        """Return the estimated number of pages of one copy."""
        return 1

    def pages_of(self, item: ItemT, settings: PrintSettings) -> int:
        """Return the estimated number of pages of one item, for products whose items differ in length."""
        return self.pages(settings)

    def look(self, item: ItemT) -> set[str]:
        """Return the names of the settings that affect its look, besides paper and theme."""
        return set()

    def pdf(self, placed: Sequence[Placed[ItemT]], settings: PrintSettings) -> bytes:
        """Return the pages of one item, or the page that two share; DocumentError, with the item's path."""
        ((place, item),) = placed
        with within(place):
            frame = self.frame(item, settings)
        return frame_pdf(frame)

    def frame(self, item: ItemT, settings: PrintSettings) -> Frame:
        """Return the item's pages before their layout; DocumentError, with a path within the item."""
        self._cannot("is no page")

    def blank_frame(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> Frame:
        self._cannot("is no page")

    def _cannot(self, reason: str) -> NoReturn:
        raise DocumentError("what", f"{reason}: {self.slug}")


AnyProduct = Product[Any]


class UnitProduct(Product[UnitItem]):
    """A product that shows one unit. `products/__init__.py` sets its item class."""

    phrase: str  # its part of the sentence that lists all products of a unit
    command = ""  # its --kind on the command line
    needs_pilot = False
    tells_service = False  # whether it shows the unit's service record
    shows_number = False

    def refusal(self, unit: UnitDocument) -> DocumentError | None:
        """Return why the unit has no such product, with a path within the item; None if it has one."""
        return None

    def system_of(self, item: UnitItem) -> str:
        return item.unit.system

    def of_unit(self, unit: UnitDocument, copies: int = 1) -> UnitItem | None:
        """Return the item for the unit; None if the unit has none."""
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
        """Return the unit without the facts that this product doesn't show."""
        return unit

    def facts(self, item: UnitItem) -> dict[str, object]:
        unit = self.printed_unit(item.unit)
        facts = _numbered(super().facts(item.model_copy(update={"unit": unit})))
        return {**facts, "unit": {**facts["unit"], "pilot": unit.pilot.facts() if unit.pilot else None}}

    def is_as_printed(self, item: UnitItem, fingerprint: str) -> bool:
        """Compare the fingerprints; prints from before units had numbers may still be current."""
        bare = item.model_copy(update={"unit": item.unit.model_copy(update={"number": 0})})
        return super().is_as_printed(item, fingerprint) or fingerprint == self.fingerprint(bare)

    def changes(self, before: UnitItem, now: UnitItem) -> tuple[str, ...]:
        return unit_changes(self.printed_unit(before.unit), self.printed_unit(now.unit))


class Break(Product[BreakItem]):
    """A break between sheets, which prints nothing."""

    slug, item = "break", BreakItem


def _numbered(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts without a missing number, so that they equal those of prints from before there were numbers."""
    unit = {name: value for name, value in facts["unit"].items() if name != "number" or value}
    return {**facts, "unit": unit}


def fingerprint_of(facts: object) -> str:
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def copies_of(item: Item) -> int:
    return getattr(item, "copies", 1)


def check_support(system: str, slug: str, path: str, where: str) -> None:
    """Check a support slug; DocumentError if the game doesn't have it.

    `path` is the path of the item, `where` the path of the slug.
    """
    names = read_system(system, f"{path}.system").support_names
    if slug not in names:
        raise unknown_slug(where, "support", slug, names)


class BlankItem(Item):
    """A blank product. `products.BlankItem` adds the possible values of `of`."""

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
