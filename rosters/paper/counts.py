"""Estimate how much paper an order takes before anything is drawn. Pure."""

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

ENTRIES_ON_ONE = {"poker": 10, "tarot": 17, "a7": 12, "a6": 34}  # weapons, systems and skills that always fit
LARGER = {"a7": "A7", "tarot": "tarot", "a6": "A6"}  # than poker, smallest first
LETTERS_AN_ENTRY = 40  # of names, which take the room of one entry


@dataclass(frozen=True, slots=True)
class PaperCounts:
    """Numbers: of `cards`, of `sheets` of paper for them, printed on one side or both, and of all other `pages`."""

    cards: int
    sheets: int
    pages: int
    is_least: bool = False  # a card is so full that it may continue on a second one
    has_backs: bool = False  # on pages of their own
    larger: str = ""  # the next size that surely holds every card that may continue at this one

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


def counts_of(order: PrintOrder) -> PaperCounts:
    """Estimate the paper of an order.

    Datasheets and rosters longer than a page, and the continuation cards that `is_least` warns of, come on top.
    """
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
    return PaperCounts(cards, sheets, _pages(order), is_least, has_backs, larger)


def _larger(order: PrintOrder) -> str:
    """Return the smallest size at which no card continues on a second one; empty if there is none."""
    least = ENTRIES_ON_ONE[order.settings.card]
    sizes = [size for size in LARGER if ENTRIES_ON_ONE[size] > least]
    most = max(map(_entries, order.items))
    return next((size for size in sizes if most <= ENTRIES_ON_ONE[size]), "")


def _sheets(order: PrintOrder, cards: Mapping[CardSize, int]) -> int:
    """Return the number of sheets for the cards between two breaks: cards of one kind share sheets."""
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
    """Return whether the card may be too full for its size, estimated without laying it out.

    True for every card that is too full, and for few others.
    """
    return _entries(item) > ENTRIES_ON_ONE[order.settings.card]


def _entries(item: Item) -> int:
    """Return the number of entries on a card, with names converted to the entries whose room they take."""
    entries, names = PRODUCTS[item.what].fill(item) or (0, ())
    return entries + sum(map(len, names)) // LETTERS_AN_ENTRY


def _runs(order: PrintOrder) -> Iterator[dict[CardSize, int]]:
    """Yield the cards between breaks, as numbers by size."""
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
