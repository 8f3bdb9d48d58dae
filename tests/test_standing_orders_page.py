"""The page about standing orders says what games declare and what the engine fights, die for die."""

from tests.tools.standing_orders import PAGE, written


def test_the_page_s_tables_and_examples_are_what_comes_out_now():
    text = PAGE.read_text(encoding="utf-8")
    assert written(text) == text
