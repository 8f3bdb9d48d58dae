"""How much paper an order comes to, known before anything is drawn. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rosters.paper.layout import CardSize
from rosters.paper.orders import PrintOrder
from rosters.paper.pages import page_groups
from rosters.paper.product import BreakItem, Item, copies_of
from rosters.paper.products import PRODUCTS, is_card
from rosters.paper.sheets import Run, sheets_of
from systems.words import pluralize

ENTRIES_ON_ONE = {"poker": 10, "tarot": 17, "a7": 12, "a6": 34}  # weapons, systems and skills that fit in any case
LARGER = {"a7": "A7", "tarot": "tarot", "a6": "A6"}  # than poker, in the order in which more fits on them
LETTERS_AN_ENTRY = 40  # of names, which take room as an entry does


@dataclass(frozen=True, slots=True)
class Counts:
    """`cards` lie on `sheets` of paper, printed on both sides or one; `pages` are all others."""

    cards: int
    sheets: int
    pages: int
    is_least: bool = False  # some card holds so much that it may continue on a second one
    has_backs: bool = False  # on pages of their own
    larger: str = ""  # the next size, where it is sure to hold all that may continue on this one

    @property
    def larger_name(self) -> str:
        return LARGER.get(self.larger, "")

    def __str__(self) -> str:
        least = "at least " if self.is_least else ""
        if not self.cards:
            return pluralize(self.pages, "pages") if self.pages else "nothing yet"
        cards = f"{least}{pluralize(self.cards, 'cards')} on {pluralize(self.sheets, 'sheets')}"
        sides = ", front and back" if self.has_backs else ""
        return f"{cards}{sides}, and {pluralize(self.pages, 'more pages')}" if self.pages else f"{cards}{sides}"


def counts_of(order: PrintOrder) -> Counts:
    """Datasheets and rosters longer than a page, and what `is_least` tells of, come on top."""
    cards = sheets = 0
    has_backs = False
    for run in _runs(order):
        number = sum(run.values())
        cards += number
        has_backs |= order.settings.is_two_sided and any(size.has_back for size in run)
        if order.settings.medium == "paper":
            sheets += _sheets(order, run)
        else:
            sheets += number
    is_least = any(may_continue(item, order) for item in order.items)
    larger = _larger(order) if is_least else ""
    return Counts(cards, sheets, _pages(order), is_least, has_backs, larger)


def _larger(order: PrintOrder) -> str:
    """The first size on which every card surely is one; empty: none is."""
    least = ENTRIES_ON_ONE[order.settings.card]
    sizes = [size for size in LARGER if ENTRIES_ON_ONE[size] > least]
    most = max(map(_entries, order.items))
    return next((size for size in sizes if most <= ENTRIES_ON_ONE[size]), "")


def _sheets(order: PrintOrder, cards: Mapping[CardSize, int]) -> int:
    """How much paper cards take that lie between two breaks: those of one kind share it."""
    settings = order.settings
    kinds: dict[tuple[str, bool], list[Run]] = {}
    for size, count in cards.items():
        is_folded = size.folds or (settings.backs == "fold-over" and size.has_back)
        kinds.setdefault((size.slug, size.folds), []).append(Run((size.width, size.height), count, is_folded))
    return sum(
        1
        for runs in kinds.values()
        for _sheet in sheets_of(settings.paper, runs, settings.bleed_mm, marks=settings.marks)
    )


def may_continue(item: Item, order: PrintOrder) -> bool:
    """True for every card that is too full for one of its size, and for few others: told without laying it out."""
    return _entries(item) > ENTRIES_ON_ONE[order.settings.card]


def _entries(item: Item) -> int:
    """What a card holds, names counted as the room that they take."""
    entries, names = PRODUCTS[item.what].fill(item) or (0, ())
    return entries + sum(map(len, names)) // LETTERS_AN_ENTRY


def _runs(order: PrintOrder) -> Iterator[dict[CardSize, int]]:
    """Cards between breaks, by size."""
    run: dict[CardSize, int] = {}
    for item in order.items:
        if isinstance(item, BreakItem):
            yield run
            run = {}
        elif is_card(item):
            size = PRODUCTS[item.what].size_of(item, order.settings)
            run[size] = run.get(size, 0) + copies_of(item)
    yield run


def _pages(order: PrintOrder) -> int:
    beside_cards = (("", BreakItem(what="break") if is_card(item) else item) for item in order.items)
    groups = page_groups(beside_cards, order.settings)
    return sum(PRODUCTS[item.what].pages_of(item, order.settings) for (_, item), *_ in groups)
