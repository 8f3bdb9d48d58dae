"""Renders a whole print: draws its cards and pages, puts cards on sheets, and merges everything into one PDF.

Cached cards are reused; new ones are drawn in batches, a page for each side, and imposed later. An item's cache key is
a hash of its document, so a cached card needs neither data sheet nor layout. Equal sides, such as most backs, are drawn
once for all items. Each other item is a tagged PDF (PDF/UA-1), cached by its contents.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby

from rosters.card_layout import CardPage, CardSize
from rosters.card_layout.card_fronts import Side
from rosters.paper.documents import PrintSettings
from rosters.paper.drawing import draw_pages
from rosters.paper.engine import glyph_warning, missing_glyphs, open_pdf, report_missing
from rosters.printing import cache
from rosters.printing.cache import Drawn, PageRef, fingerprint, key_of
from rosters.printing.orders import PrintOrder
from rosters.products import PRODUCTS, is_card
from rosters.products.base import BreakItem, Item, Placed, copies_of
from systems.documents import within

BATCH = 45  # pages in one PDF; limits memory, and is the step in which progress is reported
Progress = Callable[[int, int], object]


def draw_cards(
    items: Sequence[Item],
    settings: PrintSettings,
    progress: Progress | None = None,
    places: Sequence[int] | None = None,
) -> list[tuple[Drawn, ...]]:
    """Return the cards of each item (a single copy), in the order of the items.

    DocumentError, with the item's index, if an item is invalid. `places` are the indexes of the items in the order.
    """
    keys = [item_key(item, settings) for item in items]
    known = {key: cards for key in dict.fromkeys(keys) if (cards := _recall(key))}
    wanted = {key: (at, item) for at, key, item in zip(places or range(len(items)), keys, items, strict=True)}
    wanted = {key: place for key, place in wanted.items() if key not in known}
    total, done = len(wanted), 0
    for batch in _batches(wanted, settings):
        known |= batch.draw(settings)
        done += len(batch.sides)
        if progress:
            progress(done, total)
        gc.collect(0)  # frees objects created while the collector was off, so that long prints don't need more memory
    for cards in known.values():
        for card in cards:
            report_missing(card.front.missing + (card.back.missing if card.back else ""))
    return [known[key] for key in keys]


def sides_of(item: Item, settings: PrintSettings) -> tuple[Side, ...]:
    """Return the cards of an item (a single copy); DocumentError, with a path within the item, if it is invalid."""
    return PRODUCTS[item.what].sides(item, settings)


def uncached_items(items: Sequence[Item], settings: PrintSettings) -> list[int]:
    """Return the indexes of the items that have to be drawn; for equal items only the first."""
    first: dict[str, int] = {}
    for at, item in enumerate(items):
        first.setdefault(item_key(item, settings), at)
    return [at for key, at in first.items() if _recall(key) is None]


def item_key(item: Item, settings: PrintSettings) -> str:
    """Return the cache key of an item, a hash of everything that affects the look of its cards."""
    look = {
        "card": settings.card,
        "theme": settings.theme,
        "bleed": settings.bleed_mm,
        "backs": settings.has_backs,  # without backs, more has to be on the front
        "day": settings.printed_on if PRODUCTS[item.what].tells_day else "",
    }
    return key_of(look, item.model_dump(mode="json", exclude={"copies"}))


def card_page_key(page: CardPage, settings: PrintSettings) -> str:
    text = f"{fingerprint()}|{settings.theme}|{settings.bleed_mm}|{page!r}"
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(slots=True)
class _Batch:
    """A batch of items that are laid out, and the pages that still have to be drawn."""

    sides: dict[str, list[tuple[Side, str, str | None]]] = field(default_factory=dict)  # by item key, with page keys
    places: dict[str, PageRef] = field(default_factory=dict)  # places of pages, by page key
    new: dict[str, CardPage] = field(default_factory=dict)

    def add(self, key: str, sides: Iterable[Side], settings: PrintSettings) -> None:
        self.sides[key] = [
            (side, self._page(side.front, settings), None if _is_blank(side.back) else self._page(side.back, settings))
            for side in sides
        ]

    def draw(self, settings: PrintSettings) -> dict[str, tuple[Drawn, ...]]:
        if self.new:
            pdf, missing = draw_pages([*self.new.values()], settings.theme, settings.bleed_mm)
            self.places |= zip(self.new, cache.store(pdf, [*self.new], missing), strict=True)
        return {key: self._note(key, settings) for key in self.sides}

    def _page(self, page: CardPage, settings: PrintSettings) -> str:
        """Return the key of a page; if it isn't cached, add it to the new pages of this batch."""
        key = card_page_key(page, settings)
        if key not in self.places and key not in self.new:
            if place := cache.find(key):
                self.places[key] = place
            else:
                self.new[key] = page
        return key

    def _note(self, key: str, settings: PrintSettings) -> tuple[Drawn, ...]:
        notes = [
            {"front": front, "back": back, "size": asdict(side.front.size), "text": _text(side)}
            for side, front, back in self.sides[key]
        ]
        cache.store_item(key, {"cards": notes})
        return tuple(_drawn(note, self.places.__getitem__) for note in notes)


def _batches(wanted: Mapping[str, tuple[int, Item]], settings: PrintSettings) -> Iterator[_Batch]:
    """Yield the items in batches of about BATCH new pages; the cards of one item stay together."""
    batch = _Batch()
    for key, (at, item) in wanted.items():
        with within(f"items[{at}]"):
            batch.add(key, sides_of(item, settings), settings)
        if len(batch.new) + 2 > BATCH:
            yield batch
            batch = _Batch()
    if batch.sides:
        yield batch


def _recall(key: str) -> tuple[Drawn, ...] | None:
    """Return an item's cards if all their pages are cached, else None."""
    note = cache.find_item(key)
    try:
        cards = note["cards"] if note else []
        return tuple(_drawn(card, _found) for card in cards) or None
    except (KeyError, TypeError, AttributeError):
        return None


def _found(key: str) -> PageRef:
    place = cache.find(key)
    if place is None:
        raise KeyError(key)
    return place


def _drawn(note: cache.Note, place: Callable[[str], PageRef]) -> Drawn:
    size = {**note["size"], "scales": tuple(note["size"]["scales"])}
    back = note["back"]
    return Drawn(place(note["front"]), None if back is None else place(back), CardSize(**size), note["text"])


def _is_blank(page: CardPage) -> bool:
    return not (page.texts or page.art or page.band)


def _text(side: Side) -> str:
    """Return the card's text in reading order, first its front, then its back."""
    return "\n".join(filter(None, (side.front.text_content(), side.back.text_content())))


def page_pdfs(items: Sequence[Item], settings: PrintSettings, places: Sequence[int] | None = None) -> list[bytes]:
    """Return the PDFs of a run of items in order, including copies.

    With the setting `two-up`, consecutive data sheets share pages unless there is a break between them. DocumentError,
    with the item's index, if an item is invalid.
    """
    placed = [(f"items[{at}]", item) for at, item in zip(places or range(len(items)), items, strict=True)]
    return [_pdf_of(group, settings) for group in page_groups(placed, settings)]


def page_groups(items: Iterable[Placed[Item]], settings: PrintSettings) -> Iterator[list[Placed[Item]]]:
    """Yield the items of each PDF: one item each, or two that share a page."""
    waiting: list[Placed[Item]] = []
    for place, item in items:
        pairs = PRODUCTS[item.what].shares_page(settings)
        if waiting and not pairs:
            yield [waiting.pop()]
        if isinstance(item, BreakItem):
            continue
        for _ in range(copies_of(item)):
            if not pairs:
                yield [(place, item)]
            elif waiting:
                yield [waiting.pop(), (place, item)]
            else:
                waiting.append((place, item))
    if waiting:
        yield [waiting.pop()]


def page_key(items: Sequence[Item], settings: PrintSettings) -> str:
    """Return the cache key of items that share a page, a hash of everything that affects their look."""
    named = [item.model_dump(mode="json", exclude={"copies"}) for item in items]
    decides = {"paper", "theme"}.union(*(PRODUCTS[item.what].look(item) for item in items))
    return key_of(named, settings.model_dump(mode="json", include=decides))


def _pdf_of(placed: Sequence[Placed[Item]], settings: PrintSettings) -> bytes:
    key = page_key([item for _, item in placed], settings)
    if found := cache.find_page_pdf(key):
        pdf, lacks = found
        report_missing(lacks)
        return pdf
    with missing_glyphs() as missing:
        pdf = PRODUCTS[placed[0][1].what].pdf(placed, settings)
    lacks = "".join(sorted(missing))
    cache.store(pdf, [key], [lacks])
    report_missing(lacks)
    return pdf


@dataclass(frozen=True, slots=True)
class Printed:
    pdf: bytes
    pages: int
    warning: str  # for the reader, e.g. about characters that no font has; empty if there is none


def render_order(order: PrintOrder, progress: Progress | None = None) -> Printed:
    """Return the print; DocumentError if an item is invalid.

    `progress` is called with the number of finished parts and the total.
    """
    with missing_glyphs() as missing:
        try:
            parts = list(_parts(order, progress))
        except FileNotFoundError:  # another worker's print has just dropped a batch from the cache
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
    """Return the item's cards including copies; for a break, only None."""
    return [None] if cards is None else cards * copies_of(item)


def _impose(cards: Sequence[Drawn | None], settings: PrintSettings, title: str) -> bytes:
    from rosters.printing.impose import (
        impose,
        straight,  # they need pikepdf, which no page of the site needs
    )

    if settings.medium == "screen":
        return straight(cards, title)
    return impose(cards, settings, title)


def _merged(parts: Sequence[bytes], title: str) -> bytes:
    from rosters.printing.merge import merge

    return merge(parts, title)


class _Kind:
    """A key function that tells cards from pages; a break belongs to the item before it."""

    def __init__(self) -> None:
        self.is_card = True

    def __call__(self, place: tuple[int, Item]) -> bool:
        if not isinstance(place[1], BreakItem):
            self.is_card = is_card(place[1])
        return self.is_card


class _Progress:
    """Combines the progress of cards and pages."""

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
