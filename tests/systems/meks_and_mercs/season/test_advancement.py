"""Levels, skill rolls and the choice of skills."""

from fractions import Fraction

import pytest

from systems.engine.dice import ScriptedDice
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.season.advancement import (
    DEFAULTS,
    can_gain,
    default_skill,
    fits,
    level_after,
    skill_choices,
    skill_roll,
)
from tests.systems.meks_and_mercs.season.builders import spec
from tests.tools.enumerate import chances


@pytest.mark.rule("MM-100")
@pytest.mark.parametrize(
    ("kills", "games", "level"),
    [
        (0, 0, "green"),
        (0, 1, "regular"),
        (5, 2, "regular"),  # all conditions of a level at once
        (4, 9, "regular"),
        (5, 3, "veteran"),
        (9, 30, "veteran"),
        (30, 9, "veteran"),
        (10, 10, "elite"),
    ],
)
def test_a_pilot_has_the_level_whose_kills_and_games_he_has(kills, games, level):
    assert level_after("green", kills, games) == level


@pytest.mark.rule("MM-100")
def test_a_pilot_may_pass_several_levels_at_once():
    assert level_after("green", 10, 10) == "elite"
    assert level_after("regular", 10, 10) == "elite"


@pytest.mark.rule("MM-100")
def test_a_hired_regular_without_a_game_stays_regular():
    assert level_after("regular", 0, 0) == "regular"


SKILL_CHANCES = {  # with 0 .. 7 skills
    "regular": "1/3 1 5/6 2/3 1/2 1/3 1/6 0",
    "veteran": "1/2 1 1 5/6 2/3 1/2 1/3 1/6",
    "elite": "2/3 1 1 1 5/6 2/3 1/2 1/3",
}


@pytest.mark.rule("MM-101")
@pytest.mark.parametrize("level", SKILL_CHANCES)
def test_the_exact_chance_to_gain_a_skill(level):  # MM-P21
    for skills, chance in enumerate(SKILL_CHANCES[level].split()):
        known = list(CATALOGUE.skills)[:skills]

        def gained(dice, known=known):
            result = skill_roll(level, known, spec(), dice)
            return result is not None and result.gained

        assert chances(gained).get(True, 0) == Fraction(chance)


@pytest.mark.rule("MM-101")
@pytest.mark.parametrize(("level", "most"), [("regular", 6), ("veteran", 7), ("elite", 8)])
def test_the_level_adds_to_the_skill_roll(level, most):
    known = list(CATALOGUE.skills)[: most + 1]
    rolls = [skill_roll(level, known[:most], spec(), ScriptedDice([face])) for face in range(1, 7)]
    assert [rolled is not None and rolled.gained for rolled in rolls] == [False] * 5 + [True]
    assert skill_roll(level, known, spec(), ScriptedDice([])) is None


@pytest.mark.rule("MM-101", "MM-S13")
def test_no_die_is_rolled_that_could_not_bring_a_skill():
    assert skill_roll("regular", list(CATALOGUE.skills)[:7], spec(), ScriptedDice([])) is None


@pytest.mark.rule("MM-102", "MM-101")
def test_green_pilots_roll_for_no_skill():
    assert not can_gain("green", 0)
    assert skill_roll("green", (), spec(), ScriptedDice([])) is None


@pytest.mark.rule("MM-101")
def test_the_second_skill_is_certain_and_still_rolled_for():
    dice = ScriptedDice([1])
    result = skill_roll("regular", ["accuracy"], spec(), dice)
    assert (result.needed, result.gained, dice.rolled) == (1, True, [1])


@pytest.mark.rule("MM-101")
def test_no_skill_is_offered_twice_but_the_familiarity_with_another_size_is():
    left = skill_choices(["accuracy", "chassis-familiarity-light"])
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
        (("cannon",), DEFAULTS[:7], "chassis-familiarity-heavy"),
        (("cannon",), (*DEFAULTS[:7], "chassis-familiarity-heavy"), "gunnery"),
        (("laser",), (*DEFAULTS[:7], "chassis-familiarity-heavy"), "spoof"),
        (("laser",), (*DEFAULTS[:15], "chassis-familiarity-heavy"), "log-hero"),
    ],
)
def test_the_skill_nobody_chose_is_the_first_of_the_list_that_fits_the_mek(weapons, known, skill):
    assert default_skill(known, mek(*weapons)) == skill


@pytest.mark.rule("MM-S11")
def test_the_familiarity_nobody_chose_is_the_one_with_the_size_flown():
    known = DEFAULTS[:7]
    assert default_skill(known, mek(chassis="light")) == "chassis-familiarity-light"
    assert not fits("chassis-familiarity-light", mek(chassis="titan"))


@pytest.mark.rule("MM-S11")
def test_the_list_holds_every_skill_once():
    printed = {skill.skill for skill in CATALOGUE.skills.values()}
    assert sorted(DEFAULTS) == sorted(printed)


@pytest.mark.rule("MM-S11")
def test_who_knows_all_that_fits_learns_what_he_lacks():
    light = mek("laser", chassis="light")
    known = [slug for slug in CATALOGUE.skills if fits(slug, light)]
    assert default_skill(known, light) in skill_choices(known)


@pytest.mark.rule("MM-102")
def test_a_company_with_a_skilled_green_pilot_has_a_problem():
    assert SYSTEM.check_pilot(SYSTEM.parse_pilot({"experience": "green", "skills": ["accuracy"]}))
