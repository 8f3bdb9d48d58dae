"""What a game leaves behind: fates, experience, income, and the order of the dice."""

from fractions import Fraction

import pytest

from systems.meks_and_mercs.season import SYSTEM
from systems.season import GameSide
from tests.systems.meks_and_mercs.season.builders import after, after_one, career, flight, side
from tests.tools.enumerate import chances


@pytest.mark.rule("MM-100", "MM-101", "MM-S04")
def test_surviving_green_pilot_becomes_regular_and_rolls():  # MM-X37
    (ada,) = after_one(flight(career("green")), dice=[5])
    assert (ada.after.games, ada.after.level, ada.promoted) == (1, "regular", True)
    assert (ada.skill.face, ada.skill.needed, ada.skill.gained) == (5, 5, True)


@pytest.mark.rule("MM-099", "MM-100", "MM-101")
def test_veteran_with_tenth_kill_and_game_rolls_as_elite():  # MM-X38
    before = career("veteran", 9, 9, ["accuracy", "maneuver", "gunnery", "spoof"])
    (ada,) = after_one(flight(before, kills=1), dice=[2])
    assert (ada.after.kills, ada.after.games, ada.after.level) == (10, 10, "elite")
    assert (ada.skill.face + ada.skill.bonus, ada.skill.needed, ada.skill.gained) == (4, 4, True)


@pytest.mark.rule("MM-103")
def test_career_carries_over_between_games():
    (ada,) = after_one(flight(career("regular", 3, 4, ["spoof"]), kills=1), dice=[1])
    assert ada.after == career("regular", 4, 5, ["spoof"])


@pytest.mark.rule("MM-S03")
@pytest.mark.parametrize(
    ("exploded", "fates"),
    [
        (False, ["killed", "injured", "injured", "unhurt", "unhurt", "unhurt"]),
        (True, ["killed", "killed", "killed", "injured", "injured", "unhurt"]),
    ],
)
def test_fate_of_pilot_depends_on_die_and_explosion(exploded, fates):
    killed_rolls_no_more = [[face] if fate == "killed" else [face, 1] for face, fate in enumerate(fates, start=1)]
    rolled_fates = [after_one(flight(lost=True, exploded=exploded), dice=dice)[0].fate for dice in killed_rolls_no_more]
    assert [fate.fate for fate in rolled_fates] == fates


@pytest.mark.rule("MM-S03")
@pytest.mark.parametrize("exploded", [False, True])
def test_fate_chances_are_exact(exploded):
    lost = side(flight(lost=True, exploded=exploded))
    found = chances(lambda dice: SYSTEM.aftermath([lost], dice, standing=False)[0].flights[0].fate.fate)
    sixths = {"killed": 3, "injured": 2, "unhurt": 1} if exploded else {"killed": 1, "injured": 2, "unhurt": 3}
    assert found == {fate: Fraction(faces, 6) for fate, faces in sixths.items()}


@pytest.mark.rule("MM-S03", "MM-S05")
def test_pilot_of_surviving_mek_rolls_no_fate():
    (ada,) = after_one(flight(career("green")), dice=[1])  # the only die is the skill roll
    assert ada.fate is None


@pytest.mark.rule("MM-S03", "MM-S04")
def test_killed_pilot_keeps_kills_but_not_game():
    (ada,) = after_one(flight(career("regular", 4, 2), kills=1, lost=True), dice=[1])
    assert ada.is_dead
    assert (ada.after.kills, ada.after.games, ada.after.level, ada.skill) == (5, 2, "regular", None)


@pytest.mark.rule("MM-S04", "MM-S03")
def test_injured_pilot_counts_game_and_rolls_skill():
    (ada,) = after_one(flight(career("green"), lost=True), dice=[2, 6])
    assert (ada.fate.fate, ada.after.games, ada.after.level, ada.skill.gained) == ("injured", 1, "regular", True)


@pytest.mark.rule("MM-S13", "MM-S02")
def test_dice_fall_by_side_with_fates_first():
    lost = flight(career("green"), key="lost", lost=True)
    home = flight(career("green"), key="home")
    dead = flight(career("green"), key="dead", lost=True)
    a, d = after(side(lost, home, dead), side(flight(key="them", lost=True)), dice=[4, 1, 5, 2, 6, 3])
    assert [each.fate and each.fate.face for each in a.flights] == [4, None, 1]
    assert [each.skill and each.skill.face for each in a.flights] == [5, 2, None]
    assert [(each.fate.face, each.skill.face) for each in d.flights] == [(6, 3)]


def paid(result, standing=True, debt=0):
    """Return the takings of a side whose pilot was killed, so no skill is rolled."""
    return after(side(flight(lost=True), result=result, debt=debt), dice=[1], standing=standing).takings


@pytest.mark.rule("MM-S01")
@pytest.mark.parametrize(("result", "points"), [("won", 3), ("drawn", 1), ("lost", 0)])
def test_a_game_is_worth_season_points(result, points):
    for standing in (False, True):
        assert paid(result, standing=standing).season_points == points


@pytest.mark.rule("MM-S08")
@pytest.mark.parametrize(("result", "points"), [("won", 12), ("drawn", 9), ("lost", 6)])
def test_standing_company_is_paid_for_every_game(result, points):
    assert paid(result).income == points


@pytest.mark.rule("MM-S06")
@pytest.mark.parametrize("result", ["won", "drawn", "lost"])
def test_fresh_builds_earn_no_money(result):
    assert paid(result, standing=False).income == 0


@pytest.mark.rule("MM-S10")
@pytest.mark.parametrize(("debt", "left"), [(0, 12), (9, 3), (18, 0)])
def test_house_loan_is_repaid_from_income(debt, left):
    found = paid("won", debt=debt)
    assert (found.income, found.repaid) == (12, 12 - left)


@pytest.mark.rule("MM-S07", "MM-S13")
def test_rich_uncle_pays_after_all_other_dice():
    sides = [GameSide(result="won", flights=(flight(career("green")),), gifts=count) for count in (1, 0)]
    a, d = after(*sides, dice=[1, 2, 5])
    assert (a.takings.gifts, a.takings.income) == ((5,), 12)
    assert (a.flights[0].skill.face, d.flights[0].skill.face) == (1, 2)
    assert d.takings.gifts == ()


@pytest.mark.rule("MM-S06", "MM-S07")
def test_rich_uncle_pays_nothing_with_fresh_builds():
    takings = after(GameSide(result="won", flights=(), gifts=1), standing=False).takings
    assert (takings.gifts, takings.income) == ((), 0)


@pytest.mark.rule("MM-S07")
def test_only_rich_uncles_bring_points():
    assert SYSTEM.gifts(["rich-uncle", "ambush", "rich-uncle"]) == 2
