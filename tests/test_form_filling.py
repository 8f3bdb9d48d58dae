"""Which form of a page gets the kept values back: pure, on small pages."""

from __future__ import annotations

from rosters.site.form_filling import Filled, fill_form

TWO_ROWS = """
<form action="/buy/"><input type="hidden" name="row" value="1"><input name="text"></form>
<form action="/buy/"><input type="hidden" name="row" value="2"><input name="text"></form>
"""
TWO_KINDS = """
<form action="/new/"><input type="hidden" name="do" value="random"><input name="points"></form>
<form action="/new/"><input type="hidden" name="dice" value="of-now"><input name="text"></form>
"""


def filled(html: str, path: str, **fields: str) -> Filled:
    return fill_form(html, page="/page/", path=path, fields={name: [value] for name, value in fields.items()})


def test_form_with_the_same_hidden_value_is_filled_in():
    found = filled(TWO_ROWS, "/buy/", row="2", text="for row 2")
    assert found.html.index('value="for row 2"') > found.html.index('value="2"')


def test_text_of_a_row_that_is_gone_goes_into_no_other_row():
    found = filled(TWO_ROWS, "/buy/", row="3", text="for row 3")
    assert (found.place, found.left) == ("", ["for row 3"])


def test_form_is_found_though_its_own_hidden_value_has_changed():
    found = filled(TWO_KINDS, "/new/", dice="of-yesterday", text="some words")
    assert found.typed
    assert 'value="some words"' in found.html
