"""Render a whole print: draw an order's cards and pages, put them on sheets in order, and merge them into one PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rosters.paper.cache import Drawn
from rosters.paper.cards import Progress, draw_cards
from rosters.paper.documents import PrintSettings
from rosters.paper.engine import glyph_warning, missing_glyphs, open_pdf
from rosters.paper.orders import PrintOrder
from rosters.paper.pages import page_pdfs
from rosters.paper.product import BreakItem, Item, copies_of
from rosters.paper.products import is_card


@dataclass(frozen=True, slots=True)
class Printed:
    pdf: bytes
    pages: int
    warning: str  # for the reader, e.g. about characters that no font has; empty: none


def render_order(order: PrintOrder, progress: Progress | None = None) -> Printed:
    """Return the print; raises DocumentError. `progress` is called with the number of parts done and the total."""
    with missing_glyphs() as missing:
        try:
            parts = list(_parts(order, progress))
        except FileNotFoundError:  # another worker's print has just pushed a batch out of the cache
            parts = list(_parts(order, progress))
    pdf = parts[0] if len(parts) == 1 else _merged(parts, order.title)
    with open_pdf(pdf) as opened:
        pages = len(opened.pages)
    return Printed(pdf, pages, glyph_warning(missing))


def _parts(order: PrintOrder, progress: Progress | None) -> Iterator[bytes]:
    """Yield the PDF of each run of cards and of each other item."""
    runs = [list(run) for _, run in groupby(enumerate(order.items), _Kind())]
    cards = {at: item for at, item in enumerate(order.items) if is_card(item)}
    pages = len(order.items) - len(cards) - sum(isinstance(item, BreakItem) for item in order.items)
    tell = _Progress(progress, pages)
    settings = order.settings
    drawn = dict(zip(cards, draw_cards([*cards.values()], settings, tell.cards, [*cards]), strict=True))
    has_backs = any(card.back for each in drawn.values() for card in each)
    laid = settings if has_backs else settings.model_copy(update={"backs": "none"})
    for run in runs:
        if any(at in cards for at, _ in run):
            yield _impose([card for at, item in run for card in _laid(item, drawn.get(at))], laid, order.title)
            continue
        yield from page_pdfs([item for _, item in run], settings, [at for at, _ in run])
        tell.pages_drawn(sum(not isinstance(item, BreakItem) for _, item in run))


def _laid(item: Item, cards: tuple[Drawn, ...] | None) -> Sequence[Drawn | None]:
    """Return the item's cards with all copies; a break is None."""
    return [None] if cards is None else cards * copies_of(item)


def _impose(cards: Sequence[Drawn | None], settings: PrintSettings, title: str) -> bytes:
    from rosters.paper.impose import impose, straight  # which need pikepdf; no page of the site does

    if settings.medium == "screen":
        return straight(cards, title)
    return impose(cards, settings, title)


def _merged(parts: Sequence[bytes], title: str) -> bytes:
    from rosters.paper.merge import merge

    return merge(parts, title)


class _Kind:
    """Tells cards from pages, item by item; a break belongs to the item before it."""

    def __init__(self) -> None:
        self.is_card = True

    def __call__(self, place: tuple[int, Item]) -> bool:
        if not isinstance(place[1], BreakItem):
            self.is_card = is_card(place[1])
        return self.is_card


class _Progress:
    """Combined progress of cards and pages."""

    def __init__(self, progress: Progress | None, pages: int) -> None:
        self.progress, self.pages = progress, pages
        self.card_parts = self.page_parts = 0

    def cards(self, done: int, total: int) -> None:
        self.card_parts = total
        if self.progress:
            self.progress(done, total + self.pages)

    def pages_drawn(self, count: int) -> None:
        self.page_parts += count
        if self.progress and count:
            self.progress(self.card_parts + self.page_parts, self.card_parts + self.pages)
