"""Two people can play from a packet: every rule of a battle is in it, and it explains what it names."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from systems import ROSTERS
from tests.systems import packets

GAMES = [slug for slug in ROSTERS if packets.has_notes(slug)]
WIDEST = {"mechastellar": {"tier": "advanced"}}  # house rules under which a game uses all its rules


def full_options(slug: str) -> str:
    return packets.packet_text(slug, WIDEST.get(slug, {}))


def test_five_games_with_paper_are_tested():
    assert len(GAMES) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("slug", GAMES)
def test_packet_contains_or_omits_every_battle_rule(slug: str):
    printed, book = (packets.notes_of(slug)[part].keys() for part in ("said", "book"))
    battle = {rule.id for rule in ROSTERS[slug].rulebook.values() if rule.kind == "battle"}
    under = [{**WIDEST.get(slug, {}), **each["set"]} for each in packets.notes_of(slug)["options"]]
    texts = [full_options(slug), *(packets.packet_text(slug, options) for options in under)]
    cited = set().union(*map(packets.rules_in, texts)) & battle
    assert sorted(battle - cited - printed - book) == []
    assert sorted((printed | book) - battle) == []
    assert sorted((printed | book) & cited) == []
    assert sorted(printed & book) == []
    assert all(len(reason) > 20 for reason in packets.notes_of(slug)["book"].values())


@pytest.mark.parametrize("slug", GAMES)
def test_noted_wording_of_rules_is_in_packet(slug: str):
    text = full_options(slug)
    assert [rule for rule, words in packets.notes_of(slug)["said"].items() if words not in text] == []


# --- names ----------------------------------------------------------------------------------------------------------------


def names_in_tables(slug: str) -> set[str]:
    """Return names of the catalogue that a card prints for what a unit has or may do."""
    terms = packets.notes_of(slug)["terms"]
    catalogue = importlib.import_module(f"systems.{slug.replace('-', '_')}.catalogue").CATALOGUE
    names = {entry.name for table in terms["tables"] for entry in getattr(catalogue, table).values()}
    return names - set(terms["skip"])


def is_named(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


DESIGNS = [
    (slug, design, has_all)
    for has_all in (False, True)
    for slug in GAMES
    if slug in WIDEST or not has_all
    for design in packets.documents_of(slug)
]


@pytest.mark.parametrize(("slug", "design", "has_all"), DESIGNS, ids=str)
def test_packet_explains_everything_named(slug: str, design: str, has_all: bool):
    """Check a packet for one design, by the book or with all rules."""
    options = WIDEST.get(slug, {}) if has_all else {}
    card = packets.card_text(slug, options, (design,))
    packet = card + packets.reference_text(slug, options, (design,)) + packets.scenario_text(slug, options)
    carried = packets.carried_text(slug, options, design)
    named = {name for name in names_in_tables(slug) if is_named(name, carried)}
    terms = packets.notes_of(slug)["terms"]
    named |= {name for name in terms["words"] if is_named(name, packet)}
    named |= {name for name, forms in terms.get("forms", {}).items() if any(is_named(form, packet) for form in forms)}
    explained = packets.explained_in(slug, options, (design,))
    assert sorted(name for name in named if not any(name.casefold() in each for each in explained)) == []


# --- house rules --------------------------------------------------------------------------------------------------------


def settings_of(slug: str) -> list[dict[str, object]]:
    """Return each other value of each house rule; of a number the minimum, default + 1, and named values."""
    found: list[dict[str, object]] = []
    for rule in ROSTERS[slug].house_rules.values():
        if rule.kind == "flag":
            values: set[object] = {not rule.default}
        elif rule.kind == "choice":
            values = {value for value, _ in rule.choices}
        else:
            values = {rule.minimum, rule.default + 1, *(int(value) for value, _ in rule.choices)}
            values = {value for value in values if value is not None and (not rule.maximum or value <= rule.maximum)}
        found += [{rule.slug: value} for value in sorted(values - {rule.default}, key=str)]
    return found


SETTINGS = [(slug, setting) for slug in GAMES for setting in settings_of(slug)]


@pytest.mark.parametrize("slug", GAMES)
def test_every_house_rule_is_printed_or_excused(slug: str):
    notes = packets.notes_of(slug)
    noted = {(rule, str(value)) for each in notes.get("options", []) for rule, value in each["set"].items()}
    rules = ROSTERS[slug].house_rules
    for rule in rules.values():
        if rule.kind == "number":
            assert any(rule.slug == each for each, _ in noted) or rule.slug in notes["unprinted"], rule.slug
    for setting in settings_of(slug):
        ((each, value),) = setting.items()
        if rules[each].kind != "number":
            assert (each, str(value)) in noted or each in notes["unprinted"], setting


@pytest.mark.parametrize(
    ("slug", "noted"), [(slug, each) for slug in GAMES for each in packets.notes_of(slug).get("options", [])], ids=str
)
def test_house_rule_changes_packet_wording_exactly(slug: str, noted: dict[str, Any]):
    base = {} if noted["set"].keys() & WIDEST.get(slug, {}).keys() else WIDEST.get(slug, {})
    by_the_book, under = (
        packets.packet_text(slug, options) + packets.additions_text(slug, options)
        for options in (base, {**base, **noted["set"]})
    )
    is_default = all(ROSTERS[slug].house_rules[rule].default == value for rule, value in noted["set"].items())
    for words in noted.get("says", []):
        assert words in under, words
        assert (words in by_the_book) is is_default, words
    for words in noted.get("gone", []):
        assert (words in by_the_book) is not is_default, words
        assert words not in under, words


@pytest.mark.parametrize(("slug", "setting"), SETTINGS, ids=str)
def test_rule_heading_follows_its_house_rule(slug: str, setting: dict[str, object]):
    """Check that a rule with changed text has another heading, or one that fits both."""
    base = {} if setting.keys() & WIDEST.get(slug, {}).keys() else WIDEST.get(slug, {})
    book: dict[tuple[str, str], set[str]] = {}
    for line in packets.lines_of(packets.reference_of(slug, base)):
        book.setdefault((line.rule, line.name), set()).add(line.text)
    keep = packets.notes_of(slug)["headings"]["keep"]
    for line in packets.lines_of(packets.reference_of(slug, {**base, **setting})):
        if line.rule and line.text not in book.get((line.rule, line.name), {line.text}):
            assert line.rule in keep, line


@pytest.mark.parametrize(("slug", "setting"), SETTINGS, ids=str)
def test_unprinted_house_rule_changes_no_text(slug: str, setting: dict[str, object]):
    """Check that a house rule noted as unprinted leaves the packet unchanged, so no note is out of date."""
    (rule,) = setting
    if rule in packets.notes_of(slug)["unprinted"]:
        assert packets.packet_text(slug, setting) == packets.packet_text(slug)
