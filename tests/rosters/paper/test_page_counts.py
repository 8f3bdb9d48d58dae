"""How much paper an order needs, before it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rosters.card_layout import SIZES
from rosters.printing import render_order
from rosters.printing.orders import PrintOrder, read_order
from rosters.printing.rendering import sides_of
from rosters.printing.view_helpers import counts_of
from systems import ROSTERS, roster_rules
from tests.example_shares import in_every_run, in_turn
from tests.rosters.paper.units import SIXTEEN_SKILLS, SYSTEM, hard_cases, order, published, published_of, unit

NAMES = {"company": "Iron Wolves", "url": "https://muster.example.org/companies/12/units/345/", "colour": "#8a2b1d"}


SKILLED = {  # published units of the games whose pilots have skills
    f"{system} {slug}": (system, document)
    for system in ROSTERS
    if roster_rules(system).skill_names
    for slug, document in zip(roster_rules(system).published, published_of(system), strict=True)
}


def skilled(document: dict[str, Any], count: int) -> dict[str, Any]:
    return {**document, **NAMES, "pilot": {"name": "Ana Torv “Ace”", "skills": SIXTEEN_SKILLS[:count]}}


def cards_of(wanted: PrintOrder) -> int:
    return len(sides_of(wanted.items[0], wanted.settings))


@pytest.mark.parametrize(
    "counts", [(0, 3, 6, 10, 16), pytest.param(range(17), marks=pytest.mark.slow)], ids=["some", "all"]
)
@pytest.mark.parametrize(
    ("card", "what"), in_turn([(card, what) for card in SIZES for what in ("unit-card", "pilot-card")])
)
def test_cards_that_may_continue_are_counted_as_at_least(card: str, what: str, counts: Sequence[int]):
    documents = [skilled(document, count) for document in published() for count in counts]
    documents += [document for document in hard_cases().values() if what == "unit-card" or document.get("pilot")]
    continued = 0
    for document in documents:
        wanted = order([document], what, card=card)
        if cards_of(wanted) > 1:
            continued += 1
            assert str(counts_of(wanted)).startswith("at least 1 card on 1 sheet"), document
    assert continued or (what == "pilot-card" and card in ("tarot", "a6")) or card == "a6"


@pytest.mark.parametrize("card", SIZES)
def test_free_pilots_continuing_card_is_counted_as_at_least(card: str):
    for count in range(17):
        pilot = {"name": "Ana Torv “Ace”", "skills": SIXTEEN_SKILLS[:count]}
        item = {"what": "free-pilot-card", "system": SYSTEM, "pilot": pilot}
        wanted = read_order({"title": "Pilots", "settings": {"card": card}, "items": [item]})
        assert counts_of(wanted).is_least or cards_of(wanted) == 1


@pytest.mark.parametrize("card", SIZES)
def test_published_meks_with_a_pilot_are_counted_exactly(card: str):
    for document in published():
        wanted = order([skilled(document, 0)], card=card)
        assert str(counts_of(wanted)) == "1 card on 1 sheet, front and back"
        assert cards_of(wanted) == 1


def longest_skills(system: str) -> list[str]:
    """Return the four skills with the longest names, one for each set that differs in size alone."""
    names = sorted(roster_rules(system).skill_names.items(), key=lambda named: -len(named[1]))
    kinds = {slug.rpartition("-")[0] if "familiarity" in slug else slug: slug for slug, _ in reversed(names)}
    return sorted(kinds.values(), key=lambda slug: -len(roster_rules(system).skill_names[slug]))[:4]


@pytest.mark.parametrize(
    "name", in_every_run(["meks-and-mercs odin", "meks-and-mercs wasp", "hex-core shepherd"], SKILLED)
)
def test_published_unit_with_four_skills_fits_one_poker_card(name: str):
    """With four of the longest skills, and everything else that a card can show."""
    system, document = SKILLED[name]
    pilot = {"name": "Ana Torv “Ace”", "skills": longest_skills(system)}
    full = {**document, **NAMES, "pilot": pilot, "number": 17, "side": "a"}
    wanted = order([full])
    assert cards_of(wanted) == 1


@pytest.mark.parametrize("name", in_every_run(["fullest titan", "fullest light"], sorted(hard_cases())))
def test_larger_card_is_offered_where_a_poker_card_continues(name: str):
    wanted = order([hard_cases()[name]])
    larger = counts_of(wanted).larger
    assert cards_of(wanted) == 1 or larger
    if larger:
        assert cards_of(order([hard_cases()[name]], card=larger)) == 1


@pytest.mark.parametrize(("backs", "pages"), [("long-edge", 2), ("short-edge", 2), ("none", 1), ("fold-over", 1)])
def test_sheet_has_a_page_for_each_printed_side(backs: str, pages: int):
    wanted = read_order({"title": "Test", "settings": {"backs": backs}, "items": [{"what": "test-sheet"}]})
    assert counts_of(wanted).pages == pages


def test_standees_are_counted_unfolded():
    documents = [unit(name=f"Unit {at}") for at in range(24)]
    flat, folded = (counts_of(order(documents, "standee", backs=backs)) for backs in ("none", "fold-over"))
    assert flat == folded


@pytest.mark.slow
@pytest.mark.parametrize("medium", ["paper", "screen"])
def test_two_up_data_sheets_are_counted_as_drawn(medium: str):
    settings = {"sheet": "two-up", "medium": medium}
    sheets = [{"what": "datasheet", "unit": unit(), "copies": 3}]
    blanks = [{"what": "blank", "of": "datasheet", "system": SYSTEM, "copies": 2}]
    for made, pages in ((sheets, 2), (blanks, 2), ([*sheets, *blanks], 4), ([*sheets, {"what": "break"}, *sheets], 4)):
        wanted = read_order({"title": "Sheets", "settings": settings, "items": made})
        assert counts_of(wanted).pages == render_order(wanted).pages == pages
