"""What a game charts of a build, against figures counted face by face."""

from fractions import Fraction
from itertools import product

import pytest

from systems import ROSTERS, roster_rules
from systems.blazing_steel.catalogue import CATALOGUE as STEEL
from systems.charts import shares
from systems.hex_core.catalogue import CATALOGUE as HEXES
from systems.meks_and_mercs.catalogue import CATALOGUE as MEKS


def _value(system, spec, chart, series, place):
    rules = roster_rules(system)
    (drawn,) = (each for each in rules.charts(rules.parse_spec(spec)) if each.slug == chart)
    (line,) = (each for each in drawn.series if each.name == series)
    return line.values[drawn.at.index(place)]


@pytest.mark.rule("MM-A24")
def test_a_meks_hits_are_those_of_its_dice_face_by_face():
    number = MEKS.weapons["cannon"].numbers[0]
    assert number is not None
    faces = product(range(1, 7), repeat=2)  # to hit, and the save on armor 4 or more
    counted = Fraction(sum(hit >= number and save < 4 for hit, save in faces), 36)
    spec = {"chassis": "light", "weapons": ["cannon"]}
    assert _value("meks-and-mercs", spec, "hits", "AR 4", "Short") == counted * MEKS.weapons["cannon"].dice


@pytest.mark.rule("MM-A25")
def test_a_mek_fires_no_more_than_its_heat_rating_allows():
    one = {"chassis": "titan", "weapons": ["ppc"]}
    many = {"chassis": "titan", "weapons": ["ppc"] * 4}
    single = _value("meks-and-mercs", one, "hits", "AR 4", "Short")
    assert single is not None
    assert _value("meks-and-mercs", many, "hits", "AR 4", "Short") == 2 * single
    assert _value("meks-and-mercs", many, "heat", "heat", "all its fire") == 16
    assert _value("meks-and-mercs", many, "heat", "heat", "heat rating") == 8


@pytest.mark.rule("BS-092", "BS-111", "BS-151")
def test_a_warmechs_shot_is_that_of_its_dice_face_by_face():
    weapon = STEEL.weapons["rotary-cannon"]
    assert weapon.ap < 5
    spec = {"chassis": "light", "locomotion": "bipedal", "r1": weapon.slug}
    for place, number in (("6″", 6), ("36″", 5)):
        assert (int(place[:-1]) <= weapon.range_in) == (number == 6)
        hits = 0
        for faces in product(range(1, 7), repeat=weapon.rof):
            good = [face for face in faces if face <= number]
            hits += min(weapon.rof, max(good) + len(good) - 1) if good else 0
        counted = Fraction(hits, 6**weapon.rof) * weapon.damage * Fraction(1, 6)  # armor 5 stops faces 1 to 5
        assert _value("blazing-steel", spec, "damage", "Armor 5", place) == counted


@pytest.mark.rule("HX-084", "HX-087", "HX-089")
def test_a_machines_turn_is_its_attacks_times_the_damage_of_one_face_by_face():
    weapon = HEXES.weapons["assault-rifle"]
    core = HEXES.cores["standard"]
    spec = {
        "core": core.slug,
        "weapons": [{"weapon": weapon.slug, "place": "both" if weapon.is_two_handed else "right"}],
    }
    damage = 0
    for hit, evade, critical in product(range(1, 9), repeat=3):
        if hit == 8 or (hit >= core.accuracy and evade < 6):
            damage += weapon.critical if critical == 8 else weapon.damage
    times = Fraction(sum((core.base_ap + face) // weapon.ap for face in range(1, 9)), 8)
    assert _value("hex-core", spec, "damage", "EVA 6+", "4 hexes") == times * Fraction(damage, 512)
    assert _value("hex-core", spec, "dp", "DP", "Head") == core.dp[0]


@pytest.mark.rule("MC-072", "MC-073")
def test_a_units_fire_is_its_shots_times_the_chance_of_one():
    assert _value("mech-campaign", {"kind": "heavy-mech"}, "damage", "damage", "in the open") == 1
    assert _value("mech-campaign", {"kind": "heavy-mech"}, "damage", "damage", "in cover") == Fraction(2, 3)


@pytest.mark.rule("ST-115")
def test_no_weapon_of_a_profile_reaches_farther_than_its_range():
    spec = {"kind": "ms", "weapons": ["machine-gun"]}
    near = _value("mechastellar", spec, "damage", "Green Viking", "18″")
    assert near is not None
    assert near > 0
    assert _value("mechastellar", spec, "damage", "Green Viking", "24″") == 0
    assert _value("mechastellar", spec, "damage", "Green Viking", "melee") == 0


@pytest.mark.parametrize("system", list(ROSTERS))
def test_every_published_design_can_be_charted(system):
    rules = roster_rules(system)
    for design in rules.published.values():
        charts = (*rules.charts(design.spec), shares(rules.check_design(design.spec)))
        assert charts[:-1]
        for chart in charts:
            assert all(len(each.values) == len(chart.at) for each in chart.series)
            assert all(value is None or value >= 0 for each in chart.series for value in each.values)
        assert sum(charts[-1].series[0].values) == rules.check_design(design.spec).points
