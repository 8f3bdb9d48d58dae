"""The form of house rules for systems whose numbers have limits."""

import pytest

from battles.forms.orders import HouseRulesForm


@pytest.mark.parametrize(("bonus", "is_valid"), [("-1", False), ("0", True), ("3", True), ("4", False), ("x", False)])
def test_number_out_of_bounds_is_refused(bonus, is_valid):
    form = HouseRulesForm({"o-resolve-bonus": bonus}, system="mech-campaign", prefix="o")
    assert form.is_valid() is is_valid
    assert ("resolve-bonus" in form.errors) is not is_valid
