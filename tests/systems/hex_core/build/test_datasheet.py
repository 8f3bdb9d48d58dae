"""The numbers of the data sheet: the ledger's filled-in example, and rows calculated from it."""

from fractions import Fraction

import pytest

from systems.hex_core.build import SYSTEM
from systems.hex_core.build.datasheet import hit_chance, mean_damage
from systems.roster import PilotCard


def sheet(slug="warden", **more):
    design = SYSTEM.published[slug]
    return SYSTEM.datasheet(design.spec, name=design.name, design_name=design.name, **more)


@pytest.mark.rule("HX-037", "HX-040", "HX-041", "HX-042")
def test_warden_sheet_matches_ledger():
    warden = sheet()
    assert warden.stats == (("ACC", 4, 5, 1), ("ASL", 5, 5, 0), ("EVA", 6, 6, 0), ("CTR", 8, 8, None))
    assert (warden.srm_label, warden.ap_label, warden.ap_range) == ("1/0/0", "4+D8", (5, Fraction(17, 2), 12))
    assert (warden.movement, warden.thrust, warden.reach, warden.throw_reach) == (3, 0, (3, 5, 9), (4, 7))
    assert [area.dp_label for area in warden.areas] == ["4", "14 + 4 = 18", "5", "5", "6", "6"]
    assert warden.losses == (
        ("Head lost", "ACC 6+"),
        ("Leg lost", "SM 2, ASL 7+, EVA 8+"),
        ("Both legs lost", "SM 1, ASL 7+, EVA 8+"),
    )
    assert warden.share == Fraction(19, 80)
    assert warden.shields == (("Shield", "left", 10),)


@pytest.mark.rule("HX-048", "HX-053")
def test_weapon_lines_show_place_damage_and_attacks():
    rifle, saber, unarmed = sheet().lines
    assert (rifle.short, rifle.code, rifle.damage_label, rifle.range, rifle.ap, rifle.dp) == (
        "R",
        "R/K",
        "4 (6)",
        6,
        3,
        4,
    )
    assert (rifle.is_primary, rifle.attacks) == (True, (1, Fraction(5, 2), 4))
    assert (rifle.front, rifle.flank) == (Fraction(119, 64), Fraction(175, 64))  # 1.859 and 2.734
    assert (saber.short, saber.code, saber.damage_label, saber.is_carried) == ("C", "M/E", "5 (8)", True)
    assert (unarmed.damage_label, unarmed.range, unarmed.ap, unarmed.dp) == ("2 (3)", 1, 3, None)
    assert unarmed.attacks == (1, Fraction(5, 2), 4)
    assert sheet("kestrel").unarmed is None


def test_hit_chances_match_ledger():
    assert sheet().hit_chances == (
        (4, Fraction(5, 16)), (5, Fraction(3, 8)), (6, Fraction(7, 16)), (7, Fraction(1, 2)), (8, Fraction(9, 16)),
        (None, Fraction(5, 8)),
    )  # fmt: skip


def test_p01_p04_p18_p20_p21_sheet_chances_match_ledger():
    assert (hit_chance(4, 6), mean_damage(4, 6, 4, 6)) == (Fraction(7, 16), Fraction(119, 64))
    assert (hit_chance(3, 6), mean_damage(3, 6, 5, 8)) == (Fraction(33, 64), Fraction(1419, 512))
    assert [hit_chance(4 + lost, 6) for lost in (2, 3, 6)] == [Fraction(9, 32), Fraction(13, 64), Fraction(1, 8)]
    assert [hit_chance(4, 6 - more) for more in (1, 2)] == [Fraction(3, 8), Fraction(5, 16)]


def test_pocket_card_matches_ledger():
    assert sheet().card.splitlines() == [
        "WARDEN  Class 3  76 pts      [ ] acted",
        "ACC 4+ ASL 5+ EVA 6+ CTR 8+ | AP 4+D8 | SM 3 TM 0",
        "Head 4  Torso 18  Arm L 5  Arm R 5  Leg L 6  Leg R 6",
        "Assault rifle  R  R/K  4(6)  rng 6  AP 3  DP 4  *primary",
        "Beam saber  C  M/E  5(8)  rng 1  AP 3  DP 2",
        "Shield  L  DP 10",
        "kneel[ ] prone[ ] down[ ] held[ ] off. stance[ ] def. stance[ ] frozen[ ] target[ ] object[ ]",
    ]


def test_ironside_keeps_aim_and_range_finder_adds_range():
    assert sheet("bastion").losses[0] == ("Head lost", "ACC 5+")
    spec = SYSTEM.spec_json(SYSTEM.published["warden"].spec) | {"mods": ["range-finder"]}
    found = SYSTEM.datasheet(SYSTEM.parse_spec(spec), name="x", design_name="x")
    assert [line.range for line in found.weapons] == [7, 1]


@pytest.mark.rule("HX-177")
def test_pilot_traits_are_shown_and_paid_for():
    pilot = PilotCard("Ana", "regular", ("quick-draw",), points=9)
    warden = sheet(pilot=pilot)
    assert (warden.points, warden.counter, warden.cost_parts["traits"]) == (79, 7, 3)
    assert [trait.name for trait in warden.traits] == ["Quick draw"]


def test_drawing_title_names_areas_and_weapons():
    drawn = sheet("longbow").drawing
    assert drawn.count("<rect") == 6
    assert (
        "<title>DP by area: Head 4 with Vulcan; Torso 14; Left arm 6; Right arm 6; Left leg 6; Right leg 6. Both hands"
        in drawn
    )
    vehicle = sheet("kestrel").drawing
    assert "Left inner wing 3 with Missile pod" in vehicle
    assert "empty hand" not in vehicle


def test_unit_in_repair_shows_state():
    assert sheet(condition={"repair": True}).state == (("In repair", "misses the next battle"),)
    assert SYSTEM.describe_condition({"repair": True}) == "in repair"
    assert SYSTEM.describe_condition({}) == ""
