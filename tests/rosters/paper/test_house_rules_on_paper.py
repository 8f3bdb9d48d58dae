"""House rules in force change the printed text, and are named on it."""

from __future__ import annotations

from typing import Any

import pytest

from rosters.printing.orders import check_order, read_order
from systems import roster_rules
from systems.documents import DocumentError
from tests.example_shares import in_turn
from tests.rosters.paper import items
from tests.rosters.paper.test_the_book_on_paper import read, sheet
from tests.rosters.paper.units import MECHS, SYSTEM, mech, mechs, unit

MECH_RULES = {
    "suppression-roll": "to-hit",
    "lock-range": "12",
    "resolve-bonus": 0,
    "points-cap": 45,
    "heavy-limit": "half",
}
MEK_RULES = {
    "tzc-rounds": 3, "natural-rolls": "six-hits-one-misses", "diagonal-moves": True, "odin-printed-cost": True,
    "massive-in-huge-mount": True, "random-terrain": True, "season-mode": "standing-company",
}  # fmt: skip
RULES: dict[str, dict[str, Any]] = {SYSTEM: MEK_RULES, MECHS: MECH_RULES}
NAMED = {
    SYSTEM: (
        "Rounds in one T.Z.C. phase: 3", "Natural rolls: 6 hits, 1 misses", "Diagonal moves", "ODIN at its printed points",
        "Massive weapons in huge mounts", "Random terrain", "Season mode: standing company",
    ),
    MECHS: (
        "Suppressive fire: rolls to hit", "Range of a target lock: 12 in", "Resolve bonus: 0", "Points cap: 45",
        "Limit on heavy mechs: half of the units",
    ),
}  # fmt: skip


def units(system: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    made = [unit("odin"), unit("viper")] if system == SYSTEM else mechs()
    return [{**each, "options": options} for each in made]


def pages(system: str, options: dict[str, Any]) -> list[Any]:
    force = units(system, options)
    slug = next(iter(roster_rules(system).scenarios))
    return [
        items.datasheet(force[0]),
        items.roster(force, system=system, options=options),
        items.item("reference", system=system, units=force, support=[], options=options),
        items.scenario(slug, system, options=options),
        items.item("slip", system=system, slip=items.slip(system=system).slip.model_dump(mode="json"), options=options),
        items.item("blank", of="datasheet", system=system, options=options),
    ]


def test_every_house_rule_is_tested():
    assert {system: set(rules) for system, rules in RULES.items()} == {
        system: set(roster_rules(system).house_rules) for system in RULES
    }


@pytest.mark.parametrize("system", RULES)
@pytest.mark.parametrize("card", ["poker", "a6"])
def test_card_names_the_house_rules_in_force(system: str, card: str):
    for document in units(system, RULES[system]):
        text = read(items.item("unit-card", unit=document), card)
        assert "House rules: " in text
        for words in NAMED[system]:
            assert words in text, words
        assert "House rules" not in read(items.item("unit-card", unit={**document, "options": {}}), card)


@pytest.mark.parametrize(("at", "system"), in_turn([(at, system) for at in range(6) for system in RULES]))
def test_every_page_names_the_house_rules_in_force(at: int, system: str):
    text = sheet(pages(system, RULES[system])[at])
    for words in NAMED[system]:
        assert words in text, words
    assert "House rules" not in sheet(pages(system, {})[at])


@pytest.mark.rule("MC-081", "MC-086", "MC-101")
def test_mech_campaign_cards_and_reference_follow_house_rules():
    document = {**mech(), "options": MECH_RULES}
    reference = items.item("reference", system=MECHS, units=units(MECHS, MECH_RULES), options=MECH_RULES)
    for text in (
        read(items.item("unit-card", unit=document), "poker"),
        sheet(items.datasheet(document)),
        sheet(reference),
    ):
        assert "Roll as for a shot, with all modifiers; it uses up a lock. A hit places one suppression marker" in text
        assert "Place one lock marker on an enemy in sight and arc, within 12 in." in text
    assert "1: 1; 2: 1–2; 3: 1–3; 4: 1–4; 5: 1–5 on the D6" in read(items.item("unit-card", unit=document), "poker")
    text = sheet(reference)
    assert "D6 − own units eliminated" in text
    assert "D6 + 2" not in text
    assert "Loss 1 1 17%" in text


def test_force_limits_are_terms_of_the_scenario_sheet():
    text = sheet(items.scenario("sabotage", MECHS, options=MECH_RULES))
    assert text.count("at most 45 points") == text.count("heavy mechs at most half of the units, rounded up") == 2
    without = sheet(items.scenario("sabotage", MECHS))
    assert not [words for words in ("at most 45 points", "at most half") if words in without]


@pytest.mark.rule("MM-019", "MM-025", "MM-043")
def test_meks_and_mercs_reference_follows_house_rules():
    reference = items.item("reference", system=SYSTEM, units=units(SYSTEM, MEK_RULES), options=MEK_RULES)
    text = sheet(reference)
    for words in ("at most 3 in a phase", "across a corner too", "A bare 6 always hits and a bare 1 always misses."):
        assert words in text, words


@pytest.mark.rule("MM-002")
def test_house_rules_change_odins_card():
    plain, ours = (read(items.item("unit-card", unit={**unit("odin"), "options": each})) for each in ({}, MEK_RULES))
    assert "33 points" in plain
    assert "27 points" in ours
    elite = {**unit("odin", pilot={"name": "Ana", "experience": "elite"}), "options": MEK_RULES}
    assert "2 × Laser: S 1+ (83%)" in read(items.item("unit-card", unit=elite))


def test_unknown_house_rule_is_refused_with_field():
    order = {"title": "x", "items": [{"what": "reference", "system": MECHS, "options": {"fog": True}}]}
    with pytest.raises(DocumentError) as refusal:
        check_order(read_order(order))
    assert refusal.value.path == "items[0].options"
