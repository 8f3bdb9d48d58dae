"""What a battle leaves behind: lost units and their pilots, the order of the dice, ore and league points."""

from fractions import Fraction

import pytest

from systems.mech_campaign.season import WORKSHOP
from tests.systems.mech_campaign.season.builders import after, flight, side, unit

CONDITIONS = {"written-off": None, "workshop": WORKSHOP, "ready": {}}


def of_a_lost_unit(face, *, won):
    """Return the lost unit's condition after the battle, None if it is gone."""
    (lost,) = after(side(unit(lost=True), result="won" if won else "lost"), dice=[face]).units
    return lost.condition


@pytest.mark.rule("MC-204")
@pytest.mark.parametrize(
    ("won", "becomes"),
    [
        (False, ["written-off", "written-off", "workshop", "workshop", "ready", "ready"]),
        (True, ["written-off", "workshop", "workshop", "ready", "ready", "ready"]),
    ],
)
def test_recovery_die_decides_eliminated_unit(won, becomes):
    assert [of_a_lost_unit(face, won=won) for face in range(1, 7)] == [CONDITIONS[what] for what in becomes]


@pytest.mark.rule("MC-204", "MC-211")
def test_losses_and_income_balance():  # ledger 8.2, last paragraph
    written_off = [
        Fraction(sum(of_a_lost_unit(face, won=won) is None for face in range(1, 7)), 6) for won in (False, True)
    ]
    assert written_off == [Fraction(1, 3), Fraction(1, 6)]
    loser, winner = Fraction("3.3") * written_off[0] * 8, Fraction("2.7") * written_off[1] * 8  # for units worth 8
    assert (round(loser), round(winner)) == (9, 4)
    won, drawn, lost = (after(side(result=result)).takings.income for result in ("won", "drawn", "lost"))
    assert Fraction(won + lost, 2) == drawn == 6


@pytest.mark.rule("MC-205")
def test_die_decides_pilot_of_written_off_unit():
    lost = side(unit(lost=True, pilot="ada"), flights=[flight()])
    fates = [after(lost, dice=[1, face]).flights[0].fate.fate for face in range(1, 7)]
    assert fates == ["killed", "injured", "injured", "unhurt", "unhurt", "unhurt"]


@pytest.mark.rule("MC-204", "MC-205")
@pytest.mark.parametrize("face", [3, 4, 5, 6])
def test_pilot_of_recovered_unit_rolls_no_die(face):
    result = after(side(unit(lost=True, pilot="ada"), flights=[flight()]), dice=[face])
    assert result.flights[0].fate is None
    assert result.units[0].condition == (WORKSHOP if face < 5 else {})


@pytest.mark.rule("MC-204")
def test_unit_without_pilot_is_written_off_with_one_die():
    (drone,) = after(side(unit(kind="drone", lost=True)), dice=[1]).units
    assert (drone.condition, drone.phrase) == (None, "was written off (1 on the recovery die)")


@pytest.mark.rule("MC-206")
def test_side_a_rolls_first_and_pilot_after_unit():
    ours = side(
        unit("a1", lost=True, pilot="ann"),
        unit("a2", pilot="bea"),
        unit("a3", lost=True, pilot="cay"),
        flights=[flight(key="ann"), flight(key="bea"), flight(key="cay")],
    )
    theirs = side(unit("b1", lost=True, pilot="dan"), flights=[flight(key="dan")], result="won")
    a, b = after(ours, theirs, dice=[2, 1, 6, 1, 3])
    assert [(each.key, each.face, each.condition) for each in a.units] == [("a1", 2, None), ("a3", 6, {})]
    assert [each.fate and each.fate.fate for each in a.flights] == ["killed", None, None]
    assert [(each.key, each.face, each.condition) for each in b.units] == [("b1", 1, None)]
    assert b.flights[0].fate.fate == "injured"


@pytest.mark.rule("MC-203")
def test_surviving_damaged_unit_is_repaired():
    (mech,) = after(side(unit(condition={"damage": 3}, pilot="ada"), flights=[flight()])).units
    assert (mech.condition, mech.phrase) == ({}, "was repaired")


@pytest.mark.rule("MC-104", "MC-203")
def test_units_of_retreating_force_roll_nothing():
    result = after(side(unit("u1"), unit("u2"), result="lost"))
    assert result.units == ()


@pytest.mark.rule("MC-204")
def test_unit_in_workshop_misses_one_battle():
    (mech,) = after(side(unit(condition=WORKSHOP), result="won")).units
    assert (mech.condition, mech.phrase) == ({}, "is out of the workshop")


@pytest.mark.rule("MC-204", "MC-207")
def test_early_workshop_unit_lost_again_rolls_again():
    (mech,) = after(side(unit(condition=WORKSHOP, lost=True)), dice=[4]).units
    assert mech.condition == WORKSHOP


@pytest.mark.rule("MC-208")
def test_lost_lent_unit_rolls_nothing():
    assert after(side(unit(lost=True, lent=True))).units == ()


@pytest.mark.rule("MC-211", "MC-212")
@pytest.mark.parametrize(("result", "ore", "points"), [("won", 8, 3), ("drawn", 6, 1), ("lost", 4, 0)])
def test_result_decides_ore_and_league_points(result, ore, points):
    takings = after(side(result=result)).takings
    assert (takings.income, takings.repaid, takings.lapsed, takings.season_points) == (ore, 0, 0, points)


@pytest.mark.rule("MC-201", "MC-211")
def test_unspent_founding_points_lapse():
    takings = after(side(result="won", spare=16)).takings
    assert (takings.income, takings.lapsed) == (8, 16)
    assert (
        after(side(result="won", spare=-3)).takings.lapsed == 0
    )  # points taken back by a ruling are a debt, paid from ore


@pytest.mark.rule("MC-211")
def test_debt_from_ruling_is_repaid_from_income():
    takings = after(side(result="lost", debt=7)).takings
    assert (takings.income, takings.repaid) == (4, 4)
