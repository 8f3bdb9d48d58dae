"""Checks for every product of every game: pictures have texts, letters are readable, words are spelled the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from html import unescape
from typing import Any

import pytest

from rosters.paper import page_layout
from rosters.paper.engine import open_pdf
from rosters.paper.page_layout import SMALLEST_PT, Frame, page_html
from rosters.printing import render_order
from rosters.printing.orders import PrintOrder, read_order
from rosters.printing.rendering import sides_of
from rosters.products import PRODUCTS as PRODUCTS_BY_SLUG
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


def blanks(system: str, _units: Sequence[dict[str, Any]]) -> list[Item]:
    return [items.blank(what, system) for what in ("datasheet", "roster", "slip")]


PRODUCTS: dict[str, tuple[Make, dict[str, Any]]] = {
    **{f"datasheet {sheet}": (of_units("datasheet"), {"sheet": sheet}) for sheet in ("full", "half", "two-up")},
    **{f"cards {card}": (of_units("unit-card"), {"card": card}) for card in ("poker", "tarot", "a7", "a6")},
    "counters": (of_units("counter"), {}),
    "standees": (of_units("standee"), {}),
    "blanks": (blanks, {}),
    "blanks half": (lambda system, _: [items.blank("datasheet", system)], {"sheet": "half"}),
    "scenarios": (scenarios, {}),
    "reference": (lambda system, units: [items.reference(list(units), system=system)], {}),
    "roster": (lambda system, units: [items.roster(list(units), system=system)], {}),
    "slip": (lambda system, _: [items.slip(6, system=system)], {}),
}
SHOP = [
    pytest.param(system, name, paper, marks=() if paper == "few" else pytest.mark.proof)
    for system in ROSTERS
    for name in PRODUCTS
    for paper in ("few", "a4", "letter")
]
# the scope puts the tests of a product one after another, so that one process prints it once
of_the_shop = pytest.mark.parametrize(("system", "name", "paper"), SHOP, scope="module")


@cache
def printed(system: str, name: str, paper: str) -> bytes:
    """Return that product: of one unit in every run, of all published ones and on both papers in the proof."""
    units = published_of(system)
    make, settings = PRODUCTS[name]
    made = make(system, units[:1] if paper == "few" else units)
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


def _page_html(drawn: list[str], frame: Frame, size: float) -> str:
    drawn.append(frame.body)
    return page_html(frame, size)


def pieces(system: str, name: str, paper: str) -> set[str]:
    """Return the printed text, piece by piece: the lines of a card, the cells and paragraphs of a page."""
    make, own = PRODUCTS[name]
    settings = items.settings(**own)
    units = published_of(system)
    found: set[str] = set()
    for item in make(system, units[:1] if paper == "few" else units):
        if is_card(item):
            sides = sides_of(item, settings)
            pages = [page for side in sides for page in (side.front, side.back) if page]
            found |= {" ".join(text.lines) for page in pages for text in page.texts}
            continue
        drawn: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(page_layout, "page_html", partial(_page_html, drawn))
            PRODUCTS_BY_SLUG[item.what].pdf([("", item)], settings)
        for body in drawn:
            inside = re.sub(r"</?(?:b|span|i)\b[^>]*>", "", re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL))
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


@of_the_shop
def test_numbers_are_written_alike_on_every_product(system: str, name: str, paper: str):
    found = {
        f"{fault}: {piece}"
        for piece in pieces(system, name, paper)
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
