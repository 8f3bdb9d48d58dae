"""Cards, references and sheets have the book's text, which is all that players need."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rosters.paper.documents import PrintSettings
from rosters.printing.rendering import sides_of
from rosters.products.base import Item
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.paper.metrics import FIRST_STRONG_ISOLATE, POP_ISOLATE
from tests.rosters.paper import items
from tests.rosters.paper.units import MECHS, SYSTEM, mech, mechs, unit


def read(item: Item, card: str = "a6") -> str:
    """Return all text of an item's cards, front then back."""
    pages = [page for side in sides_of(item, PrintSettings(card=card)) for page in (side.front, side.back)]
    text = " ".join(" ".join(page.text_content().split()) for page in pages)
    return re.sub(f"[{FIRST_STRONG_ISOLATE}{POP_ISOLATE}]", "", text)


def sheet(item: Item) -> str:
    """Return the text of a page before its layout."""
    return items.page_text(item, items.settings())


def card(document: dict[str, Any], what: str = "unit-card") -> Item:
    return items.item(what, unit=document)


def support(slug: str) -> str:
    return read(items.item("support-card", system=SYSTEM, support=slug))


def vehicle(slug: str) -> dict[str, Any]:
    name = CATALOGUE.support_units[slug].name
    return {"muster": "print-unit/1", "system": SYSTEM, "name": name, "design_name": name, "support": slug}


# --- nothing is subtracted twice ---


@pytest.mark.rule("MM-028", "MM-044")
def test_card_marks_numbers_that_count_pilot_and_leg_damage():
    text = read(card(unit("demon", pilot={"name": "Tom", "experience": "green"}, condition={"legs": 1})))
    assert "MOVE: 2d6−2" in text
    assert "TO HIT: −1 (counted in)" in text
    assert "Tom · Green (−1 move, −1 to hit: counted in)" in text
    assert "legs −1, first counted in [3 boxes, 1 crossed out]" in text
    assert "2 × Rail-Cannon: S 5+ (33%), M 6+ (17%)" in text


def test_data_sheet_marks_numbers_that_count_pilot_and_legs():
    pilot = {"name": "Tom", "experience": "green"}
    text = sheet(items.datasheet(unit("demon", pilot=pilot, condition={"legs": 2})))
    for words in (
        "2d6−3",
        "counted in",
        "legs −1, first 2 counted in",
        "Green (−1 move, −1 to hit: counted in)",
        "6+ 17%",
    ):
        assert words in text, words


def test_reference_prints_numbers_without_a_pilot():
    text = sheet(items.reference([unit("demon", pilot={"name": "Tom", "experience": "green"})]))
    assert "without a pilot; cards count theirs in" in text
    assert "Green pilot, counted in on cards" in text


def test_pilots_card_marks_level_as_counted_on_meks_card():
    manned = card(unit("demon", pilot={"name": "Tom", "experience": "green"}), "pilot-card")
    assert "counted in on the Mek's card" in read(manned)


@pytest.mark.rule("MM-018", "MM-059")
def test_card_crosses_out_heat_of_a_second_move():
    assert "HEAT: 8 boxes, 2 crossed out" in read(card(unit("draken", condition={"carried_heat": 2})))


@pytest.mark.rule("MM-029", "MM-058", "MM-100")
def test_card_shows_heat_sums_and_pilots_progress():
    veteran = {"name": "Ana", "experience": "veteran", "kills": 3, "games": 5}
    text = read(card(unit("saber", pilot=veteran)))
    for words in (
        "HEAT LIMIT: 4 (all fire 2, jets 4)",
        "KILLS: 10 boxes, 3 crossed out",
        "GAMES: 10 boxes, 5 crossed out",
        "Veteran: 5 kills, 3 games [1 box, 1 crossed out]; Elite: 10 kills, 10 games [1 box]",
        "Urban: move −2, to hit −2 Highlands: move −2, to hit −1",
    ):
        assert words in text, words


# --- the reference and the support cards ---


@pytest.mark.rule("MM-018", "MM-025", "MM-058", "MM-059")
def test_reference_has_second_move_heat_and_the_round_limit():
    text = sheet(items.reference([unit("wasp")]))
    assert "A Mek that does has 2 heat used in its first round of combat next turn." in text
    assert "After a second move, 2 extra" in text
    assert "at most 12 in a phase" in text


@pytest.mark.rule("MM-046")
def test_hammer_against_point_defense_has_its_range_bands():
    assert "−2 vs Point Defense at Medium and Long" in read(card(unit("draken")))
    text = sheet(items.reference([unit("draken")]))
    assert re.search(r"Hammer-Missile against Point Defense, S/M/L\s*±0/−2/−2", text)


@pytest.mark.rule("MM-069")
def test_gunnery_card_says_that_heat_counts_twice():
    pilot = {"name": "Ana", "experience": "regular", "skills": ["gunnery"]}
    assert "Its heat counts twice" in read(card(unit("viper", pilot=pilot)))


@pytest.mark.rule("MM-079", "MM-080")
def test_off_board_fire_cards_have_their_numbers():
    assert "hits on 4+; terrain and pilot don't count, but Jammer does" in support("support-fire")
    assert "hits on 3+; terrain, Jammer, Spoof, Point Defense and Phalanx count, but the pilot doesn't" in support(
        "air-strike"
    )
    assert "as if at Long" in support("air-strike")


@pytest.mark.rule("MM-081", "MM-082")
def test_minefield_and_hidden_mek_cards_have_their_rules():
    assert "loses 1 Hit on 3+: no save, but make a critical check" in support("minefield")
    for words in (
        "its owner may reveal it",
        "pick one range for all its pairs",
        "fires, but doesn't roll movement and can't be attacked",
    ):
        assert words in support("hidden-mek"), words


def test_each_of_several_weapons_on_a_line_kills_infantry():
    assert "2 × CIWS" in read(card(unit("wasp")))
    assert "1d6 kills each at Short" in read(card(unit("wasp")))
    assert "1d6 kills at Short" in read(card(unit("odin")))


def test_odins_card_shows_the_books_points():
    assert "printed 27 points" in read(card(unit("odin")))
    assert "printed" not in read(card(unit("thor")))


# --- vehicles ---


@pytest.mark.rule("MM-054", "MM-056")
@pytest.mark.parametrize("slug", [slug for slug, each in CATALOGUE.support_units.items() if (each.hits or 0) > 1])
def test_vehicles_card_has_boxes_for_its_criticals(slug: str):
    for text in (read(card(vehicle(slug))), read(card(vehicle(slug)), "poker")):
        assert "crew wounded 5+ [1 box]" in text
        assert "drive −1 [3 boxes]" in text
        assert "computers −1 [1 box]" in text
        assert "Critical hit" in text


def test_units_without_criticals_have_no_critical_boxes():
    for slug in ("infantry", "commandos", "apc", "gunship"):
        assert "computers −1 [" not in read(card(vehicle(slug)))


# --- Mech Campaign ---


@pytest.mark.rule("MC-090", "MC-096")
def test_repairs_and_special_actions_are_once_a_turn():
    for text in (read(card(mech()), "poker"), sheet(items.reference(mechs(), system=MECHS))):
        assert "Once a turn, with 2 or more damage: on 4 or more remove 1" in text
        assert "Once a turn, not after shooting: do what the scenario says" in text


@pytest.mark.rule("MC-124")
def test_beacons_sheet_has_the_tie_breaker():
    text = sheet(items.scenario("survey-beacons", MECHS))
    assert (
        "With equal points, the side with fewer losses wins, then the one with less damage on its survivors. Otherwise it's a draw."
        in text
    )


# --- scenarios ---


@pytest.mark.rule("MM-095")
def test_breach_sheet_lets_the_defender_choose_the_key_zone():
    text = sheet(items.scenario("breach"))
    assert "The defender chooses the key zone, zone 4, 5 or 6" in text
    assert text.count("Key zone if the defender chooses it") == 3
    assert not re.search(r"Key zone(?! if)", text)


@pytest.mark.rule("MM-095")
@pytest.mark.parametrize("zones", [[4, 5], [7, 8]])
def test_fixed_key_zone_is_printed_as_fixed(zones: list[int]):
    spec = {
        "objective": {"kind": "breach", "key_zone": 5},
        "attacker": {"points": 40, "setup": [{"who": "all", "zones": [2]}]},
        "defender": {"points": 40, "setup": [{"who": "all", "zones": zones, "is_one_zone": zones == [7, 8]}]},
    }
    text = sheet(items.own_scenario(spec=spec))
    assert "The key zone is zone 5. The attacker wins by occupying it" in text
    assert "The defender chooses" not in text
    assert text.count("Key zone") == 1


@pytest.mark.rule("MM-097", "MM-098")
def test_citadels_sheet_has_arrival_and_every_ending():
    text = sheet(items.scenario("citadel"))
    for words in (
        "one die gives the zone of all who arrive: 1–3 zone 3, 4–6 zone 7",
        "Then a die for each unit still off the map: 4+ on turn 1, 3+ on turn 2, 2+ on turn 3; from turn 4 all without a die",
        "Arriving is the unit's move",
        "it's a draw if they have no Mek left either",
        "or when no attacking Mek is left",
    ):
        assert words in text, words


OPEN = ("buying-time", "breach", "head-to-head")


@pytest.mark.rule("MM-012")
@pytest.mark.parametrize("slug", OPEN)
def test_open_terrain_is_printed_with_default_and_table(slug: str):
    text = sheet(items.scenario(slug))
    assert "The scenario prints no terrain: all zones are Plain, unless you choose others or roll" in text
    assert "1–2 Plain, 3 Wood, 4 Urban, 5 Highlands, 6 Moors" in text
    rolled = sheet(items.scenario(slug, options={"random-terrain": True}, terrain="printed"))
    assert "Roll a die for each zone, 1 to 9, before set-up: 1–2 Plain" in rolled
    plain = sheet(items.scenario(slug, terrain="printed"))
    assert plain.count("Plain") == 18


@pytest.mark.rule("MM-010", "MM-011")
def test_scenario_sheet_shows_the_cost_of_new_pilots():
    assert "a new Green is free; each new Regular costs 5 of these points" in sheet(items.scenario("breach"))
    standing = sheet(items.scenario("breach", options={"season-mode": "standing-company"}))
    assert "each new Regular costs 5 from the bank" in standing
    assert "each new Regular" not in sheet(items.scenario("opening-shots"))
