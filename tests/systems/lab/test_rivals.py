"""Alternative builds: all in a small space, a limited number in a large one."""

from itertools import combinations_with_replacement

import pytest

from systems import ROSTERS, roster_rules
from systems.lab.random_builds import MAX_RIVALS, build_rivals, lockable_parts, locked_names
from systems.meks_and_mercs.catalogue import CATALOGUE
from tests.builders import SYSTEM


def middle(system):
    """Return the game's rules, a mid-priced published build and its points."""
    rules = roster_rules(system)
    legal = [each for each in rules.published.values() if rules.check_design(each.spec).legal]
    spec = sorted(legal, key=lambda each: rules.check_design(each.spec).points)[len(legal) // 2].spec
    return rules, spec, rules.check_design(spec).points


@pytest.mark.parametrize("system", [slug for slug in ROSTERS if roster_rules(slug).has("lab")])
def test_rivals_are_legal_affordable_and_different(system, monkeypatch):
    monkeypatch.setattr("systems.lab.random_builds.MAX_RIVAL_TRIES", 80)
    monkeypatch.setattr("systems.lab.random_builds.MAX_CHANGES", 120)
    rules, spec, points = middle(system)
    found = build_rivals(rules, spec, points=points, seed=1, locked=frozenset())
    assert 0 < len(found.specs) <= MAX_RIVALS
    assert len(set(found.specs)) == len(found.specs)
    assert spec not in found.specs
    checks = [rules.check_design(each) for each in found.specs]
    assert all(check.legal and check.points <= points for check in checks)
    assert build_rivals(rules, spec, points=points, seed=1, locked=frozenset()) == found


@pytest.mark.parametrize("system", [slug for slug in ROSTERS if roster_rules(slug).has("lab")])
def test_locked_parts_stay_in_rivals(system, monkeypatch):
    monkeypatch.setattr("systems.lab.random_builds.MAX_RIVAL_TRIES", 100)
    monkeypatch.setattr("systems.lab.random_builds.MAX_CHANGES", 150)
    rules, spec, points = middle(system)
    parts = lockable_parts(rules, rules.editor(spec))
    frame = parts[0]
    for each in build_rivals(rules, spec, points=points, seed=3, locked=frozenset({frame.key})).specs:
        assert rules.editor(each).frame == rules.editor(spec).frame
    assert locked_names(rules, rules.editor(spec), frozenset()) == frozenset()
    everything = frozenset(part.key for part in parts)
    for each in build_rivals(rules, spec, points=points, seed=3, locked=everything).specs:
        stays = {part.key for part in lockable_parts(rules, rules.editor(each))}
        assert everything <= stays


def test_small_space_of_rivals_is_complete():
    rules = roster_rules(SYSTEM)
    spec = rules.parse_spec({"chassis": "light", "weapons": ["cannon"], "systems": []})
    points = rules.check_design(spec).points + 1
    found = build_rivals(rules, spec, points=points, seed=1, locked=frozenset({"chassis", "cannon"}))
    assert found.is_whole
    all_of_them = set()

    def build(weapons, systems):
        body = {"chassis": "light", "weapons": ["cannon", *weapons], "systems": list(systems)}
        return rules.parse_spec(body)

    def affordable(weapons, systems):
        return rules.check_design(build(weapons, systems)).points <= points

    weapons = [slug for slug in sorted(CATALOGUE.weapons) if affordable([slug], [])]
    systems = [slug for slug in sorted(CATALOGUE.systems) if affordable([], [slug])]
    for number in range(4):
        for chosen in combinations_with_replacement(weapons, number):
            for fitted in [(), *((slug,) for slug in systems), *combinations_with_replacement(systems, 2)]:
                check = rules.check_design(made := build(chosen, fitted))
                if check.legal and check.points <= points:
                    all_of_them.add((tuple(sorted(made.weapons)), tuple(sorted(made.systems))))
    assert len(all_of_them) > 2
    builds = {(tuple(sorted(each.weapons)), tuple(sorted(each.systems))) for each in (*found.specs, spec)}
    assert builds == all_of_them
    assert len(found.specs) == len(all_of_them) - 1
