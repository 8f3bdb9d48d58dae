"""Builds by chance: legal, within their points, with what is locked, the same for the same seed."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab.fill import filled, held


def _all(rules, spec):
    return frozenset(each.key for each in held(rules, rules.bench(spec)))


@pytest.mark.parametrize("system", list(ROSTERS))
@pytest.mark.parametrize("is_locked", [True, False])
def test_a_filling_is_legal_within_its_points_and_the_same_for_the_same_seed(system, is_locked):
    rules = roster_rules(system)
    spec = [*rules.published.values()][1].spec
    points = rules.check_design(spec).points + 10
    locked = _all(rules, spec) if is_locked else frozenset()
    found = filled(rules, spec, points=points, seed=7, locked=locked)
    assert found is not None
    check = rules.check_design(rules.parse_spec(rules.spec_json(found.spec)))
    assert check.legal
    assert check.points <= points
    again = filled(rules, spec, points=points, seed=7, locked=locked)
    assert again is not None
    assert again.spec == found.spec


def test_what_is_locked_stays_and_what_is_not_may_go():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "medium", "weapons": ["cannon"], "systems": ["jammer"]})
    built = [filled(rules, spec, points=16, seed=seed, locked=frozenset({"chassis", "cannon"})) for seed in range(6)]
    specs = [each.spec for each in built if each is not None]
    assert len(specs) == 6
    assert all(each.chassis == "medium" and "cannon" in each.weapons for each in specs)
    assert any("jammer" not in each.systems for each in specs)
    assert len(set(specs)) > 1


def test_a_unit_at_random_takes_any_frame_that_the_points_pay_for():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "titan"})
    frames = {
        found.spec.chassis
        for seed in range(12)
        if (found := filled(rules, spec, points=9, seed=seed, locked=frozenset())) is not None
    }
    assert "titan" not in frames
    assert len(frames) > 1


def test_more_than_the_points_pay_for_can_not_stay():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "titan", "weapons": ["cannon"]})
    assert filled(rules, spec, points=9, seed=1, locked=frozenset({"chassis"})) is None


def test_what_can_be_locked_is_what_there_is():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "light", "weapons": ["ciws", "ciws"], "systems": ["jammer"]})
    assert [each.told for each in held(rules, rules.bench(spec))] == ["Chassis: Light", "2 CIWS", "Jammer"]
