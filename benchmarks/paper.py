"""How fast paper is made: a sheet of nine new cards and a datasheet, against a bare WeasyPrint page of the same text."""

from __future__ import annotations

import time
import uuid
from html import escape

from rosters.printing import render_cards
from rosters.printing.sheets import render_sheets
from rosters.systems import get_system

SYSTEM = "meks-and-mercs"
ROUNDS = 3


def units(mark: str) -> list[dict[str, object]]:
    """The nine published Meks, named so that no card of them is known yet."""
    system = get_system(SYSTEM)
    return [
        {
            "system": SYSTEM,
            "name": f"{design.name} {mark}",
            "design_name": design.name,
            "spec": system.spec_json(design.spec),
            "pilot": {"name": "Bench", "experience": "regular"},
        }
        for design in system.published.values()
    ]


def bare_page(mark: str) -> bytes:
    """About the same text as nine cards, as plain paragraphs."""
    from weasyprint import HTML

    paragraphs = "".join(f"<p>{escape(str(unit))}</p>" for unit in units(mark))
    pdf = HTML(string=f"<html lang=en><body>{paragraphs}</body></html>").write_pdf()
    assert isinstance(pdf, bytes)
    return pdf


def run() -> list[str]:
    """Median seconds of each product, and the ratio to the bare page."""
    products = {
        "bare WeasyPrint page": lambda mark: bare_page(mark),
        "sheet of 9 new cards": lambda mark: render_cards(units(mark), "a4", duplex=False),
        "sheet of 9 known cards": lambda mark: render_cards(units("known"), "a4", duplex=False),
        "datasheet": lambda mark: render_sheets(units(mark)[:1], "a4"),
    }
    medians: dict[str, float] = {}
    for name, work in products.items():
        work("warm-up")
        spent = []
        for _ in range(ROUNDS):
            mark = uuid.uuid4().hex[:8]
            start = time.perf_counter()
            work(mark)
            spent.append(time.perf_counter() - start)
        medians[name] = sorted(spent)[ROUNDS // 2]
    bare = medians["bare WeasyPrint page"]
    return [f"{name:24} {value:6.3f} s  ratio {value / bare:5.1f}" for name, value in medians.items()]
