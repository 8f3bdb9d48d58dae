"""Items that are pages of their own, each as a PDF."""

from __future__ import annotations

from rosters.documents import DocumentError
from rosters.printing.orders import Item, PrintSettings, UnitItem
from rosters.printing.sheets import render_sheets


def page_pdf(item: Item, settings: PrintSettings) -> bytes:
    """The item's pages, on the settings' paper; raises DocumentError."""
    if not isinstance(item, UnitItem) or item.what != "datasheet":
        raise DocumentError("what", f"there is no page of the kind {item.what}")
    return render_sheets([item.unit] * item.copies, settings.paper)
