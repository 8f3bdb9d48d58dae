"""What an option would change, told before it is taken."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab.changes import Change, Workbench
from systems.lab.prices import LESS, MORE, prices


def _prices(system, spec):
    rules = roster_rules(system)
    return prices(rules, rules.parse_spec(spec))


@pytest.mark.rule("MM-002")
def test_a_part_costs_its_points_and_says_what_heat_it_adds():
    found = _prices("meks-and-mercs", {"chassis": "light", "weapons": []})
    assert found["cannon", MORE].told == "+1 pt; Heat 0/2 to 1/2"
    assert ("cannon", LESS) not in found


@pytest.mark.rule("MM-005")
def test_an_option_that_would_be_illegal_names_the_rule():
    found = _prices("meks-and-mercs", {"chassis": "light", "weapons": ["cannon"]})
    assert found["cannon", MORE].breaks == ("MM-005",)
    assert found["cannon", LESS].points == -1


def test_what_is_wrong_already_is_not_told_again_and_a_cure_is():
    found = _prices("meks-and-mercs", {"chassis": "light", "weapons": ["cannon", "cannon"]})
    assert found["cannon", LESS].is_cure
    assert found["cannon", LESS].told.endswith("legal then")
    assert found["jammer", MORE].breaks == ()


def test_a_frame_says_what_it_changes_beside_points():
    found = _prices("meks-and-mercs", {"chassis": "medium", "weapons": ["cannon"]})
    assert found["chassis", "light"].measures[:2] == ("Hits 3 to 2", "AR 4 to 5")


def test_a_pick_that_breaks_a_rule_says_so():
    found = _prices("blazing-steel", {"chassis": "light", "locomotion": "bipedal"})
    assert found["magazine_on", "c1"].breaks == ("BS-012",)
    assert ("locomotion", "bipedal") not in found


@pytest.mark.parametrize("system", list(ROSTERS))
def test_each_price_is_the_difference_of_two_bills(system):
    rules = roster_rules(system)
    spec = [*rules.published.values()][1].spec
    bench = Workbench(rules, spec)
    found = prices(rules, spec)
    assert found
    for (field, value), price in list(found.items())[::5]:
        if value not in (MORE, LESS):
            after = bench.after(Change("", ((field, value),)))
            assert after is not None
            assert price.points == after.check.points - bench.check.points
