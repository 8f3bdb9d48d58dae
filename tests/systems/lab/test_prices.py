"""What an option would change, shown before it is chosen."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab import Change, EditedBuild
from systems.lab.advice import ONE_LESS, ONE_MORE, prices


def _prices(system, spec):
    rules = roster_rules(system)
    return prices(rules, rules.parse_spec(spec))


@pytest.mark.rule("MM-002")
def test_price_of_part_shows_points_and_heat():
    found = _prices("meks-and-mercs", {"chassis": "light", "weapons": []})
    assert found["cannon", ONE_MORE].summary == "+1 pt; Heat 0/2 to 1/2"
    assert ("cannon", ONE_LESS) not in found


@pytest.mark.rule("MM-005")
def test_illegal_option_names_its_rule():
    found = _prices("meks-and-mercs", {"chassis": "light", "weapons": ["cannon"]})
    assert found["cannon", ONE_MORE].breaks == ("MM-005",)
    assert found["cannon", ONE_LESS].points == -1


def test_price_ignores_existing_problem_and_marks_cure():
    found = _prices("meks-and-mercs", {"chassis": "light", "weapons": ["cannon", "cannon"]})
    assert found["cannon", ONE_LESS].is_cure
    assert found["cannon", ONE_LESS].summary.endswith("makes it legal")
    assert found["jammer", ONE_MORE].breaks == ()


def test_frame_price_shows_changed_figures():
    found = _prices("meks-and-mercs", {"chassis": "medium", "weapons": ["cannon"]})
    assert found["chassis", "light"].measures[:2] == ("Hits 3 to 2", "AR 4 to 5")


def test_illegal_pick_names_its_rule():
    found = _prices("blazing-steel", {"chassis": "light", "locomotion": "bipedal"})
    assert found["magazine_on", "c1"].breaks == ("BS-012",)
    assert ("locomotion", "bipedal") not in found


@pytest.mark.parametrize("system", list(ROSTERS))
def test_price_is_difference_of_two_bills(system):
    rules = roster_rules(system)
    spec = [*rules.published.values()][1].spec
    build = EditedBuild(rules, spec)
    found = prices(rules, spec)
    assert found
    for (field, value), price in list(found.items())[::5]:
        if value not in (ONE_MORE, ONE_LESS):
            after = build.after(Change("", ((field, value),)))
            assert after is not None
            assert price.points == after.check.points - build.check.points
