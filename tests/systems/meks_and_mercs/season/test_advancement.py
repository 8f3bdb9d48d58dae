"""Levels, skill rolls and the choice of skills."""

from dataclasses import replace
from fractions import Fraction

import pytest

from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.season import DEFAULT_SKILLS, SYSTEM
from tests.systems.meks_and_mercs.season.builders import after_one, career, flight, side
from tests.tools.enumerate import chances


@pytest.mark.rule("MM-100")
@pytest.mark.parametrize(
    ("kills", "games", "level"),
    [
        (0, 1, "regular"),
        (5, 2, "regular"),  # all conditions of a level must be met together
        (4, 9, "regular"),
        (5, 3, "veteran"),
        (9, 30, "veteran"),
        (30, 9, "veteran"),
        (10, 10, "elite"),
    ],
)
def test_pilot_level_depends_on_kills_and_games(kills, games, level):
    (ada,) = after_one(flight(career("green", kills, games - 1)), dice=[1])
    assert ada.after.level == level


@pytest.mark.rule("MM-100")
def test_pilot_can_pass_several_levels_at_once():
    for level in ("green", "regular"):
        (ada,) = after_one(flight(career(level, 10, 9)), dice=[1])
        assert (ada.after.level, ada.promoted) == ("elite", True)


@pytest.mark.rule("MM-100")
def test_pilot_never_falls_below_starting_level():
    (ada,) = after_one(flight(career("elite")), dice=[1])
    assert (ada.after.level, ada.promoted) == ("elite", False)


def skill_of(before, dice=(), flown=None):
    """Return the skill roll of a pilot who survived a game."""
    one = flight(before)
    (ada,) = after_one(replace(one, spec=flown) if flown else one, dice=dice)
    return ada.skill


SKILL_CHANCES = {  # with 0 .. 7 skills
    "regular": "1/3 1 5/6 2/3 1/2 1/3 1/6 0",
    "veteran": "1/2 1 1 5/6 2/3 1/2 1/3 1/6",
    "elite": "2/3 1 1 1 5/6 2/3 1/2 1/3",
}


@pytest.mark.rule("MM-101")
@pytest.mark.parametrize("level", SKILL_CHANCES)
def test_chance_to_gain_skill_is_exact(level):  # MM-P21
    for skills, chance in enumerate(SKILL_CHANCES[level].split()):
        known = list(CATALOGUE.skills)[:skills]

        def gained(dice, known=known):
            (result,) = SYSTEM.aftermath([side(flight(career(level, skills=known)))], dice, standing=False)
            return result.flights[0].skill is not None and result.flights[0].skill.gained

        assert chances(gained).get(True, 0) == Fraction(chance)


@pytest.mark.rule("MM-101")
@pytest.mark.parametrize(("level", "most"), [("regular", 6), ("veteran", 7), ("elite", 8)])
def test_pilot_level_adds_to_skill_roll(level, most):
    known = list(CATALOGUE.skills)[: most + 1]
    rolls = [skill_of(career(level, skills=known[:most]), dice=[face]) for face in range(1, 7)]
    assert [rolled.gained for rolled in rolls] == [False] * 5 + [True]
    assert skill_of(career(level, skills=known)) is None


@pytest.mark.rule("MM-101", "MM-S13")
def test_hopeless_skill_roll_is_not_rolled():
    assert skill_of(career("regular", skills=list(CATALOGUE.skills)[:7])) is None


@pytest.mark.rule("MM-102", "MM-101")
def test_surviving_green_pilot_is_promoted():
    (ada,) = after_one(flight(career("green"), lost=True), dice=[1])
    assert (ada.after.level, ada.skill) == ("green", None)
    (ada,) = after_one(flight(career("green")), dice=[5])
    assert (ada.after.level, ada.skill.gained) == ("regular", True)


@pytest.mark.rule("MM-101")
def test_certain_second_skill_is_still_rolled():
    result = skill_of(career("regular", skills=["accuracy"]), dice=[1])
    assert (result.needed, result.gained) == (1, True)


@pytest.mark.rule("MM-101")
def test_no_skill_is_offered_twice_except_other_familiarity():
    left = SYSTEM.skill_choices(["accuracy", "chassis-familiarity-light"])
    assert "accuracy" not in left
    assert "chassis-familiarity-light" not in left
    assert "chassis-familiarity-heavy" in left
    assert len(left) == len(CATALOGUE.skills) - 2


def mek(*weapons, chassis="heavy"):
    return MekSpec(chassis, weapons, ())


@pytest.mark.rule("MM-S11")
@pytest.mark.parametrize(
    ("weapons", "known", "skill"),
    [
        (("cannon",), (), "accuracy"),
        (("missile",), (), "guidance"),
        (("laser",), (), "steady-hand"),
        ((), (), "pinpoint-attack"),
        (("cannon",), ("accuracy",), "pinpoint-attack"),
        (("cannon", "laser"), ("accuracy",), "steady-hand"),
        (("cannon",), DEFAULT_SKILLS[:7], "chassis-familiarity-heavy"),
        (("cannon",), (*DEFAULT_SKILLS[:7], "chassis-familiarity-heavy"), "gunnery"),
        (("laser",), (*DEFAULT_SKILLS[:7], "chassis-familiarity-heavy"), "spoof"),
    ],
)
def test_default_skill_is_first_that_fits_mek(weapons, known, skill):
    assert skill_of(career("elite", skills=known), dice=[6], flown=mek(*weapons)).default == skill


@pytest.mark.rule("MM-S11")
def test_default_familiarity_is_size_flown():
    known = DEFAULT_SKILLS[:7]
    rolled = skill_of(career("elite", skills=known), dice=[6], flown=mek(chassis="light"))
    assert rolled.default == "chassis-familiarity-light"
    assert not SYSTEM.fits("chassis-familiarity-light", mek(chassis="titan"))


@pytest.mark.rule("MM-S11")
def test_default_list_holds_every_skill_once():
    printed = {skill.skill for skill in CATALOGUE.skills.values()}
    assert sorted(DEFAULT_SKILLS) == sorted(printed)


@pytest.mark.rule("MM-102")
def test_skilled_green_pilot_is_a_problem():
    assert ROSTERS.check_pilot(ROSTERS.parse_pilot({"experience": "green", "skills": ["accuracy"]}))
