"""Two builds side by side."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab import NO_VALUE, side_by_side


def _rows(system, left, right):
    rules = roster_rules(system)
    rows = side_by_side(rules, rules.parse_spec(left), rules.parse_spec(right))
    return {row.label: (row.left, row.right) for row in rows if row.differs}


def test_differing_points_figures_and_parts_are_compared():
    rows = _rows(
        "meks-and-mercs", {"chassis": "light", "weapons": ["cannon"]}, {"chassis": "medium", "weapons": ["ppc"]}
    )
    assert rows["Points"] == ("5", "11")
    assert rows["Chassis"] == ("Light", "Medium")
    assert rows["Hits"] == ("2", "3")
    assert rows["Massive mounts: Cannon"] == ("1", NO_VALUE)
    assert rows["Huge mounts: PPC"] == (NO_VALUE, "1")


def test_places_are_compared_by_their_content():
    left = {"chassis": "light", "locomotion": "bipedal", "l1": "howitzer"}
    rows = _rows("blazing-steel", left, {**left, "l1": "", "locomotion": "tracked"})
    assert rows["Left arm"] == ("Howitzer", NO_VALUE)
    assert rows["Locomotion"] == ("Bipedal", "Tracked")


def test_ticked_box_is_compared_with_an_empty_one():
    rules = roster_rules("mechastellar")
    rows = side_by_side(rules, rules.published["argonaut"].spec, rules.published["dusk-wraith"].spec)
    assert [(row.left, row.right) for row in rows if row.label == "Traits: Sniper"] == [(NO_VALUE, "yes")]


@pytest.mark.parametrize("system", list(ROSTERS))
def test_design_equals_itself_and_differs_from_another(system):
    rules = roster_rules(system)
    first, other, *_ = (each.spec for each in rules.published.values())
    assert not any(row.differs for row in side_by_side(rules, first, first))
    assert any(row.differs for row in side_by_side(rules, first, other))
