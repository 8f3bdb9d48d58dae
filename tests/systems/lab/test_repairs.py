"""Problems of a build and their cheapest repairs, in every game."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab import EditedBuild, offered
from systems.lab.advice import MAX_REPAIRS, MAX_TRIES, Advice, advice, kinds_of
from tests.example_shares import share


def _advice(system: str, spec: dict[str, object]) -> Advice:
    rules = roster_rules(system)
    return advice(rules, rules.parse_spec(spec))


def _steps_of(found: Advice) -> dict[str, list[tuple[str, int]]]:
    return {
        each.problem.rule: [(repair.description, repair.points) for repair in each.repairs] for each in found.problems
    }


def test_legal_build_needs_no_repair():
    assert _advice("meks-and-mercs", {"chassis": "light", "weapons": ["cannon"]}) == Advice(())


@pytest.mark.rule("MM-005")
def test_weapon_without_mount_is_removed_or_gets_chassis():
    found = _advice("meks-and-mercs", {"chassis": "light", "weapons": ["howitzer-cannon"] * 3})
    assert _steps_of(found) == {
        "MM-005": [("Chassis: Titan instead of Light", 8), ("3 Howitzer-Cannon less", -12)],
    }


@pytest.mark.rule("MM-005")
def test_one_part_too_many_is_removed():
    found = _advice("meks-and-mercs", {"chassis": "medium", "weapons": ["cannon", "cannon", "cannon"], "systems": []})
    assert ("one Cannon less", -1) in _steps_of(found)["MM-005"]


@pytest.mark.rule("BS-004")
def test_misplaced_part_is_moved():
    given = {"chassis": "light", "locomotion": "bipedal", "l1": "extended-magazine", "magazine_on": "l1"}
    assert ("Extended Magazine moved from Left arm to Peripheral", 0) in _steps_of(_advice("blazing-steel", given))[
        "BS-004"
    ]


@pytest.mark.rule("HX-051")
def test_several_parts_are_removed_together():
    traits = ["marksman", "duellist", "quick-draw", "ironside", "wary"]
    found = _advice("hex-core", {"core": "standard", "traits": traits})
    (mended,) = found.problems
    assert mended.repairs[0].steps == 3
    assert all(repair.is_legal and len(repair.spec.traits) == 2 for repair in mended.repairs)


@pytest.mark.rule("BS-012")
def test_pair_of_changes_repairs_when_single_does_not():
    given = {"chassis": "light", "locomotion": "bipedal", "p1": "extended-magazine", "magazine_on": "c1", "c1": ""}
    rules = roster_rules("blazing-steel")
    found = advice(rules, rules.parse_spec(given))
    assert found.problems
    assert all(each.repairs for each in found.problems)


@pytest.mark.rule("ST-011")
def test_figure_out_of_range_moves_to_nearest_limit():
    given = {"kind": "ms", "hp": 4050, "sensors_in": 99, "weapons": ["machine-gun"]}
    found = _advice("mechastellar", given)
    assert [each.repairs[0].description for each in found.problems] == [
        "Frame and crew, Sensors: 36 instead of 99",
        "Frame and crew, HP: 4000 instead of 4050",
    ]
    assert found.whole is not None
    assert found.whole.is_legal
    assert (found.whole.spec.hp, found.whole.spec.sensors_in) == (4000, 36)


@pytest.mark.rule("MC-014")
def test_forbidden_text_is_cleared():
    found = _advice("mech-campaign", {"kind": "light-mech", "base_vehicle": "Truck"})
    assert ("A drone's base vehicle: blank", 0) in _steps_of(found)["MC-014"]


@share(2, 4, pytest.mark.slow)
@pytest.mark.parametrize("system", list(ROSTERS))
def test_repair_removes_its_problem_and_adds_none(system, examples):
    rules = roster_rules(system)
    found = 0
    for design in [*rules.published.values()][:examples]:
        build = EditedBuild(rules, design.spec)
        broken = (build.after(change) for change in [*offered(build.editor, rules)][::7])
        for spec in [each.spec for each in broken if each is not None and not each.check.legal][:5]:
            before = rules.check_design(spec)
            found_advice = advice(rules, spec)
            assert [each.problem for each in found_advice.problems] == list(before.problems)
            for mended in found_advice.problems:
                assert len(mended.repairs) <= MAX_REPAIRS
                assert list(mended.repairs) == sorted(mended.repairs, key=lambda each: (abs(each.points), each.steps))
                for repair in mended.repairs:
                    after = rules.check_design(rules.parse_spec(rules.spec_json(repair.spec)))
                    assert kinds_of(after) < kinds_of(before)
                    assert repair.points == after.points - before.points
                    found += 1
    assert found or system == "mech-campaign"  # its editor breaks no rule


def test_number_of_repair_tries_is_bounded():
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

    def count_check(*args, **named):
        nonlocal tried
        tried += 1
        return check(*args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(rules), "check_design", count_check)
        advice.__wrapped__(rules, spec)
    assert tried <= MAX_TRIES * 4
