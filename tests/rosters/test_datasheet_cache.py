"""The data sheet values of a build are calculated once, and match the rules."""

import pytest

from rosters.unit_cache import reading_of
from systems import ROSTERS, roster_rules
from systems.documents import DocumentError

PUBLISHED = [(system, slug) for system in ROSTERS for slug in roster_rules(system).published]


@pytest.mark.parametrize(("system", "slug"), PUBLISHED)
def test_reading_matches_the_rules(system, slug):
    rules = roster_rules(system)
    model = rules.published[slug]
    given = rules.spec_json(model.spec)
    read = reading_of(system, given, {}, rules.catalogue_release)
    sheet = rules.datasheet(model.spec, name="Any", design_name="Other")
    assert (read.spec, read.check) == (model.spec, rules.check_design(model.spec))
    for attribute in ("size", "size_name", "armor", "hits", "hits_left", "state"):
        assert getattr(read, attribute) == getattr(sheet, attribute)
    assert (read.damage, read.is_resting, read.resting) == ((), False, "")
    assert read.needs_pilot == rules.needs_pilot(given)
    assert reading_of(system, dict(given), {}, rules.catalogue_release) is read


def test_unreadable_build_is_refused_every_time():
    for _ in range(2):
        with pytest.raises(DocumentError):
            reading_of("meks-and-mercs", {"chassis": "no such"}, {})


def test_damage_changes_the_reading():
    rules = roster_rules("meks-and-mercs")
    given = rules.spec_json(rules.published["wasp"].spec)
    whole, hurt = (reading_of("meks-and-mercs", given, condition) for condition in ({}, {"hits": 1}))
    assert (whole.hits_left, hurt.hits_left) == (whole.hits, 1)
    assert whole.hits > 1
