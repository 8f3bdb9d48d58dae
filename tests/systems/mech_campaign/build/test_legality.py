"""Legal and illegal units, forces and companies, with the worked examples of the rules ledger."""

import tomllib
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.documents import DocumentError
from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.legality import ForceUnit, can_field, check_force, force_line
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.options import Options
from systems.roster import CompanyMember, PilotSpec

HEAVY, LIGHT, TRACK, DRONE, SENTRY = KINDS = list(CATALOGUE.unit_kinds)
LANCE = [HEAVY, HEAVY, LIGHT, LIGHT, TRACK]
ROOKIE = PilotSpec("rookie")
GAME = Path(__file__).resolve().parents[4] / "systems" / "mech_campaign"


def force(*units, **options):
    """Check a force of kinds, or of kinds with their damage."""
    fielded = [
        ForceUnit(f"unit {at}", *(unit if isinstance(unit, tuple) else (unit,))) for at, unit in enumerate(units)
    ]
    rules = Options.read({name.replace("_", "-"): value for name, value in options.items()})
    return check_force(fielded, rules.points_cap, heavy_limit=rules.heavy_limit)


def company(*kinds, scenario="claim-dispute", pilot=ROOKIE, **given):
    members = [
        CompanyMember(f"{kind} {at}", UnitSpec(kind), pilot if SYSTEM.needs_pilot({"kind": kind}) else None)
        for at, kind in enumerate(kinds)
    ]
    return SYSTEM.check_company(scenario, members, **given)


def codes(check):
    return [problem.code for problem in check.problems]


def rules(check):
    return [problem.rule for problem in check.problems]


@pytest.mark.rule("MC-005")
def test_x04_picket_is_legal_and_worth_45_points():
    check = force(HEAVY, HEAVY, LIGHT, LIGHT, DRONE, SENTRY)
    assert (check.legal, codes(check), check.points) == (True, [], 45)
    assert sum(line.points for line in check.bill) == 45


@pytest.mark.rule("MC-002")
def test_x05_three_units_are_too_few():
    check = force(HEAVY, LIGHT, LIGHT)
    assert (check.legal, codes(check), check.points) == (False, ["force-too-small"], 26)


@pytest.mark.rule("MC-003")
def test_x06_half_of_force_is_no_majority_of_mechs():
    check = force(HEAVY, LIGHT, LIGHT, TRACK, TRACK, DRONE)
    assert (check.legal, codes(check), check.points) == (False, ["mechs-not-majority"], 47)


@pytest.mark.rule("MC-004", "MC-005")
def test_x07_too_many_heavy_mechs_and_points_over_cap():
    check = force(HEAVY, HEAVY, HEAVY, LIGHT, points_cap=36, heavy_limit="half")
    assert (check.legal, codes(check), check.points) == (False, ["too-many-heavy-mechs", "points-over-cap"], 38)


@pytest.mark.rule("MC-002", "MC-028")
def test_x08_force_with_three_problems_reports_all():
    check = force(HEAVY, LIGHT, LIGHT, LIGHT, (LIGHT, 4), TRACK, "tank")
    assert codes(check) == ["unknown-unit-kind", "force-too-large", "damage-out-of-range"]
    assert check.points == 50
    assert [problem.place for problem in check.problems] == ["units[6]", "units", "units[4]"]


@pytest.mark.rule("MC-002")
@pytest.mark.parametrize(("size", "legal"), [(3, False), (4, True), (6, True), (7, False)])
def test_a_force_has_four_to_six_units(size, legal):
    assert force(*[LIGHT] * size).legal is legal


@pytest.mark.rule("MC-003")
@pytest.mark.parametrize(
    ("mechs", "others", "legal"), [(2, 2, False), (3, 1, True), (3, 2, True), (3, 3, False), (4, 2, True)]
)
def test_more_than_half_of_force_must_be_mechs(mechs, others, legal):
    assert force(*[LIGHT] * mechs, *[TRACK] * others).legal is legal


@pytest.mark.rule("MC-004")
@pytest.mark.parametrize(("size", "most"), [(4, 2), (5, 3), (6, 3)])
def test_heavy_limit_allows_half_rounded_up(size, most):
    too_many = [*[HEAVY] * (most + 1), *[LIGHT] * (size - most - 1)]
    assert force(*[HEAVY] * most, *[LIGHT] * (size - most), heavy_limit="half").legal
    assert codes(force(*too_many, heavy_limit="half")) == ["too-many-heavy-mechs"]
    assert force(*too_many).legal


@pytest.mark.rule("MC-003", "MC-004")
def test_every_force_allowed_by_text_is_legal():
    kinds = (HEAVY, LIGHT, TRACK, DRONE, SENTRY)
    for size in range(1, 8):
        for units in combinations_with_replacement(kinds, size):
            mechs = sum(kind in (HEAVY, LIGHT) for kind in units)
            assert force(*units).legal is (4 <= size <= 6 and 2 * mechs > size), units


@pytest.mark.rule("MC-004", "MC-201")
def test_company_of_heavy_mechs_is_legal_unless_limited():
    assert company(*[HEAVY] * 4, scenario="").legal
    assert company(*[HEAVY] * 4).legal
    limited = {"options": {"heavy-limit": "half"}}
    assert rules(company(*[HEAVY] * 4, scenario="", **limited)) == ["MC-201"]
    assert rules(company(*[HEAVY] * 4, **limited)) == ["MC-004"]


@pytest.mark.rule("MC-013")
@pytest.mark.parametrize("other", [TRACK, DRONE, SENTRY])
def test_other_units_can_all_be_one_kind(other):
    assert force(LIGHT, LIGHT, LIGHT, LIGHT, other, other).legal


@pytest.mark.rule("MC-005")
def test_points_limit_force_only_with_cap():
    check = force(HEAVY, HEAVY, HEAVY, LIGHT, LIGHT, LIGHT)
    assert (check.legal, check.points) == (True, 54)
    assert codes(force(*LANCE, points_cap=43)) == ["points-over-cap"]
    assert force(*LANCE, points_cap=44).legal


@pytest.mark.rule("MC-028")
@pytest.mark.parametrize(("damage", "legal"), [(0, True), (3, True), (4, False), (-1, False)])
def test_unit_starts_with_at_most_three_damage(damage, legal):
    assert force((HEAVY, damage), LIGHT, LIGHT, LIGHT).legal is legal


@given(st.lists(st.tuples(st.sampled_from([*KINDS, "tank", ""]), st.integers(-3, 9)), max_size=9), st.integers(0, 60))
def test_check_force_reports_codes_in_ledger_order(units, cap):
    check = force(*units, points_cap=cap)
    order = [refusal.slug for refusal in CATALOGUE.refusals.values() if refusal.of == "force"]
    places = [order.index(code) for code in codes(check)]
    assert places == sorted(places)
    assert check.points == sum(CATALOGUE.unit_kinds[kind].points for kind, _ in units if kind in KINDS)


# --- units ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-011")
def test_armament_is_a_name_without_effect():
    plain, armed = UnitSpec(HEAVY), UnitSpec(HEAVY, "twin autocannon, missile rack")
    assert SYSTEM.check_design(armed).legal
    assert SYSTEM.check_design(armed).points == SYSTEM.check_design(plain).points == 10
    assert (
        SYSTEM.datasheet(armed, name="A", design_name="A").to_hit
        == SYSTEM.datasheet(plain, name="A", design_name="A").to_hit
    )


@pytest.mark.rule("MC-014")
def test_base_vehicle_is_on_drone_sheet_and_no_unit():
    spec = SYSTEM.parse_spec({"kind": "drone", "base_vehicle": "Crawler  Nine"})
    sheet = SYSTEM.datasheet(spec, name="Gnat", design_name="Drone")
    assert (sheet.base_vehicle, sheet.card.base_vehicle) == ("Crawler Nine", "Crawler Nine")
    assert SYSTEM.check_design(spec).points == 5
    assert force_line([DRONE, LIGHT, LIGHT, LIGHT]).least == 5  # four units and a die of 1


@pytest.mark.rule("MC-014")
def test_only_drone_has_base_vehicle():
    check = SYSTEM.check_design(SYSTEM.parse_spec({"kind": "track", "base_vehicle": "Crawler"}))
    assert rules(check) == ["MC-014"]


@pytest.mark.parametrize(
    ("spec", "path", "reason"),
    [
        ({"kind": "heavy-meck"}, "spec.kind", "did you mean 'heavy-mech'"),
        ({}, "spec.kind", "missing"),
        ({"kind": "drone", "weapons": []}, "spec.weapons", "unknown field"),
        ({"kind": "drone", "armament": "x" * 61}, "spec.armament", "longer than 60"),
        ({"kind": "drone", "armament": "a\nb"}, "spec.armament", "not allowed"),
        ({"kind": ["drone"]}, "spec.kind", "must be a text"),
        ("drone", "spec", "must be an object"),
    ],
)
def test_unreadable_spec_is_refused_with_its_place(spec, path, reason):
    with pytest.raises(DocumentError, match=reason) as refused:
        SYSTEM.parse_spec(spec)
    assert refused.value.path == path


@pytest.mark.parametrize("slug", KINDS)
def test_unit_kind_is_published_design_and_survives_json(slug):
    design = SYSTEM.published[slug]
    assert SYSTEM.check_design(design.spec).points == design.printed_points
    assert SYSTEM.parse_spec(SYSTEM.spec_json(design.spec)) == design.spec


def test_pilot_has_rank_and_no_skills():
    assert SYSTEM.parse_pilot(None) == ROOKIE
    assert SYSTEM.parse_pilot({"experience": "ace", "skills": []}) == PilotSpec("ace")
    for data, path in (({"experience": "green"}, "pilot.experience"), ({"skills": ["luck"]}, "pilot.skills")):
        with pytest.raises(DocumentError) as refused:
            SYSTEM.parse_pilot(data)
        assert refused.value.path == path


@pytest.mark.rule("MC-202")
@pytest.mark.parametrize(
    ("kind", "has_seat"), [(HEAVY, True), (LIGHT, True), (TRACK, True), (DRONE, False), (SENTRY, False)]
)
def test_mechs_and_tracks_are_piloted(kind, has_seat):
    assert SYSTEM.needs_pilot({"kind": kind}) is has_seat
    assert (SYSTEM.check_pilot(ROOKIE, UnitSpec(kind)) == ()) is has_seat


# --- companies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["claim-dispute", "survey-beacons", "sabotage"])
def test_legal_force_is_legal_in_every_scenario(scenario):
    check = company(*LANCE, scenario=scenario)
    assert (check.legal, check.points) == (True, 44)


@pytest.mark.rule("MC-202")
def test_mech_needs_pilot_and_drone_does_not():
    assert rules(company(*LANCE, pilot=None)) == ["MC-202"] * 5
    assert company(HEAVY, LIGHT, LIGHT, DRONE).legal


def test_force_is_refused_with_ledger_codes():
    check = company(HEAVY, TRACK, DRONE, options={"points-cap": 20})
    assert codes(check) == ["force-too-small", "mechs-not-majority", "points-over-cap"]
    assert check.problems[0].place == "members"


def test_extra_points_raise_only_existing_cap():
    assert company(*LANCE, options={"points-cap": 40}, extra_points=4).legal
    assert company(*LANCE, extra_points=-99).legal


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("nowhere", "There's no scenario 'nowhere'"),
        ({"name": "Long War", "spec": {"goal": "claim", "turn_limit": 99}}, "Long War can't be played yet"),
        ({"name": "Odd", "spec": {"goal": "peace"}}, "can't be read"),
    ],
)
def test_unplayable_scenario_is_a_problem(scenario, expected):
    (problem,) = company(*LANCE, scenario=scenario).problems
    assert problem.place == "scenario"
    assert expected in problem.message


@pytest.mark.rule("MC-201")
def test_company_needs_a_possible_legal_force():
    assert company(*LANCE, SENTRY, SENTRY, DRONE, scenario="").legal
    assert rules(company(HEAVY, HEAVY, LIGHT, TRACK, TRACK, scenario="")) == []
    assert rules(company(HEAVY, HEAVY, TRACK, DRONE, scenario="")) == ["MC-201"]
    assert rules(company(*[LIGHT] * 10, scenario="")) == []
    assert rules(company(*[LIGHT] * 11, scenario="")) == ["MC-201"]
    assert rules(company(scenario="")) == ["MC-201"]


@pytest.mark.rule("MC-201")
def test_possible_force_must_fit_the_cap():
    assert can_field([HEAVY, LIGHT, LIGHT, LIGHT], cap=34)
    assert not can_field([HEAVY, LIGHT, LIGHT, LIGHT], cap=33)
    assert can_field([HEAVY, HEAVY, HEAVY, LIGHT, LIGHT], cap=36)  # two heavy mechs and both light ones
    assert not can_field([HEAVY, HEAVY, HEAVY, LIGHT], heavy_limit=True)


# --- house rules ------------------------------------------------------------------------------------------------------


def test_house_rules_have_ledger_values_and_defaults():
    rules = SYSTEM.house_rules
    assert {slug: rule.default for slug, rule in rules.items()} == {
        "suppression-roll": "automatic",
        "lock-range": "any",
        "resolve-bonus": 2,
        "points-cap": 0,
        "heavy-limit": "off",
    }
    assert rules["points-cap"].label_of(0) == "off"
    assert SYSTEM.parse_options({"resolve-bonus": 0, "lock-range": "12"}) == {"resolve-bonus": 0, "lock-range": "12"}
    assert SYSTEM.parse_options(None) == {}
    assert SYSTEM.parse_options({"points-cap": "off"}) == {"points-cap": 0}


@pytest.mark.parametrize(
    ("options", "path", "reason"),
    [
        ({"resolve-bonus": 4}, "options.resolve-bonus", "must be 3 or less"),
        ({"resolve-bonus": -1}, "options.resolve-bonus", "must be 0 or more"),
        ({"points-cap": "on"}, "options.points-cap", "whole number"),
        ({"resolve-bonus": True}, "options.resolve-bonus", "whole number"),
        ({"lock-range": 12}, "options.lock-range", "one of any, 12"),
        ({"suppression": "to-hit"}, "options", "did you mean 'suppression-roll'"),
        ([], "options", "must be an object"),
    ],
)
def test_bad_house_rule_is_refused(options, path, reason):
    with pytest.raises(DocumentError, match=reason) as refused:
        SYSTEM.parse_options(options)
    assert refused.value.path == path


# --- sample forces ----------------------------------------------------------------------------------------------------

SAMPLES = {"line-lance": 44, "picket": 45, "scouts": 39, "hammer": 42, "rock-rats": 42, "skeleton": 34}


@pytest.mark.rule("MC-002", "MC-003", "MC-004", "MC-005")
def test_sample_forces_are_legal_with_ledger_points():
    forces = tomllib.loads((GAME / "forces.toml").read_text(encoding="utf-8"))
    checks = {slug: force(*entry["units"]) for slug, entry in forces.items()}
    assert {slug: check.points for slug, check in checks.items()} == SAMPLES
    assert all(check.legal for check in checks.values())
