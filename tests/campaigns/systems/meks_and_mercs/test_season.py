"""The season table and the house loan."""

import pytest

from campaigns.systems.base import SeasonGame
from campaigns.systems.meks_and_mercs.season import house_loan, loan_member, season_table
from rosters.systems.base import CompanyMember, PilotSpec
from rosters.systems.meks_and_mercs import SYSTEM
from tests.campaigns.systems.meks_and_mercs.builders import spec


def game(company, result="drawn", **what):
    return SeasonGame(company=company, result=result, **what)


def order(*games):
    return [row.company for row in season_table(games)]


@pytest.mark.rule("MM-S12", "MM-S01")
def test_the_table_goes_by_season_points_first():
    rows = season_table([game("A"), game("A"), game("B", "won"), game("C", "lost", destroyed=9)])
    assert [(row.place, row.company, row.points) for row in rows] == [(1, "B", 3), (2, "A", 2), (3, "C", 0)]
    assert (rows[1].won, rows[1].drawn, rows[1].lost) == (0, 2, 0)


@pytest.mark.rule("MM-S12")
def test_then_by_meks_destroyed_less_meks_lost():
    assert order(game("A", destroyed=3, lost=3, destroyed_points=90), game("B", destroyed=1)) == ["B", "A"]


@pytest.mark.rule("MM-S12")
def test_then_by_points_of_meks_destroyed_and_then_by_name():
    assert order(game("A", destroyed_points=9), game("C", destroyed_points=24), game("B", destroyed_points=9)) == [
        "C",
        "A",
        "B",
    ]


def member(mek="thor", pilot="regular"):
    return CompanyMember(mek, spec(mek), PilotSpec(pilot) if pilot else None)


@pytest.mark.rule("MM-S10")
def test_a_company_with_nobody_to_field_is_lent_a_wasp():
    assert house_loan("", []) == 1
    assert house_loan("breach", []) == 1
    assert house_loan("", [member(pilot=None)]) == 1


@pytest.mark.rule("MM-S10")
def test_a_company_with_a_legal_force_is_lent_nothing():
    assert house_loan("", [member()]) == 0
    assert house_loan("breach", [member("wasp")]) == 0


@pytest.mark.rule("MM-S10")
def test_a_scenario_that_wants_certain_sizes_is_filled_up_with_wasps():
    assert house_loan("opening-shots", [member("viper")]) == 2
    assert house_loan("opening-shots", [member("viper"), member("wasp")]) == 1
    assert house_loan("opening-shots", [member("wasp")]) == 0, "WASPs are no Medium: the house can't help"


@pytest.mark.rule("MM-S10")
def test_a_lent_wasp_comes_with_a_green_pilot_and_costs_nine_points_later():
    assert loan_member(1).pilot == PilotSpec("green")
    assert SYSTEM.check_design(loan_member(1).spec).points == 9
