"""The default force, the house loan, and the price of a refit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.blazing_steel.build import SYSTEM as ROSTERS
from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.season import SYSTEM
from systems.roster import CompanyMember

SIX = list(ROSTERS.published)


def members(*designs):
    return [CompanyMember(f"{each} {at}", ROSTERS.published[each].spec, None) for at, each in enumerate(designs)]


def fielded(*designs, most=12, **options):
    of, rules = members(*designs), {name.replace("_", "-"): value for name, value in options.items()}

    def allows(places):
        return ROSTERS.check_company("skirmish", [of[place] for place in places], rules).legal

    return SYSTEM.standing_force("skirmish", of, rules, side="attacker", most=most, allows=allows)


@pytest.mark.rule("BS-C02")
def test_default_force_has_most_points_within_limit():
    assert fielded("skimmer", "darter", "hawker", "bulwark") == (0, 1, 2, 3)
    assert fielded("skimmer", "darter", "hawker", "bulwark", points_limit=25) == (2, 3)
    assert fielded("skimmer", "darter", "hawker", "bulwark", points_limit=13) == (0, 1)
    assert fielded("hawker", "hawker", points_limit=10) == (0,)
    assert fielded("colossus", points_limit=20) == ()
    assert len(fielded(*["darter"] * 14)) == 10


@given(st.lists(st.sampled_from(SIX), min_size=1, max_size=10), st.integers(6, 60))
def test_no_other_force_within_limit_has_more_points(designs, limit):
    points = [ROSTERS.published[each].printed_points for each in designs]
    chosen = fielded(*designs, points_limit=limit)
    sums = {0}
    for each in points:
        sums |= {total + each for total in sums if total + each <= limit}
    assert sum(points[place] for place in chosen) == max(sums)


@pytest.mark.rule("BS-200")
def test_house_lends_darter_to_company_without_ready_unit():
    assert SYSTEM.house_loan("", []) == 1
    assert SYSTEM.house_loan("", members("darter")) == 0
    assert SYSTEM.lends_for_a_game
    assert ROSTERS.is_stuck([], balance=5, games=1)
    assert not ROSTERS.is_stuck([], balance=6, games=1)
    assert not ROSTERS.is_stuck([ROSTERS.published["darter"].spec], balance=0, games=1)


# --- refits -----------------------------------------------------------------------------------------------------------

HAWKER = ROSTERS.published["hawker"].spec


def refit(**changes):
    spec = WarmechSpec(**{field: getattr(HAWKER, field) for field in WarmechSpec.__slots__} | changes)
    return ROSTERS.check_refit(HAWKER, spec)


@pytest.mark.rule("BS-C06")
def test_added_option_costs_one_and_removed_refunds_nothing():
    exchanged = refit(r1="howitzer")
    assert (exchanged.points, exchanged.legal) == (1, True)
    assert [line.label for line in exchanged.bill] == ["Right arm: Howitzer for the Laser"]
    removed = refit(c1="")
    assert [(line.label, line.points) for line in removed.bill] == [("Core: Missile Launcher removed", 0)]
    bare = WarmechSpec("medium", "bipedal")
    added = ROSTERS.check_refit(bare, WarmechSpec("medium", "bipedal", l1="laser", r1="laser"))
    assert [(line.label, line.points) for line in added.bill] == [("Left arm: Laser", 1), ("Right arm: Laser", 1)]


@pytest.mark.rule("BS-C06")
def test_refit_keeps_chassis_and_locomotion_and_must_be_legal():
    assert [(each.rule, each.place) for each in refit(chassis="heavy").problems] == [("BS-C06", "chassis")]
    assert [(each.rule, each.place) for each in refit(locomotion="tracked").problems] == [("BS-C06", "locomotion")]
    assert [each.rule for each in refit(l1="laser").problems] == ["BS-012"]  # its magazine served the replaced weapon


@pytest.mark.rule("BS-C06")
def test_unchanged_refit_costs_nothing():
    assert (refit().points, refit().bill) == (0, ())
    moved = refit(magazine_on="c1")
    assert (moved.points, moved.legal) == (0, True)
