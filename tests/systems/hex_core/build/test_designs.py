"""Legal and illegal machines, their costs and numbers; worked examples are the ledger's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.documents import DocumentError
from systems.hex_core.build import SYSTEM
from systems.hex_core.catalogue import CATALOGUE
from systems.roster import CompanyMember, PilotSpec


def check(**spec):
    return SYSTEM.check_design(SYSTEM.parse_spec(spec))


def problems_of(check):
    """Return code, rule and field of each problem."""
    return [(problem.code, problem.rule, problem.place) for problem in check.problems]


def codes(**spec):
    return [problem.code for problem in check(**spec).problems]


def refusal(**spec):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_spec(spec)
    return str(refused.value)


def on(weapon, place, **more):
    return {"weapon": weapon, "place": place, **more}


def published(slug, **changes):
    """Return a published unit as JSON values with some fields changed."""
    return SYSTEM.spec_json(SYSTEM.published[slug].spec) | changes


def member(slug, pilot=None):
    return CompanyMember(slug, SYSTEM.published[slug].spec, pilot)


# --- worked examples --------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-037", "HX-038", "HX-039", "HX-040", "HX-041", "HX-042")
def test_x56_warden_is_built_from_parts():
    spec = SYSTEM.parse_spec(
        {
            "core": "standard",
            "srm": [1, 0, 0],
            "armour": {"torso": 4},
            "weapons": [on("assault-rifle", "right"), on("beam-saber", "carried")],
            "shields": [{"shield": "shield"}],
        }
    )
    assert SYSTEM.check_design(spec).legal
    assert (spec.accuracy, spec.assault, spec.evasion, spec.counter) == (4, 5, 6, 8)
    assert (spec.dp, spec.total_dp, spec.unit_class.number) == ((4, 18, 5, 5, 6, 6), 44, 3)
    assert spec.cost_parts == {
        "core": 40, "armour": 4, "srm": 6, "weapons": 18, "equipment": 8, "systems": 0, "mods": 0, "traits": 0,
    }  # fmt: skip
    assert SYSTEM.check_design(spec).points == 76


@pytest.mark.rule("HX-041", "HX-042", "HX-045")
def test_x57_bastion_is_class_5():
    weapons = [on("gatling-gun", "both"), on("missile-pod", "arm-l"), on("missile-pod", "arm-r")]
    spec = SYSTEM.parse_spec({"core": "heavy", "armour": {"torso": 5}, "weapons": weapons, "traits": ["ironside"]})
    assert SYSTEM.check_design(spec).legal
    assert (spec.total_dp, spec.unit_class.number, spec.cost) == (67, 5, 98)
    assert list(spec.cost_parts.values()) == [52, 5, 0, 37, 0, 0, 0, 4]


@pytest.mark.rule("HX-020", "HX-022", "HX-042")
def test_x58_drones_and_heads_are_equipment():
    drones = ["gun-drone"] * 3
    weapons = [on("beam-rifle", "right"), on("combat-knife", "left")]
    spec = SYSTEM.parse_spec({"core": "standard", "weapons": weapons, "drones": drones, "royroy": 2})
    assert SYSTEM.check_design(spec).legal
    assert (spec.unit_class.number, spec.cost_parts["equipment"], spec.cost) == (3, 29, 84)
    assert [thinks for _, thinks in spec.drone_kinds] == [True, True, False]
    assert spec == SYSTEM.published["shepherd"].spec


@pytest.mark.rule("HX-012", "HX-019", "HX-038", "HX-045")
def test_x59_kestrel_has_wings_and_mounted_weapons():
    weapons = [on("missile-pod", "inner-wing-l"), on("missile-pod", "inner-wing-r"), on("vulcan", "cockpit")]
    spec = SYSTEM.parse_spec({"core": "aerial", "srm": [1, 0, 1], "weapons": weapons})
    assert SYSTEM.check_design(spec).legal
    assert (spec.accuracy, spec.assault, spec.evasion, spec.counter) == (4, 8, 4, 8)
    assert (spec.total_dp, spec.unit_class.number, spec.cost) == (24, 1, 80)


KNIVES = [on("combat-knife", "carried")] * 4
LONGBOW = [on("sniper-rifle", "both", written="Sniper rifle"), on("vulcan", "head"), on("combat-knife", "carried")]


@pytest.mark.rule("HX-018", "HX-039", "HX-040", "HX-044", "HX-045", "HX-046", "HX-049", "HX-051", "HX-052")
@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ({"core": "standard", "srm": [3, 0, 0]}, ("srm-over-2", "HX-040", "srm[0]")),
        (
            {"core": "aerial", "weapons": [on("assault-rifle", "right")]},
            ("vehicle-hands", "HX-044", "weapons[0].place"),
        ),
        ({"core": "aerial", "systems": ["jump"]}, ("vehicle-jump", "HX-018", "systems[0]")),
        ({"core": "standard", "armour": {"torso": 8}}, ("armour-over-limit", "HX-039", "armour.torso")),
        (
            {"core": "standard", "weapons": [on("sniper-rifle", "both")], "shields": [{"shield": "shield"}]},
            ("hands-full", "HX-044", "weapons"),
        ),
        ({"core": "standard", "weapons": KNIVES}, ("carried-over-3", "HX-046", "weapons")),
        ({"core": "gunner", "weapons": [on("vulcan", "head")] * 2}, ("mount-slot", "HX-045", "weapons")),
        ({"core": "striker", "weapons": [on("great-sword", "arm-r")]}, ("not-mountable", "HX-045", "weapons[0].place")),
        (published("warden", stated_cost=70), ("cost-mismatch", "HX-042", "stated_cost")),
        (published("warden", stated_class=4), ("class-mismatch", "HX-041", "stated_class")),
        (
            {"core": "scout", "systems": ["transform-aerial", "transform-aquatic"]},
            ("two-transforms", "HX-049", "systems"),
        ),
        (published("longbow", weapons=LONGBOW), ("tag-2h-missing", "HX-047", "weapons[0].written")),
        ({"core": "standard", "traits": ["marksman", "wary", "ironside"]}, ("traits-over-2", "HX-051", "traits")),
        ({"core": "terrestrial", "systems": ["flight"]}, ("option-not-allowed", "HX-049", "systems[0]")),
    ],
    ids="abcdefghijklmn",
)
def test_x60_illegal_build_is_refused_with_code_and_field(spec, problem):
    assert problems_of(check(**spec)) == [problem]


@pytest.mark.rule("HX-054")
def test_x61_squad_has_limits_of_points_and_units():
    def found(*slugs, **options):
        given = {name.replace("_", "-"): value for name, value in options.items()}
        checked = SYSTEM.check_company("elimination", [member(slug) for slug in slugs], given)
        return checked.points, problems_of(checked)

    assert found("warden", "longbow", "mauler", "wisp") == (301, [])
    assert found(*["bastion"] * 4) == (392, [("squad-over-limit", "HX-054", "members")])
    assert found(*["trooper"] * 8) == (296, [("squad-too-many", "HX-054", "members")])
    assert found() == (0, [("squad-empty", "HX-054", "members")])
    assert found(*["trooper"] * 8, squad_size="battle") == (296, [])
    assert found(*["bastion"] * 3, squad_size="patrol")[1] == [("squad-over-limit", "HX-054", "members")]


# --- units ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-009", "HX-010", "HX-012", "HX-019")
def test_core_type_decides_kind_of_unit():
    kinds = {core.slug: core.of for core in CATALOGUE.cores.values()}
    assert [slug for slug, of in kinds.items() if of == "vehicle"] == [
        "terrestrial", "aerial", "aquatic", "extraterrestrial",
    ]  # fmt: skip
    assert [slug for slug, of in kinds.items() if of == "mech"] == [
        "militia", "standard", "gunner", "striker", "scout", "heavy",
    ]  # fmt: skip
    assert [SYSTEM.parse_spec({"core": slug}).flies for slug in ("aerial", "extraterrestrial", "aquatic")] == [
        True, True, False,
    ]  # fmt: skip
    assert SYSTEM.parse_spec({"core": "aquatic"}).swims
    assert set(CATALOGUE.unit_types) == {"mech", "vehicle", "drone"}


@pytest.mark.rule("HX-021")
def test_sentry_drone_does_not_move():
    assert {slug: drone.move for slug, drone in CATALOGUE.drones.items()} == {
        "gun-drone": 1, "blade-drone": 1, "sentry-drone": 0,
    }  # fmt: skip


@pytest.mark.rule("HX-022")
def test_head_without_drone_is_a_problem():
    assert problems_of(check(core="standard", drones=["gun-drone"], royroy=2)) == [
        ("royroy-without-drone", "HX-022", "royroy")
    ]
    assert check(core="standard", drones=["gun-drone"] * 4, royroy=4).legal  # the fourth waits in reserve


@pytest.mark.rule("HX-037", "HX-038", "HX-043", "HX-044", "HX-049", "HX-050", "HX-051")
def test_unknown_part_is_refused_with_field_and_rule():
    assert refusal(core="standart") == "spec.core: unknown core type 'standart'; did you mean 'standard'? (HX-037)"
    assert refusal(core="standard", armour={"cockpit": 1}) == "spec.armour: unknown area 'cockpit' (HX-038)"
    gun = refusal(core="standard", weapons=[on("lazer", "right")])
    assert gun == "spec.weapons[0].weapon: unknown weapon 'lazer'; did you mean 'lance'? (HX-043)"
    assert (
        refusal(core="aerial", weapons=[on("vulcan", "head")]) == "spec.weapons[0].place: unknown place 'head' (HX-044)"
    )
    assert "spec.systems[0]: unknown system 'jmup'" in refusal(core="standard", systems=["jmup"])
    assert refusal(core="standard", mods=["x"]) == "spec.mods[0]: unknown mod 'x' (HX-050)"
    assert refusal(core="standard", traits=["x"]) == "spec.traits[0]: unknown trait 'x' (HX-051)"
    assert "unknown field" in refusal(core="standard", wheels=4)
    assert "HX-048" in refusal(core="standard", primary=0)


@pytest.mark.rule("HX-039")
def test_armour_adds_up_to_half_of_area():
    assert check(core="standard", armour={"torso": 7, "head": 2}).points == 49
    assert codes(core="standard", armour={"torso": 8, "head": 3}) == ["armour-over-limit"] * 2
    below = check(core="standard", armour={"arm-l": -1})
    assert problems_of(below) == [("armour-over-limit", "HX-039", "armour.arm-l")]
    assert below.problems[0].message == "Left arm has 5 DP and takes 0 to 2 more, not -1."


@pytest.mark.rule("HX-040")
def test_two_steps_cost_more_than_twice_one():
    assert [check(core="standard", srm=[steps, 0, 0]).points - 40 for steps in (0, 1, 2)] == [0, 6, 15]
    assert [check(core="standard", srm=[0, steps, 0]).points - 40 for steps in (0, 1, 2)] == [0, 4, 10]
    assert [check(core="standard", srm=[0, 0, steps]).points - 40 for steps in (0, 1, 2)] == [0, 6, 15]
    assert codes(core="standard", srm=[-1, 3, 2]) == ["srm-over-2"] * 2


@pytest.mark.rule("HX-041")
@pytest.mark.parametrize(
    ("core", "armour", "total", "number"),
    [
        ("militia", {}, 24, 1),
        ("militia", {"head": 1}, 25, 2),
        ("aquatic", {"cockpit": 2}, 36, 2),
        ("aquatic", {"cockpit": 3}, 37, 3),
        ("striker", {"torso": 5}, 48, 3),
        ("striker", {"torso": 6}, 49, 4),
        ("heavy", {"torso": 2}, 64, 4),
        ("heavy", {"torso": 3}, 65, 5),
    ],
)
def test_class_depends_on_total_dp(core, armour, total, number):
    spec = SYSTEM.parse_spec({"core": core, "armour": armour})
    assert (spec.total_dp, spec.unit_class.number) == (total, number)


@pytest.mark.rule("HX-041", "HX-043")
def test_weapon_and_shield_dp_do_not_change_class():
    bare, armed = SYSTEM.parse_spec({"core": "standard"}), SYSTEM.published["warden"].spec
    assert armed.total_dp - bare.total_dp == 4  # its armour alone
    assert all(weapon.dp for weapon in CATALOGUE.weapons.values())
    assert [shield.dp for shield in CATALOGUE.shields.values()] == [6, 10, 14]


@pytest.mark.rule("HX-044")
def test_each_hand_holds_one_thing():
    two = [on("assault-rifle", "right"), on("heat-axe", "right")]
    problem = check(core="standard", weapons=two).problems[0]
    assert problem.message == "The right hand holds one thing, not Assault rifle and Heat axe."
    assert check(core="standard", weapons=[on("assault-rifle", "right"), on("heat-axe", "left")]).legal
    assert codes(core="standard", weapons=[on("assault-rifle", "both")]) == ["hands-full"]
    assert codes(core="standard", weapons=[on("vulcan", "left")]) == ["hands-full"]
    both = [{"shield": "shield", "place": "left"}, {"shield": "buckler", "place": "right"}]
    assert problems_of(check(core="standard", shields=both)) == [("one-shield", "HX-044", "shields")]
    assert "HX-044" in refusal(core="standard", shields=[{"shield": "shield", "place": "carried"}])


@pytest.mark.rule("HX-044", "HX-047")
def test_house_rule_requires_both_hands_for_two_handed_weapon():
    spec = SYSTEM.parse_spec(
        {"core": "standard", "weapons": [on("bazooka", "right")], "shields": [{"shield": "buckler"}]}
    )
    refused = SYSTEM.check_design(spec, {"two-handed": "both-hands"})
    assert (problems_of(refused), refused.warnings) == ([("two-hands", "HX-047", "weapons[0].place")], ())
    assert (
        codes(core="standard", weapons=[on("bazooka", "both"), on("lance", "carried"), on("beam-cannon", "torso")])
        == []
    )
    one = SYSTEM.check_design(spec)
    assert (one.legal, [(each.rule, each.place) for each in one.warnings]) == (True, [("HX-047", "weapons[0].place")])
    assert one.points == refused.points
    pair = check(core="standard", weapons=[on("sniper-rifle", "right"), on("bazooka", "left")])
    assert (pair.legal, len(pair.warnings)) == (True, 2)
    sheet = SYSTEM.datasheet(
        SYSTEM.parse_spec({"core": "standard", "weapons": [on("bazooka", "right")]}), name="", design_name=""
    )
    assert sheet.weapons[0].damage_label == "4 (6)"


@pytest.mark.rule("HX-045")
def test_torso_takes_two_mounted_weapons():
    assert check(core="standard", weapons=[on("vulcan", "torso")] * 2).legal
    assert codes(core="standard", weapons=[on("vulcan", "torso")] * 3) == ["mount-slot"]
    assert codes(core="terrestrial", weapons=[on("lance", "carried")]) == ["vehicle-hands"]
    assert codes(core="terrestrial", shields=[{"shield": "buckler"}]) == ["vehicle-hands"]


@pytest.mark.rule("HX-048")
def test_primary_weapon_is_first_that_is_not_carried():
    weapons = [on("combat-knife", "carried"), on("vulcan", "head"), on("heat-axe", "right")]
    assert SYSTEM.parse_spec({"core": "standard", "weapons": weapons}).primary_at == 1
    assert SYSTEM.parse_spec({"core": "standard", "weapons": weapons, "primary": 2}).primary_at == 2
    assert problems_of(check(core="standard", weapons=weapons, primary=0)) == [
        ("primary-not-ready", "HX-048", "primary")
    ]
    bare = check(core="standard", weapons=weapons[:1])
    assert (bare.legal, [each.rule for each in bare.warnings]) == (True, ["HX-048"])


@pytest.mark.rule("HX-049", "HX-050", "HX-051")
@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"core": "aerial", "systems": ["flight"]}, ["option-not-allowed"]),
        ({"core": "aquatic", "systems": ["marine-kit"]}, ["option-not-allowed"]),
        ({"core": "terrestrial", "systems": ["marine-kit", "thrusters"]}, []),
        ({"core": "terrestrial", "systems": ["transform-aerial"]}, ["option-not-allowed"]),
        ({"core": "scout", "systems": ["thrusters", "thrusters"]}, ["option-not-allowed"]),
        ({"core": "scout", "systems": ["thrusters", "high-thrusters"]}, ["two-thrusters"]),
        ({"core": "aerial", "mods": ["reinforced-grip"]}, ["option-not-allowed"]),
        ({"core": "scout", "mods": ["capacitor"] * 2}, []),
        ({"core": "scout", "mods": ["capacitor"] * 3}, ["mod-limit"]),
        ({"core": "scout", "mods": ["range-finder"] * 2}, ["mod-limit"]),
        ({"core": "scout", "traits": ["wary", "wary"]}, ["option-not-allowed"]),
    ],
)
def test_systems_mods_and_traits_have_limits(spec, expected):
    assert codes(**spec) == expected


@pytest.mark.rule("HX-049", "HX-050", "HX-051")
def test_bought_parts_change_numbers():
    spec = SYSTEM.parse_spec(
        {"core": "scout", "systems": ["high-thrusters", "flight"], "mods": ["capacitor"] * 2, "traits": ["quick-draw"]}
    )
    assert (spec.thrust, spec.base_ap, spec.counter, spec.flies) == (6, 7, 6, True)


@pytest.mark.rule("HX-052")
def test_all_problems_are_reported_at_once_in_table_order():
    found = codes(
        core="aerial",
        srm=[3, 0, 0],
        armour={"tail": 9},
        weapons=[on("lance", "right"), on("great-sword", "cockpit")],
        systems=["jump", "flight", "thrusters", "high-thrusters"],
        mods=["coolant-loop"] * 2,
        traits=["wary", "ironside", "marksman"],
        royroy=1,
        stated_cost=1,
    )
    assert found == [
        "srm-over-2", "armour-over-limit", "vehicle-hands", "not-mountable", "vehicle-jump", "option-not-allowed",
        "two-thrusters", "mod-limit", "traits-over-2", "royroy-without-drone", "cost-mismatch",
    ]  # fmt: skip
    table = [refusal.slug for refusal in CATALOGUE.refusals.values() if refusal.of == "design"]
    assert found == [code for code in table if code in found]


@pytest.mark.rule("HX-042")
@pytest.mark.parametrize("slug", SYSTEM.published)
def test_published_unit_is_legal_and_costs_its_printed_points(slug):
    design = SYSTEM.published[slug]
    checked = SYSTEM.check_design(design.spec)
    assert (checked.legal, checked.points) == (True, design.printed_points)
    assert sum(line.points for line in checked.bill) == design.printed_points


@pytest.mark.rule("HX-054")
@pytest.mark.parametrize("squad", CATALOGUE.squads.values(), ids=CATALOGUE.squads)
def test_published_squad_is_legal_and_costs_its_printed_points(squad):
    checked = SYSTEM.check_company("elimination", [member(slug) for slug in squad.units])
    assert (checked.legal, checked.points) == (True, squad.cost)


@pytest.mark.rule("HX-054", "HX-163")
def test_unknown_mission_is_refused():
    ten = [member("trooper")] * 10
    assert problems_of(SYSTEM.check_company("", ten)) == []
    assert ("", "HX-163", "scenario") in problems_of(SYSTEM.check_company("race", ten[:1]))
    unread = SYSTEM.check_company({"name": "x", "spec": {"wheels": 4}}, ten[:1])
    assert [(each.rule, each.place) for each in unread.problems] == [("HX-163", "scenario")]


# --- pilots -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-177")
def test_rank_limits_learned_traits_that_unit_pays_for():
    def found(slug, rank, *traits):
        checked = SYSTEM.check_company("elimination", [member(slug, PilotSpec(rank, traits))])
        return checked.points, [problem.code for problem in checked.problems]

    assert found("warden", "rookie") == (76, [])
    assert found("warden", "rookie", "wary") == (80, ["rank-traits"])
    assert found("warden", "regular", "wary") == (80, [])
    assert found("warden", "regular", "wary", "marksman") == (85, ["rank-traits"])
    assert found("warden", "veteran", "wary", "marksman") == (85, [])
    assert found("longbow", "regular", "marksman") == (79, ["option-not-allowed"])
    assert found("longbow", "veteran", "wary", "ironside") == (82, ["traits-over-2"])


# --- documents --------------------------------------------------------------------------------------------------------


PLACES = st.sampled_from(["right", "left", "both", "carried", "head", "torso", "arm-l", "leg-r"])
SPECS = st.fixed_dictionaries(
    {"core": st.sampled_from(["militia", "standard", "heavy"])},
    optional={
        "srm": st.tuples(*[st.integers(-1, 3)] * 3).map(list),
        "armour": st.dictionaries(st.sampled_from(["head", "torso", "leg-l"]), st.integers(-2, 12)),
        "weapons": st.lists(
            st.builds(on, st.sampled_from([*CATALOGUE.weapons]), PLACES),
            max_size=8,
        ),
        "shields": st.lists(st.builds(lambda place: {"shield": "buckler", "place": place}, st.sampled_from(["left", "right"])), max_size=2),
        "drones": st.lists(st.sampled_from([*CATALOGUE.drones]), max_size=4),
        "royroy": st.integers(0, 5),
        "systems": st.lists(st.sampled_from([*CATALOGUE.systems]), max_size=4),
        "mods": st.lists(st.sampled_from([*CATALOGUE.mods]), max_size=4),
        "traits": st.lists(st.sampled_from([*CATALOGUE.traits]), max_size=3),
    },
)  # fmt: skip


@given(SPECS)
def test_spec_survives_round_trip(data):
    spec = SYSTEM.parse_spec(data)
    assert SYSTEM.parse_spec(SYSTEM.spec_json(spec)) == spec
    assert SYSTEM.check_design(spec).points == sum(spec.cost_parts.values())


@given(SPECS)
def test_lab_address_keeps_whole_build(data):
    spec = SYSTEM.parse_spec(data)
    again = SYSTEM.parse_spec(SYSTEM.lab_spec(SYSTEM.lab_address(SYSTEM.spec_json(spec))))
    assert sorted(map(str, again.weapons)) == sorted(map(str, spec.weapons))
    assert sorted(map(str, again.shields)) == sorted(map(str, spec.shields))
    assert (again.drones, again.royroy, again.systems, again.mods, again.traits) == (
        spec.drones, spec.royroy, spec.systems, spec.mods, spec.traits,
    )  # fmt: skip


@pytest.mark.parametrize("slug", SYSTEM.published)
def test_lab_opens_published_unit_unchanged(slug):
    spec = SYSTEM.published[slug].spec
    address = SYSTEM.lab_address(SYSTEM.spec_json(spec))
    assert set(address) <= set(SYSTEM.lab_fields)
    assert SYSTEM.parse_spec(SYSTEM.lab_spec(address)) == spec
    editor = SYSTEM.editor(spec)
    counts = {choice.slug: choice.count for group in editor.groups for choice in group.choices if choice.count}
    assert SYSTEM.parse_spec(SYSTEM.editor_spec(spec.core, counts, SYSTEM.lab_spec(address))) == spec
