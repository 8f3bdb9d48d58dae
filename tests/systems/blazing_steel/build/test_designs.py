"""Legal and illegal Warmechs, their costs and numbers; worked examples are the ledger's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.blazing_steel.build import SYSTEM
from systems.blazing_steel.build.spec import OPTIONS, SLOTS, WarmechSpec
from systems.blazing_steel.catalogue import CATALOGUE
from systems.documents import DocumentError
from systems.roster import CompanyMember


def check(options=None, **spec):
    return SYSTEM.check_design(SYSTEM.parse_spec(spec), options or {})


def problems_of(check):
    """Return code, rule and field of each problem."""
    return [(problem.code, problem.rule, problem.place) for problem in check.problems]


def refusal(**spec):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_spec(spec)
    return str(refused.value)


def sheet(slug):
    design = SYSTEM.published[slug]
    return SYSTEM.datasheet(design.spec, name=design.name, design_name=design.name)


# --- what is legal ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-001")
def test_x06_a_warmech_without_locomotion_is_refused():
    assert problems_of(check(chassis="super-heavy", l1="laser")) == [("locomotion-missing", "BS-001", "locomotion")]
    assert "missing" in refusal(locomotion="tracked")


@pytest.mark.rule("BS-001", "BS-002")
def test_unknown_part_is_refused_with_field_and_rule():
    assert refusal(chassis="lihgt") == "spec.chassis: unknown chassis 'lihgt'; did you mean 'light'? (BS-001)"
    assert refusal(chassis="light", locomotion="wings") == "spec.locomotion: unknown locomotion 'wings' (BS-001)"
    assert refusal(chassis="light", r1="lazer") == "spec.r1: unknown option 'lazer'; did you mean 'laser'? (BS-002)"
    assert refusal(chassis="light", s1="laser") == "spec.s1: unknown field"


@pytest.mark.rule("BS-003")
def test_two_weapons_in_one_hardpoint_are_refused():
    assert refusal(chassis="light", l1=["laser", "railgun"]) == (
        "spec.l1: a hardpoint holds one option, and 2 are named here (BS-003)"
    )


@pytest.mark.rule("BS-003")
def test_x04_medium_has_one_left_arm_hardpoint():
    two = {"locomotion": "tracked", "l1": "laser", "l2": "railgun"}
    assert problems_of(check(chassis="medium", **two)) == [("no-such-hardpoint", "BS-003", "l2")]
    assert check(chassis="heavy", **two).legal


@pytest.mark.rule("BS-003", "BS-015")
def test_bare_warmech_is_legal_and_strikes_with_one_die():
    bare = check(chassis="heavy", locomotion="tracked")
    assert (bare.legal, bare.points) == (True, 10)
    assert [warning.rule for warning in bare.warnings] == ["BS-015"]
    assert SYSTEM.parse_spec({"chassis": "heavy", "locomotion": "tracked"}).strike_dice == 1
    assert not check(chassis="heavy", locomotion="tracked", r1="melee-weapon").warnings


@pytest.mark.rule("BS-002", "BS-004", "BS-177")
def test_x03_weapons_and_peripherals_need_own_hardpoints():
    assert problems_of(check(chassis="medium", locomotion="tracked", c1="smoke-canisters")) == [
        ("peripheral-on-weapon-hardpoint", "BS-004", "c1")
    ]
    assert problems_of(check(chassis="medium", locomotion="tracked", p1="melee-weapon")) == [
        ("weapon-on-peripheral-hardpoint", "BS-004", "p1")
    ]
    magazine = {"l1": "extended-magazine", "r1": "howitzer", "magazine_on": "r1"}
    assert problems_of(check(chassis="medium", locomotion="tracked", **magazine)) == [
        ("peripheral-on-weapon-hardpoint", "BS-004", "l1")
    ]


@pytest.mark.rule("BS-005")
def test_x02_light_takes_three_options():
    four = {"locomotion": "bipedal", "l1": "laser", "r1": "laser", "c1": "railgun", "p1": "combat-gyros"}
    over = check(chassis="light", **four)
    assert problems_of(over) == [("option-cap", "BS-005", "options")]
    assert over.problems[0].message == "A Light can have 3 options at most, not 4."
    assert over.points == 8
    assert check(chassis="medium", **four).legal


@pytest.mark.rule("BS-005")
def test_heavy_and_super_heavy_fill_all_hardpoints():
    five = {"l1": "laser", "l2": "laser", "r1": "laser", "c1": "laser", "p1": "combat-gyros"}
    assert check(chassis="heavy", locomotion="tracked", **five).points == 15
    assert check(chassis="super-heavy", locomotion="tracked", **five).legal


@pytest.mark.rule("BS-007")
def test_same_weapon_twice_has_separate_shots():
    spec = SYSTEM.parse_spec({"chassis": "medium", "locomotion": "tracked", "l1": "howitzer", "r1": "howitzer"})
    assert SYSTEM.check_design(spec).legal
    assert [(slot, spec.ammo(slot)) for slot, _ in spec.guns] == [("l1", 2), ("r1", 2)]


@pytest.mark.rule("BS-012")
def test_x05_magazine_needs_weapon_with_ammo():
    magazine = {"chassis": "medium", "locomotion": "bipedal", "p1": "extended-magazine"}
    for others in (
        {"l1": "laser", "magazine_on": "l1"},
        {"l1": "melee-weapon", "magazine_on": "l1"},
        {"l1": "railgun", "magazine_on": "r1"},
        {"l1": "railgun", "magazine_on": "p1"},
        {"l1": "railgun"},
    ):
        assert problems_of(check(**magazine, **others)) == [("magazine-needs-ammo-weapon", "BS-012", "magazine_on")]
    assert "unlimited ammo (X)" in check(**magazine, l1="laser", magazine_on="l1").problems[0].message
    assert problems_of(check(chassis="medium", locomotion="bipedal", l1="railgun", magazine_on="l1")) == [
        ("magazine-without-one", "BS-012", "magazine_on")
    ]


@pytest.mark.rule("BS-012", "BS-177")
def test_magazine_adds_a_shot_to_its_weapon():
    build = {"chassis": "medium", "locomotion": "bipedal", "l1": "railgun", "c1": "missile-launcher"}
    spec = SYSTEM.parse_spec(build | {"p1": "extended-magazine", "magazine_on": "c1"})
    assert SYSTEM.check_design(spec).legal
    assert (spec.ammo("l1"), spec.ammo("c1"), spec.ammo("r1")) == (1, 2, None)


def test_all_problems_are_reported_at_once():
    worst = {"chassis": "light", "l1": "targeting-scope", "l2": "laser", "r1": "laser", "c1": "laser", "p1": "laser"}
    assert [problem.place for problem in check(**worst, magazine_on="r1").problems] == [
        "locomotion",
        "l1",
        "l2",
        "p1",
        "options",
        "magazine_on",
    ]


# --- points and numbers -----------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-006")
@pytest.mark.parametrize(
    ("chassis", "least", "most"), [("light", 4, 7), ("medium", 6, 10), ("heavy", 10, 15), ("super-heavy", 18, 23)]
)
def test_points_are_chassis_plus_one_per_option(chassis, least, most):
    bare = check(chassis=chassis, locomotion="quadruped")
    slots = [slot for slot in CATALOGUE.chassis[chassis].slots if slot != "p1"]
    options = dict.fromkeys(slots, "laser") | ({} if chassis == "light" else {"p1": "combat-gyros"})
    full = check(chassis=chassis, locomotion="quadruped", **options)
    assert (bare.points, full.points, full.legal) == (least, most, True)
    assert sum(line.points for line in full.bill) == most


@pytest.mark.rule("BS-006")
def test_sum_of_points_is_written_out():
    hawker = SYSTEM.check_design(SYSTEM.published["hawker"].spec)
    assert hawker.notes == ("6 + 4 = 10 points.",)
    assert [(line.label, line.points) for line in hawker.bill] == [
        ("Medium chassis", 6),
        ("Left arm: Auto cannon", 1),
        ("Right arm: Laser", 1),
        ("Core: Missile Launcher", 1),
        ("Peripheral: Extended Magazine", 1),
    ]


DERIVED = {  # ledger 7
    "skimmer": (7, 6, 10, 6, 6, 2, 2, 4, 1, 1, 1, False, 2),
    "darter": (6, 6, 12, 6, 5, 1, 2, 4, 1, 1, 1, False, 2),
    "hawker": (10, 4, 8, 4, 4, 2, 3, 6, 1, 2, 2, False, 2),
    "mantis": (10, 4, 8, 4, 4, 5, 3, 6, 3, 3, 3, False, 2),
    "bulwark": (15, 4, 6, 4, 4, 1, 4, 8, 1, 3, 2, True, 3),
    "colossus": (23, 3, 8, 4, 3, 1, 5, 9, 1, 4, 3, True, 4),
}


@pytest.mark.rule("BS-006", "BS-008", "BS-009", "BS-011", "BS-013", "BS-016")
@pytest.mark.parametrize("slug", SYSTEM.published)
def test_x01_x07_example_numbers_match_ledger(slug):
    of, design = sheet(slug), SYSTEM.published[slug]
    assert SYSTEM.check_design(design.spec).legal
    assert design.printed_points == of.points
    strike = (of.strike.dice, of.strike.ap, of.strike.damage)
    numbers = (of.points, of.move_in, of.sprint_total_in, of.jump_in, of.dodge, of.melee, of.armor, of.structure)
    assert (*numbers, *strike, of.has_improved_sinks, of.base_in) == DERIVED[slug]


@pytest.mark.rule("BS-008", "BS-009", "BS-010")
def test_locomotion_changes_melee_sprint_and_fortify():
    two, four, tracks = (WarmechSpec("heavy", each) for each in ("bipedal", "quadruped", "tracked"))
    assert [spec.melee for spec in (two, four, tracks)] == [2, 1, 1]
    assert [spec.sprint_total_in for spec in (two, four, tracks)] == [6, 6, 8]
    assert [spec.drive.can_fortify for spec in (two, four, tracks)] == [False, True, False]
    assert [spec.points for spec in (two, four, tracks)] == [10, 10, 10]


@pytest.mark.rule("BS-011", "BS-016")
def test_options_change_numbers():
    bare = WarmechSpec("medium", "tracked")
    assert (bare.melee, bare.dodge, bare.jump_in, bare.strike_dice, bare.strike_ap, bare.strike_damage) == (
        1, 4, 4, 1, 2, 2,
    )  # fmt: skip
    assert WarmechSpec("medium", "tracked", p1="combat-gyros").melee == 2
    assert WarmechSpec("medium", "tracked", p1="agility-suite").dodge == 5
    assert WarmechSpec("medium", "tracked", p1="booster-jets").jump_in == 6
    three = WarmechSpec("medium", "bipedal", *["melee-weapon", "", "melee-weapon", "melee-weapon", "combat-gyros"])
    assert (three.melee, three.strike_dice, three.strike_ap, three.strike_damage) == (6, 4, 3, 3)


# --- forces -----------------------------------------------------------------------------------------------------------


def force(count, design="darter", scenario="skirmish", **given):
    spec = SYSTEM.published[design].spec
    members = [CompanyMember(f"Darter {at}", spec, None) for at in range(count)]
    return SYSTEM.check_company(scenario, members, **given)


@pytest.mark.rule("BS-014")
@pytest.mark.parametrize(("count", "codes"), [(0, ["force-too-small"]), (1, []), (10, []), (11, ["force-too-large"]), (200, ["force-too-large"])])  # fmt: skip
def test_force_has_one_to_ten_warmechs(count, codes):
    found = force(count)
    assert ([problem.code for problem in found.problems], found.points) == (codes, 6 * count)
    assert {(problem.rule, problem.place) for problem in found.problems} <= {("BS-014", "members")}


@pytest.mark.rule("BS-014")
def test_problem_of_warmech_names_its_place():
    members = [
        CompanyMember("Good", SYSTEM.published["darter"].spec, None),
        CompanyMember("Bad", WarmechSpec("light"), None),
    ]
    assert problems_of(SYSTEM.check_company("skirmish", members)) == [
        ("locomotion-missing", "BS-001", "members[1].locomotion")
    ]


@pytest.mark.rule("BS-C02")
def test_points_limit_applies_to_both_sides():
    limit = {"points-limit": 20}
    assert [problem.rule for problem in force(4, options=limit).problems] == ["BS-C02"]
    assert force(3, options=limit).legal
    assert force(4, options=limit, extra_points=4).legal
    assert force(10).legal


def test_unknown_scenario_is_a_problem():
    assert [problem.place for problem in force(1, scenario="siege").problems] == ["scenario"]
    assert [problem.place for problem in force(1, scenario={"name": "Mine", "spec": {"x": 1}}).problems] == ["scenario"]
    assert force(1, scenario={"name": "Mine", "spec": {"brief": "At dawn."}}).legal


# --- any of it --------------------------------------------------------------------------------------------------------

SPECS = st.fixed_dictionaries(
    {"chassis": st.sampled_from(list(CATALOGUE.chassis))},
    optional={
        "locomotion": st.sampled_from(list(CATALOGUE.locomotion)),
        **{slot: st.sampled_from(list(OPTIONS)) for slot in SLOTS},
        "magazine_on": st.sampled_from(SLOTS),
    },
)


@given(SPECS)
def test_any_build_survives_round_trip_and_is_shown(data):
    spec = SYSTEM.parse_spec(data)
    assert SYSTEM.spec_json(spec) == data
    assert SYSTEM.parse_spec(SYSTEM.lab_spec(SYSTEM.lab_address(data))) == spec
    found = SYSTEM.check_design(spec)
    assert found.points == sum(line.points for line in found.bill) == spec.points
    sheet = SYSTEM.datasheet(spec, name="Any", design_name="Any")
    assert sheet.points == found.points
    assert sheet.card.startswith("ANY  ")
    picked = {pick.slug: pick.value for pick in SYSTEM.editor(spec).picks if pick.value}
    assert picked == {name: value for name, value in data.items() if name != "chassis"}
    for pick in SYSTEM.editor(spec).picks:
        assert not pick.value or pick.value in [choice.slug for choice in pick.choices]
