"""Limits that a scenario sets for each side: checked, described, and read from the rows of a form."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.documents import DocumentError
from systems.scenarios import (
    Bounds,
    ForceLimits,
    SideLimits,
    describe_forces,
    force_lines,
    force_wrong,
    limit_rows,
    limits_wrong,
    sent_limits,
    sent_rows,
)

TEN = Bounds(unit="mech", units="mechs", units_most=10, points_most=200, units_rule="X-1", points_rule="X-2")


def side(least=0, most=0, points_least=0, points_most=0):
    return SideLimits(units_least=least, units_most=most, points_least=points_least, points_most=points_most)


def both(a=None, b=None):
    return ForceLimits(a=a or side(), b=b or side())


@pytest.mark.parametrize(
    ("of", "place", "expected"),
    [
        (side(least=11), "units_least", "Side A: enter at most 10 mechs, not 11."),
        (side(most=11), "units_most", "Side A: enter at most 10 mechs, not 11."),
        (side(points_most=201), "points_most", "Side A: enter at most 200 points, not 201."),
        (side(least=4, most=3), "units_least", "Side A: the minimum of 4 mechs is above the maximum of 3."),
        (
            side(points_least=40, points_most=30),
            "points_least",
            "Side A: the minimum of 40 points is above the maximum of 30.",
        ),
    ],
)
def test_impossible_limits_are_reported_with_their_figure(of, place, expected):
    (problem,) = limits_wrong(both(of), TEN)
    assert (problem.place, problem.message) == (f"forces.a.{place}", expected)
    assert problem.rule == ("X-1" if place.startswith("units") else "X-2")
    (other,) = limits_wrong(both(b=of), TEN)
    assert (other.place, other.message) == (f"forces.b.{place}", expected.replace("Side A", "Side B"))


def test_empty_or_possible_limits_are_fine():
    assert not [*limits_wrong(both(), TEN)]
    assert not [*limits_wrong(both(side(3, 3, 20, 20), side(1, 10, 0, 200)), TEN)]


@pytest.mark.parametrize(
    ("number", "points", "expected"),
    [
        (1, 30, ["The scenario needs at least 2 mechs, not 1."]),
        (4, 30, ["The scenario allows at most 3 mechs, not 4."]),
        (2, 19, ["The force is worth 19 points; the scenario needs at least 20."]),
        (2, 20, []),
        (3, 500, []),  # the game itself refuses too many points
        (0, 0, []),  # and an empty force
    ],
)
def test_force_outside_limits_is_reported(number, points, expected):
    assert [each.message for each in force_wrong(side(2, 3, 20, 40), number, points, TEN)] == expected


def test_points_given_up_count_towards_minimum():
    limits = side(points_least=20)
    assert [*force_wrong(limits, 2, 15, TEN, extra_points=-4)]
    assert not [*force_wrong(limits, 2, 16, TEN, extra_points=-4)]
    assert [*force_wrong(limits, 2, 19, TEN, extra_points=5)]


def test_side_defaults_to_the_one_with_more_points():
    limits = both(side(points_most=30), side(points_most=50))
    assert limits.of(None) == limits.b
    assert limits.of("attacker") == limits.a
    assert both(side(points_most=30)).of(None) == side()  # no limit allows more


def test_limits_are_described_in_words():
    assert describe_forces(both(), TEN) == "1 to 10 mechs"
    assert describe_forces(both(side(2, 4), side(1, 1)), TEN) == "2 to 4 mechs against 1 mech"
    assert force_lines(both(), TEN, 60) == ()
    assert force_lines(both(side(2, 4, 20, 30)), TEN, 60) == (
        ("Side A", "2 to 4 mechs, 20 points at least, 30 points at most"),
        ("Side B", "1 to 10 mechs, 60 points at most"),
    )


def test_units_limited_otherwise_are_not_counted():
    squads = replace(TEN, unsaid="a squad")
    assert describe_forces(both(), squads) == "a squad"
    assert describe_forces(both(side(2), side(0, 3)), squads) == "2 mechs or more against 1 to 3 mechs"


SIDES = st.builds(side, *[st.integers(0, 10)] * 2, *[st.integers(0, 200)] * 2)


@given(st.builds(both, SIDES, SIDES))
def test_limits_survive_form_and_document(limits):
    fields = {field.name: field.value for row in limit_rows(limits, TEN) for field in row.fields}
    assert sent_limits(fields, TEN) == limits
    assert ForceLimits.model_validate(limits.model_dump(mode="json", exclude_defaults=True)) == limits


@pytest.mark.parametrize("written", ["many", "-1", "2.5", "٣"])
def test_bad_figure_is_reported_at_its_field_and_kept(written):
    fields = {"force-b-units_most": written, "force-a-units_least": "2"}
    with pytest.raises(DocumentError) as refused:
        sent_limits(fields, TEN)
    assert (refused.value.path, refused.value.reason) == ("side B: Mechs at most", "must be a whole number")
    a, b = sent_rows(fields, TEN)
    assert (a.errors, b.errors) == ((), ("Side B: Mechs at most must be a whole number",))
    assert [field.value for field in (*a.fields, *b.fields)] == ["2", "", "", "", "", written, "", ""]
