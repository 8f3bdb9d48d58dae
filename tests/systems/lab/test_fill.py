"""Random builds: legal, within their points, with locked parts kept, the same for the same seed."""

import pytest

from systems import ROSTERS, roster_rules
from systems.lab.random_builds import fill_build, lockable_parts


def _all(rules, spec):
    return frozenset(each.key for each in lockable_parts(rules, rules.editor(spec)))


@pytest.mark.parametrize("system", list(ROSTERS))
@pytest.mark.parametrize("is_locked", [True, False])
def test_filled_build_is_legal_and_repeatable(system, is_locked):
    rules = roster_rules(system)
    spec = [*rules.published.values()][1].spec
    points = rules.check_design(spec).points + 10
    locked = _all(rules, spec) if is_locked else frozenset()
    found = fill_build(rules, spec, points=points, seed=7, locked=locked)
    assert found is not None
    check = rules.check_design(rules.parse_spec(rules.spec_json(found.spec)))
    assert check.legal
    assert check.points <= points
    again = fill_build(rules, spec, points=points, seed=7, locked=locked)
    assert again is not None
    assert again.spec == found.spec


def test_locked_parts_stay_and_others_may_change():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "medium", "weapons": ["cannon"], "systems": ["jammer"]})
    built = [
        fill_build(rules, spec, points=16, seed=seed, locked=frozenset({"chassis", "cannon"})) for seed in range(6)
    ]
    specs = [each.spec for each in built if each is not None]
    assert len(specs) == 6
    assert all(each.chassis == "medium" and "cannon" in each.weapons for each in specs)
    assert any("jammer" not in each.systems for each in specs)
    assert len(set(specs)) > 1


def test_random_unit_uses_any_affordable_frame():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "titan"})
    frames = {
        found.spec.chassis
        for seed in range(12)
        if (found := fill_build(rules, spec, points=9, seed=seed, locked=frozenset())) is not None
    }
    assert "titan" not in frames
    assert len(frames) > 1


def test_locked_parts_over_points_give_no_build():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "titan", "weapons": ["cannon"]})
    assert fill_build(rules, spec, points=9, seed=1, locked=frozenset({"chassis"})) is None


def test_lockable_parts_are_those_of_build():
    rules = roster_rules("meks-and-mercs")
    spec = rules.parse_spec({"chassis": "light", "weapons": ["ciws", "ciws"], "systems": ["jammer"]})
    assert [each.label for each in lockable_parts(rules, rules.editor(spec))] == ["Chassis: Light", "2 CIWS", "Jammer"]
