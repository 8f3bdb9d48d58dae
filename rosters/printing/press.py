"""A whole print: an order's cards and pages drawn, put on sheets in the order's order, and joined into one PDF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rosters.documents import DocumentError
from rosters.printing.cards import Drawn, Progress, draw_cards
from rosters.printing.documents import PrintUnit, UnitDocument, sheets_of
from rosters.printing.engine import glyph_warning, missing_glyphs, open_pdf
from rosters.printing.impose import Sheet, impose, paper_size
from rosters.printing.merge import merge
from rosters.printing.orders import BreakItem, Item, PrintOrder, PrintSettings, UnitItem, copies_of, is_card
from rosters.printing.pages import page_pdf


@dataclass(frozen=True, slots=True)
class Printed:
    pdf: bytes
    pages: int
    warning: str  # what the reader should know, e.g. characters that no font has; empty: nothing


def render_order(order: PrintOrder, progress: Progress | None = None) -> Printed:
    """The print. `progress` is told how many parts are done of how many there are to draw; raises DocumentError."""
    with missing_glyphs() as missing:
        try:
            parts = list(_parts(order, progress))
        except FileNotFoundError:  # another worker's print has just pushed a batch out of the cache
            parts = list(_parts(order, progress))
    pdf = parts[0] if len(parts) == 1 else merge(parts, order.title)
    with open_pdf(pdf) as opened:
        pages = len(opened.pages)
    return Printed(pdf, pages, glyph_warning(missing))


def _parts(order: PrintOrder, progress: Progress | None) -> Iterator[bytes]:
    """The PDF of each run of cards and of each other item."""
    cards = {at: item for at, item in enumerate(order.items) if is_card(item)}
    runs = list(_runs(order.items))
    tell = _Progress(progress, sum(not is_card(run[0][1]) for run in runs))
    drawn = draw_cards([*cards.values()], order.settings, tell.cards, [*cards])
    cards_at = dict(zip(cards, drawn, strict=True))
    for run in runs:
        at, first = run[0]
        if is_card(first):
            yield _impose([card for place, item in run for card in cards_at[place] * copies_of(item)], order)
            continue
        try:
            yield page_pdf(first, order.settings)
        except DocumentError as error:
            raise DocumentError(f"items[{at}].{error.path}", error.reason) from None
        tell.page()


def _runs(items: Iterable[Item]) -> Iterator[list[tuple[int, Item]]]:
    """Cards that share sheets together, every other item by itself, each with its place in the order."""
    run: list[tuple[int, Item]] = []
    for at, item in enumerate(items):
        if is_card(item):
            run.append((at, item))
            continue
        if run:
            yield run
            run = []
        if not isinstance(item, BreakItem):
            yield [(at, item)]
    if run:
        yield run


class _Progress:
    """Cards and pages as one count of parts."""

    def __init__(self, progress: Progress | None, pages: int) -> None:
        self.progress, self.pages = progress, pages
        self.card_parts = self.pages_done = 0

    def cards(self, done: int, total: int) -> None:
        self.card_parts = total
        if self.progress:
            self.progress(done, total + self.pages)

    def page(self) -> None:
        self.pages_done += 1
        if self.progress:
            self.progress(self.card_parts + self.pages_done, self.card_parts + self.pages)


def _impose(cards: Sequence[Drawn], order: PrintOrder) -> bytes:
    """The sheets of a run of cards of one size, with their backs for turning over the long edge."""
    settings = order.settings
    size = cards[0].size
    sheet = Sheet(paper=settings.paper, card_width=size.width, card_height=size.height, title=order.title)
    backs = None if settings.backs == "none" else [card.back for card in cards]
    return impose([card.front for card in cards], backs, sheet)


def render_cards(
    units: Iterable[PrintUnit | UnitDocument | Mapping[str, object]],
    paper: str,
    *,
    duplex: bool = True,
    progress: Progress | None = None,
) -> bytes:
    """A PDF with the cards of all units, nine to a page in that order; with `duplex` each page is followed by its backs."""
    paper_size(paper)
    documents = [unit.document for unit in sheets_of(units)]
    settings = PrintSettings(paper=paper, backs="long-edge" if duplex else "none")  # type: ignore[arg-type]
    items = tuple(UnitItem(what="unit-card", unit=document) for document in documents)
    order = PrintOrder(title="Unit cards", settings=settings, items=items)
    return render_order(order, progress).pdf
