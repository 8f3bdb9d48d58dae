"""Everything on paper that is a page and not a card: each item a tagged PDF (PDF/UA-1) of its own, kept by its content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence

from rosters.paper import cache
from rosters.paper.alignment import test_sheet
from rosters.paper.documents import NO_DATASHEET, PrintUnit, read_unit
from rosters.paper.engine import missing_glyphs, report_missing
from rosters.paper.look import fingerprint
from rosters.paper.orders import (
    AlignmentItem,
    BlankItem,
    BreakItem,
    Item,
    PrintSettings,
    ReferenceItem,
    RosterItem,
    ScenarioItem,
    SlipItem,
    UnitItem,
    copies_of,
    is_card,
)
from rosters.paper.page_kinds import (
    blank_frame,
    datasheet_frame,
    reference_frame,
    roster_frame,
    scenario_frame,
    slip_frame,
)
from rosters.paper.page_layout import Frame, lay_out_page
from systems.documents import DocumentError, within

VARIANT = "pdf/ua-1"

Placed = tuple[str, Item]  # an item and the path of its place in an order; empty where it stands alone


def page_pdf(item: Item, settings: PrintSettings) -> bytes:
    """One item's pages, once, whatever copies it asks for; raises DocumentError, its path within the item."""
    return _pdf_of([("", item)], settings)


def page_pdfs(items: Sequence[Item], settings: PrintSettings, places: Sequence[int] | None = None) -> list[bytes]:
    """The pages of a run of items in their order, copies and all. With `two-up`, datasheets that follow each other
    share pages; a break between them keeps them apart. Raises DocumentError, which names the item by its place."""
    placed = [(f"items[{at}]", item) for at, item in zip(places or range(len(items)), items, strict=True)]
    return [_pdf_of(group, settings) for group in page_groups(placed, settings)]


def page_groups(items: Iterable[Placed], settings: PrintSettings) -> Iterator[list[Placed]]:
    """The items that make a PDF of their own: one each, but two datasheets where they share a page."""
    waiting: list[Placed] = []
    for place, item in items:
        pairs = settings.sheet == "two-up" and isinstance(item, UnitItem)
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
    """Everything that decides how these items look together."""
    named = [item.model_dump(mode="json", exclude={"copies"}) for item in items]
    how: dict[str, object] = {"paper": settings.paper, "theme": settings.theme}
    if any(_has_sheet(item) for item in items):
        how["sheet"] = settings.sheet
    if any(isinstance(item, AlignmentItem) for item in items):
        how |= settings.model_dump(mode="json", include={"backs", "front", "back"})
    document = json.dumps([named, how], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{fingerprint()}|{document}".encode()).hexdigest()


def _pdf_of(placed: Sequence[Placed], settings: PrintSettings) -> bytes:
    key = page_key([item for _, item in placed], settings)
    if found := cache.find_page_pdf(key):
        pdf, lacks = found
        report_missing(lacks)
        return pdf
    with missing_glyphs() as missing:
        pdf = test_sheet(settings) if _is_test_sheet(placed) else frame_pdf(_frame(placed, settings))
    lacks = "".join(sorted(missing))
    cache.store_page_pdf(key, pdf, lacks)
    report_missing(lacks)
    return pdf


def frame_pdf(frame: Frame) -> bytes:
    """The frame laid out, as a tagged PDF; the same bytes for the same frame."""
    pdf: bytes = lay_out_page(frame).write_pdf(pdf_variant=VARIANT)
    return pdf


def _frame(placed: Sequence[Placed], settings: PrintSettings) -> Frame:
    place, first = placed[0]
    if isinstance(first, UnitItem) and not is_card(first):
        return datasheet_frame(
            [_unit_of(item, place) for place, item in placed if isinstance(item, UnitItem)], settings
        )
    with within(place):
        return _frame_of(first, settings)


def _unit_of(item: UnitItem, place: str) -> PrintUnit:
    with within(place):
        unit = read_unit(item.unit)
        if unit.is_support:
            raise DocumentError("unit", NO_DATASHEET)
    return unit


def _frame_of(item: Item, settings: PrintSettings) -> Frame:
    match item:
        case RosterItem():
            return roster_frame(item, settings)
        case ReferenceItem():
            return reference_frame(item, settings)
        case ScenarioItem():
            return scenario_frame(item, settings)
        case SlipItem():
            return slip_frame(item, settings)
        case BlankItem() if not is_card(item):
            return blank_frame(item, settings)
        case _:
            raise DocumentError("what", f"a {item.what} is no page")


def _is_test_sheet(placed: Sequence[Placed]) -> bool:
    return any(isinstance(item, AlignmentItem) for _, item in placed)


def _has_sheet(item: Item) -> bool:
    return isinstance(item, UnitItem) or (isinstance(item, BlankItem) and item.of == "datasheet")
