"""Pages other than cards: each item is a tagged PDF (PDF/UA-1) of its own, cached by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rosters.paper import cache
from rosters.paper.documents import PrintSettings
from rosters.paper.engine import missing_glyphs, report_missing
from rosters.paper.look import key_of
from rosters.paper.product import BreakItem, Item, Placed, copies_of
from rosters.paper.products import PRODUCTS


def page_pdfs(items: Sequence[Item], settings: PrintSettings, places: Sequence[int] | None = None) -> list[bytes]:
    """Return the PDFs of a run of items in their order, including copies.

    With `two-up`, consecutive datasheets share pages; a break between them keeps them apart. Raises DocumentError,
    which names the item by its place.
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
    """Return the cache key of these items: a hash of everything that decides how they look together."""
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
