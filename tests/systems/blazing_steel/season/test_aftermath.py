"""What a battle leaves behind: lost Warmechs, repairs, income, victory points in the standings."""

import pytest

from systems.blazing_steel.build import SYSTEM as ROSTERS
from systems.blazing_steel.season import SYSTEM
from systems.engine.dice import ScriptedDice
from systems.report_fields import UnitFate
from systems.season import Fought, GameSide, UnitBefore

HAWKER = ROSTERS.published["hawker"].spec
REPAIR = {"repair": True}


def unit(key="u1", **what):
    fate = UnitFate({name: what.pop(name) for name in ("objectives", "kills", "destroyed") if name in what})
    return UnitBefore(key=key, spec=HAWKER, fate=fate, **what)


def side(*units, result="lost", **what):
    return GameSide(result=result, flights=(), units=units, **what)


def after(*sides, dice=()):
    """Return the sides after the battle, with exactly these dice."""
    script = ScriptedDice(dice)
    results = SYSTEM.aftermath(sides, script, standing=True)
    assert not script.faces, "dice were left over"
    return results if len(results) > 1 else results[0]


@pytest.mark.rule("BS-C04")
def test_recovery_die_decides_lost_warmech():
    found = [after(side(unit(lost=True)), dice=[face]).units[0] for face in range(1, 7)]
    assert [each.condition for each in found] == [None, REPAIR, REPAIR, {}, {}, {}]
    assert found[0].phrase == "was written off (1 on the recovery die)"
    assert found[1].phrase == "is in repair and misses the next battle (2 on the recovery die)"


@pytest.mark.rule("BS-C03", "BS-C04")
def test_surviving_warmech_is_whole_and_repaired_one_ready():
    result = after(side(unit("won", lost=False), unit("missed", condition=REPAIR), unit("fell", lost=True)), dice=[2])
    assert [(each.key, each.condition) for each in result.units] == [("missed", {}), ("fell", REPAIR)]
    assert ROSTERS.keeps_damage is False


@pytest.mark.rule("BS-C04")
def test_dice_fall_for_side_a_first_in_fielded_order():
    sides = side(unit("a1", lost=True), unit("a2", lost=True)), side(unit("b1", lost=True), result="won")
    first, second = after(*sides, dice=[1, 4, 2])
    assert [(each.key, each.face) for each in (*first.units, *second.units)] == [("a1", 1), ("a2", 4), ("b1", 2)]


@pytest.mark.rule("BS-C05", "BS-C07")
@pytest.mark.parametrize(("result", "income", "league"), [("won", 6, 3), ("drawn", 4, 1), ("lost", 3, 0)])
def test_battle_pays_income_by_result(result, income, league):
    takings = after(side(unit(), result=result)).takings
    assert (takings.income, takings.season_points, takings.lapsed, takings.repaid) == (income, league, 0, 0)
    assert SYSTEM.season_points[result] == league


@pytest.mark.rule("BS-C05")
def test_objective_points_pay_and_kills_do_not():
    held = side(unit("u1", objectives=2, kills=3), unit("u2", objectives=1, lost=True), result="won")
    assert after(held, dice=[4]).takings.income == 9


@pytest.mark.rule("BS-C01")
def test_unspent_founding_points_stay_in_bank():
    assert after(side(unit(), spare=17)).takings.lapsed == 0


@pytest.mark.rule("BS-200")
def test_lent_warmech_leaves_after_battle():
    assert after(side(unit(lost=True, lent=True))).units == ()


@pytest.mark.rule("BS-C09")
def test_experience_is_not_gained():
    assert after(side(unit(kills=2), result="won")).flights == ()
    assert SYSTEM.loan_pilot is None
    assert not ROSTERS.counts_experience


# --- victory points ---------------------------------------------------------------------------------------------------


def fielded_fates(*units):
    return [Fought(points=points, fate=UnitFate(fate)) for points, fate in units]


@pytest.mark.rule("BS-C07", "BS-C02")
def test_standings_count_victory_points_in_hundredths():
    """Four against three: 10 of the enemy's 30 points are 4/3 kill points, as in BS-X23."""
    ours = fielded_fates((7, {"objectives": 2}), (6, {}), (10, {}), (15, {"destroyed": True}))
    theirs = fielded_fates((10, {"destroyed": True}), (10, {"objectives": 1}), (10, {}))
    assert SYSTEM.scores([ours, theirs], {}) == (333, 258)  # 2 + 4/3; 1 + 4 x 15/38
    assert SYSTEM.scores([ours, theirs], {"kill-points": "per-warmech"}) == (300, 200)


@pytest.mark.rule("BS-C07")
def test_ties_are_broken_by_victory_points_then_losses():
    assert SYSTEM.tie_breakers == ("score-difference", "score", "fewest-lost")
