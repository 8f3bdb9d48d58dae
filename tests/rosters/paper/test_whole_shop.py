"""Checks for every product of every game: pictures have texts, letters are readable, words are spelled the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import unescape
from typing import Any

import pytest

from rosters.paper.engine import open_pdf
from rosters.paper.page_layout import SMALLEST_PT
from rosters.printing import render_order
from rosters.printing.orders import PrintOrder, read_order
from rosters.printing.rendering import sides_of
from rosters.products import is_card
from rosters.products.base import Item
from systems import ROSTERS, roster_rules
from tests.rosters.paper import checks, items, pdf
from tests.rosters.paper.units import published_of, unit

Make = Callable[[str, Sequence[dict[str, Any]]], list[Item]]


def of_units(what: str) -> Make:
    return lambda _system, units: [items.item(what, unit=each) for each in units]


def scenarios(system: str, _units: Sequence[dict[str, Any]]) -> list[Item]:
    return [items.scenario(slug, system) for slug in roster_rules(system).scenarios]


def blank(what: str) -> Make:
    return lambda system, _units: [items.blank(what, system)]


PRODUCTS: dict[str, tuple[Make, dict[str, Any]]] = {
    **{f"datasheet {sheet}": (of_units("datasheet"), {"sheet": sheet}) for sheet in ("full", "half", "two-up")},
    **{f"cards {card}": (of_units("unit-card"), {"card": card}) for card in ("poker", "tarot", "a7", "a6")},
    "counters": (of_units("counter"), {}),
    "standees": (of_units("standee"), {}),
    **{f"blank {what}": (blank(what), {}) for what in ("datasheet", "roster", "slip")},
    "blanks half": (blank("datasheet"), {"sheet": "half"}),
    "scenarios": (scenarios, {}),
    "reference": (lambda system, units: [items.reference(list(units), system=system)], {}),
    "roster": (lambda system, units: [items.roster(list(units), system=system)], {}),
    "slip": (lambda system, _: [items.slip(6, system=system)], {}),
}
PRINTED_FOR = {  # products of one template for all games: printed in every run for the game with the most text
    **dict.fromkeys(
        ("blank roster", "blank slip", "blanks half", "datasheet half", "datasheet two-up"), "meks-and-mercs"
    ),
    **dict.fromkeys(("reference", "slip", "cards tarot", "counters"), "mechastellar"),
    **dict.fromkeys(("cards a7", "standees"), "blazing-steel"),
    **dict.fromkeys(("cards a6", "roster"), "hex-core"),
    "blank datasheet": "mech-campaign",
}


def marks_of(system: str, name: str, paper: str) -> Any:
    if paper != "few":
        return pytest.mark.proof
    return () if PRINTED_FOR.get(name, system) == system else pytest.mark.slow


SHOP = [
    pytest.param(system, name, paper, marks=marks_of(system, name, paper))
    for system in ROSTERS
    for name in PRODUCTS
    for paper in ("few", "a4", "letter")
]
# the scope puts the tests of a product one after another, so that one process prints it once
of_the_shop = pytest.mark.parametrize(("system", "name", "paper"), SHOP, scope="module")


@cache
def printed(system: str, name: str, paper: str) -> bytes:
    """Return that product: of one unit or the longest scenario in every run, of all and on both papers in the proof."""
    units = published_of(system)
    make, settings = PRODUCTS[name]
    made = make(system, units[:1] if paper == "few" else units)
    if name == "scenarios" and paper == "few":
        made = [max(made, key=lambda item: len(items.page_text(item, items.settings())))]
    order = PrintOrder(
        title=name, settings=items.settings(**settings, paper="a4" if paper == "few" else paper), items=tuple(made)
    )
    return render_order(read_order(order)).pdf


@of_the_shop
def test_every_figure_has_its_alternative_text(system: str, name: str, paper: str):
    with open_pdf(printed(system, name, paper)) as opened:
        assert checks.problems_of_tags(opened) == []


@of_the_shop
def test_no_letter_is_smaller_than_six_points(system: str, name: str, paper: str):
    assert pdf.smallest_type(printed(system, name, paper)) >= SMALLEST_PT - 0.05


@of_the_shop
def test_every_stream_can_be_read(system: str, name: str, paper: str):
    with open_pdf(printed(system, name, paper)) as opened:
        assert checks.problems_of_streams(opened) == []


def pieces(system: str, name: str) -> set[str]:
    """Return the text of all published units and scenarios: the lines of a card, the cells and paragraphs of a page."""
    make, own = PRODUCTS[name]
    settings = items.settings(**own)
    found: set[str] = set()
    for item in make(system, published_of(system)):
        if is_card(item):
            sides = sides_of(item, settings)
            pages = [page for side in sides for page in (side.front, side.back) if page]
            found |= {" ".join(text.lines) for page in pages for text in page.texts}
            continue
        for frame in items.page_frames(item, settings):
            inside = re.sub(r"</?(?:b|span|i)\b[^>]*>", "", re.sub(r"<svg.*?</svg>", "", frame.body, flags=re.DOTALL))
            found |= {" ".join(unescape(each).split()) for each in re.split(r"<[^>]*>", inside)}
    return found - {""}


MISWRITTEN = {
    "a hyphen for a minus": re.compile(r"(?<![\w.,)’–−-])-\d"),
    "a letter for a multiplication sign": re.compile(r"\d ?x \d|\bx \d|\b\d x\b|\b[xX]\d"),
    "a whole number with a decimal": re.compile(r"\d\.0(?!\d)"),
    "one of several": re.compile(
        r"(?<![\w.,/+−–×:-])1 (?!sends\b|is\b|as\b|less\b|miss\b|across\b|misses\b|hits\b|costs\b)[A-Za-z]+[^s\W]s\b"
    ),
}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("system", ROSTERS)
def test_numbers_are_written_alike_on_every_product(system: str, name: str):
    found = {
        f"{fault}: {piece}"
        for piece in pieces(system, name)
        for fault, sign in MISWRITTEN.items()
        if sign.search(piece)
    }
    assert found == set()


def test_one_kill_and_one_game_are_singular():
    pilot = {"name": "Ana", "experience": "regular", "kills": 1, "games": 1}
    (side,) = sides_of(items.item("unit-card", unit=unit("wasp", pilot=pilot)), items.settings())
    text = side.back.text_content()
    assert "1 kill, 1 game" in text
    assert "1 kills" not in text
    assert "1 games" not in text
