"""Cards of items: known ones come from the cache, the others are drawn in batches. Each side is a page, imposed later.

The cache key of an item is its document, so a card that was drawn before needs neither datasheet nor layout. Sides that
look the same, as most backs do, are drawn once for all items.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rosters.paper import cache
from rosters.paper.cache import Drawn, PageRef
from rosters.paper.documents import PrintSettings
from rosters.paper.drawing import draw_pages
from rosters.paper.engine import report_missing
from rosters.paper.faces import Side
from rosters.paper.layout import CardPage, CardSize
from rosters.paper.look import fingerprint, key_of
from rosters.paper.product import Item
from rosters.paper.products import PRODUCTS
from systems.documents import within

BATCH = 45  # pages in one PDF: limits memory, and is the step of progress
Progress = Callable[[int, int], object]


def draw_cards(
    items: Sequence[Item],
    settings: PrintSettings,
    progress: Progress | None = None,
    places: Sequence[int] | None = None,
) -> list[tuple[Drawn, ...]]:
    """Return the cards of each item, one copy, in the order of the items.

    Raises DocumentError, which names the item by its place.
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
        gc.collect(0)  # all objects made while the collector was off are young, so a long print does not grow
    for cards in known.values():
        for card in cards:
            report_missing(card.front.missing + (card.back.missing if card.back else ""))
    return [known[key] for key in keys]


def sides_of(item: Item, settings: PrintSettings) -> tuple[Side, ...]:
    """Return the cards of an item, one copy; raises DocumentError with a path within the item."""
    return PRODUCTS[item.what].sides(item, settings)


def uncached_items(items: Sequence[Item], settings: PrintSettings) -> list[int]:
    """Return the places of the items that have to be drawn, for equal items only the first."""
    first: dict[str, int] = {}
    for at, item in enumerate(items):
        first.setdefault(item_key(item, settings), at)
    return [at for key, at in first.items() if _recall(key) is None]


def item_key(item: Item, settings: PrintSettings) -> str:
    """Return the cache key of an item: a hash of everything that decides how its cards look."""
    look = {
        "card": settings.card,
        "theme": settings.theme,
        "bleed": settings.bleed_mm,
        "backs": settings.has_backs,  # decides what has to be on the front
        "day": settings.printed_on if PRODUCTS[item.what].tells_day else "",
    }
    return key_of(look, item.model_dump(mode="json", exclude={"copies"}))


def card_page_key(page: CardPage, settings: PrintSettings) -> str:
    text = f"{fingerprint()}|{settings.theme}|{settings.bleed_mm}|{page!r}"
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(slots=True)
class _Batch:
    """A batch of items that are laid out, with the sides that still have to be drawn."""

    sides: dict[str, list[tuple[Side, str, str | None]]] = field(default_factory=dict)  # by item key, with page keys
    places: dict[str, PageRef] = field(default_factory=dict)  # of pages, by page key
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
        """Return the key of a page that is known or will be drawn in this batch."""
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
    """Return an item's cards if all their pages are cached."""
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
    """Return the card's text in reading order: its front, then its back."""
    return "\n".join(filter(None, (side.front.text_content(), side.back.text_content())))
