"""Datasheets: one page of paper per unit, set smaller until it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rosters.documents import DocumentError
from rosters.printing.documents import PrintUnit, UnitDocument, sheets_of
from rosters.printing.orders import PrintSettings
from rosters.printing.page_kinds import datasheet_frame
from rosters.printing.page_layout import lay_out_page
from rosters.printing.paper import paper_size


def render_sheets(
    units: Iterable[PrintUnit | UnitDocument | Mapping[str, object]],
    paper: str,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> bytes:
    """A PDF with one page per unit, in their order. Support units have a card, but no sheet: they are left out."""
    paper_size(paper)
    settings = PrintSettings.model_validate({"paper": paper})
    read = [unit for unit in sheets_of(units) if not unit.is_support]
    if not read:
        raise DocumentError("units", "support units have a card, but no datasheet")
    pages: list[Any] = []
    for at, unit in enumerate(read, start=1):
        document = lay_out_page(datasheet_frame([unit], settings))
        pages += document.pages
        if progress:
            progress(at, len(read))
    document.metadata.title = read[0].document.name if len(read) == 1 else "Datasheets"
    pdf: bytes = document.copy(pages).write_pdf()
    return pdf
