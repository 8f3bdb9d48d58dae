"""What holds for every product of every game: pictures have words, letters can be read, words are written alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from rosters.paper import render_order
from rosters.paper.engine import open_pdf
from rosters.paper.orders import PrintOrder, read_order
from rosters.paper.page_layout import SMALLEST_PT
from rosters.paper.product import Item
from systems import ROSTERS, roster_rules
from tests.rosters.paper import checks, items, pdf
from tests.rosters.paper.units import published_of

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
of_the_shop = pytest.mark.parametrize(("system", "name", "paper"), SHOP)


@cache
def printed(system: str, name: str, paper: str) -> bytes:
    """That product: of two units in every run, of all published ones and on both papers in the proof."""
    units = published_of(system)
    make, settings = PRODUCTS[name]
    made = make(system, units[::4][:2] if paper == "few" else units)
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
