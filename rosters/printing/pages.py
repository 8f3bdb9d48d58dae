"""Items that are pages of their own, each as a PDF."""

from __future__ import annotations

from collections.abc import Sequence

from rosters.documents import DocumentError
from rosters.printing.orders import BreakItem, Item, PrintSettings, UnitItem, copies_of
from rosters.printing.sheets import render_sheets


def page_pdf(item: Item, settings: PrintSettings) -> bytes:
    """The item's pages, on the settings' paper; raises DocumentError."""
    if not isinstance(item, UnitItem) or item.what != "datasheet":
        raise DocumentError("what", f"there is no page of the kind {item.what}")
    return render_sheets([item.unit], settings.paper)


def page_pdfs(items: Sequence[Item], settings: PrintSettings) -> list[bytes]:
    """The pages of a run of items in their order, copies and all."""
    pages = [item for item in items if not isinstance(item, BreakItem)]
    return [pdf for item in pages for pdf in [page_pdf(item, settings)] * copies_of(item)]
