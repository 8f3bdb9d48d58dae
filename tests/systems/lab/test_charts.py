"""Charts of a build, checked against figures counted face by face."""

from fractions import Fraction
from itertools import product

import pytest

from systems import ROSTERS, battle_rules, roster_rules
from systems.blazing_steel.catalogue import CATALOGUE as STEEL
from systems.design_editor import chart_shares
from systems.hex_core.catalogue import CATALOGUE as HEXES
from systems.meks_and_mercs.catalogue import CATALOGUE as MEKS


def _charts(system, spec):
    return (*roster_rules(system).charts(spec), *battle_rules(system).charts(spec))


def _chart(system, spec, slug):
    (drawn,) = (each for each in _charts(system, roster_rules(system).parse_spec(spec)) if each.slug == slug)
    return drawn


def _value(system, spec, chart, series, place):
    drawn = _chart(system, spec, chart)
    (line,) = (each for each in drawn.series if each.name == series)
    return line.values[drawn.at.index(place)]


def _lines(system, spec, chart):
    """Return the figures of each series by name, None where there is none."""
    return {each.name: list(each.values) for each in _chart(system, spec, chart).series}


@pytest.mark.rule("MM-A24")
def test_mek_hits_chart_matches_dice_count():
    number = MEKS.weapons["cannon"].numbers[0]
    assert number is not None
    faces = product(range(1, 7), repeat=2)  # to hit, and the save on armor 4 or more
    expected = Fraction(sum(hit >= number and save < 4 for hit, save in faces), 36)
    spec = {"chassis": "light", "weapons": ["cannon"]}
    assert _value("meks-and-mercs", spec, "hits", "AR 4", "Short") == expected * MEKS.weapons["cannon"].dice


@pytest.mark.rule("MM-A25")
def test_mek_fire_chart_stays_within_heat_rating():
    one = {"chassis": "titan", "weapons": ["ppc"]}
    many = {"chassis": "titan", "weapons": ["ppc"] * 4}
    single = _value("meks-and-mercs", one, "hits", "AR 4", "Short")
    assert single is not None
    assert _value("meks-and-mercs", many, "hits", "AR 4", "Short") == 2 * single
    assert _value("meks-and-mercs", many, "heat", "heat", "firing everything") == 16
    assert _value("meks-and-mercs", many, "heat", "heat", "heat rating") == 8


@pytest.mark.rule("BS-092", "BS-111", "BS-151")
def test_warmech_damage_chart_matches_dice_count():
    weapon = STEEL.weapons["rotary-cannon"]
    assert weapon.ap < 5
    spec = {"chassis": "light", "locomotion": "bipedal", "r1": weapon.slug}
    for place, number in (("6″", 6), ("36″", 5)):
        assert (int(place[:-1]) <= weapon.range_in) == (number == 6)
        hits = 0
        for faces in product(range(1, 7), repeat=weapon.rof):
            good = [face for face in faces if face <= number]
            hits += min(weapon.rof, max(good) + len(good) - 1) if good else 0
        expected = Fraction(hits, 6**weapon.rof) * weapon.damage * Fraction(1, 6)  # armor 5 stops faces 1 to 5
        assert _value("blazing-steel", spec, "damage", "Armor 5", place) == expected


@pytest.mark.rule("HX-084", "HX-087", "HX-089")
def test_machine_damage_chart_matches_dice_count():
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
def test_mech_campaign_damage_is_shots_times_hit_chance():
    assert _value("mech-campaign", {"kind": "heavy-mech"}, "damage", "damage", "in the open") == 1
    assert _value("mech-campaign", {"kind": "heavy-mech"}, "damage", "damage", "in cover") == Fraction(2, 3)


@pytest.mark.rule("ST-115")
def test_profile_weapon_does_no_damage_beyond_range():
    spec = {"kind": "ms", "weapons": ["machine-gun"]}
    near = _value("mechastellar", spec, "damage", "Green Viking", "18″")
    assert near is not None
    assert near > 0
    assert _value("mechastellar", spec, "damage", "Green Viking", "24″") == 0
    assert _value("mechastellar", spec, "damage", "Green Viking", "melee") == 0


@pytest.mark.rule("MM-028", "MM-029")
def test_mek_movement_chart_shows_mean_roll():
    chart = _chart("meks-and-mercs", {"chassis": "light", "systems": ["jump-jets"]}, "speed")
    assert chart.at == ("Plain", "Wood", "Urban", "jumping")  # 0, -1, -2; jumping adds a die on any ground
    lines = [list(map(float, each.values)) for each in chart.series]
    assert lines == [[9, 8, 7, 12.5], [8, 7, 6, 11.5], [7, 6, 5, 10.5]]  # 2d6+2, and 1 less for each leg lost
    assert "undamaged, on Plain: 4 to 14" in chart.note
    assert (
        _value("meks-and-mercs", {"chassis": "heavy", "systems": ["servo-boosters"]}, "speed", "undamaged", "Plain")
        == 6.5
    )


@pytest.mark.rule("MM-028")
def test_movement_roll_below_zero_counts_as_zero():
    lines = _lines("meks-and-mercs", {"chassis": "titan"}, "speed")
    assert lines["2 legs hit"][2] == Fraction(0 + 0 + 0 + 0 + 1 + 2, 6)  # 1d6 - 2 - 2


@pytest.mark.rule("BS-040", "BS-041", "BS-042", "BS-155")
def test_warmech_move_halves_with_each_lost_side():
    spec = {"chassis": "light", "locomotion": "tracked", "p1": "booster-jets"}
    assert _chart("blazing-steel", spec, "speed").at == ("Move", "Sprint", "Jump")
    assert _lines("blazing-steel", spec, "speed") == {
        "whole": [6, 6 + 4 + 2, 6 + 2],
        "one side lost": [3, 3 + 4 + 2, 6 + 2],
        "both lost": [1, 1 + 4 + 2, 6 + 2],
    }


@pytest.mark.rule("BS-160")
def test_biped_without_legs_has_no_speed():
    spec = {"chassis": "medium", "locomotion": "bipedal"}
    assert list(_lines("blazing-steel", spec, "speed")) == ["whole", "one side lost"]


@pytest.mark.rule("BS-100", "BS-102", "BS-103", "BS-105")
def test_warmech_overheats_when_heat_dice_make_two_sixes():
    spec = {"chassis": "light", "locomotion": "bipedal", "r1": "auto-cannon"}
    lines = _lines("blazing-steel", spec, "heat")
    # Of three dice: two sixes or three, in 16 of 216 ways; a six and two fives, which make the other six, in 3.
    assert lines["1 heat a turn"] == [0, Fraction(100, 36), Fraction(100 * 19, 216)]
    assert lines["2 heat a turn"][0] == Fraction(100, 36)
    assert lines["3 heat a turn"][0] == Fraction(100 * 19, 216)
    hits = 0
    for faces in product(range(1, 7), repeat=4):  # two turns of two
        hits += sum(1 << (face - 1) for face in faces) >= 64
    assert lines["2 heat a turn"][1] == Fraction(100 * hits, 6**4)


@pytest.mark.rule("BS-101", "BS-127")
def test_heat_sinks_and_second_energy_weapon_change_heat():
    spec = {"chassis": "heavy", "locomotion": "bipedal", "l1": "laser", "r1": "particle-cannon"}
    chart = _chart("blazing-steel", spec, "heat")
    assert [each.name for each in chart.series] == ["1 heat a turn", "3 heat a turn"]
    assert "two attacks, or a Jump and an attack" in chart.note
    assert "shed each 1" in chart.note
    expected = sum(
        sum(0 if face == 1 else 1 << (face - 1) for face in faces) >= 64 for faces in product(range(1, 7), repeat=6)
    )
    assert chart.series[1].values[1] == Fraction(100 * expected, 6**6)


@pytest.mark.rule("HX-064", "HX-067", "HX-100", "HX-113", "HX-114", "HX-144", "HX-146")
def test_machine_moves_as_far_as_its_points_allow():
    spec = {"core": "standard"}  # SM 3; 5 to 12 AP pay for 2, 3, 3, 4, 4, 5, 5 and 6 points more, on average 4
    assert _chart("hex-core", spec, "speed").at == ("open", "Press On", "rubble", "water")
    assert _lines("hex-core", spec, "speed") == {
        "whole": [3, 7, 1, 1],
        "one leg lost": [2, 6, 1, 1],
        "both lost": [1, 5, 0, 1],
    }


@pytest.mark.rule("HX-070", "HX-104")
def test_thrusters_and_second_form_have_their_own_speed():
    spec = {"core": "standard", "systems": ["thrusters", "transform-aerial"]}
    assert _value("hex-core", spec, "speed", "whole", "thrust") == 4
    assert _value("hex-core", spec, "speed", "whole", "2nd form") == 3 + 3
    assert _value("hex-core", spec, "speed", "both lost", "2nd form") is None  # it can't take off


@pytest.mark.rule("HX-143", "HX-145")
def test_tan_hexes_overheat_and_white_ones_freeze_machine():
    plain = {"core": "standard"}
    assert _lines("hex-core", plain, "heat") == {
        "Tan: overheats": [25, 50, 75, 100],
        "White: freezes": [87.5, 62.5, 37.5, 12.5],
    }
    cooled = {"core": "standard", "mods": ["coolant-loop"]}
    assert _lines("hex-core", cooled, "heat")["Tan: overheats"] == [0, 0, 0, 0]
    assert _chart("hex-core", {"core": "standard", "mods": ["coolant-loop", "winter-joints"]}, "heat").is_empty


@pytest.mark.rule("MC-037", "MC-045", "MC-047", "MC-084")
def test_unit_moves_by_action_points_and_suppression():
    assert _chart("mech-campaign", {"kind": "light-mech"}, "speed").at == ("1 AP", "3 AP", "7 AP")
    assert _lines("mech-campaign", {"kind": "light-mech"}, "speed") == {
        "not suppressed": [4, 8, 12],
        "1 marker": [0, 4, 8],
        "2 markers": [0, 0, 4],
    }
    assert _lines("mech-campaign", {"kind": "heavy-mech"}, "speed")["not suppressed"] == [4, 4, 4]


@pytest.mark.rule("MC-051", "MC-054")
def test_immobile_and_unlimited_movement_have_text():
    for kind, text in (("gun-sentry", "It never moves."), ("drone", "Any distance")):
        chart = _chart("mech-campaign", {"kind": kind}, "speed")
        assert chart.is_empty
        assert text in chart.empty


@pytest.mark.rule("ST-060", "ST-068", "ST-087", "ST-351")
def test_profile_speed_follows_move_actions():
    plain = {"kind": "ms", "move_in": 7.5}
    assert _lines("mechastellar", plain, "speed") == {"inches": [7.5, 15, 22.5]}
    flyer = {"kind": "ms", "move_in": 8, "traits": ["fly", "transform"], "alt_mode": {"move_in": 11}}
    assert _chart("mechastellar", flyer, "speed").at[-1] == "surfacing"
    assert _lines("mechastellar", flyer, "speed") == {"Mode A": [8, 16, 24, 3], "Mode B": [11, 22, 33, 6]}


@pytest.mark.parametrize("system", list(ROSTERS))
def test_every_published_design_has_charts(system):
    rules = roster_rules(system)
    for design in rules.published.values():
        charts = (*_charts(system, design.spec), chart_shares(rules.check_design(design.spec)))
        assert "speed" in [chart.slug for chart in charts]
        for chart in charts:
            assert all(len(each.values) == len(chart.at) for each in chart.series)
            assert all(value is None or value >= 0 for each in chart.series for value in each.values)
        assert sum(charts[-1].series[0].values) == rules.check_design(design.spec).points
