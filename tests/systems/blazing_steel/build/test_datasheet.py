"""Sheets, cards and exact chances of Warmechs."""

from fractions import Fraction

import pytest

from systems.blazing_steel.build import SYSTEM
from systems.blazing_steel.build.datasheet import expected_hits, hit_chances, unsaved_chance
from systems.documents import DocumentError

F = Fraction


def sheet(slug, **given):
    design = SYSTEM.published[slug]
    return SYSTEM.datasheet(design.spec, name=design.name, design_name=design.name, **given)


def test_pocket_card_matches_ledger():
    assert sheet("hawker").card.splitlines() == [
        "HAWKER  Medium, Bipedal  6 + 4 = 10 points",
        'Move 4"  Sprint +4"  Jump 4"  turn 90 / 45 / 90  base 2"',
        "Dodge 4 [ ][ ]  Melee 2  Armor 3  Structure [ ][ ][ ][ ][ ][ ]",
        "Strike  1 die, AP 2, Damage 2",
        'l1 Auto cannon  18"  ROF 2  I 1  D 1  AP 2  ammo [ ][ ][ ]  front + left',
        'r1 Laser  30"  ROF 2  I 0  D 1  AP 3  ammo any  Energy  front + right',
        'c1 Missile Launcher  36"  ROF 1  I 0  D 3  AP 4  ammo [ ]  Guided, Munition, Indirect  front',
        "p1 Extended Magazine (on l1) [ ]",
        "Cripples  1 Armor [ ] 2 Targeting [ ] 3 Locomotion (R) [ ] 4 Locomotion (L) [ ] 5 Weapon (R) [ ] 6 Weapon (L) [ ]",
        "Heat  1[ ] 2[ ] 3[ ] 4[ ] 5[ ] 6[ ]  two 6s = overheat  heat sinks: normal",
        "Cooling [ ]  Overheated [ ]  Sitting out [ ]",
    ]


def test_mounts_have_arcs_and_house_rule_makes_shoulder():
    bulwark = sheet("bulwark")
    assert [(line.slot, line.place, line.mount) for line in bulwark.lines] == [
        ("l1", "Left arm 1", "front + left"),
        ("l2", "Left arm 2", "front + left"),
        ("r1", "Right arm", "front + right"),
        ("c1", "Core", "front"),
    ]
    shoulder = sheet("bulwark", options={"second-l": "shoulder"})
    assert [(line.place, line.mount) for line in shoulder.lines][:2] == [
        ("Left arm", "front + left"),
        ("Shoulder", "front + sides"),
    ]
    assert sheet("mantis").lines[0].is_melee
    assert sheet("darter").empty == ("Right arm", "Core")


def test_expected_hits_match_ledger():
    found = {rof: [expected_hits(rof, number) for number in (6, 5, 4)] for rof in (1, 2, 3)}
    assert found == {
        1: [F(1), F(5, 6), F(2, 3)],
        2: [F(2), F(17, 9), F(5, 3)],
        3: [F(3), F(211, 72), F(97, 36)],
    }
    assert sheet("darter").lines[0].expected == ((6, F(3)), (5, F(211, 72)), (4, F(97, 36)))


@pytest.mark.parametrize(
    ("number", "chances"),
    [
        (6, [0, 0, 1]),
        (5, [F(1, 36), F(1, 18), F(11, 12)]),
        (4, [F(1, 9), F(1, 9), F(7, 9)]),
        (3, [F(1, 4), F(1, 6), F(7, 12)]),
        (0, [1, 0, 0]),
        (7, [0, 0, 1]),
    ],
)
def test_p01_to_p04_two_unanswered_dice_hit(number, chances):
    assert [*hit_chances(2, number).values()] == chances


def test_unsaved_chance_depends_on_armor():
    assert [unsaved_chance(2, armor) for armor in (1, 2, 3, 5)] == [F(5, 6), F(5, 6), F(1, 2), F(1, 6)]


def test_sheet_has_figures_for_lists():
    hawker = sheet("hawker")
    assert (hawker.size, hawker.size_name, hawker.armor, hawker.hits, hawker.hits_left) == ("medium", "Medium", 3, 6, 6)
    assert hawker.columns == (("Move", '4"'), ("Move + Sprint", '8"'), ("Dodge", "4"), ("Melee", "2"))
    assert hawker.state == ()
    assert SYSTEM.counter_figures(SYSTEM.published["hawker"].spec) == (3, 10)
    assert SYSTEM.kind_name(SYSTEM.published["bulwark"].spec) == "Heavy"


@pytest.mark.rule("BS-C04")
def test_warmech_in_repair_is_marked_and_stays_home():
    assert sheet("hawker", condition={"repair": True}).state == (("In repair", "misses the next battle"),)
    assert SYSTEM.is_resting({"repair": True})
    assert not SYSTEM.is_resting({})
    assert SYSTEM.describe_condition({"repair": True}) == "in repair"
    with pytest.raises(DocumentError, match=r"condition\.damage: unknown field"):
        sheet("hawker", condition={"damage": 2})


@pytest.mark.rule("BS-C09")
def test_warmech_has_no_pilot():
    assert (SYSTEM.hire_points, SYSTEM.level_names, SYSTEM.skill_names) == ({}, {}, {})
    assert not SYSTEM.needs_pilot({"chassis": "light"})
    with pytest.raises(DocumentError, match="Blazing Steel has no pilots"):
        SYSTEM.parse_pilot({"experience": "green"})


def test_own_skirmish_is_read_and_shown():
    spec = SYSTEM.parse_scenario({"brief": "Before breakfast."})
    assert SYSTEM.scenario_json(spec) == {"brief": "Before breakfast."}
    assert SYSTEM.check_scenario(spec).legal
    sheet = SYSTEM.scenario_sheet(spec)
    assert (sheet.brief, sheet.turn_limit, sheet.forces) == ("Before breakfast.", 5, "1 to 10 Warmechs")
    with pytest.raises(DocumentError, match=r"spec\.goal: unknown field"):
        SYSTEM.parse_scenario({"goal": "hill"})
