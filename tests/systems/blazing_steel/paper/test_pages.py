"""The cards and pages of Blazing Steel: all boxes of a Warmech, its base and its table to scale."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from rosters.paper.documents import PrintSettings, UnitDocument
from rosters.printing.orders import PrintOrder
from rosters.printing.rendering import sides_of
from rosters.printing.view_helpers import counts_of
from rosters.products import UnitItem
from systems import PAPER, ROSTERS
from systems.documents import DocumentError, parse_document
from systems.paper.blocks import Entries, Reference
from tests.rosters.paper import items, pdf

SLUG = "blazing-steel"
SIX = ("skimmer", "darter", "hawker", "mantis", "bulwark", "colossus")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any, steel: str):
    settings.VAR_DIR = tmp_path / "var"


def warmech(design: str = "hawker", **fields: Any) -> dict[str, Any]:
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


@pytest.mark.rule("BS-155", "BS-156", "BS-160")
@pytest.mark.parametrize("options", [{}, {"biped-disabled": "immobile"}])
def test_terse_back_names_cripples_and_sides(options: dict[str, Any]):
    sheet = ROSTERS[SLUG].datasheet(ROSTERS[SLUG].published["hawker"].spec, name="Hawker", design_name="Hawker")
    back = PAPER[SLUG].under(options).card(sheet, "terse").back
    (block,) = [block for block in back.blocks if isinstance(block, Entries) and block.title == "Doubles cripple"]
    text = " | ".join(f"{entry.lead}{' ' if entry.lead else ''}{entry.name}" for entry in block.entries)
    sides = re.findall(r"(\d)(?:, (\d))? (?:Locomotion|Weapon) \((R|L)(?:, (R|L))?\)", text)
    found = {
        face: side for first, second, one, other in sides for face, side in ((first, one), (second, other)) if face
    }
    assert found == {"3": "R", "4": "L", "5": "R", "6": "L"}, text


def reference(*designs: str, **options: Any) -> Reference:
    sheets = [
        ROSTERS[SLUG].datasheet(ROSTERS[SLUG].published[each].spec, name=each, design_name=each) for each in designs
    ]
    return PAPER[SLUG].under({name.replace("_", "-"): value for name, value in options.items()}).reference(sheets, ())


def section(of: Reference, title: str) -> list[str]:
    return [line.name for each in of.sections if each.title == title for line in each.lines]


# --- cards ------------------------------------------------------------------------------------------------------------


def test_card_has_numbers_and_boxes():
    front, back = card(warmech(company="Long Eyes"))
    for words in (
        "HAWKER", "10 points", "Medium, Bipedal · Long Eyes", 'MOVE: 4"', 'SPRINT: +4"', "DODGE: 4", "MELEE: 2", "ARMOR: 3",
        "STRUCTURE: 6 boxes", 'l1 Auto cannon: range 18", ROF 2, imp 1, dmg 1, AP 2; front + left [1 box]',
        "front · Guided, Munition, Indirect", "Strike: range –, ROF 1, imp –, dmg 2, AP 2", "p1 Extended Magazine (on l1)",
        "HEAT: 6 boxes 1 2 3 4 5 6; each die counts as printed below it; 64 overheats 1, 2, 4, 8, 16, 32", "l1 shots [3 boxes]", "c1 shots [1 box]",
        "dodge dice [2 boxes]", "sitting out [1 box]", "5 Weapon (R) [1 box]", 'base 2" · normal heat sinks',
    ):  # fmt: skip
        assert words.casefold() in front.casefold(), words
    assert "fortified" not in front
    assert "2 heat: Jump" in back
    assert "3, 4 Locomotion (R, L): Move halved" in back


@pytest.mark.parametrize("design", SIX)
@pytest.mark.parametrize("size", ["poker", "a6"])
@pytest.mark.each_value
def test_example_fits_on_one_card(design: str, size: str):
    assert len(sides_of(unit_item(warmech(design), "unit-card"), PrintSettings(card=size))) == 1  # type: ignore[arg-type]


def test_only_equipped_warmechs_have_special_boxes():
    front, _ = card(warmech("bulwark"))
    assert "fortified [1 box]" in front
    assert "coolant rods used [1 box]" in front
    assert "improved heat sinks" in front


def test_larger_card_adds_mean_hits_and_actions():
    front, back = card(warmech(), size="a6")
    assert "r1 Laser: TN 6 2, TN 5 1.89, TN 4 1.67" in front
    assert "Once a round: until the end of the turn" in back


@pytest.mark.parametrize(("design", "across"), [("skimmer", 50.8), ("hawker", 50.8), ("bulwark", 76.2), ("colossus", 101.6)])  # fmt: skip
def test_counter_has_base_size_and_arcs(design: str, across: float):
    (side,) = sides_of(unit_item(warmech(design, colour="#a8370b"), "counter"), PrintSettings())
    assert (side.front.size.width, side.front.size.height) == pytest.approx((across, across))
    assert "Lines between arcs at -135°, -45°, 45°, 135°" in side.front.text_content()
    assert len(side.front.art["bar"]) == 4
    assert side.back == side.front  # nothing hides the back


def test_counters_of_different_bases_share_a_sheet():
    made = tuple(unit_item(warmech(design), "counter") for design in ("skimmer", "hawker", "colossus"))
    counts = counts_of(PrintOrder(title="x", settings=PrintSettings(), items=made))
    assert (counts.cards, counts.sheets) == (3, 1)


def test_counter_without_base_keeps_its_facts():
    from rosters.products import PRODUCTS
    from tests.rosters.paper.units import unit

    facts = PRODUCTS["counter"].facts(unit_item(unit(), "counter"))
    assert not {"base_mm", "arcs"} & set(facts["drawn"])
    assert {"base_mm", "arcs"} <= set(PRODUCTS["counter"].facts(unit_item(warmech(), "counter"))["drawn"])


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["a4", pytest.param("letter", marks=pytest.mark.slow)])
def test_datasheet_page_has_ledger_fields(size: str, tmp_path: Path):
    document = warmech("bulwark", company="Long Eyes", service={"games": 3, "kills": 1, "times_lost": 2})
    text = printed_text(items.datasheet(document), tmp_path, paper=size)
    for words in ("BULWARK", "10 + 5 = 15", "Heavy, Quadruped", "Howitzer", "front + right · Indirect · 1 / 0.83 /", "Coolant Rods",
                  "improved: ones just rolled are taken away", "Move 90°, Sprint 45°, Jump 90°", '3" across', "CRIPPLED", "HEAT",
                  "l1 l2 r1 c1", "Overcharge Damage +1", "Targeting crippled", "Battles 3", "Times lost 2"):  # fmt: skip
        assert words in text or words in text.replace("3 Battles", "Battles 3").replace(
            "2 Times lost", "Times lost 2"
        ), words


def test_empty_hardpoints_and_repair_are_shown():
    text = page_text(items.datasheet(warmech("darter", condition={"repair": True})))
    assert "Free Right arm, Core" in text
    assert "In repair misses the next battle" in text


@pytest.mark.parametrize("of", ["unit-card", "datasheet"])
def test_blank_cards_and_sheets_have_fields(of: str):
    if of == "datasheet":
        text = page_text(items.blank(of, SLUG))
    else:
        paper = PAPER[SLUG].blank_unit_card()
        text = " ".join(str(block) for block in paper.front.blocks)
    for words in ("Quadruped", "Super Heavy", "STRUCTURE", "HEAT"):
        assert words in text, words


def test_reference_lists_only_carried_parts():
    mantis = reference("mantis")
    assert section(mantis, "Weapons") == ["Shotcannon"]
    assert section(mantis, "Traits") == ["Short"]
    assert section(mantis, "Peripherals") == ["Combat Gyros"]
    assert not {"Fortify", "Flak", "Smoke"} & set(section(mantis, "Actions"))
    assert "Improved sinks" not in section(mantis, "Heat")
    assert "Targeting Scope" not in section(mantis, "Shooting: number")
    all_six = reference(*SIX)
    assert {"Fortify", "Flak", "Smoke"} <= set(section(all_six, "Actions"))
    assert "Improved sinks" in section(all_six, "Heat")
    assert len(section(all_six, "A turn")) == 8
    with pytest.raises(DocumentError, match="support"):
        items.page_pdf(items.reference([warmech()], ["ambush"], SLUG), items.settings())


def test_house_rules_change_printed_reference():
    def text(of: Reference, name: str) -> str:
        return next(line.text for each in of.sections for line in each.lines if line.name == name)

    assert "As either action" not in text(reference("hawker", cool_second_action=False), "Cool")
    assert text(reference("hawker", cool_second_action=False), "Cool").endswith("As action one only.")
    assert (
        text(reference("hawker", kill_points="per-warmech"), "Kill points")
        == "For each enemy Warmech destroyed or disabled."
    )
    assert "activation 2" in text(reference("hawker", max_activations=2), "Activation 2")
    assert "stays where it is" in text(reference("hawker", biped_disabled="immobile"), "Locomotion (R)")
    assert text(reference("hawker", impact_on_all_tns=True), "Impact").endswith("strike numbers against them too.")
    assert "for each effective die" in text(reference("hawker", uncontested_hits="effective-dice"), "Unanswered")
    assert "in action two only" not in text(reference("hawker", contact_in_action_one=True), "Jump")


@pytest.mark.parametrize(
    ("terrain", "expected"),
    [("", "Standard: a table of 48 by 48 in"), ("open", "Blocks none; woods none"), ("city", "(42, 21; 2)")],
)
def test_scenario_sheet_draws_chosen_map_to_scale(terrain: str, expected: str):
    text = page_text(items.scenario("skirmish", SLUG, terrain=terrain))
    for words in (
        expected,
        "Skirmish",
        "Side A",
        "Side B",
        "BS-185",
        "north; its zone is 36 to 48 in",
        "Deployment zone",
    ):
        assert words in text, words


def test_unknown_map_is_refused():
    with pytest.raises(DocumentError, match="lava"):
        items.page_pdf(items.scenario("skirmish", SLUG, terrain="lava"), items.settings())


@pytest.mark.parametrize("theme", ["colour", "grey", "ink-saver"])
def test_map_marks_blocks_and_woods_without_colour(theme: str):
    context = PAPER[SLUG].scenario_context("x", {}, "city", theme)
    drawing = str(context["map"])
    assert (drawing.count(">X<"), drawing.count(">W<")) == (8, 2)
    assert 'cx="200" cy="260" r="20"' in drawing  # the block at (20, 22), y up, an inch ten units
    if theme == "ink-saver":
        assert 'fill="#' not in drawing.replace('fill="#000000"', "")


def test_slip_asks_for_kills_objectives_and_structure():
    text = page_text(items.slip(system=SLUG))
    for words in ("Kills", "Objective points", "Structure lost", "destroyed or disabled"):
        assert words in text, words
    assert "Pilot" not in text.replace("Pilots", "")


def test_roster_page_lists_equipment():
    units = [warmech("mantis", name="Old Tooth"), warmech("darter", condition={"repair": True})]
    text = page_text(items.roster(units, system=SLUG))
    for words in (
        "Carries",
        "Melee weapon",
        "Shotcannon",
        "Rotary Cannon, Targeting Scope",
        "in repair",
        "Light, Tracked",
    ):
        assert words in text, words
    assert "Pilot" not in text


@pytest.mark.rule("BS-009", "BS-041")
@pytest.mark.parametrize("design", SIX)
def test_printed_sprint_adds_to_move(design: str):
    sheet = ROSTERS[SLUG].datasheet(ROSTERS[SLUG].published[design].spec, name="x", design_name="x")
    own, in_all = sheet.sprint_in, sheet.move_in + sheet.sprint_in
    for size in ("poker", "tarot", "a7", "a6"):
        front, _ = card(warmech(design), size=size)
        assert re.search(rf'SPRINT: \+{own}"(?: \({in_all}" in all\))?;? ', front), front
    assert "Up to Move plus Sprint in any direction" in page_text(items.reference([warmech(design)], system=SLUG))
    for how in ("full", "half"):
        assert f'SPRINT {in_all}" in all' in page_text(items.datasheet(warmech(design)), sheet=how)


@pytest.mark.rule("BS-190", "BS-193", "BS-194")
def test_victory_points_are_printed_with_room():
    lines = {line.name: line.lead for each in reference("hawker").sections for line in each.lines}
    assert (lines["Deployment zone"], lines["Hill"], lines["Kill points"]) == ("1 VP", "1 VP", "")
    sheet = page_text(items.scenario("skirmish", SLUG))
    for words in ("Deployment zone, 1 VP:", "Hill, 1 VP:", "15 more:", "Kill points", "VP in all:"):
        assert words in sheet, words


# --- the site ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_lab_fills_hardpoints_and_draws_machine(client):
    url = reverse("rosters:lab")
    build = {
        "system": SLUG,
        "name": "Ox",
        "chassis": "heavy",
        "locomotion": "tracked",
        "l2": "laser",
        "p1": "combat-gyros",
    }
    page = html.unescape(client.get(url, build).content.decode())
    assert '<select id="k-l2" name="l2">' in page
    assert 'class="machine"' in page
    assert "12 points" in page
    posted = client.post(url, build | {"r1": "howitzer"})
    assert posted.status_code == 302
    assert "r1=howitzer" in posted["Location"]
    assert "l1=" not in posted["Location"]


@pytest.mark.django_db
def test_lab_shows_all_problems_and_missing_hardpoint(client):
    build = {"system": SLUG, "chassis": "light", "l2": "laser", "p1": "extended-magazine", "magazine_on": "l2"}
    page = html.unescape(client.post(reverse("rosters:lab_preview"), build).content.decode())
    for words in ("BS-001", "BS-003", "BS-012", "there is no l2 for the Laser", 'data-for="q-l2"'):
        assert words in page, words


@pytest.mark.django_db
def test_design_and_scenario_pages_respond(client):
    page = html.unescape(client.get(reverse("rosters:designs"), {"system": SLUG}).content.decode())
    assert "Colossus" in page
    scenario = client.get(reverse("rosters:scenario_published", args=[SLUG, "skirmish"]))
    assert html.unescape(scenario.content.decode()).count("steel-map") == 3
    assert client.get(reverse("rosters:print-design-published", args=[SLUG, "bulwark"])).status_code == 200
