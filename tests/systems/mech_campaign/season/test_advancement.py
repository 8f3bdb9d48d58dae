"""Experience and ranks."""

import pytest

from tests.systems.mech_campaign.season.builders import after, career, flight, side, unit


@pytest.mark.rule("MC-210")
def test_ranks_depend_on_experience():
    sides = [side(unit(pilot="ada"), flights=[flight(career(points=points))]) for points in range(13)]
    ranks = [after(one).flights[0].after.level for one in sides]  # each battle brings one point
    assert ranks == ["rookie"] * 2 + ["regular"] * 4 + ["veteran"] * 5 + ["ace"] * 2


@pytest.mark.rule("MC-209")
def test_pilot_gains_for_battle_eliminations_and_specials():
    (ada,) = after(side(unit(pilot="ada"), flights=[flight(kills=2, specials=1)])).flights
    assert (ada.after.points, ada.after.kills, ada.after.games) == (4, 2, 1)


@pytest.mark.rule("MC-209", "MC-210")
def test_third_point_makes_pilot_regular():
    (ada,) = after(side(unit(pilot="ada"), flights=[flight(career(points=2, games=2))])).flights
    assert (ada.after.level, ada.promoted) == ("regular", True)
    (ines,) = after(side(unit(pilot="ada"), flights=[flight(career("regular", 4, games=3))])).flights  # ledger 7.4
    assert (ines.after.level, ines.promoted) == ("regular", False)


@pytest.mark.rule("MC-209")
def test_injured_pilot_of_written_off_unit_gains_experience():
    (ada,) = after(side(unit(lost=True, pilot="ada"), flights=[flight(kills=1)]), dice=[1, 3]).flights
    assert (ada.fate.fate, ada.after.points, ada.after.games) == ("injured", 2, 1)


@pytest.mark.rule("MC-205", "MC-209")
def test_killed_pilot_gains_only_eliminations():
    before = career("regular", 6, games=5, kills=1)
    (ada,) = after(side(unit(lost=True, pilot="ada"), flights=[flight(before, kills=1)]), dice=[1, 1]).flights
    assert ada.is_dead
    assert not ada.promoted
    assert (ada.after.points, ada.after.kills, ada.after.games, ada.after.level) == (6, 2, 6, "regular")
