"""What a battle leaves behind: salvage, pilots, experience and ranks, treasury, in the order of the dice."""

import pytest

from systems.engine.dice import ScriptedDice
from systems.hex_core.build import SYSTEM as ROSTERS
from systems.hex_core.season import SYSTEM
from systems.report_fields import UnitFate
from systems.season import Career, Flight, GameSide, UnitBefore

WARDEN = ROSTERS.published["warden"].spec
MAULER = ROSTERS.published["mauler"].spec
BASTION = ROSTERS.published["bastion"].spec
REPAIR = {"repair": True}


def unit(key="u1", pilot="", **what):
    return UnitBefore(key=key, spec=WARDEN, pilot=pilot, **what)


def flight(key="ada", spec=WARDEN, before=None, **fate):
    return Flight(key=key, before=before or Career(level="rookie"), spec=spec, fate=UnitFate(fate))


def side(*units, flights=(), result="lost", **what):
    return GameSide(result=result, flights=tuple(flights), units=units, **what)


def after(*sides, dice=()):
    """Return the sides after the battle, with exactly these dice."""
    script = ScriptedDice(dice)
    results = SYSTEM.aftermath(sides, script, standing=True)
    assert not script.faces, "dice were left over"
    return results if len(results) > 1 else results[0]


def flown(result="lost", spec=WARDEN, before=None, **fate):
    """Return the result for a pilot whose unit survived."""
    return after(side(unit(pilot="ada"), flights=[flight(spec=spec, before=before, **fate)], result=result)).flights[0]


@pytest.mark.rule("HX-179")
def test_salvage_die_decides_destroyed_unit():
    found = [after(side(unit(lost=True)), dice=[face]).units[0] for face in range(1, 9)]
    assert [each.condition for each in found] == [None, None, *[REPAIR] * 6]
    assert found[1].phrase == "was scrapped (2 on the salvage die)"
    assert found[2].phrase == "was salvaged and misses the next battle (3 on the salvage die)"


@pytest.mark.rule("HX-180")
def test_fate_die_decides_pilot_of_destroyed_unit():
    lost = side(unit(lost=True, pilot="ada"), flights=[flight(destroyed=True)])
    fates = [after(lost, dice=[8, face]).flights[0].fate.fate for face in range(1, 9)]
    assert fates == ["killed", "injured", "injured", *["unhurt"] * 5]


@pytest.mark.rule("HX-180", "HX-184")
def test_surviving_pilot_of_scrapped_unit_keeps_career():
    before = Career(level="regular", kills=3, games=5, points=12, skills=("wary",))
    lost = side(unit(lost=True, pilot="ada"), flights=[flight(before=before, destroyed=True, kills=1, prey=2)])
    result = after(lost, dice=[1, 8])
    assert result.units[0].condition is None
    kept = result.flights[0].after
    assert (kept.level, kept.kills, kept.games, kept.points, kept.skills) == ("regular", 4, 6, 15, ("wary",))
    gone = after(lost, dice=[1, 1]).flights[0]
    assert (gone.is_dead, gone.after.points, gone.after.games) == (True, 12, 6)


@pytest.mark.rule("HX-179", "HX-180")
def test_salvage_die_comes_before_pilots_fate_die():
    a = side(
        unit("a1", lost=True, pilot="ada"),
        unit("a2"),
        unit("a3", lost=True, pilot="bob"),
        flights=[flight(destroyed=True), flight("bob", destroyed=True)],
    )
    b = side(unit("b1", lost=True, pilot="cid"), flights=[flight("cid", destroyed=True)], result="won")
    first, second = after(a, b, dice=[2, 3, 7, 8, 5, 1])
    assert [(each.key, each.face) for each in (*first.units, *second.units)] == [("a1", 2), ("a3", 7), ("b1", 5)]
    assert [(each.key, each.fate.face) for each in (*first.flights, *second.flights)] == [
        ("ada", 3), ("bob", 8), ("cid", 1),
    ]  # fmt: skip


@pytest.mark.rule("HX-178")
def test_surviving_unit_is_whole_after_battle():
    result = after(side(unit("home"), unit("out", fate=UnitFate(withdrew=True)), unit("missed", condition=REPAIR)))
    assert [(each.key, each.condition, each.phrase) for each in result.units] == [("missed", {}, "is out of repair")]
    assert ROSTERS.keeps_damage is False


@pytest.mark.rule("HX-119", "HX-175", "HX-176")
def test_pilot_gains_experience_from_each_source():
    assert flown().after.points == 1  # for taking part
    assert flown(parts=3).after.points == 4
    assert flown(kills=2, prey=4).after.points == 5  # a Class 3 and a Class 1
    assert flown(objects=1).after.points == 2
    assert flown(mark=True, kills=1, prey=3).after.points == 6
    assert flown(result="won").after.points == 2
    assert flown(result="won", withdrew=True).after.points == 1
    assert flown(result="drawn").after.points == 1
    fell = side(unit(lost=True, pilot="ada"), flights=[flight(destroyed=True, parts=1)], result="won")
    assert after(fell, dice=[8, 8]).flights[0].after.points == 2


@pytest.mark.rule("HX-177")
@pytest.mark.parametrize(
    ("points", "level"), [(0, "rookie"), (6, "rookie"), (7, "regular"), (18, "regular"), (19, "veteran")]
)
def test_rank_depends_on_experience(points, level):
    found = flown(before=Career(level="rookie", points=points))
    assert found.after.level == level
    assert found.promoted == (level != "rookie")


@pytest.mark.rule("HX-177")
def test_rank_brings_trait_without_die():
    assert flown(before=Career(level="rookie", points=2)).skill is None
    earned = flown(before=Career(level="rookie", points=7)).skill
    assert (earned.gained, earned.default, earned.face) == (True, "marksman", 0)
    assert flown(before=Career(level="regular", points=10, skills=("wary",))).skill is None
    second = flown(before=Career(level="regular", points=19, skills=("marksman",))).skill
    assert second.default == "quick-draw"
    assert flown(spec=MAULER, before=Career(level="rookie", points=7)).skill.default == "duellist"
    late = flown(
        before=Career(level="veteran", points=30, skills=("wary",))
    ).skill  # two ranks at once, one trait after the other
    assert late is not None


@pytest.mark.rule("HX-051", "HX-177")
def test_machine_with_two_traits_takes_no_third():
    full = ROSTERS.parse_spec(ROSTERS.spec_json(BASTION) | {"traits": ["ironside", "wary"]})
    assert flown(spec=full, before=Career(level="rookie", points=7)).skill is None
    assert flown(spec=BASTION, before=Career(level="rookie", points=7)).skill.default == "marksman"
    assert not SYSTEM.fits("ironside", BASTION)
    assert SYSTEM.skill_choices(("wary",)) == ("marksman", "duellist", "quick-draw", "ironside")


@pytest.mark.rule("HX-174", "HX-181", "HX-183")
@pytest.mark.parametrize(("result", "income", "league"), [("won", 40, 3), ("drawn", 30, 1), ("lost", 25, 0)])
def test_battle_pays_income_and_keeps_unspent_points(result, income, league):
    takings = after(side(unit(), result=result, spare=17)).takings
    assert (takings.income, takings.season_points, takings.lapsed, takings.repaid) == (income, league, 0, 0)
    assert SYSTEM.season_points[result] == league


def test_income_repays_debt_and_lent_unit_rolls_nothing():
    result = after(side(unit(lost=True, lent=True), result="lost", debt=30))
    assert (result.takings.income, result.takings.repaid, result.units) == (25, 25, ())
