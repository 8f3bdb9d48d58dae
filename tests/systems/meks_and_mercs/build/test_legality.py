"""Legal and illegal Meks, pilots, companies and placements, with the worked examples of the rules ledger."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.documents import DocumentError
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.roster import CompanyMember, PilotSpec


def mek(chassis, weapons="", systems=""):
    return MekSpec(chassis, tuple(weapons.split()), tuple(systems.split()))


def rules(check):
    return [problem.rule for problem in check.problems]


def messages(check):
    return [problem.message for problem in check.problems]


PRINTED = {
    "wasp": 9,
    "viper": 12,
    "demon": 15,
    "saber": 14,
    "sagitarii": 15,
    "draken": 24,
    "thor": 28,
    "warthog": 24,
    "odin": 33,
}


@pytest.mark.rule("MM-001", "MM-002")
@pytest.mark.parametrize(("slug", "points"), PRINTED.items())
def test_published_mek_is_legal_and_costs_its_formula(slug, points):
    check = SYSTEM.check_design(SYSTEM.published[slug].spec)
    assert (check.legal, check.points) == (True, points)
    assert sum(line.points for line in check.bill) == points


def test_catalogue_publishes_all_nine_meks():
    assert set(SYSTEM.published) == set(PRINTED)


@pytest.mark.rule("MM-002", "MM-008")
def test_wasp_pays_one_point_for_ciws_pair():  # MM-X01
    check = SYSTEM.check_design(mek("light", "cannon ciws ciws", "jammer"))
    assert check.legal
    assert [line.points for line in check.bill] == [4, 1, 1, 3]
    assert check.points == 9


@pytest.mark.rule("MM-002")
def test_odin_pays_for_reactive_armor_and_notes_printed_cost():  # MM-X02
    check = SYSTEM.check_design(SYSTEM.published["odin"].spec)
    assert (check.legal, check.points) == (True, 33)
    assert check.notes == ("ODIN: printed 27, which leaves out the 6 points of the Reactive Armor",)


@pytest.mark.rule("MM-002")
def test_house_rule_gives_odin_its_printed_points():  # MM-X02
    options = {"odin-printed-cost": True}
    odin = SYSTEM.published["odin"].spec
    check = SYSTEM.check_design(odin, options)
    assert (check.points, check.notes) == (27, ())
    assert sum(line.points for line in check.bill) == 27
    shuffled = MekSpec(odin.chassis, odin.weapons[::-1], odin.systems[::-1])
    assert SYSTEM.check_design(shuffled, options).points == 27
    other = mek("titan", "laser laser missile missile minigun", "jammer reactive-armor")
    assert SYSTEM.check_design(other, options).points == 32


@pytest.mark.rule("MM-003")
def test_half_of_three_hits_is_two_slots():  # MM-X03
    check = SYSTEM.check_design(mek("medium", "vulcan-cannon", "jump-jets spaul-liner"))
    assert (check.legal, check.points) == (True, 14)


@pytest.mark.rule("MM-004")
def test_director_needs_heavy_or_bigger():  # MM-X04
    check = SYSTEM.check_design(mek("medium", "rail-cannon rail-cannon", "director"))
    assert messages(check) == ["The Director needs a chassis that is Heavy or bigger; this one is Medium."]
    assert (rules(check), check.problems[0].place) == (["MM-004"], "systems[0]")


@pytest.mark.rule("MM-004")
@pytest.mark.parametrize(
    ("system", "too_big"),
    [("servo-boosters", "assault"), ("space-lam-armor", "assault"), ("jump-jets", "heavy")],
)
def test_some_systems_need_a_smaller_chassis(system, too_big):
    assert "MM-004" in rules(SYSTEM.check_design(mek(too_big, systems=system)))


@pytest.mark.rule("MM-003")
def test_light_has_no_slots_for_armor_system():  # MM-X05
    check = SYSTEM.check_design(mek("light", "rail-cannon", "reactive-armor"))
    assert messages(check) == ["A Light has 1 system slot; the Reactive Armor would need 2."]
    assert rules(check) == ["MM-003"]


@pytest.mark.rule("MM-005")
def test_two_huge_weapons_do_not_fit_one_huge_mount():  # MM-X06
    check = SYSTEM.check_design(mek("heavy", "laser missile cannon"))
    assert messages(check) == ["A Heavy has 1 huge mount; the Laser and Missile would need 2."]
    assert (rules(check), check.problems[0].place) == (["MM-005"], "weapons")


@pytest.mark.rule("MM-005")
def test_a_medium_has_no_huge_mount():
    check = SYSTEM.check_design(mek("medium", "hammer-missile"))
    assert messages(check) == ["A Medium has no huge mount for the Hammer-Missile."]


@pytest.mark.rule("MM-005")
def test_massive_weapons_do_not_fit_huge_mounts():
    assert rules(SYSTEM.check_design(mek("titan", "cannon cannon cannon"))) == ["MM-005"]


@pytest.mark.rule("MM-005")
def test_house_rule_lets_massive_weapon_fill_huge_mount():
    options = {"massive-in-huge-mount": True}
    assert SYSTEM.check_design(mek("heavy", "cannon cannon cannon"), options).legal
    assert not SYSTEM.check_design(mek("heavy", "cannon cannon cannon laser"), options).legal
    assert not SYSTEM.check_design(mek("heavy", "cannon cannon cannon cannon"), options).legal


@pytest.mark.rule("MM-008")
def test_small_weapons_share_the_small_mounts():  # MM-X07
    check = SYSTEM.check_design(mek("light", "cannon ciws ciws minigun"))
    assert messages(check) == ["A Light has 1 small mount; the CIWS pair and Minigun would need 2."]
    assert rules(check) == ["MM-008"]


@pytest.mark.rule("MM-008")
def test_small_mounts_do_not_depend_on_massive_mounts():
    assert SYSTEM.check_design(mek("titan", "minigun grenade-launcher")).legal


@pytest.mark.rule("MM-006", "MM-008")
def test_all_design_problems_are_reported_at_once():  # MM-X08
    check = SYSTEM.check_design(mek("medium", "cannon ciws", "jammer jammer"))
    assert rules(check) == ["MM-008", "MM-006"]
    assert messages(check) == [
        "CIWS come in pairs. Take an even number, not 1.",
        "Jammer is taken twice, but a Mek can have it only once.",
    ]
    assert check.problems[1].place == "systems[1]"


@pytest.mark.rule("MM-002", "MM-003")
def test_assault_with_phalanx_and_sensor_fills_three_slots():  # MM-X09
    check = SYSTEM.check_design(mek("assault", "turbo-laser turbo-laser cannon cannon", "phalanx sensor-improved"))
    assert (check.legal, check.points) == (True, 27)


@pytest.mark.rule("MM-006")
def test_heat_sinks_may_repeat():
    assert SYSTEM.check_design(mek("titan", "cannon", "heat-sink heat-sink heat-sink")).legal


@pytest.mark.rule("MM-006")
def test_a_mek_has_one_sensor_upgrade():
    check = SYSTEM.check_design(mek("medium", "cannon", "sensor-improved sensor-advanced"))
    assert messages(check) == ["A Mek has one sensor at most, not Sensor, Improved and Sensor, Advanced."]


@pytest.mark.rule("MM-006", "MM-003")
def test_a_mek_has_one_armor_system():
    check = SYSTEM.check_design(mek("titan", "cannon", "reactive-armor bpc-armor"))
    assert rules(check) == ["MM-003", "MM-006"]


@pytest.mark.rule("MM-007")
def test_heat_sinks_do_not_raise_the_price_of_masking():
    plain = SYSTEM.check_design(mek("titan", "cannon", "masking"))
    sinks = SYSTEM.check_design(mek("titan", "cannon", "heat-sink heat-sink masking"))
    assert sinks.points == plain.points + 4


@pytest.mark.rule("MM-009")
def test_a_mek_without_weapons_is_legal_with_a_warning():
    check = SYSTEM.check_design(mek("light"))
    assert check.legal
    assert [warning.rule for warning in check.warnings] == ["MM-009"]


@pytest.mark.rule("MM-102")
def test_a_green_pilot_has_no_skills():
    (problem,) = SYSTEM.check_pilot(PilotSpec("green", ("accuracy",)))
    assert problem == type(problem)("MM-102", "A Green pilot has no skills, so not Accuracy.", "skills")
    assert SYSTEM.check_pilot(PilotSpec("green")) == ()


@pytest.mark.rule("MM-101")
def test_a_skill_is_gained_once():
    (problem,) = SYSTEM.check_pilot(PilotSpec("veteran", ("spoof", "accuracy", "spoof")))
    assert (problem.rule, problem.place) == ("MM-101", "skills[2]")


@pytest.mark.rule("MM-101")
def test_chassis_familiarity_is_gained_once_per_size():
    sizes = ("chassis-familiarity-light", "chassis-familiarity-heavy")
    assert SYSTEM.check_pilot(PilotSpec("elite", sizes)) == ()
    assert SYSTEM.check_pilot(PilotSpec("elite", (sizes[0], sizes[0])))


def test_chassis_familiarity_must_name_its_size():
    with pytest.raises(DocumentError, match=r"^pilot\.skills\[0\]: this skill is taken for one size"):
        SYSTEM.parse_pilot({"experience": "elite", "skills": ["chassis-familiarity"]})


def test_missing_pilot_is_regular_without_skills():
    assert SYSTEM.parse_pilot(None) == PilotSpec("regular")


@pytest.mark.parametrize(
    ("given_", "path"),
    [
        ({"experience": "ace"}, "pilot.experience"),
        ({"experience": "elite", "skills": ["luck"]}, "pilot.skills[0]"),
        ({"experience": "elite", "skills": "spoof"}, "pilot.skills"),
        ({"level": "elite"}, "pilot.level"),
        ("elite", "pilot"),
    ],
)
def test_bad_pilot_is_refused_with_its_place(given_, path):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_pilot(given_)
    assert refused.value.path == path


@pytest.mark.parametrize(
    ("given_", "path"),
    [
        ({"tzc-rounds": 0}, "options.tzc-rounds"),
        ({"tzc-rounds": True}, "options.tzc-rounds"),
        ({"tzc-rounds": "12"}, "options.tzc-rounds"),
        ({"natural-rolls": "sixes"}, "options.natural-rolls"),
        ({"natural-rolls": ["none"]}, "options.natural-rolls"),
        ({"diagonal-moves": 1}, "options.diagonal-moves"),
        ({"free-beer": True}, "options"),
        ([], "options"),
    ],
)
def test_bad_house_rule_is_refused_with_its_place(given_, path):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_options(given_)
    assert refused.value.path == path


def test_parse_options_returns_only_given_house_rules():
    assert SYSTEM.parse_options({"tzc-rounds": 1}) == {"tzc-rounds": 1}
    assert SYSTEM.parse_options({}) == {}


def company(*members, hired=True):
    return [
        CompanyMember(slug, SYSTEM.published[slug].spec, PilotSpec(level) if level else None, hired)
        for slug, level in members
    ]


@pytest.mark.rule("MM-010", "MM-011")
def test_printed_opening_shots_company_costs_exact_points():  # MM-X39
    check = SYSTEM.check_company("opening-shots", company(("viper", "regular"), ("wasp", "green"), ("wasp", "green")))
    assert (check.legal, check.points) == (True, 30)


@pytest.mark.rule("MM-011")
def test_roster_veteran_needs_no_hiring():
    check = SYSTEM.check_company("breach", company(("wasp", "veteran"), hired=False))
    assert (check.legal, check.points) == (True, 9)


@pytest.mark.rule("MM-010")
def test_side_defaults_to_the_one_with_more_points():
    terms = CATALOGUE.scenarios["buying-time"]
    assert (terms.attacker.points, terms.defender.points) == (60, 30)
    members = company(("draken", "green"), ("draken", "green"))
    assert SYSTEM.check_company("buying-time", members).legal
    assert rules(SYSTEM.check_company("buying-time", members, side="defender")) == ["MM-010"]


@pytest.mark.rule("MM-S09")
def test_repair_costs_one_point_per_part():
    wasp = SYSTEM.published["wasp"].spec
    assert wasp.weapons == ("cannon", "ciws", "ciws")
    condition = {"hits": wasp.frame.hits - 1, "legs": 2, "weapons_lost": [0, 1, 2], "systems_lost": [0]}
    lines = [(line.label, line.points) for line in SYSTEM.repair_bill(wasp, condition)]
    assert lines == [("1 Hit", 1), ("2 leg damages", 2), ("Cannon", 1), ("2 × CIWS", 1), ("Jammer", 1)]
    assert [line.points for line in SYSTEM.repair_bill(wasp, {"weapons_lost": [2]})] == [
        1
    ]  # half a pair costs as much as a pair
    assert SYSTEM.repair_bill(wasp, {}) == ()


@pytest.mark.rule("MM-085")
@pytest.mark.parametrize(
    ("began", "after", "now", "home"),
    [
        ({}, {"hits": 1}, {"hits": 2}, {"hits": 1}),  # lost three of four here and two elsewhere, but came home
        ({"hits": 1}, {}, {"hits": 1}, {}),  # fully repaired
        ({}, {"hits": 2, "legs": 1}, {"legs": 1}, {"hits": 2, "legs": 2}),
        ({"weapons_lost": [0]}, {"weapons_lost": [1]}, {"weapons_lost": [0, 2]}, {"weapons_lost": [1, 2]}),
    ],
)
def test_game_damage_is_applied_to_mek_changed_meanwhile(began, after, now, home):
    draken = SYSTEM.published["draken"].spec
    assert draken.frame.hits == 4
    assert SYSTEM.condition_home(draken, began, after, now) == home


@pytest.mark.rule("MM-010", "MM-011")
def test_assault_is_too_big_for_hot_gates():  # MM-X40
    check = SYSTEM.check_company("hot-gates", company(("thor", "regular"), ("demon", "green")))
    assert check.points == 28 + 15 + 5
    assert messages(check) == ["thor is Assault; At the Hot Gates allows Heavy at most."]
    assert (rules(check), check.problems[0].place) == (["MM-010"], "members[0]")


@pytest.mark.rule("MM-010")
def test_printed_composition_must_be_met_exactly():
    check = SYSTEM.check_company("opening-shots", company(("wasp", "green"), ("wasp", "green"), ("wasp", "regular")))
    assert messages(check) == ["Opening Shots is played with 1 Medium and 2 Light; the company has 3 Light."]


@pytest.mark.rule("MM-010")
def test_company_must_fit_scenario_points():
    members = company(("draken", "green"), ("draken", "green"), ("demon", "green"))
    check = SYSTEM.check_company("head-to-head", members)
    assert messages(check) == ["The company costs 63 points; Head to Head allows 60."]
    assert SYSTEM.check_company("citadel", members).legal


@pytest.mark.rule("MM-010")
@pytest.mark.parametrize(("extra", "is_legal"), [(2, False), (3, True), (4, True)])
def test_company_may_cost_exactly_the_allowed_points(extra, is_legal):
    members = company(("draken", "green"), ("draken", "green"), ("demon", "green"))  # 63 of 60 points
    assert SYSTEM.check_company("head-to-head", members, extra_points=extra).legal is is_legal


@pytest.mark.rule("MM-010")
def test_each_side_has_its_own_points():
    members = company(("draken", "green"), ("demon", "green"))
    assert SYSTEM.check_company("buying-time", members, side="attacker").legal
    assert not SYSTEM.check_company("buying-time", members, side="defender").legal


@pytest.mark.rule("MM-087")
def test_a_rich_uncle_pays_for_meks():
    members = company(("draken", "green"), ("draken", "green"), ("demon", "green"))
    assert not SYSTEM.check_company("head-to-head", members, extra_points=2).legal
    assert SYSTEM.check_company("head-to-head", members, extra_points=3).legal


@pytest.mark.rule("MM-011")
def test_only_newly_hired_regulars_cost_points():
    assert SYSTEM.check_company("breach", company(("wasp", "regular"))).points == 14
    assert SYSTEM.check_company("breach", company(("wasp", "green"))).points == 9
    assert SYSTEM.check_company("breach", company(("wasp", "elite"), hired=False)).points == 9


@pytest.mark.rule("MM-S07")
def test_standing_company_hires_do_not_count_against_scenario():
    check = SYSTEM.check_company("breach", company(("wasp", "regular")), {"season-mode": "standing-company"})
    assert check.points == 9


@pytest.mark.rule("MM-011")
def test_second_hired_regular_in_opening_shots_costs_points():
    check = SYSTEM.check_company("opening-shots", company(("viper", "regular"), ("wasp", "regular"), ("wasp", "green")))
    assert check.points == 35


@pytest.mark.rule("MM-011")
def test_a_mek_without_a_pilot_is_a_problem():
    check = SYSTEM.check_company("breach", company(("wasp", None)))
    assert messages(check) == ["wasp has no pilot."]


@pytest.mark.rule("MM-011")
def test_a_veteran_cannot_be_hired():
    assert rules(SYSTEM.check_company("breach", company(("wasp", "veteran")))) == ["MM-011"]


@pytest.mark.rule("MM-010")
def test_company_has_problems_of_its_meks_and_pilots():
    members = [CompanyMember("Bug", mek("light", "laser"), PilotSpec("green", ("spoof",)), False)]
    check = SYSTEM.check_company("breach", members)
    assert [(problem.rule, problem.place) for problem in check.problems] == [
        ("MM-005", "members[0].weapons"),
        ("MM-102", "members[0].pilot.skills"),
    ]


@pytest.mark.rule("MM-010")
def test_company_without_mek_is_illegal():
    assert not SYSTEM.check_company("breach", []).legal


def test_an_unknown_scenario_or_side_is_a_problem():
    assert messages(SYSTEM.check_company("tea-party", company(("wasp", "green")))) == [
        "There's no scenario 'tea-party'."
    ]
    assert not SYSTEM.check_company("breach", company(("wasp", "green")), side="referee").legal


SPECS = st.builds(
    MekSpec,
    st.sampled_from(list(CATALOGUE.chassis)),
    st.lists(st.sampled_from(list(CATALOGUE.weapons)), max_size=24).map(tuple),
    st.lists(st.sampled_from(list(CATALOGUE.systems)), max_size=24).map(tuple),
)
OPTIONS = st.fixed_dictionaries(
    {}, optional={"odin-printed-cost": st.booleans(), "massive-in-huge-mount": st.booleans()}
)


@given(SPECS, OPTIONS)
def test_every_parsed_design_can_be_checked(spec, options):
    assert SYSTEM.parse_spec(SYSTEM.spec_json(spec)) == spec
    check = SYSTEM.check_design(spec, options)
    assert check.points == sum(line.points for line in check.bill) > 0
    assert all(problem.rule in SYSTEM.rulebook and problem.message.endswith(".") for problem in check.problems)
    if check.legal:
        count = Counter(CATALOGUE.weapons[slug].size for slug in spec.weapons)
        frame = CATALOGUE.chassis[spec.chassis]
        assert count["huge"] <= frame.huge_mounts
        assert count["huge"] + count["massive"] <= frame.huge_mounts + frame.massive_mounts
        assert spec.weapons.count("ciws") % 2 == 0


@given(SPECS, st.permutations(range(24)))
def test_order_of_parts_does_not_change_points_or_legality(spec, order):
    shuffled = MekSpec(
        spec.chassis,
        tuple(spec.weapons[at] for at in order if at < len(spec.weapons)),
        tuple(spec.systems[at] for at in order if at < len(spec.systems)),
    )
    ours, theirs = SYSTEM.check_design(spec), SYSTEM.check_design(shuffled)
    assert (ours.points, sorted(rules(ours))) == (theirs.points, sorted(rules(theirs)))


@pytest.mark.rule("MM-010")
@pytest.mark.parametrize(("weapons", "count"), [("rail-cannon", 14), ("", 25)])
def test_any_number_of_affordable_meks_is_legal(weapons, count):
    members = [
        CompanyMember(f"Light {at}", mek("light", weapons), PilotSpec("green"), is_new_pilot=True)
        for at in range(count)
    ]
    assert SYSTEM.check_company("citadel", members, side="attacker").legal


@pytest.mark.rule("MM-010")
def test_company_over_battle_limit_is_refused():
    members = [CompanyMember(f"Light {at}", mek("light"), PilotSpec("green"), is_new_pilot=True) for at in range(31)]
    (problem,) = SYSTEM.check_company("citadel", members, extra_points=100).problems
    assert (problem.rule, problem.place) == ("MM-010", "members")
    assert problem.message == "Muster plays battles of up to 30 units a side. Leave out 1 of 31."
