"""The attack helper takes marks of both sides into account."""

import pytest

from battles.live.selectors import aim_page
from battles.live.sheet import table_sheet
from systems import BATTLES
from systems.reading import read_setup
from systems.shots import ShotQuestion
from tests.battles.builders import duel
from tests.battles.live.builders import a_table, example, mark

pytestmark = pytest.mark.django_db

ALL = -1  # boxes of a line
HIDDEN = {"chassis": "medium", "locomotion": "tracked", "l1": "laser", "p1": "optical-camo"}  # a Warmech


def cell_of(setup, unit, begins):
    """Return the one cell of a unit whose name begins with this text."""
    table_unit = next(each for each in table_sheet(read_setup(setup)).table_units if each.key == unit)
    (found,) = [cell for cell in table_unit.cells() if cell.id.startswith(f"{unit}.{begins}")]
    return found


def aimed(setup, *marked, helps=(), weapon="", far="", shooter="a1", target="b1"):
    """Return the helper's page of a table with these marks: unit, cell, value."""
    ann, ben = a_table(setup)
    for unit, begins, value in marked:
        cell = cell_of(setup, unit, begins)
        mark(ann if unit.startswith("a") else ben, cell.id, cell.most if value == ALL else value)
    arguments = {"shooter": shooter, "target": target}
    page = aim_page(ann, arguments, frozenset())
    weapon = next((value for value, words in page.terms.weapons if words.startswith(weapon)), "")
    return aim_page(ann, arguments | {"weapon": weapon, "range": far}, frozenset(helps))


def modifier_values(page):
    return {each.name: each.value for each in page.modifiers}


# --- Meks & Mercs ---


@pytest.mark.rule("MM-056")
def test_marked_computers_cost_one_point():
    plain, hit = aimed(duel("wasp", "thor")), aimed(duel("wasp", "thor"), ("a1", "computers", 1))
    assert (modifier_values(plain), plain.shot.need) == ({}, 4)
    assert (modifier_values(hit), hit.shot.need) == ({"computers": "−1"}, 5)


@pytest.mark.rule("MM-056")
def test_crossed_out_weapon_is_not_fired():
    assert aimed(duel("wasp", "thor"), weapon="Cannon").shot
    assert aimed(duel("wasp", "thor"), ("a1", "weapons-cannon", 1), weapon="Cannon").shot is None


@pytest.mark.rule("MM-056")
def test_last_of_equal_weapons_are_crossed_out_first():
    one = aimed(duel("draken", "thor"), ("a1", "weapons-2-rail-cannon", 1), far="1", weapon="Rail-Cannon")
    assert one.shot
    both = aimed(duel("draken", "thor"), ("a1", "weapons-2-rail-cannon", 2), far="1", weapon="Rail-Cannon")
    assert both.shot is None


def test_crossed_out_jammer_jams_nobody():
    setup = duel("thor", "wasp")
    whole, lost = aimed(setup), aimed(setup, ("b1", "systems-jammer", 1))
    assert modifier_values(whole)["jammer"] == "−1"
    assert "jammer" not in modifier_values(lost)
    assert lost.shot.need == whole.shot.need - 1


@pytest.mark.rule("MM-044")
def test_dug_in_unit_counts_its_terrain_twice():
    setup = duel("thor", "draken", terrain="wood")
    open_, dug = aimed(setup), aimed(setup, ("b1", "dug-in", 1))
    assert modifier_values(open_)["terrain"] == "−1"
    assert modifier_values(dug)["terrain"] == "−2"
    assert aimed(setup, ("b1", "legs", 2), ("b1", "hits", 1), ("b1", "wounded", 1)).shot == open_.shot


# --- Mech Campaign ---


@pytest.mark.rule("MC-075")
def test_marked_lock_helps_like_a_chosen_one():
    setup = example("mech-campaign")
    assert aimed(setup).shot.need == 4
    assert aimed(setup, ("b1", "locked", 1)).shot == aimed(setup, helps=["lock"]).shot
    assert aimed(setup, ("b1", "locked", 1)).shot.need == 3


@pytest.mark.rule("MC-083")
def test_suppressed_unit_fires_at_nobody():
    setup = example("mech-campaign")
    assert aimed(setup, ("a1", "suppressed", 1)).shot is None
    assert aimed(setup, ("b1", "suppressed", 1)).shot == aimed(setup).shot


# --- Blazing Steel ---


@pytest.mark.rule("BS-154")
def test_crippled_targeting_lowers_the_number_by_one():
    setup = example("blazing-steel")
    assert aimed(setup).shot.need == 6
    hurt = aimed(setup, ("a1", "2-targeting", 1))
    assert (hurt.shot.need, list(modifier_values(hurt).values())) == (5, ["−1"])
    assert aimed(setup, ("b1", "2-targeting", 1)).shot.need == 6


@pytest.mark.rule("BS-113")
def test_weapon_without_shots_or_crossed_out_is_not_fired():
    setup = example("blazing-steel")
    assert aimed(setup, ("a1", "r1-shots", 1), weapon="Auto").shot
    assert aimed(setup, ("a1", "r1-shots", 2), weapon="Auto").shot is None
    assert aimed(setup, ("a1", "weapons-r1", 1), weapon="Auto").shot is None


@pytest.mark.rule("BS-176")
def test_camo_hides_until_marked_heat_or_crossed_out():
    setup = example("blazing-steel")
    setup["sides"][1]["units"][0]["design"] = HIDDEN
    assert modifier_values(aimed(setup)) == {"Optical Camo": "−2"}
    assert modifier_values(aimed(setup, ("b1", "heat-3", 1))) == {}
    assert modifier_values(aimed(setup, ("b1", "weapons-p1", 1))) == {}


# --- Hex Core ---


@pytest.mark.rule("HX-110")
def test_fully_marked_head_is_lost():
    setup = example("hex-core")
    whole = aimed(setup)
    assert aimed(setup, ("a1", "head", 3)).shot == whole.shot
    assert aimed(setup, ("a1", "head", 4)).shot.number == whole.shot.number + 2


@pytest.mark.rule("HX-113")
def test_target_without_a_leg_evades_worse():
    setup = example("hex-core")
    whole, lame = aimed(setup), aimed(setup, ("b1", "legl", ALL))
    assert lame.shot.need == whole.shot.need
    assert lame.shot.lands > whole.shot.lands


@pytest.mark.rule("HX-105")
@pytest.mark.rule("HX-086")
def test_marked_stances_count_for_their_unit():
    setup = example("hex-core")
    whole = aimed(setup)
    assert aimed(setup, ("a1", "kneel", 1)).shot.need == whole.shot.need - 1
    for name in ("kneel", "prone", "down", "held"):
        assert aimed(setup, ("b1", name, 1)).shot.then == "It can’t evade", name


@pytest.mark.rule("HX-112")
def test_weapon_is_lost_with_its_arm_or_crossed_out():
    setup = example("hex-core")
    assert aimed(setup, weapon="Assault").shot
    assert aimed(setup, ("a1", "armr", 5), weapon="Assault").shot is None
    assert aimed(setup, ("a1", "weapons-r-assault-rifle", 1), weapon="Assault").shot is None


# --- MechaStellar ---


@pytest.mark.rule("ST-306")
def test_two_penalties_shut_a_unit_down():
    setup = example("mechastellar")
    whole = aimed(setup, far="12", weapon="Asura")
    one, two = (aimed(setup, ("b1", "penalties", count), far="12", weapon="Asura") for count in (1, 2))
    assert one.shot == whole.shot
    assert "no dice of the target" in two.shot.then
    assert two.shot.lands > whole.shot.lands
    assert aimed(setup, ("a1", "penalties", 2), far="12", weapon="Asura").shot is None


def test_crossed_out_stellar_weapon_is_not_fired():
    setup = example("mechastellar")
    assert aimed(setup, far="12", weapon="Asura").shot
    assert aimed(setup, ("a1", "weapons-asura", 1), far="12", weapon="Asura").shot is None


# --- all of them ---


@pytest.mark.parametrize("system", BATTLES)
def test_unmarked_sheet_changes_no_shot(system):
    setup = example(system)
    rules, given = BATTLES[system], read_setup(setup)
    ann, _ = a_table(setup)
    page = aim_page(ann, {}, frozenset())
    bare = ShotQuestion(
        setup=given,
        shooter=page.chosen["shooter"],
        target=page.chosen["target"],
        weapon=page.chosen["weapon"],
        range=page.chosen["range"],
        helps=frozenset(),
    )
    assert rules.shot(bare) == page.shot
