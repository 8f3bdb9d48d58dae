"""No product of the shop is set in type too small to read.

Tests that draw ordinary pages and data sheets check this themselves: test_pages.py and test_sheets.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from rosters.card_layout.page import SMALLEST_PT as CARD_PT
from rosters.paper.documents import PrintSettings
from rosters.paper.page_layout import SMALLEST_PT
from rosters.printing.rendering import sides_of
from rosters.products import is_card
from systems import ROSTERS
from tests.example_shares import in_every_run
from tests.rosters.paper import items, pdf, products
from tests.rosters.paper.units import mech_cases, published_of

CARDS = [name for name, (make, _) in (products.PRODUCTS | products.HARD).items() if any(map(is_card, make()))]


@pytest.mark.parametrize(
    "name",
    in_every_run(
        ["hard reference", "roster of 40"],
        ["hard roster", "hard reference", "scenarios", "hard slip", "roster of 40", "reference"],
        pytest.mark.slow,
    ),
)
def test_overfull_page_keeps_the_smallest_type_size(name: str):
    make, _ = (products.PRODUCTS | products.HARD)[name]
    made = (items.page_pdf(item, items.settings()) for item in make())
    assert min(map(pdf.smallest_type, made)) >= SMALLEST_PT - 0.01


@pytest.mark.parametrize("card", ["poker", "tarot", "a7", "a6"])
@pytest.mark.parametrize("name", CARDS)
@pytest.mark.each_value
def test_overfull_card_keeps_the_smallest_type_size(name: str, card: str):
    made: list[Any] = (products.PRODUCTS | products.HARD)[name][0]()
    made += [items.item("unit-card", unit=each) for each in mech_cases().values()] if name == CARDS[0] else []
    pages = [
        page
        for item in filter(is_card, made)
        for side in sides_of(item, PrintSettings(card=card))
        for page in (side.front, side.back)
    ]
    assert min(text.size for page in pages for text in page.texts if any(text.lines)) >= CARD_PT


@pytest.mark.parametrize("colour", ["", "#7a1f2b"])
@pytest.mark.parametrize("what", ["unit-card", "counter", "standee"])
@pytest.mark.parametrize("system", ROSTERS)
@pytest.mark.each_value
def test_card_counter_and_standee_show_side_and_number(system: str, what: str, colour: str):
    unit = {**published_of(system)[0], "colour": colour}
    marks = {}
    for side in ("", "a", "b"):
        asked = items.item(what, unit={**unit, "side": side, "number": 17})
        ((card,), (bare,)) = (sides_of(each, PrintSettings()) for each in (asked, items.item(what, unit=unit)))
        tag = f"{side.upper()}17"
        card_text = card.front.text_content()
        assert (f"Side {side.upper()}" in card_text, f"Number {tag}" in card_text) == (bool(side), True)
        assert sum(text.lines == (tag,) for text in card.front.texts) == (2 if what == "standee" else 1)
        assert min(text.size for text in card.front.texts) >= CARD_PT
        marks[side] = len(card.front.art.get("shape", [])) - len(bare.front.art.get("shape", []))
    faces = 2 if what == "standee" else 1
    assert marks == {"": 0, "a": faces, "b": 6 * faces}
