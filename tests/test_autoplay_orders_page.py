"""The docs page about autoplay orders matches the orders of the games and the battles of the engine."""

import pytest

from tests.tools.autoplay_orders import EXAMPLES, PAGE, block, marked_section, orders_table


def test_page_lists_the_available_orders():
    assert marked_section(PAGE.read_text(encoding="utf-8"), "orders") == orders_table()


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.slug)
def test_pages_examples_match_the_engine(example):
    assert marked_section(PAGE.read_text(encoding="utf-8"), example.slug) == block(example)
