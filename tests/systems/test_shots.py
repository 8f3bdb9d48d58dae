"""The helper at the table works a shot out by the rules that fire it."""

from fractions import Fraction

import pytest

from systems import BATTLES
from systems.reading import read_setup
from systems.shots import Asked
from tests.battles.builders import duel

MEKS, MECHS = BATTLES["meks-and-mercs"], BATTLES["mech-campaign"]


def asked(setup, *, weapon="0", far="0", helps=(), out=(), shooter="", target=""):
    keys = [key for key, _ in BATTLES[setup.system].fielded(setup)]
    sides = dict(BATTLES[setup.system].fielded(setup))
    return Asked(
        setup=setup,
        shooter=shooter or next(key for key in keys if sides[key] == 0),
        target=target or next(key for key in keys if sides[key] == 1),
        weapon=weapon,
        range=far,
        helps=frozenset(helps),
        out=out,
    )


def weapon_named(setup, name):
    terms = MEKS.shot_terms(setup, "a1")
    return next(value for value, words in terms.weapons if words == name)


def names(shot):
    return {each.name: each.value for each in shot.modifiers}


@pytest.mark.rule("MM-043")
def test_a_cannon_at_short_needs_its_number_and_hits_as_often_as_faces_reach_it():
    shot = MEKS.shot(asked(read_setup(duel("wasp", "thor"))))
    assert (shot.number, shot.need, shot.modifiers, shot.chance) == (4, 4, (), Fraction(1, 2))


@pytest.mark.rule("MM-042")
def test_a_weapon_that_does_not_reach_can_not_be_fired():
    assert MEKS.shot(asked(read_setup(duel("wasp", "thor")), far="2")) is None


@pytest.mark.rule("MM-044")
def test_terrain_counts_against_the_shot_and_twice_where_it_is_doubled():
    setup = read_setup(duel("wasp", "thor", terrain="wood"))
    plain, doubled = MEKS.shot(asked(setup)), MEKS.shot(asked(setup, helps=["doubled"]))
    assert names(doubled)["terrain"] == 2 * names(plain)["terrain"] < 0
    assert doubled.need == plain.need - names(plain)["terrain"]


@pytest.mark.rule("MM-056")
def test_computers_that_were_hit_cost_one():
    shot = MEKS.shot(asked(read_setup(duel("wasp", "thor")), helps=["computers"]))
    assert (names(shot), shot.need) == ({"computers": -1}, 5)


@pytest.mark.rule("MM-048")
def test_a_die_that_is_rolled_again_is_counted_whole():
    setup = read_setup(duel("odin", "thor"))
    terms = MEKS.shot_terms(setup, "a1")
    shots = [MEKS.shot(asked(setup, weapon=value, far=far)) for value, _ in terms.weapons for far, _ in terms.ranges]
    again = [shot for shot in shots if shot and shot.chance.denominator == 36]
    single = [shot for shot in shots if shot and shot.chance.denominator != 36]
    assert single
    for shot in again:
        once = Fraction(7 - shot.need, 6)
        assert shot.chance == once + (1 - once) * once


def test_a_unit_that_is_out_helps_nobody():
    setup = duel("wasp", "thor")
    setup["sides"][0]["units"][0]["design"] = "viper"
    setup["sides"][1]["units"].append({"key": "b2", "design": "draken"})
    given = read_setup(setup)
    terms = MEKS.shot_terms(given, "a1")
    for value, _ in terms.weapons:
        with_all, without = (MEKS.shot(asked(given, weapon=value, far="1", out=out)) for out in ((), ("b2",)))
        assert (with_all is None) == (without is None)
        assert "Phalanx" not in names(without) if without else True


@pytest.mark.parametrize(
    ("helps", "need", "rules"),
    [
        pytest.param((), 4, (), marks=pytest.mark.rule("MC-073")),
        pytest.param(("cover",), 5, ("MC-078",), marks=pytest.mark.rule("MC-078")),
        pytest.param(("height",), 3, ("MC-079",), marks=pytest.mark.rule("MC-079")),
        pytest.param(("lock",), 3, ("MC-075",), marks=pytest.mark.rule("MC-075")),
        pytest.param(("cover", "height", "lock"), 3, ("MC-078", "MC-079", "MC-075"), marks=pytest.mark.rule("MC-074")),
    ],
)
def test_a_mech_needs_a_four_and_what_cover_height_and_a_lock_make_of_it(helps, need, rules):
    shot = MECHS.shot(asked(MECHS.example(), weapon="", far="within", helps=helps))
    assert (shot.need, tuple(each.rule for each in shot.modifiers)) == (need, rules)
    assert shot.chance == Fraction(7 - need, 6)


@pytest.mark.rule("MC-070")
def test_beyond_twelve_inches_nothing_is_fired():
    assert MECHS.shot(asked(MECHS.example(), weapon="", far="beyond")) is None


def test_a_game_without_a_helper_offers_none():
    for slug, system in BATTLES.items():
        if slug not in (MEKS.slug, MECHS.slug):
            setup = system.example()
            assert system.shot_terms(setup, system.fielded(setup)[0][0]) is None
