"""What is wrong with a build, and the cheapest ways out of it, found on the bench of whichever game."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab.changes import Workbench, offered
from systems.lab.repairs import MAX_REPAIRS, MAX_TRIES, Advice, advice, kinds_of


def _advice(system: str, spec: dict[str, object]) -> Advice:
    rules = roster_rules(system)
    return advice(rules, rules.parse_spec(spec))


def _steps_of(found: Advice) -> dict[str, list[tuple[str, int]]]:
    return {each.problem.rule: [(repair.told, repair.points) for repair in each.repairs] for each in found.problems}


def test_a_legal_build_needs_no_repair():
    assert _advice("meks-and-mercs", {"chassis": "light", "weapons": ["cannon"]}) == Advice(())


@pytest.mark.rule("MM-005")
def test_what_has_no_mount_is_taken_off_or_gets_a_chassis_whatever_changes_fewer_points_first():
    found = _advice("meks-and-mercs", {"chassis": "light", "weapons": ["howitzer-cannon"] * 3})
    assert _steps_of(found) == {
        "MM-005": [("Chassis: Titan instead of Light", 8), ("3 Howitzer-Cannon less", -12)],
    }


@pytest.mark.rule("MM-005")
def test_one_too_many_is_one_less():
    found = _advice("meks-and-mercs", {"chassis": "medium", "weapons": ["cannon", "cannon", "cannon"], "systems": []})
    assert ("one Cannon less", -1) in _steps_of(found)["MM-005"]


@pytest.mark.rule("BS-004")
def test_what_hangs_in_the_wrong_place_is_moved_to_where_it_goes():
    given = {"chassis": "light", "locomotion": "bipedal", "l1": "extended-magazine", "magazine_on": "l1"}
    assert ("Extended Magazine moved from Left arm to Peripheral", 0) in _steps_of(_advice("blazing-steel", given))[
        "BS-004"
    ]


@pytest.mark.rule("HX-051")
def test_where_no_change_and_no_pair_helps_more_are_taken_away_together():
    traits = ["marksman", "duellist", "quick-draw", "ironside", "wary"]
    found = _advice("hex-core", {"core": "standard", "traits": traits})
    (mended,) = found.problems
    assert mended.repairs[0].steps == 3
    assert all(repair.is_legal and len(repair.spec.traits) == 2 for repair in mended.repairs)


@pytest.mark.rule("BS-012")
def test_where_no_single_change_helps_a_pair_does():
    given = {"chassis": "light", "locomotion": "bipedal", "p1": "extended-magazine", "magazine_on": "c1", "c1": ""}
    rules = roster_rules("blazing-steel")
    found = advice(rules, rules.parse_spec(given))
    assert found.problems
    assert all(each.repairs for each in found.problems)


@pytest.mark.rule("ST-011")
def test_a_figure_out_of_its_range_goes_to_the_nearest_that_is_allowed():
    given = {"kind": "ms", "hp": 4050, "sensors_in": 99, "weapons": ["machine-gun"]}
    found = _advice("mechastellar", given)
    assert [each.repairs[0].told for each in found.problems] == [
        "Frame and crew, Sensors: 36 instead of 99",
        "Frame and crew, HP: 4000 instead of 4050",
    ]
    assert found.whole is not None
    assert found.whole.is_legal
    assert (found.whole.spec.hp, found.whole.spec.sensors_in) == (4000, 36)


@pytest.mark.rule("MC-014")
def test_words_that_a_kind_may_not_have_are_left_empty():
    found = _advice("mech-campaign", {"kind": "light-mech", "base_vehicle": "Truck"})
    assert ("A drone's base vehicle: left empty", 0) in _steps_of(found)["MC-014"]


@pytest.mark.parametrize("system", list(ROSTERS))
def test_each_repair_takes_its_problem_away_and_makes_no_other(system):
    rules = roster_rules(system)
    found = 0
    for design in [*rules.published.values()][:4]:
        bench = Workbench(rules, design.spec)
        broken = (bench.after(change) for change in [*offered(bench.bench, rules)][::7])
        for spec in [each.spec for each in broken if each is not None and not each.check.legal][:5]:
            before = rules.check_design(spec)
            told = advice(rules, spec)
            assert [each.problem for each in told.problems] == list(before.problems)
            for mended in told.problems:
                assert len(mended.repairs) <= MAX_REPAIRS
                assert list(mended.repairs) == sorted(mended.repairs, key=lambda each: (abs(each.points), each.steps))
                for repair in mended.repairs:
                    after = rules.check_design(rules.parse_spec(rules.spec_json(repair.spec)))
                    assert kinds_of(after) < kinds_of(before)
                    assert repair.points == after.points - before.points
                    found += 1
    assert found or system == "mech-campaign"  # whose bench breaks nothing


def test_the_work_is_bounded_however_much_is_wrong():
    rules = roster_rules("hex-core")
    spec = rules.parse_spec(
        {
            "core": "standard",
            "weapons": [{"weapon": "bazooka", "place": "carried"}] * 9,
            "traits": ["marksman", "duellist", "quick-draw", "ironside", "wary"],
            "systems": ["jump", "jump", "flight"],
        }
    )
    tried = 0
    check = type(rules).check_design

    def counted(*args, **named):
        nonlocal tried
        tried += 1
        return check(*args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(rules), "check_design", counted)
        advice.__wrapped__(rules, spec)
    assert tried <= MAX_TRIES * 4
