"""A printed product: all that the print shop knows of it, in one file of `products/`.

What most products have in common is answered here; a product answers what is its own. Products are known by what their
items say they are (`what`), and are listed in `products/__init__.py` alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, NoReturn, TypeVar

from rosters.paper.changes import unit_changes
from rosters.paper.documents import Copies, PilotDocument, PrintSettings, UnitDocument
from rosters.paper.faces import Side
from rosters.paper.layout import SIZES, CardSize
from rosters.paper.page_layout import Frame, frame_pdf
from rosters.paper.sources import CompanySource, Packet, ScenarioSource
from systems import PAPER
from systems.documents import Document, DocumentError, unknown_slug, within
from systems.reading import read_system


class Item(Document):
    what: str


class UnitItem(Item):
    """Something made from one unit. The registry says of what; see `products.UnitItem`."""

    unit: UnitDocument
    copies: Copies = 1


class BreakItem(Item):
    """Whatever follows starts on a new sheet."""

    what: Literal["break"]


ItemT = TypeVar("ItemT", bound=Item)
Placed = tuple[str, ItemT]  # an item and the path of its place in an order; empty where it stands alone


class Product(Generic[ItemT]):
    """What has a default here is something that a product may do without."""

    slug: str  # what its items say they are
    item: type[ItemT]  # its part of the order document

    # What it is called where it is offered; empty: it is not.
    label = ""  # of a company
    blank_label = ""  # to write on
    packet_label = ""  # of both sides of a battle
    scenario_label = ""
    is_usual = True  # ticked at first in a packet

    made_of: tuple[str, ...] = ()  # questions that a game answers of its paper
    blank_of: tuple[str, ...] = ()  # those that it must answer beside them for one to write on

    is_card = False  # lies with others on a sheet and is cut out; else it is pages of its own
    size: CardSize | None = None  # of its cards, whatever size is asked for
    tells_day = False  # its foot says when it was printed

    # --- who has it ---------------------------------------------------------------------------------------------------

    def is_made(self, system: str) -> bool:
        """Whether that rule system has it."""
        return system in PAPER and PAPER[system].answers(*self.made_of)

    def is_made_blank(self, system: str) -> bool:
        return bool(self.blank_label) and self.is_made(system) and PAPER[system].answers(*self.blank_of)

    def system_of(self, item: ItemT) -> str:
        """The rule system that the item is of; empty: of none."""
        return getattr(item, "system", "")

    def lacked(self, item: ItemT) -> str:
        """The product that the item's rule system does not have; empty: it has it."""
        return "" if self.is_made(self.system_of(item)) else self.sold_as

    # --- what it is made of -------------------------------------------------------------------------------------------

    def is_offered(self, support: Mapping[str, str]) -> bool:
        """Whether a company that has rolled this support can have it."""
        return True

    def note(self, support: Mapping[str, str]) -> str:
        """What is told beside its label."""
        return ""

    def of_pilot(self, pilot: PilotDocument, company: CompanySource, url: str) -> Item | None:
        """Made of a pilot who has no unit."""
        return None

    def of_company(self, company: CompanySource) -> Iterator[Item]:
        """Made of the company beside what is made of each of its units."""
        yield from ()

    def is_in(self, packet: Packet) -> bool:
        """Whether the packet has what it is made of."""
        return any(side.units for side in packet.sides)

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        yield from ()

    def scenario_choices(self, scenario: ScenarioSource) -> Mapping[str, str]:
        """What of a scenario can be had as this product, with what it is called; a choice is empty where there is but one."""
        return {"": self.scenario_label} if self.scenario_label else {}

    def of_scenario(self, scenario: ScenarioSource, choice: str = "") -> Item | None:
        return None

    def of_printer(self) -> Item | None:
        return None

    # --- what it says -------------------------------------------------------------------------------------------------

    def units(self, item: ItemT, path: str) -> Iterator[tuple[str, UnitDocument]]:
        """Its unit documents, each with the path of its place."""
        yield from ()

    def check(self, item: ItemT, path: str) -> None:
        """Raises DocumentError for what it names beside its units, and is not known."""

    @property
    def sold_as(self) -> str:
        """The product under which a print of it is remembered."""
        return self.slug

    def facts(self, item: ItemT) -> dict[str, object]:
        """What two prints of it have in common that say the same, as JSON takes it. The address of the live unit does not count."""
        return item.model_dump(mode="json", exclude={"copies": True, "url": True, "unit": {"url"}})

    def fingerprint(self, item: ItemT) -> str:
        return fingerprint_of(self.facts(item))

    def is_as_printed(self, item: ItemT, fingerprint: str) -> bool:
        """Whether a print with that fingerprint says what the item says."""
        return fingerprint == self.fingerprint(item)

    def changes(self, before: ItemT, now: ItemT) -> tuple[str, ...]:
        """What is different between two prints of it, in words for the reader."""
        return ()

    # --- cards --------------------------------------------------------------------------------------------------------

    def is_card_item(self, item: ItemT) -> bool:
        return self.is_card

    def card_size(self, settings: PrintSettings) -> CardSize:
        return self.size or SIZES[settings.card]

    def size_of(self, item: ItemT, settings: PrintSettings) -> CardSize:
        """The size of that item's cards, where not all of the product have the same."""
        return self.card_size(settings)

    def fill(self, item: ItemT) -> tuple[int, Sequence[str]] | None:
        """What decides whether a card has room for it all: entries, and names beside them; None: it surely has."""
        return None

    def sides(self, item: ItemT, settings: PrintSettings) -> tuple[Side, ...]:
        """Its cards, more than one where its text needs them; copies are not counted.

        It depends on the item, on `settings.card` and on whether backs are printed. Raises DocumentError, its path
        within the item.
        """
        self._cannot("is no card")

    def blank_sides(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> tuple[Side, ...]:
        self._cannot("is no card")

    # --- pages --------------------------------------------------------------------------------------------------------

    def shares_page(self, settings: PrintSettings) -> bool:
        """Whether two that follow each other lie on one page."""
        return False

    def pages(self, settings: PrintSettings) -> int:
        """How many pages it is counted as, once."""
        return 1

    def pages_of(self, item: ItemT, settings: PrintSettings) -> int:
        """The same of one item, where not all of the product have as many."""
        return self.pages(settings)

    def look(self, item: ItemT) -> set[str]:
        """The settings that decide its look, beside paper and theme."""
        return set()

    def pdf(self, placed: Sequence[Placed[ItemT]], settings: PrintSettings) -> bytes:
        """One item's pages, or the page that two share; raises DocumentError, which names the item by its place."""
        ((place, item),) = placed
        with within(place):
            frame = self.frame(item, settings)
        return frame_pdf(frame)

    def frame(self, item: ItemT, settings: PrintSettings) -> Frame:
        """Its pages, to be laid out; raises DocumentError, its path within the item."""
        self._cannot("is no page")

    def blank_frame(self, system: str, options: Mapping[str, object], settings: PrintSettings) -> Frame:
        self._cannot("is no page")

    def _cannot(self, reason: str) -> NoReturn:
        raise DocumentError("what", f"{reason}: {self.slug}")


AnyProduct = Product[Any]


class UnitProduct(Product[UnitItem]):
    """What is made of one unit. The registry gives it its item."""

    said: str  # its part of the sentence that lists all that is made of a unit
    command = ""  # its --kind at the command line
    needs_pilot = False
    tells_service = False  # what the unit has been through
    shows_number = False

    def refusal(self, unit: UnitDocument) -> DocumentError | None:
        """Why that unit has none, its path within the item; None: it has one."""
        return None

    def system_of(self, item: UnitItem) -> str:
        return item.unit.system

    def of_unit(self, unit: UnitDocument, copies: int = 1) -> UnitItem | None:
        """Made of the unit; None where the unit has none."""
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

    def shown(self, unit: UnitDocument) -> UnitDocument:
        """The unit as far as this tells of it."""
        return unit

    def facts(self, item: UnitItem) -> dict[str, object]:
        return _numbered(super().facts(item.model_copy(update={"unit": self.shown(item.unit)})))

    def is_as_printed(self, item: UnitItem, fingerprint: str) -> bool:
        """A print from before units had numbers still stands."""
        bare = item.model_copy(update={"unit": item.unit.model_copy(update={"number": 0})})
        return super().is_as_printed(item, fingerprint) or fingerprint == self.fingerprint(bare)

    def changes(self, before: UnitItem, now: UnitItem) -> tuple[str, ...]:
        return unit_changes(self.shown(before.unit), self.shown(now.unit))


class Break(Product[BreakItem]):
    """Nothing by itself."""

    slug, item = "break", BreakItem


def _numbered(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of a unit; without a number they are those of prints from before there were numbers."""
    unit = {name: value for name, value in facts["unit"].items() if name != "number" or value}
    return {**facts, "unit": unit}


def fingerprint_of(facts: object) -> str:
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def copies_of(item: Item) -> int:
    return getattr(item, "copies", 1)


def check_support(system: str, slug: str, path: str, where: str) -> None:
    """Raises DocumentError for support that the system does not have; `path` is that of what names both."""
    names = read_system(system, f"{path}.system").support_names
    if slug not in names:
        raise unknown_slug(where, "support", slug, names)
