"""The cards and pages of Mech Campaign: a reference of exactly what is fielded, and the table of its scenarios."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from rosters.paper.documents import PrintSettings, UnitDocument, sheet_of, unit_changes
from rosters.paper.sources import unit_document
from rosters.printing.rendering import sides_of
from rosters.products import PRODUCTS, UnitItem
from rosters.products.base import UnitProduct
from rosters.selectors import company_sheet
from rosters.services import pilot_assign
from systems import PAPER, roster_rules
from systems.documents import DocumentError, parse_document
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.paper.cards import damage_boxes
from systems.paper.blocks import Reference
from tests.builders import a_company, a_pilot, a_player, a_unit
from tests.rosters.paper import items, pdf
from tests.rosters.paper.units import MECHS, mech, read

MARTA = {"name": "Ines Kaur", "experience": "regular", "kills": 1, "games": 3, "points": 4}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any):
    settings.VAR_DIR = tmp_path / "var"


def page_text(item: Any, **settings: Any) -> str:
    """Return the text of a page before its layout."""
    return items.page_text(item, items.settings(**settings))


def printed_text(item: Any, tmp_path: Path, **settings: Any) -> str:
    """Return the text of a printed page."""
    path = tmp_path / "page.pdf"
    path.write_bytes(items.page_pdf(item, items.settings(**settings)))
    return pdf.text(path)


def reference(*kinds: str) -> Reference:
    return PAPER[MECHS].reference([sheet_of(read(mech(kind))) for kind in kinds], ())


def section(reference: Reference, title: str) -> list[str]:
    return [line.name for each in reference.sections if each.title == title for line in each.lines]


def titles(reference: Reference) -> set[str]:
    return {each.title for each in reference.sections}


def card(document: dict[str, Any], what: str = "unit-card", size: str = "poker") -> tuple[str, str]:
    """Return the text of front and back."""
    asked = UnitItem(what=what, unit=parse_document(UnitDocument, document))  # type: ignore[arg-type]
    (side,) = sides_of(asked, PrintSettings(card=size))  # type: ignore[arg-type]
    return side.front.text_content(), side.back.text_content() if side.back else ""


# --- cards ------------------------------------------------------------------------------------------------------------


def test_card_has_numbers_of_ledger_example():
    front, back = card(mech(name="Old Marta", armament="twin autocannon, missile rack", pilot=MARTA))
    for words in ('MOVE: 4" ×1', 'FIRE: 12" ×2', "TO HIT: 4+ (50%)", "Target in cover: D6 5+, chance 33%", "Ines Kaur", "Regular",
                  "twin autocannon, missile rack", "ACTIONS: 3 boxes 1 2 4", "stays", "lock, repair, take special actions"):  # fmt: skip
        assert words in front, words
    assert "3: 1; 4: 1–2; 5: 1–3 on the D6" in back


def test_larger_card_adds_reach_and_modifiers():
    small, large = (card(mech("light-mech"), size=size) for size in ("poker", "a6"))
    assert "7 points: reach 20 in" in large[0]
    assert "reach" not in small[0]
    assert "Target in cover: die −1" in large[1]
    assert "Target in cover" not in small[1]


@pytest.mark.parametrize("kind", CATALOGUE.unit_kinds)
def test_only_piloted_unit_has_pilot_line(kind: str):
    assert ("Pilot" in card(mech(kind))[0].split("\n")) is CATALOGUE.unit_kinds[kind].is_piloted


def test_starting_damage_is_crossed_out():
    assert "DAMAGE: 4 boxes, 2 crossed out" in card(mech(condition={"damage": 2}))[0]
    assert "DAMAGE: 4 boxes, 1 crossed out" in card(mech("track", condition={"workshop": True}))[0]


def test_card_marks_the_damage_that_stays_and_the_damage_that_eliminates():
    assert [box.below for box in damage_boxes()] == ["stays", "", "", "out"]


def test_pilot_card_has_rank_and_experience():
    front, back = card(mech(pilot=MARTA), "pilot-card")
    for words in (
        "EXPERIENCE: 4",
        "RANK: Regular",
        "EXP: 6 boxes, 4 crossed out",
        "Flies: Heavy mech",
        "BATTLES: 10 boxes, 3",
    ):
        assert words in front, words
    assert "Regular (now): from 3" in back
    untold, _ = card(mech(pilot={**MARTA, "points": None}), "pilot-card")
    assert "EXPERIENCE" not in untold


def test_pilot_without_rank_is_rookie():
    assert "RANK: Rookie" in card(mech(pilot={"name": "Bo"}), "pilot-card")[0]


# --- pages ------------------------------------------------------------------------------------------------------------


def test_datasheet_page_has_ledger_fields(tmp_path: Path):
    service = {"games": 3, "kills": 1, "times_lost": 0}
    document = mech(name="Old Marta", armament="twin autocannon", pilot=MARTA, service=service)
    text = printed_text(items.datasheet(document), tmp_path)
    for words in ("OLD MARTA", "twin autocannon", "4+ 50%", "Regular, 4 experience", "16 in", "1–2–4", "Suppressive fire",
                  "Times lost 0", "Battles 3", "Loss 3 1 17%"):  # fmt: skip
        assert words in " ".join(text.split()) or words in text, words


def test_reference_lists_only_possible_actions():
    mechs_alone = reference("heavy-mech", "light-mech")
    assert section(mechs_alone, "Units") == ["Heavy mech", "Light mech"]
    assert "Drone or gun sentry shooting" not in section(mechs_alone, "To hit")
    assert "Tunnel mouth" not in section(mechs_alone, "Terrain")
    assert not {"Tunnels", "Air units move", "Gun sentries"} & titles(mechs_alone)
    whole = reference(*CATALOGUE.unit_kinds)
    assert {"Tunnels", "Air units move", "Gun sentries", "Ground units move"} <= titles(whole)
    assert section(whole, "To hit") == [line.name for line in CATALOGUE.modifiers.values()]
    sentries = reference("gun-sentry")
    assert section(sentries, "Actions") == ["Shoot", "Suppressive fire", "Recover"]
    assert "Locks" not in titles(sentries)


def test_reference_limits_action_to_kinds_that_take_part():
    def repair_text(*kinds: str) -> str:
        (actions,) = (each for each in reference(*kinds).sections if each.title == "Actions")
        return next(line.text for line in actions.lines if line.name == "Repair")

    assert repair_text("heavy-mech", "track") == CATALOGUE.actions["repair"].effect
    assert repair_text("heavy-mech", "track", "drone").endswith("Heavy mechs and tracks only.")


def test_resolve_table_matches_ledger():
    (resolve,) = (each for each in reference("heavy-mech").sections if each.title == "Resolve")
    assert [line.cells for line in resolve.lines] == [
        ("never", "–"), ("never", "–"), ("1", "17%"), ("1–2", "33%"), ("1–3", "50%"),
    ]  # fmt: skip


@pytest.mark.rule("MC-037")
def test_reference_gives_the_costs_of_actions():
    (costs,) = (each for each in reference("heavy-mech").sections if each.title == "Action points")
    assert [line.cells for line in costs.lines] == [("1", "1"), ("2", "3"), ("4", "7")]
    assert costs.note.startswith("1 unit: ")


def test_reference_refuses_support():
    with pytest.raises(DocumentError, match="support"):
        items.page_pdf(items.reference([mech()], ["ambush"], MECHS), items.settings())


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("claim-dispute", ["Drive them off", "12"]),
        ("survey-beacons", ["Beacon 2", "Beacon points", "Claim a beacon", "24"]),
        ("sabotage", ["Drill head", "Charges", "Set a charge", "side A"]),
    ],
)
def test_scenario_page_draws_its_table(slug: str, expected: list[str]):
    text = page_text(items.scenario(slug, MECHS))
    for words in (*expected, "Sectors 1–3, 7–9", "Mine works", "sentries to here", "Side A", "Side B", "MC-024"):
        assert words in text, words


def test_open_ground_needs_no_terrain_roll():
    text = page_text(items.scenario("sabotage", MECHS, terrain="open"))
    assert "none is rolled" in text
    assert "Spoil heap" not in text
    with pytest.raises(DocumentError, match="lava"):
        items.page_pdf(items.scenario("sabotage", MECHS, terrain="lava"), items.settings())


@pytest.mark.parametrize("theme", ["colour", "grey", "ink-saver"])
def test_table_marks_sides_by_shape_and_letter(theme: str):
    rules = roster_rules(MECHS)
    context = PAPER[MECHS].scenario_context("x", rules.scenario_json(rules.scenarios["sabotage"].spec), "", theme)
    drawing = str(context["map"])
    assert drawing.count('r="15"') == drawing.count('width="28"') == 1
    assert "Drill head at (18, 21)." in drawing
    if theme == "ink-saver":
        assert 'fill="#' not in drawing.replace('fill="#000000"', "").replace('fill="#ffffff"', "")


def test_unplayable_scenario_prints_its_problem():
    item = items.scenario("sabotage", MECHS, spec={"goal": "drill", "turn_limit": 99})
    assert "The turn limit must be 1 to 30" in page_text(item)


def test_slip_uses_terms_of_this_game():
    text = page_text(items.slip(system=MECHS))
    for words in ("Units eliminated", "Special actions", "Damage taken", "eliminated", "retreated"):
        assert words in text, words
    assert not [words for words in ("Kills", "Hits left", "destroyed", "injured") if words in text]


def test_roster_page_lists_arms_base_vehicles_and_damage():
    units = [mech("drone", armament="needle gun", base_vehicle="Crawler Nine"), mech(condition={"damage": 1})]
    text = page_text(items.roster(units, system=MECHS, pilots=[MARTA]))
    for words in (
        "Armament and base vehicle",
        "needle gun; base vehicle Crawler Nine",
        "1 of 4 damage",
        "Regular, 1 elimination, 3 battles",
    ):
        assert words in text, words
    assert "Skills" not in text


# --- the shop ---------------------------------------------------------------------------------------------------------


def test_service_record_is_on_datasheet_only():
    before = parse_document(UnitDocument, mech(service={"games": 1, "kills": 0}))
    now = parse_document(UnitDocument, mech(service={"games": 2, "kills": 0}))
    assert unit_changes(before, now) == ("new record",)
    for slug, is_same in (("unit-card", True), ("datasheet", False)):
        product = PRODUCTS[slug]
        assert isinstance(product, UnitProduct)
        one, other = product.of_unit(before), product.of_unit(now)
        assert one
        assert other
        assert (product.fingerprint(one) == product.fingerprint(other)) is is_same


@pytest.mark.django_db
def test_wounded_pilot_does_not_block_printing():
    owner = a_player("owner")
    company = a_company(owner, system=MECHS)
    pilot_assign(company=company, by=owner, unit=a_unit(company, "light-mech"), pilot=a_pilot(company))
    sheet = company_sheet(company)
    (row,) = sheet.units
    assert row.pilot
    document = unit_document(sheet, replace(row, pilot=replace(row.pilot, status="wounded")))
    assert sheet_of(document).pilot.name
    assert document.service
    assert document.service.games == 0


@pytest.mark.django_db
def test_print_shop_offers_products_of_this_game(client):
    owner = a_player("owner")
    client.force_login(owner)
    company = a_company(owner, system=MECHS)
    a_unit(company, "drone")
    text = html.unescape(client.get(reverse("rosters:print-company", args=[company.pk])).content.decode())
    assert "Mech Campaign" in text
    assert 'value="counter"' in text
    assert "support-card" not in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "expected"), [("drone", "No pilot needed."), ("track", "The cards have room to write in a pilot.")]
)
def test_design_print_page_mentions_missing_pilot(client, kind: str, expected: str):
    assert expected in client.get(reverse("rosters:print-design-published", args=[MECHS, kind])).content.decode()
