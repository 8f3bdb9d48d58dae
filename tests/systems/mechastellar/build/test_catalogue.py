"""The tables agree with each other, and their texts with the rules."""

from __future__ import annotations

import re

import pytest

from systems.mechastellar import GAME
from systems.mechastellar.build import SYSTEM
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import Options, rule_under
from systems.rulebook import house_rule_value

BOOK = GAME.roster.rulebook


def test_every_cited_rule_is_in_rulebook():
    tables = (getattr(CATALOGUE, name) for name in CATALOGUE.__dataclass_fields__)
    named = {entry.rule for table in tables for entry in table.values() if hasattr(entry, "rule")}
    assert named <= set(BOOK)


def test_weapon_profiles_match_source():
    rifle = CATALOGUE.weapons["beam-rifle"]
    assert (rifle.range_in, rifle.rf_in, rifle.dice, rifle.rf_dice, rifle.hits, rifle.dmg, rifle.pen) == (24, 16, 5, 1, 5, 300, 6)  # fmt: skip
    assert '24" | 16"' in CATALOGUE.source_figures["src-beam-rifle"].figures
    assert CATALOGUE.weapons["machine-gun"].support_attack_in == 12
    assert CATALOGUE.weapons["beam-phalanx"].support_defence_in == 8
    assert (CATALOGUE.weapons["death-ray"].strip_in, CATALOGUE.weapons["card-bits"].is_remote) == (3, True)


def test_outer_control_points_are_equally_far_from_centre():
    centre, *outer = CATALOGUE.control_points.values()
    assert {(point.x - centre.x) ** 2 + (point.y - centre.y) ** 2 for point in outer} == {208}


def test_every_weapon_of_the_catalogue_is_legal():
    weapons = list(CATALOGUE.weapons)
    for at in range(0, len(weapons), 6):
        spec = GAME.roster.parse_spec({"kind": "ms", "weapons": weapons[at : at + 6]})
        assert GAME.roster.check_design(spec).legal, weapons[at : at + 6]


def test_house_rule_defaults_are_allowed():
    for rule in GAME.roster.house_rules.values():
        house_rule_value(rule, rule.default, rule.slug)


def test_announced_rules_are_listed_as_table_only():
    text = BOOK["ST-390"].text
    for name in ("Battle Damage", "Strategic Robot Warfare", "Trump Card", "Climactic Events", "Strategic Commands", "Stellar Warfare"):  # fmt: skip
        assert name in text
    assert {BOOK[rule].status for rule in ("ST-390", "ST-391", "ST-392")} == {"table-only"}


@pytest.mark.parametrize("rule", BOOK.values(), ids=lambda rule: rule.id)
def test_rule_text_is_sentences(rule):
    assert re.fullmatch(r"[A-Z0-9].*\.", rule.text)
    assert rule.title


@pytest.mark.rule("ST-167", "ST-306", "ST-310")
@pytest.mark.parametrize(
    ("rule", "options", "words"),
    [
        ("ST-167", {}, "two Hits less"),
        ("ST-167", {"counter-penalty": 1}, "one Hit less"),
        ("ST-306", {"tagged-pen-damage": True}, "as well as HP"),
        ("ST-310", {"tagged-pen-damage": True}, "as well as costing HP"),
    ],
)
def test_text_of_a_rule_follows_house_rules(rule, options, words):
    assert words in rule_under(SYSTEM.rulebook[rule], Options.read(options)).text
