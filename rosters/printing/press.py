"""An order drawn: its cards and its pages, joined to one PDF."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rosters.documents import DocumentError
from rosters.printing.cards import render_cards
from rosters.printing.documents import UnitDocument
from rosters.printing.engine import glyph_warning, missing_glyphs, open_pdf
from rosters.printing.orders import BreakItem, PrintOrder, UnitItem
from rosters.printing.sheets import render_sheets

Progress = Callable[[int, int], None]
DRAWN = ("unit-card", "datasheet")


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished print. The warning is for its reader, empty mostly."""

    pdf: bytes
    pages: int
    warning: str = ""


def render_order(order: PrintOrder, progress: Progress | None = None) -> Printed:
    """The order as PDF; raises DocumentError for what can't be printed, MissingPangoError where PDF can't be made."""
    with missing_glyphs() as missing:
        parts = [_part(order, what, units, progress) for what, units in _runs(order)]
    pdf = parts[0] if len(parts) == 1 else _joined(parts)
    with open_pdf(pdf) as opened:
        pages = len(opened.pages)
    return Printed(pdf, pages, glyph_warning(missing))


def _part(order: PrintOrder, what: str, units: list[UnitDocument], progress: Progress | None) -> bytes:
    settings = order.settings
    if what == "unit-card":
        return render_cards(units, settings.paper, duplex=settings.backs != "none", progress=progress)
    return render_sheets(units, settings.paper, progress=progress)


def _runs(order: PrintOrder) -> Iterator[tuple[str, list[UnitDocument]]]:
    """Items of a kind that follow each other."""
    what, units = "", list[UnitDocument]()
    for at, item in enumerate(order.items):
        if isinstance(item, BreakItem) or item.what != what:
            if units:
                yield what, units
            what, units = "", []
        if isinstance(item, BreakItem):
            continue
        if not isinstance(item, UnitItem) or item.what not in DRAWN:
            raise DocumentError(f"items[{at}]", f"a {item.what} can't be drawn")
        what = item.what
        units += [item.unit] * item.copies
    if units:
        yield what, units


def _joined(parts: list[bytes]) -> bytes:
    import pikepdf

    with pikepdf.new() as pdf:
        for part in parts:
            with open_pdf(part) as opened:
                pdf.pages.extend(opened.pages)
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
    return out.getvalue()
