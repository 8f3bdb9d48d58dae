"""The season table and the house loan."""

import pytest

from campaigns.standings import Score, Worth, table
from campaigns.systems.meks_and_mercs import SYSTEM
from campaigns.systems.meks_and_mercs.season import house_loan, loan_member, loan_price
from rosters.systems.base import CompanyMember, PilotSpec
from tests.campaigns.systems.meks_and_mercs.builders import spec

WORTH = Worth(win=SYSTEM.season_points["won"], draw=SYSTEM.season_points["drawn"], loss=SYSTEM.season_points["lost"])


NAMES = dict(enumerate(("Axes", "Bears", "Crows", "Dogs")))


def order(*scores):
    return [row.name for row in table(NAMES, scores, WORTH, SYSTEM.tie_breakers)]


def game(attacker, defender, won="draw", **figures):
    return Score(attacker=attacker, defender=defender, won=won, **figures)


@pytest.mark.rule("MM-S12", "MM-S01")
def test_the_table_goes_by_season_points_first():
    scores = [game(0, 1), game(0, 3), game(2, 3, "defender", destroyed=(9, 0))]
    rows = table(NAMES, scores, WORTH, SYSTEM.tie_breakers)
    assert [(row.place, row.name, row.points) for row in rows] == [
        (1, "Dogs", 4),
        (2, "Axes", 2),
        (3, "Bears", 1),
        (4, "Crows", 0),
    ]
    assert (rows[1].won, rows[1].drawn, rows[1].lost) == (0, 2, 0)


@pytest.mark.rule("MM-S12")
def test_then_by_meks_destroyed_less_meks_lost():
    scores = [game(0, 2, destroyed=(3, 0), lost=(3, 0), destroyed_points=(90, 0)), game(1, 3, destroyed=(1, 0))]
    assert order(*scores)[:2] == ["Bears", "Axes"]


@pytest.mark.rule("MM-S12")
def test_then_by_points_of_meks_destroyed_and_then_by_name_whoever_met_whom():
    scores = [game(0, 1, destroyed_points=(9, 9)), game(2, 3, "draw", destroyed_points=(24, 9))]
    assert order(*scores) == ["Crows", "Axes", "Bears", "Dogs"]


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
    assert loan_price() == 9
