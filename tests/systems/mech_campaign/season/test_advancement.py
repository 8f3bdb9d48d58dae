"""Experience, and the ranks that it comes to."""

import pytest

from tests.systems.mech_campaign.season.builders import after, career, flight, side, unit


@pytest.mark.rule("MC-210")
def test_the_ranks_by_experience():
    sides = [side(unit(pilot="ada"), flights=[flight(career(points=points))]) for points in range(13)]
    ranks = [after(one).flights[0].after.level for one in sides]  # each battle brings one point
    assert ranks == ["rookie"] * 2 + ["regular"] * 4 + ["veteran"] * 5 + ["ace"] * 2


@pytest.mark.rule("MC-209")
def test_a_pilot_gains_one_for_the_battle_each_elimination_and_each_special_action():
    (ada,) = after(side(unit(pilot="ada"), flights=[flight(kills=2, specials=1)])).flights
    assert (ada.after.points, ada.after.kills, ada.after.games) == (4, 2, 1)


@pytest.mark.rule("MC-209", "MC-210")
def test_the_third_point_makes_a_regular():
    (ada,) = after(side(unit(pilot="ada"), flights=[flight(career(points=2, games=2))])).flights
    assert (ada.after.level, ada.promoted) == ("regular", True)
    (ines,) = after(side(unit(pilot="ada"), flights=[flight(career("regular", 4, games=3))])).flights  # ledger 7.4
    assert (ines.after.level, ines.promoted) == ("regular", False)


@pytest.mark.rule("MC-209")
def test_a_pilot_who_lived_gains_though_his_unit_was_written_off_and_he_is_hurt():
    (ada,) = after(side(unit(lost=True, pilot="ada"), flights=[flight(kills=1)]), dice=[1, 3]).flights
    assert (ada.fate.fate, ada.after.points, ada.after.games) == ("injured", 2, 1)


@pytest.mark.rule("MC-205", "MC-209")
def test_a_killed_pilot_gains_nothing_but_his_eliminations():
    before = career("regular", 6, games=5, kills=1)
    (ada,) = after(side(unit(lost=True, pilot="ada"), flights=[flight(before, kills=1)]), dice=[1, 1]).flights
    assert ada.is_dead
    assert not ada.promoted
    assert (ada.after.points, ada.after.kills, ada.after.games, ada.after.level) == (6, 2, 6, "regular")
