"""Every product in every theme, checked by eye and screen reader.

`tests.tools.gallery` draws them for people to look at.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pikepdf
import pytest

from rosters.printing import cache, render_order
from rosters.printing.orders import PrintOrder
from tests.example_shares import in_every_run, in_turn
from tests.rosters.paper import checks, pdf
from tests.rosters.paper.products import PRODUCTS, order

A4, LETTER = (210.0, 297.0), (215.9, 279.4)
HALVES = {A4: (148.0, 210.0), LETTER: (139.7, 215.9)}
PAPERS = {"colour": "a4", "grey": "letter", "ink-saver": "a4"}
SIZES = {"a4": A4, "letter": LETTER}
MARGIN = 6.0

# Pages of each product, and words that must be on them. Where the papers differ: A4, then Letter.
EXPECTED: dict[str, tuple[int | tuple[int, int], tuple[str, ...]]] = {
    "unit cards poker": (2, ("HORNET 1", "Ana Beltrán", "ALLFATHER 9", "QUICK REFERENCE")),
    "unit cards tarot": (4, ("HORNET 1", "ALLFATHER 9", "Hits a round")),
    "unit cards a6": (4, ("HORNET 1", "AJAX 4", "Rail-Cannon")),
    "unit cards a7": (4, ("HORNET 1", "ALLFATHER 9", "QUICK REFERENCE")),
    "unit cards of support": (2, ("GUN SLED", "COMMANDOS", "INFANTRY STRONGPOINT")),
    "pilot cards": (2, ("ANA BELTRÁN", "TOMASZ WÓJCIK", "Damage Control")),
    "pilot cards a7": (2, ("ANA BELTRÁN", "TOMASZ WÓJCIK")),
    "support cards": (4, ("AMBUSH", "COMMANDOS", "HOWITZER BATTERY", "SUPPORT ROLLS")),
    "support cards tarot": ((6, 8), ("AMBUSH", "COMMANDOS")),
    "datasheet full": (2, ("HORNET 1", "GREY LADY 2", "2d6−1", "Targeting Array")),
    "datasheet half": (2, ("HORNET 1", "GREY LADY 2", "2d6−1", "Targeting Array")),
    "datasheet two-up": (2, ("HORNET 1", "GREY LADY 2", "OLD FAITHFUL 3")),
    "roster": (1, ("IRON WOLVES", "We bill by the hour", "Scale 6", "PILOTS WITHOUT A UNIT", "Tomasz Wójcik")),
    "roster of 40": (1, ("IRON WOLVES", "Hornet 1", "Ajax 40")),
    "reference": (1, ("QUICK REFERENCE", "Rail-Cannon", "Gun Sled", "CRITICAL HIT")),
    "reference of one": (1, ("QUICK REFERENCE", "CIWS", "Accuracy")),
    "scenario": (1, ("AT THE HOT GATES", "Break out", "DEFENDER", "Highlands")),
    "scenario of one's own": (1, ("THE BRIDGE", "Get across.", "Half of the Meks in zone 5")),
    "map of hexes": (7, ("Coast · row 1 of 2, column 1 of 3", "Coast · row 2 of 2, column 3 of 3", "Print at 100%")),
    "hex tiles": (1, ("Frost Pass · tiles, sheet 1 of 1 · hexes of 36 mm",)),
    "counters": (2, ("HORNET 1", "ALLFATHER 9", "CONTACT")),
    "standees": (1, ("HORNET 1", "ALLFATHER 9", "glue")),
    "slip": (1, ("IRON WOLVES AGAINST STEEL RAIN", "Hornet 1", "Steel Rain won", "Minefield", "destroyed", "killed")),
    "blank unit cards": (2, ("Name of the Mek", "WEAPONS")),
    "blank pilot cards": (2, ("Name of the pilot", "CALLSIGN")),
    "blank datasheet": (1, ("Name, size and design", "WEAPONS")),
    "blank datasheet two-up": (1, ("Name, size and design", "WEAPONS")),
    "blank roster": (1, ("COMPANY", "Unit and design")),
    "blank slip": (1, ("RESULT", "Attacker wins", "destroyed")),
    "battle packet": (9, ("STEEL RAIN", "AMBUSH", "AT THE HOT GATES", "QUICK REFERENCE", "Steel Rain won")),
}  # fmt: skip
# These differ from another product in their size alone, or join others: one theme each is enough.
ONE_THEME = {
    "unit cards a7": "grey",
    "pilot cards a7": "ink-saver",
    "support cards tarot": "grey",
    "datasheet half": "grey",
    "datasheet two-up": "ink-saver",
    "hex tiles": "grey",
    "roster of 40": "grey",
    "reference of one": "ink-saver",
    "blank datasheet two-up": "grey",
    "battle packet": "ink-saver",
}
PAIRS = [(name, theme) for name in EXPECTED for theme in PAPERS if ONE_THEME.get(name, theme) == theme]
ON_SHEETS = ("unit cards", "pilot cards", "support cards", "counters", "standees", "blank unit", "blank pilot")


def render(print_order: PrintOrder) -> bytes:
    shutil.rmtree(cache.folder(), ignore_errors=True)
    return render_order(print_order).pdf


def test_every_product_is_checked():
    assert EXPECTED.keys() == PRODUCTS.keys()
    assert {theme for _, theme in PAIRS} == set(PAPERS)


CHECKED_IN_EVERY_RUN = {  # one of each kind; test_pages.py and test_whole_shop.py draw more
    "unit cards poker",
    "pilot cards",
    "support cards tarot",
    "datasheet full",
    "scenario",
    "map of hexes",
    "counters",
    "blank slip",
}


@pytest.mark.parametrize(("name", "theme"), in_turn(PAIRS, CHECKED_IN_EVERY_RUN))
def test_product_passes_all_print_checks(name: str, theme: str, tmp_path: Path):
    print_order = order(name, theme=theme, paper=PAPERS[theme])
    path = tmp_path / "print.pdf"
    path.write_bytes(render_order(print_order).pdf)
    size = SIZES[PAPERS[theme]]
    expected, texts = EXPECTED[name]
    pages = expected if isinstance(expected, int) else expected[size == LETTER]
    two_up = print_order.settings.sheet == "two-up" or name == "blank slip"
    page_size = (size[1], size[0]) if two_up else HALVES[size] if print_order.settings.sheet == "half" else size
    checks.check(path, pages=pages, size=page_size, title=_title(name), texts=texts)
    assert not checks.inked_margins(path, MARGIN)
    words = pdf.words(path)
    assert not [found for page in words for found in checks.words_over_words(page)]
    with pikepdf.open(path) as opened:
        if name.startswith(ON_SHEETS):
            for number, page in enumerate(words):
                assert not checks.problems_of_sheet(opened, number, MARGIN)
                assert not checks.words_outside(page, opened, number)
        if theme != "colour":
            assert not checks.colours(opened)


def _title(name: str) -> str | None:
    """Return the title: single pages keep their own, cards and joined pages have the order's."""
    is_joined = name.startswith((*ON_SHEETS, "battle packet")) or EXPECTED[name][0] == 2
    return name.capitalize() if is_joined and name != "datasheet two-up" else None


def test_colour_check_finds_colours(tmp_path: Path):
    path = tmp_path / "print.pdf"
    for name in ("unit cards poker", "roster", "scenario"):
        path.write_bytes(render_order(order(name, theme="colour")).pdf)
        with pikepdf.open(path) as opened:
            assert checks.colours(opened)


@pytest.mark.parametrize(
    "name",
    in_every_run(
        ["unit cards poker"],
        ["unit cards poker", "counters", "datasheet half", "roster", "scenario", "slip"],
    ),
)
def test_order_drawn_twice_gives_the_same_bytes(name: str):
    print_order = order(name)
    assert render(print_order) == render(print_order)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"backs": "short-edge", "paper": "letter", "bleed_mm": 3.0, "card": "tarot"},
        {"backs": "fold-over", "bleed_mm": 3.0},
        {"backs": "none", "marks": False},
        {"backs": "long-edge", "card": "a6", "front": {"x": 3.0, "y": -3.0}, "back": {"x": -3.0}},
    ],
    ids=lambda settings: " ".join(map(str, settings.values())),
)
def test_cards_stay_in_their_boxes_in_every_layout(settings: dict, tmp_path: Path):
    path = tmp_path / "print.pdf"
    path.write_bytes(render_order(order("unit cards poker", **settings)).pdf)
    words = pdf.words(path)
    moved = 3.0 if "front" in settings else 0.0
    with pikepdf.open(path) as opened:
        for number, page in enumerate(words):
            assert not checks.problems_of_sheet(opened, number, MARGIN - moved)
            assert not checks.words_outside(page, opened, number)
    assert not [found for page in words for found in checks.words_over_words(page)]
