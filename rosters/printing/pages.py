"""Everything on paper that is a page and not a card: each item a tagged PDF (PDF/UA-1) of its own, kept by its content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from rosters.documents import DocumentError
from rosters.printing import cache
from rosters.printing.documents import read_unit
from rosters.printing.engine import missing_glyphs, report_missing
from rosters.printing.look import fingerprint
from rosters.printing.orders import (
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
from rosters.printing.page_kinds import (
    blank_frame,
    datasheet_frame,
    reference_frame,
    roster_frame,
    scenario_frame,
    slip_frame,
)
from rosters.printing.page_layout import Frame, lay_out_page

VARIANT = "pdf/ua-1"


def page_pdf(item: Item, settings: PrintSettings) -> bytes:
    """One item's pages, once, whatever copies it asks for; raises DocumentError."""
    return _pdf_of((item,), settings)


def page_pdfs(items: Sequence[Item], settings: PrintSettings) -> list[bytes]:
    """The pages of a run of items in their order, copies and all. With `two-up`, datasheets that follow each other
    share pages; a break between them keeps them apart."""
    return [_pdf_of(group, settings) for group in page_groups(items, settings)]


def page_groups(items: Sequence[Item], settings: PrintSettings) -> Iterator[tuple[Item, ...]]:
    """The items that make a PDF of their own: one each, but two datasheets where they share a page."""
    waiting: list[Item] = []
    for item in items:
        pairs = settings.sheet == "two-up" and isinstance(item, UnitItem)
        if waiting and not pairs:
            yield (waiting.pop(),)
        if isinstance(item, BreakItem):
            continue
        for _ in range(copies_of(item)):
            if not pairs:
                yield (item,)
            elif waiting:
                yield waiting.pop(), item
            else:
                waiting.append(item)
    if waiting:
        yield (waiting.pop(),)


def page_key(items: Sequence[Item], settings: PrintSettings) -> str:
    """Everything that decides how these items look together."""
    named = [item.model_dump(mode="json", exclude={"copies"}) for item in items]
    how: dict[str, str] = {"paper": settings.paper, "theme": settings.theme}
    if any(_has_sheet(item) for item in items):
        how["sheet"] = settings.sheet
    document = json.dumps([named, how], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{fingerprint()}|{document}".encode()).hexdigest()


def _pdf_of(items: tuple[Item, ...], settings: PrintSettings) -> bytes:
    key = page_key(items, settings)
    if found := cache.find_page_pdf(key):
        pdf, lacks = found
        report_missing(lacks)
        return pdf
    with missing_glyphs() as missing:
        pdf = frame_pdf(_frame(items, settings))
    lacks = "".join(sorted(missing))
    cache.store_page_pdf(key, pdf, lacks)
    report_missing(lacks)
    return pdf


def frame_pdf(frame: Frame) -> bytes:
    """The frame laid out, as a tagged PDF; the same bytes for the same frame."""
    pdf: bytes = lay_out_page(frame).write_pdf(pdf_variant=VARIANT)
    return pdf


def _frame(items: tuple[Item, ...], settings: PrintSettings) -> Frame:
    first = items[0]
    if is_card(first) or isinstance(first, BreakItem):
        raise DocumentError("what", f"a {first.what} is no page")
    match first:
        case UnitItem():
            return datasheet_frame([read_unit(item.unit) for item in items if isinstance(item, UnitItem)], settings)
        case RosterItem():
            return roster_frame(first, settings)
        case ReferenceItem():
            return reference_frame(first, settings)
        case ScenarioItem():
            return scenario_frame(first, settings)
        case SlipItem():
            return slip_frame(first, settings)
        case BlankItem():
            return blank_frame(first, settings)
        case _:
            raise DocumentError("what", f"a {first.what} is no page")


def _has_sheet(item: Item) -> bool:
    return isinstance(item, UnitItem) or (isinstance(item, BlankItem) and item.of == "datasheet")
