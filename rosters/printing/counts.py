"""How much paper an order comes to, known before anything is drawn. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rosters.printing.layout import COUNTER, SIZES, STANDEE, CardSize
from rosters.printing.orders import BlankItem, BreakItem, Item, PrintOrder, copies_of, is_card
from rosters.printing.paper import plan


@dataclass(frozen=True, slots=True)
class Counts:
    """`cards` lie on `sheets` of paper (each printed on both sides or one); `pages` are all others."""

    cards: int
    sheets: int
    pages: int

    def __str__(self) -> str:
        said = [f"{self.cards} card{_s(self.cards)} on {self.sheets} sheet{_s(self.sheets)}"] if self.cards else []
        return ", ".join([*said, *([f"{self.pages} page{_s(self.pages)}"] if self.pages else [])]) or "nothing yet"


def counts_of(order: PrintOrder) -> Counts:
    """Cards that continue on a second one, and datasheets or rosters longer than a page, come on top."""
    cards = sheets = 0
    for run in _runs(order):
        number = sum(run.values())
        cards += number
        if order.settings.medium == "paper":
            sheets += sum(-(-count // per_sheet(order, size)) for size, count in run.items())
        else:
            sheets += number
    return Counts(cards, sheets, _pages(order))


def per_sheet(order: PrintOrder, size: CardSize) -> int:
    """How many cards of that size lie on a sheet."""
    settings = order.settings
    folded = size.is_folded(settings.backs)
    return plan(settings.paper, (size.width, size.height), settings.bleed_mm, marks=settings.marks, folded=folded).count


def card_size(item: Item, order: PrintOrder) -> CardSize:
    """The format that the item's cards have."""
    return {"counter": COUNTER, "standee": STANDEE}.get(item.what) or SIZES[order.settings.card]


def _runs(order: PrintOrder) -> Iterator[dict[CardSize, int]]:
    """Cards between breaks, by size: cards of one size share sheets."""
    run: dict[CardSize, int] = {}
    for item in order.items:
        if isinstance(item, BreakItem):
            yield run
            run = {}
        elif is_card(item):
            size = card_size(item, order)
            run[size] = run.get(size, 0) + copies_of(item)
    yield run


def _pages(order: PrintOrder) -> int:
    pages = halves = 0
    for item in order.items:
        is_sheet = item.what == "datasheet" or (isinstance(item, BlankItem) and item.of == "datasheet")
        if is_sheet and order.settings.sheet == "two-up" and order.settings.medium == "paper":
            halves += copies_of(item)
            continue
        pages += -(-halves // 2)
        halves = 0
        if not is_card(item) and not isinstance(item, BreakItem):
            pages += copies_of(item)
    return pages + -(-halves // 2)


def _s(count: int) -> str:
    return "" if count == 1 else "s"
