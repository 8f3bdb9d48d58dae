"""print/1: what to print and how, frozen when it is asked for, so that a print is the same whenever a worker draws it. Pure.

An order is a list of items in the reader's order. Cards that follow each other share sheets; every other item is pages
of its own. Nothing here knows where the facts came from: shop, match, battle and command all make orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import pydantic

from rosters.paper.documents import AnyColour, PilotDocument, Side, UnitDocument, Url
from systems.documents import Document, DocumentError, Name, SystemOptions, SystemScenario, parse_document, with_example

MOST_CARDS = 900
MOST_PAGES = 200  # that are not cards
MOST_VALUES = 250_000  # in a document: 900 units with all that a unit can have, and room beside them
MOST_BYTES = 4 * 1024 * 1024
MOST_OFFSET_MM = 10.0
MOST_BLEED_MM = 3.0

Text = Annotated[str, pydantic.Field(max_length=400)]
Options = SystemOptions  # house rules in force, as set-ups take them; nothing given is by the book
Colour = Annotated[str, pydantic.Field(pattern=r"^#[0-9a-f]{6}$")]
Copies = Annotated[int, pydantic.Field(ge=1, le=MOST_CARDS)]
Offset = Annotated[float, pydantic.Field(ge=-MOST_OFFSET_MM, le=MOST_OFFSET_MM, allow_inf_nan=False)]


class Shift(Document):
    """How far a printer is to be corrected: the drawing moves this many mm right and down, as one looks at that side."""

    x: Offset = 0.0
    y: Offset = 0.0


class PrintSettings(Document):
    """How an order is put on paper."""

    paper: Literal["a4", "letter"] = "a4"
    card: Literal["poker", "tarot", "a6", "a7"] = "poker"
    sheet: Literal["full", "half", "two-up"] = "full"  # datasheets: a page each, half a page each, two halves to a page
    theme: Literal["colour", "grey", "ink-saver"] = "colour"
    backs: Literal["none", "long-edge", "short-edge", "fold-over"] = "long-edge"
    bleed_mm: Annotated[float, pydantic.Field(ge=0, le=MOST_BLEED_MM, allow_inf_nan=False)] = 0.0
    marks: bool = True  # cut marks
    front: Shift = Shift()
    back: Shift = Shift()
    medium: Literal["paper", "screen"] = "paper"  # screen: a card a page, text tagged, to read or have read


class RosterPrint(Document):
    """A company on one page, for the opponent."""

    system: str
    name: Name
    motto: Annotated[str, pydantic.Field(max_length=120)] = ""
    player: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: Colour = "#8a2b1d"
    points: int = 0
    bill: Annotated[
        tuple[Text, ...], pydantic.Field(max_length=20)
    ] = ()  # what the points are made of, if not units alone
    balance: int | None = None  # left to spend, where the company keeps it
    money: Annotated[str, pydantic.Field(max_length=40)] = "points"  # what that is counted in
    as_of: Annotated[str, pydantic.Field(max_length=40)] = ""
    url: Url = ""
    units: Annotated[tuple[UnitDocument, ...], pydantic.Field(max_length=MOST_CARDS)] = ()
    pilots: Annotated[tuple[PilotDocument, ...], pydantic.Field(max_length=1000)] = ()  # those without a unit
    problems: Annotated[tuple[Text, ...], pydantic.Field(max_length=100)] = ()
    options: Options = {}


class SlipUnit(Document):
    """A unit on a result slip: what to tick."""

    name: Name
    detail: Text = ""  # its design and points
    pilot: Annotated[str, pydantic.Field(max_length=100)] = ""
    hits: Annotated[int, pydantic.Field(ge=0, le=60)] = 0  # boxes for what it loses; 0: none


class SlipSide(Document):
    name: Name
    player: Annotated[str, pydantic.Field(max_length=60)] = ""
    units: Annotated[tuple[SlipUnit, ...], pydantic.Field(max_length=60)] = ()
    support: Annotated[tuple[Text, ...], pydantic.Field(max_length=30)] = ()
    unasked: Annotated[tuple[Text, ...], pydantic.Field(max_length=10)] = ()  # what can't become of its units


class SlipPrint(Document):
    """A match's result, to be filled in at the table; its code opens that match's report form."""

    title: Annotated[str, pydantic.Field(max_length=160)]
    kicker: Text = ""  # campaign, round and table
    scenario: Text = ""
    deadline: Annotated[str, pydantic.Field(max_length=60)] = ""
    url: Url = ""
    outcomes: Annotated[tuple[Text, ...], pydantic.Field(max_length=10)] = ()  # to tick one of
    fates: Annotated[tuple[Text, ...], pydantic.Field(max_length=8)] = ()  # of a pilot, to tick one of
    sides: Annotated[tuple[SlipSide, ...], pydantic.Field(min_length=2, max_length=2)]


class UnitItem(Document):
    """Something made from one unit: its card, its pilot's card, its datasheet, a counter or standee for the map."""

    what: Literal["unit-card", "pilot-card", "datasheet", "counter", "standee"]
    unit: UnitDocument
    copies: Copies = 1


class PilotItem(Document):
    """The card of a pilot who has no unit."""

    what: Literal["free-pilot-card"]
    system: str
    pilot: PilotDocument
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    url: Url = ""  # of the live pilot
    copies: Copies = 1


class SupportItem(Document):
    """The card of something that a side can call on."""

    what: Literal["support-card"]
    system: str
    support: Annotated[str, pydantic.Field(max_length=40)]
    company: Annotated[str, pydantic.Field(max_length=60)] = ""
    colour: AnyColour = ""
    side: Side = ""
    url: Url = ""  # of the company that can call on it
    options: Options = {}
    copies: Copies = 1


class RosterItem(Document):
    what: Literal["roster"]
    roster: RosterPrint


class ReferenceItem(Document):
    """The rules, weapons and skills of exactly these units and this support, in short."""

    what: Literal["reference"]
    system: str
    units: Annotated[tuple[UnitDocument, ...], pydantic.Field(max_length=MOST_CARDS)] = ()
    support: Annotated[tuple[str, ...], pydantic.Field(max_length=60)] = ()
    options: Options = {}


class ScenarioItem(Document):
    what: Literal["scenario"]
    system: str
    name: Name
    spec: SystemScenario
    terrain: Text = ""  # slug, where the table has chosen one
    options: Options = {}


class SlipItem(Document):
    what: Literal["slip"]
    system: str = ""  # whose words it is asked in; empty: those that most systems share
    slip: SlipPrint
    options: Options = {}


class BlankItem(Document):
    """Something to be written by hand."""

    what: Literal["blank"]
    of: Literal["unit-card", "pilot-card", "datasheet", "roster", "slip"]
    system: str
    options: Options = {}
    copies: Copies = 1


class AlignmentItem(Document):
    """The printer's test sheet, with the settings' offsets."""

    what: Literal["test-sheet"]


class BreakItem(Document):
    """Whatever follows starts on a new sheet."""

    what: Literal["break"]


Item = (
    UnitItem
    | PilotItem
    | SupportItem
    | RosterItem
    | ReferenceItem
    | ScenarioItem
    | SlipItem
    | BlankItem
    | AlignmentItem
    | BreakItem
)
AnyItem = Annotated[Item, pydantic.Field(discriminator="what")]

CARDS = frozenset({"unit-card", "pilot-card", "free-pilot-card", "support-card", "counter", "standee"})
BLANK_CARDS = frozenset({"unit-card", "pilot-card"})


class PrintOrder(Document):
    """A whole print."""

    model_config = with_example(
        muster="print/1",
        title="A reference",
        items=[{"what": "reference", "system": "meks-and-mercs", "support": ["air-strike"]}],
    )

    muster: Literal["print/1"] = "print/1"
    title: Annotated[str, pydantic.Field(min_length=1, max_length=120)]
    settings: PrintSettings = PrintSettings()
    items: Annotated[tuple[AnyItem, ...], pydantic.Field(min_length=1, max_length=2000)]


def is_card(item: Item) -> bool:
    """True for what lies with others on a sheet and is cut out."""
    return item.of in BLANK_CARDS if isinstance(item, BlankItem) else item.what in CARDS


def copies_of(item: Item) -> int:
    return getattr(item, "copies", 1)


def read_order(data: PrintOrder | Mapping[str, object] | bytes | str) -> PrintOrder:
    """The order, within bounds; raises DocumentError. Whether every slug is known is asked where the item is drawn."""
    if isinstance(data, PrintOrder):
        order = data
    else:
        order = parse_document(PrintOrder, data, most=MOST_BYTES, most_values=MOST_VALUES)
    cards = sum(copies_of(item) for item in order.items if is_card(item))
    pages = sum(copies_of(item) for item in order.items if not is_card(item))
    if cards > MOST_CARDS:
        raise DocumentError("items", f"come to {cards} cards; at most {MOST_CARDS} in one print")
    if pages > MOST_PAGES:
        raise DocumentError("items", f"come to {pages} pages beside the cards; at most {MOST_PAGES} in one print")
    if not cards and not any(not isinstance(item, BreakItem) for item in order.items):
        raise DocumentError("items", "there is nothing to print")
    return order


def units_in(order: PrintOrder) -> Iterator[tuple[str, UnitDocument]]:
    """Every unit document with the path of its place in the order."""
    for at, item in enumerate(order.items):
        match item:
            case UnitItem():
                yield f"items[{at}].unit", item.unit
            case ReferenceItem():
                yield from ((f"items[{at}].units[{number}]", unit) for number, unit in enumerate(item.units))
            case RosterItem():
                units = item.roster.units
                yield from ((f"items[{at}].roster.units[{number}]", unit) for number, unit in enumerate(units))
