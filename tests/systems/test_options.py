"""House rules as each game reads them: once, into fields."""

import pytest

from systems import ROSTERS
from systems.documents import DocumentError
from systems.mech_campaign.options import Options as MechCampaignOptions
from systems.meks_and_mercs.build import SYSTEM as MEKS_AND_MERCS
from systems.meks_and_mercs.options import BY_THE_BOOK
from systems.meks_and_mercs.options import Options as MeksAndMercsOptions

READ = {"meks-and-mercs": MeksAndMercsOptions.read, "mech-campaign": MechCampaignOptions.read}


def another(rule):
    """Return a value of the rule other than its default."""
    if rule.kind == "flag":
        return not rule.default
    if rule.kind == "choice":
        return next(value for value, _ in rule.choices if value != rule.default)
    return rule.default + 1


@pytest.mark.parametrize(
    ("slug", "rule"), [(slug, rule) for slug in READ for rule in ROSTERS[slug].house_rules.values()], ids=str
)
def test_every_house_rule_changes_options(slug, rule):
    assert READ[slug]({rule.slug: another(rule)}) != READ[slug]({})


def test_number_can_be_given_by_name():
    assert MechCampaignOptions.read({"points-cap": "off"}).points_cap == 0


def test_impossible_house_rule_value_is_refused_with_place():
    with pytest.raises(DocumentError) as refused:
        MeksAndMercsOptions.read({"tzc-rounds": "many"})
    assert refused.value.path == "options.tzc-rounds"


@pytest.mark.rule("MM-S06", "MM-S07")
@pytest.mark.parametrize(
    ("options", "standing", "from_bank"),
    [
        ({}, True, False),
        ({"season-mode": "standing-company"}, True, True),
        ({"season-mode": "fresh-build"}, False, False),
    ],
)
def test_season_mode_defaults_to_standing_company(options, standing, from_bank):
    read = MeksAndMercsOptions.read(options)
    assert (read.is_standing, read.pays_from_bank) == (standing, from_bank)
    assert MEKS_AND_MERCS.is_standing(options) is standing


def test_flag_is_set_by_its_name():
    assert MeksAndMercsOptions.read({"odin-printed-cost": True}).is_set("odin-printed-cost")
    assert not BY_THE_BOOK.is_set("odin-printed-cost")


@pytest.mark.parametrize(
    ("slug", "rule"),
    [(slug, rule) for slug in ROSTERS for rule in ROSTERS[slug].house_rules.values() if rule.kind == "number"],
    ids=str,
)
def test_schema_has_both_bounds_of_a_number(slug, rule):
    schema = ROSTERS[slug].options_schema()["properties"][rule.slug]
    bounds = {"minimum": rule.minimum, "maximum": rule.maximum}
    number = next((each for each in schema.get("anyOf", ()) if each.get("type") == "integer"), schema)
    assert {name: number.get(name) for name in bounds} == bounds
