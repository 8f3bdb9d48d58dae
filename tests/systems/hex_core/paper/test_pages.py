"""The cards and pages of Hex Core: a machine's areas and weapons, its counter, rules by phase, the lab."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from rosters.paper.documents import PrintSettings, UnitDocument
from rosters.printing.rendering import sides_of
from rosters.products import UnitItem
from systems import PAPER, ROSTERS
from systems.documents import DocumentError, parse_document
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options, rule_under
from systems.paper.blocks import Reference
from tests.rosters.paper import items, pdf

SLUG = "hex-core"
TWELVE = tuple(ROSTERS[SLUG].published)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any):
    settings.VAR_DIR = tmp_path / "var"


def machine(design: str = "warden", **fields: Any) -> dict[str, Any]:
    published = ROSTERS[SLUG].published[design]
    spec = ROSTERS[SLUG].spec_json(published.spec)
    return {"muster": "print-unit/1", "system": SLUG, "name": published.name, "design_name": published.name, "spec": spec} | fields  # fmt: skip


def unit_item(document: dict[str, Any], what: str) -> UnitItem:
    return UnitItem(what=what, unit=parse_document(UnitDocument, document))  # type: ignore[arg-type]


def card(document: dict[str, Any], what: str = "unit-card", size: str = "poker") -> tuple[str, str]:
    """Return the text of front and back."""
    (side,) = sides_of(unit_item(document, what), PrintSettings(card=size))  # type: ignore[arg-type]
    return side.front.text_content(), side.back.text_content() if side.back else ""


def page_text(item: Any, **settings: Any) -> str:
    """Return the text of a page before its layout."""
    return items.page_text(item, items.settings(**settings))


def printed_text(item: Any, tmp_path: Path, **settings: Any) -> str:
    """Return the text of a printed page."""
    path = tmp_path / "page.pdf"
    path.write_bytes(items.page_pdf(item, items.settings(**settings)))
    return " ".join(pdf.text(path).split())


def reference(*designs: str, **options: Any) -> Reference:
    sheets = [
        ROSTERS[SLUG].datasheet(ROSTERS[SLUG].published[each].spec, name=each, design_name=each) for each in designs
    ]
    return PAPER[SLUG].under({name.replace("_", "-"): value for name, value in options.items()}).reference(sheets, ())


def section(of: Reference, title: str) -> list[str]:
    return [line.name for each in of.sections if each.title == title for line in each.lines]


# --- cards ------------------------------------------------------------------------------------------------------------


def test_card_has_areas_weapons_and_boxes():
    front, back = card(machine(company="Six Sides"))
    for words in (
        "WARDEN", "76 points", "Class 3 · Mech, Standard · Six Sides", "ACC: 4+", "ASL: 5+", "EVA: 6+", "CTR: 8+", "AP: 4+D8",
        "SM: 3", "TM: 0", "HEAD: 4", "TORSO: 18", "ARM L: 5", "LEG R: 6",
        "R Assault rifle *: kind R/K, dmg 4 (6), range 6, AP 3, DP 4 [1 box]", "C Beam saber: kind M/E, dmg 5 (8)",
        "Unarmed strike: kind M/K, dmg 2 (3)", "L Shield", "kneel [1 box]", "off. stance [1 box]", "object [1 box]",
        "Head lost: ACC 6+", "Throws 4 to 7",
    ):  # fmt: skip
        assert words.casefold() in front.casefold(), words
    for words in ("Movement Phase", "Get Up, Press On, Break Grapple", "2 extra damage", "Level +3"):
        assert words in back, words


@pytest.mark.parametrize("design", TWELVE)
@pytest.mark.parametrize("size", ["poker", "a6"])
@pytest.mark.each_value
def test_published_unit_fits_on_one_card(design: str, size: str):
    assert len(sides_of(unit_item(machine(design), "unit-card"), PrintSettings(card=size))) == 1  # type: ignore[arg-type]


def test_larger_card_has_dp_boxes_and_mean_damage():
    front, back = card(machine(), size="a6")
    for words in ("TORSO: 18 boxes", "LEG L: 6 boxes", "R Assault rifle: attacks 2.5, front 1.86, flank 2.73"):
        assert words.casefold() in front.casefold(), words
    assert "Dark Blue" in back


def test_drones_have_boxes_and_vehicles_have_wings():
    front, _ = card(machine("shepherd"))
    assert front.count("range 4, AP 2 [3 boxes]") == 3
    assert front.count("thinks") == 2
    vehicle, _ = card(machine("kestrel"))
    for words in ("COCKPIT: 9", "IN L: 3", "OUT R: 3", "IL Missile pod *"):
        assert words.casefold() in vehicle.casefold(), words
    assert "Unarmed" not in vehicle


def test_counter_shows_front_and_arcs():
    (side,) = sides_of(unit_item(machine(colour="#a8370b"), "counter"), PrintSettings())
    assert "Arrow at the front edge" in side.front.text_content()
    assert "Lines between arcs at -120°, -60°, 60°, 120°" in side.front.text_content()
    assert side.back == side.front


def test_pilot_card_has_rank_experience_and_traits():
    pilot = {"name": "Ana Vale", "experience": "regular", "skills": ["wary"], "kills": 2, "games": 4, "points": 11}
    front, back = card(machine(pilot=pilot), "pilot-card")
    for words in ("ANA VALE", "RANK: Regular", "XP: 11", "Wary", "Flies", "Warden"):
        assert words.casefold() in front.casefold(), words
    for words in ("Regular (now)", "Veteran", "20", "Marksman [1 box]"):
        assert words in back, words


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["a4", pytest.param("letter", marks=pytest.mark.slow)])
def test_datasheet_page_has_ledger_fields(size: str, tmp_path: Path):
    document = machine("mauler", company="Six Sides", service={"games": 3, "kills": 1, "times_lost": 2})
    text = printed_text(items.datasheet(document), tmp_path, paper=size)
    for words in ("MAULER", "Class 3 · Mech, Striker", "TORSO 20", "Heat axe", "Beam pistol", "Buckler", "Torso 15 + 5 = 20",
                  "0/1/1 of 2/2/2", "4 to 7 hexes, 2 × distance − Class", "Reinforced grip", "EVA 6+", "no evasion",
                  "Core 42 + Armour 5 + S.R.M. 10 + Weapons 16 + Equipment 5 + Systems 6 + Mods 4", "Defensive Stance"):  # fmt: skip
        assert words in text, words


def test_datasheet_lists_only_possible_command_actions():
    plain = page_text(items.datasheet(machine("mauler")))
    assert "Press On SM +1" in plain
    assert not any(
        words in plain for words in ("Deploy Places", "Recall Docks", "Reposition Moves", "Transform Changes")
    )
    drones = page_text(items.datasheet(machine("shepherd")))
    assert all(words in drones for words in ("Deploy Places", "Recall Docks", "Reposition Moves"))
    assert "Transform Changes" in page_text(items.datasheet(machine("comet")))


def test_unit_in_repair_is_marked_on_page():
    assert "In repair misses the next battle" in page_text(items.datasheet(machine(condition={"repair": True})))


def test_blank_cards_and_sheets_have_fields():
    sheet = page_text(items.blank("datasheet", SLUG))
    for words in ("TORSO / COCKPIT", "ACC", "Weapon", "Command Actions", "Times lost"):
        assert words.casefold() in sheet.casefold(), words
    unit = " ".join(str(block) for block in PAPER[SLUG].blank_unit_card().front.blocks)
    assert "LEG R / OUT R" in unit
    pilot = " ".join(str(block) for block in PAPER[SLUG].blank_pilot_card().front.blocks)
    assert "Traits" in pilot


def test_reference_goes_by_phase_and_lists_only_carried_parts():
    warden = reference("warden")
    titles = [each.title for each in warden.sections]
    assert titles[2:5] == ["1 Movement Phase", "2 Ranged Combat Phase", "3 Close Combat Phase"]
    assert section(warden, "Weapons") == ["Assault rifle", "Beam saber"]
    assert not {"Deploy", "Recall", "Reposition", "Transform"} & set(section(warden, "Command Actions"))
    assert "Thrusters" not in section(warden, "1 Movement Phase")
    assert "Tail" not in section(warden, "When areas are lost")
    assert "Drones" not in titles
    all_twelve = reference(*TWELVE)
    assert {"Deploy", "Transform"} <= set(section(all_twelve, "Command Actions"))
    assert "Thrusters" in section(all_twelve, "1 Movement Phase")
    assert len(section(all_twelve, "When areas are lost")) == 19
    assert len(section(all_twelve, "Hexes")) == 9
    with pytest.raises(DocumentError, match="support"):
        items.page_pdf(items.reference([machine()], ["ambush"], SLUG), items.settings())


def test_house_rules_change_printed_reference():
    def text(of: Reference, name: str) -> str:
        return next(line.text for each in of.sections for line in each.lines if line.name == name)

    assert "the three hexes in front" in text(reference("warden"), "Steps")
    assert "any of the six hexes" in text(reference("warden", move_arc="any"), "Steps")
    assert text(reference("warden", counter_rolls="off"), "No Counter Rolls") == "A unit that evades can't fire back."
    assert "Don't call a target" in text(reference("warden", hit_location="rolled"), "Which area is hit")
    assert text(reference("warden"), "White").endswith("crossed or more, it freezes.")
    assert text(reference("warden", freeze_roll="at-or-under"), "White").endswith("crossed or less, it freezes.")
    for given, words in (
        ({}, "equal to or more than twice"),
        ({"freeze-roll": "at-or-under"}, "equal to or less than twice"),
    ):
        assert words in rule_under(ROSTERS[SLUG].rulebook["HX-145"], Options.read(given)).text


@pytest.mark.rule("HX-047", "HX-145")
@pytest.mark.parametrize("slug", ["freeze-roll", "two-handed"])
def test_house_rule_label_marks_printed_reading(slug):
    entry = CATALOGUE.options[slug]
    assert [label.endswith("as printed") for label in entry.labels] == [each == entry.default for each in entry.choices]


@pytest.mark.rule("HX-156", "HX-158", "HX-160", "HX-161")
def test_each_level_is_printed_with_its_modifiers():
    (levels,) = [each for each in reference("warden").sections if each.title == "Levels"]
    assert levels.heads == ("hit", "evade", "range", "SM")
    cells = {line.name: line.cells for line in levels.lines}
    assert (cells["+3"], cells["−2"]) == (("+1", "+1", "+1", "–"), ("–", "+2", "–", "+1"))
    _, back = card(machine())
    assert re.search(r"Level −2: hit –, evade \+2, range –, SM \+1", back), back


@pytest.mark.rule("HX-006", "HX-133", "HX-134")
def test_reference_explains_hex_states():
    lines = {line.name: line.text for each in reference("warden").sections for line in each.lines}
    assert lines["Freeze"] == "The turn ends after the Movement Phase. At most 5 AP next turn."
    assert lines["Overheat"] == "Kneels, and its turn ends."
    assert "can't be evaded" in lines["Perfect Roll"]


@pytest.mark.rule("HX-054", "HX-166", "HX-167", "HX-168", "HX-169", "HX-A14")
@pytest.mark.parametrize(
    ("mission", "expected"),
    [
        ("elimination", ["without inoperative units"]),
        ("retrieval", ["in one of the three middle rows", "the side that brought more objects home wins"]),
        (
            "domination",
            [
                "and the higher roll places it between the sixth hexes in from both short sides",
                "If the score is 7 each, play on until one side leads.",
                "the side with more points wins; equal points are a draw",
            ],
        ),
        ("assassination", ["Each side marks one enemy unit that isn't Class 5."]),
    ],
)
def test_mission_page_has_setup_steps_and_end(mission: str, expected: list[str]):
    text = page_text(items.scenario(mission, SLUG))
    for words in ("Squads: at most 320 points and 6 units a side.", "Choose one of these maps.",
                  "Setting up: take turns to place one unit each, in the three rows nearest your own edge.",
                  "If nobody has won after round 12", *expected):  # fmt: skip
        assert words in text, words


def test_setup_steps_are_numbered_on_printed_page(tmp_path: Path):
    text = printed_text(items.scenario("elimination", SLUG), tmp_path)
    for words in ("1. Squads: at most 320 points and 6 units a side.", "2. Choose one of these maps."):
        assert words in text, words


def test_slip_asks_for_all_sources_of_experience():
    text = page_text(items.slip(system=SLUG))
    for words in ("Units destroyed", "Classes destroyed", "Equipment destroyed", "Objects brought home", "DP lost",
                  "destroyed the marked unit", "inoperative"):  # fmt: skip
        assert words in text, words


def test_roster_page_lists_equipment_and_pilots():
    pilot = {"name": "Ana", "experience": "veteran", "skills": ["wary"], "kills": 2, "games": 4}
    units = [machine("mauler", name="Old Tooth", pilot=pilot), machine("shepherd", condition={"repair": True})]
    text = page_text(items.roster(units, system=SLUG))
    for words in (
        "Carries",
        "Heat axe",
        "Gun drone",
        "in repair",
        "Ana",
        "Veteran",
        "2 kills, 4 battles",
    ):
        assert words in text, words


# --- the site ---------------------------------------------------------------------------------------------------------


BUILD = {"system": SLUG, "name": "Ox", "core": "heavy", "right": "gatling-gun", "torso": "", "vital": "vulcan"}


@pytest.mark.django_db
def test_lab_places_weapons_and_draws_machine(client):
    url = reverse("rosters:lab")
    page = html.unescape(client.get(url, BUILD).content.decode())
    assert '<select id="k-right" name="right">' in page
    assert 'class="machine"' in page
    assert "Vulcan; Left arm" in page
    assert "Both hands Gatling gun [2H]" in page
    assert "69 points" in page
    posted = client.post(url, BUILD | {"n-armour-1": "5", "n-srm-acc": "2", "n-ironside": "1", "carried1": "heat-axe"})
    assert posted.status_code == 302
    for words in ("armour=1.5", "srm=2.0.0", "traits=ironside", "carried1=heat-axe", "right=gatling-gun"):
        assert words in posted["Location"], words


@pytest.mark.django_db
def test_lab_shows_all_problems_of_vehicle(client):
    build = {
        "system": SLUG,
        "core": "aerial",
        "right": "lance",
        "leg_l": "great-sword",
        "systems": "jump",
        "srm": "3.0.0",
    }
    page = html.unescape(client.post(reverse("rosters:lab_preview"), build).content.decode())
    for words in ("HX-040", "HX-044", "HX-045", "HX-018", "a vehicle has no hands", 'data-for="q-right"'):
        assert words in page, words


@pytest.mark.django_db
def test_lab_keeps_parts_on_core_change(client):
    build = BUILD | {"core": "aerial", "arm_l": "missile-pod", "right": ""}
    page = html.unescape(client.get(reverse("rosters:lab"), build).content.decode())
    assert "Left inner wing 3 with Missile pod" in page
    assert "On the left inner wing" in page


@pytest.mark.django_db
def test_lab_shows_weapons_without_place(client):
    build = BUILD | {"more": "combat-knife@head~combat-knife@head"}
    page = html.unescape(client.get(reverse("rosters:lab"), build).content.decode())
    assert "HX-045" in page
    assert "leave it out" in page


@pytest.mark.django_db
def test_design_pages_respond(client):
    page = html.unescape(client.get(reverse("rosters:designs"), {"system": SLUG}).content.decode())
    assert "Bastion" in page
    for slug in TWELVE:
        assert client.get(reverse("rosters:design_published", args=[SLUG, slug])).status_code == 200
    assert client.get(reverse("rosters:print-design-published", args=[SLUG, "bastion"])).status_code == 200
