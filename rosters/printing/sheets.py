"""Datasheets: one page of paper per unit, set smaller until it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string

from rosters.documents import DocumentError
from rosters.printing.documents import PrintUnit, UnitDocument, sheets_of
from rosters.printing.engine import page_document
from rosters.printing.impose import paper_size
from rosters.printing.systems import PAPER

# Root size in pt and lines to write notes on: the first that fits on one page. The last holds any legal unit.
SETTINGS = ((9.0, 6), (9.0, 4), (9.0, 2), (8.6, 1), (8.0, 0), (7.4, 0), (6.8, 0), (6.2, 0), (5.6, 0), (5.0, 0))


def render_sheets(
    units: Iterable[PrintUnit | UnitDocument | Mapping[str, object]],
    paper: str,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> bytes:
    """A PDF with one page per unit, in their order. Support units have a card, but no sheet: they are left out."""
    paper_size(paper)
    read = [unit for unit in sheets_of(units) if not unit.is_support]
    if not read:
        raise DocumentError("units", "support units have a card, but no datasheet")
    pages: list[Any] = []
    for at, unit in enumerate(read, start=1):
        document = sheet_document(unit, paper)
        pages += document.pages
        if progress:
            progress(at, len(read))
    title = read[0].document.name if len(read) == 1 else "Datasheets"
    document.metadata.title = title
    pdf: bytes = document.copy(pages).write_pdf()
    return pdf


def sheet_document(unit: PrintUnit, paper: str) -> Any:
    """The unit's sheet, laid out."""
    for size, note_lines in SETTINGS:
        document = page_document(sheet_html(unit, paper, size, note_lines))
        if len(document.pages) == 1:
            break
    return document


def sheet_html(unit: PrintUnit, paper: str, size: float = 9.0, note_lines: int = 0) -> str:
    system = PAPER[unit.document.system]
    body = render_to_string(
        system.sheet_template, {**system.sheet_context(unit.sheet), "note_lines": range(note_lines)}
    )
    width, height = paper_size(paper)
    page = {"title": unit.document.name, "body": body, "width": width, "height": height, "size": f"{size:.2f}"}
    return render_to_string("print/sheet.html", page)
