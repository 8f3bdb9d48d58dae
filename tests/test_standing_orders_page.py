"""The page about standing orders says what games declare and what the engine fights, die for die."""

import pytest

from tests.tools.standing_orders import EXAMPLES, PAGE, block, orders_table, shown


def test_the_page_lists_what_can_be_ordered_now():
    assert shown(PAGE.read_text(encoding="utf-8"), "orders") == orders_table()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.slug)
def test_the_page_s_examples_are_what_comes_out_now(example):
    assert shown(PAGE.read_text(encoding="utf-8"), example.slug) == block(example)
