"""The cards and pages of MechaStellar: all boxes of a unit, the licence, the table to scale."""

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
from rosters.products.counters import STANDEE, TAB_MM
from systems import PAPER, ROSTERS
from systems.documents import DocumentError, parse_document
from systems.mechastellar.build.datasheet import ATTRIBUTION, CREDIT, MARK
from systems.mechastellar.catalogue import CATALOGUE
from systems.paper.blocks import Reference
from systems.paper.metrics import width_mm
from tests.example_shares import in_turn
from tests.rosters.paper import items, pdf

SLUG = "mechastellar"
ACE = {"name": "Yazan Gable", "experience": "ace", "skills": [], "points": 22, "games": 7, "kills": 9}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any, stellar: str):
    settings.VAR_DIR = tmp_path / "var"


def unit(design: str = "gamma-apollo", **fields: Any) -> dict[str, Any]:
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


def test_card_has_every_figure_and_box():
    front, back = card(unit("midnight-manta", company="Blue Devils"))
    for words in (
        "Midnight Manta", "355 points", "MS, assault · Ace pilot · Blue Devils", 'MOVE: 8"', "SIZE: 0", 'SENSORS: 16"',
        "MORALE: 5+", "VP: 15", "HP 5500: 11 boxes", "EVADE: 8d10 +4", "MELEE: 5d10 +4", "Boost [2 boxes]",
        'Move 11", Melee 5d10 +4 (7+)', "penalties [3 boxes]", "A box is 500 HP; crippled below 2750", "Fly, Transform",
    ):  # fmt: skip
        assert words.casefold() in front.casefold(), words
    assert "Valor [M−3] (Soul)" in back
    assert "Boost: Accelerate" in back


@pytest.mark.parametrize("design", ROSTERS[SLUG].published)
@pytest.mark.parametrize("size", ["poker", "a6"])
@pytest.mark.each_value
def test_sample_profile_fits_on_one_card(design: str, size: str):
    assert len(sides_of(unit_item(unit(design), "unit-card"), PrintSettings(card=size))) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("what", ["unit-card", "pilot-card"])
@pytest.mark.parametrize("backs", ["long-edge", "none"])
def test_every_card_has_attribution(what: str, backs: str):
    (side,) = sides_of(unit_item(unit(pilot=ACE), what), PrintSettings(backs=backs))  # type: ignore[arg-type]
    text = side.front.text_content() + (side.back.text_content() if side.back else "")
    assert ATTRIBUTION in text


@pytest.mark.parametrize("what", ["unit-card", "pilot-card"])
def test_blank_card_without_back_has_attribution_in_front(what: str):
    blank: Any = items.blank(what, SLUG)
    front, back = (sides_of(blank, PrintSettings(backs=backs))[0] for backs in ("none", "long-edge"))  # type: ignore[arg-type]
    assert ATTRIBUTION in front.front.text_content()
    assert ATTRIBUTION in back.back.text_content()


def test_cards_of_other_games_have_no_licence():
    wasp = ROSTERS["meks-and-mercs"].published["wasp"]
    document = unit() | {"system": "meks-and-mercs", "spec": ROSTERS["meks-and-mercs"].spec_json(wasp.spec)}
    assert "CC BY" not in "".join(card(document))


def test_lost_hp_are_crossed_out():
    front, _ = card(unit(condition={"hits": 3400}))
    assert "HP 5000: 10 boxes, 3 crossed out" in front


def test_crew_card_has_level_and_experience():
    front, back = card(unit("blue-djinn", pilot=ACE), "pilot-card")
    for words in ("YAZAN GABLE", "LEVEL: Ace", "EXPERIENCE: 22", "Blue Djinn"):
        assert words.casefold() in front.casefold(), words
    assert "a Kaiju: 1–5 dead" in back


@pytest.mark.parametrize(("design", "across"), [("gamma-apollo", 25.0), ("iron-castle", 32.0), ("trident-drake", 50.0), ("escort-carrier", 60.0)])  # fmt: skip
def test_counter_has_base_size_and_arcs(design: str, across: float):
    (side,) = sides_of(unit_item(unit(design, colour="#a8370b"), "counter"), PrintSettings())
    assert (side.front.size.width, side.front.size.height) == pytest.approx((across, across))
    assert "Lines between arcs at -90°, 90°" in side.front.text_content()


@pytest.mark.parametrize("what", ["counter", "standee"])
@pytest.mark.parametrize("design", ["gamma-apollo", "escort-carrier"])
def test_cut_out_pieces_have_short_credit(what: str, design: str):
    (side,) = sides_of(unit_item(unit(design), what), PrintSettings())
    page = side.front if what == "standee" else side.back
    printed = " ".join(line for box in page.texts for line in box.lines)
    assert CREDIT in " ".join(printed.split())
    assert ATTRIBUTION in page.text_content()


@pytest.mark.parametrize("design", ["gamma-apollo", "iron-castle", "escort-carrier"])
@pytest.mark.parametrize("backs", ["none", "long-edge"])
def test_counter_without_back_has_credit_in_front(design: str, backs: str):
    (side,) = sides_of(unit_item(unit(design), "counter"), PrintSettings(backs=backs))  # type: ignore[arg-type]
    is_marked = backs == "none"
    marks = [box for box in side.front.texts if box.lines == MARK]
    assert (len(marks), ATTRIBUTION in side.front.text_content()) == (is_marked, is_marked)
    middle = side.front.size.width / 2
    for box in marks:
        for at, line in enumerate(box.lines):
            half = width_mm(line, "text", box.size) / 2
            lowest = box.y + box.leading * (at + 1) - middle
            assert half**2 + lowest**2 < middle**2, f"{line} leaves the base"


@pytest.mark.parametrize("design", ["gamma-apollo", "escort-carrier"])
def test_standee_tab_text_stays_on_tabs(design: str):
    (side,) = sides_of(unit_item(unit(design), "standee"), PrintSettings())
    tabs = [box for box in side.front.texts if box.lines[0].startswith("glue")]
    assert len(tabs) == 2
    for box in tabs:
        top, bottom = box.y, box.y + box.leading * len(box.lines)
        assert (top >= 0 and bottom <= TAB_MM) or (STANDEE.height - TAB_MM <= top and bottom <= STANDEE.height)


def test_both_slips_on_page_have_attribution():
    assert page_text(items.blank("slip", SLUG)).count(ATTRIBUTION) == 2


def test_datasheet_has_hp_boxes_mode_b_and_attribution(tmp_path: Path):
    text = printed_text(unit_item(unit("midnight-manta"), "datasheet"), tmp_path)
    for words in (
        "500 each; crippled below 2750",
        "MODE B",
        '11"',
        "5d10 +4 (7+)",
        "Long Beam Rifle",
        '16": +1',
        ATTRIBUTION,
    ):
        assert words.casefold() in text.casefold(), words


PAGES = {
    "reference": lambda: items.reference([unit(), unit("trident-drake")], [], SLUG),
    "roster": lambda: items.roster([unit(pilot=ACE)], system=SLUG),
    "scenario": lambda: items.scenario("versus", SLUG, terrain="standard"),
    "slip": lambda: items.slip(system=SLUG),
    "blank datasheet": lambda: items.blank("datasheet", SLUG),
    "blank slip": lambda: items.blank("slip", SLUG),
}


@pytest.mark.parametrize(("page", "paper"), in_turn([(page, paper) for page in PAGES for paper in ("a4", "letter")]))
def test_every_page_has_attribution(page: str, paper: str):
    assert ATTRIBUTION in page_text(PAGES[page](), paper=paper)


def test_scenario_sheet_has_table_and_scoring():
    text = page_text(items.scenario("versus", SLUG, terrain="standard"))
    for words in (
        "Control points 1 (24, 24), 2 (12, 16)",
        "tall (17, 24; 3)",
        "Critical loss −3 lost",
        "1 to 12 units, at most 1000 points",
        "south; deploys within 0 to 12 in",
        "north; deploys within 36 to 48 in",
    ):
        assert words in text, words
    with pytest.raises(DocumentError, match=r"terrain: unknown terrain 'lava'"):
        items.page_pdf(items.scenario("versus", SLUG, terrain="lava"), items.settings())


def test_reference_lists_only_possible_orders_and_skills():
    plain = reference("gamma-apollo")
    assert section(plain, "Orders") == ["Commander's orders", "Trust", "Faith", "Daunt"]
    assert section(plain, "Skills") == ["Flash [M−3]", "Focus [M−1]", "Zeal [M−1..3]"]
    assert section(plain, "Level 1+ bonuses") == []
    whole = reference("escort-carrier", "crimson-gallant", tier="advanced")
    commander, captain = ["Trust", "Faith", "Daunt"], ["Tactical Support", "Operations Support"]
    assert section(whole, "Orders") == ["Commander's orders", "Captain's orders", *commander, *captain]
    assert "Valor [M−3]" in section(whole, "Skills")
    assert "Launch" in section(whole, "Actions")
    assert "Launch" not in section(plain, "Actions")


@pytest.mark.rule("ST-260", "ST-263", "ST-266")
def test_reference_notes_skills_without_turn_limit():
    whole = reference("crimson-gallant")
    (note,) = [each.note for each in whole.sections if each.title == "Skills"]
    assert note == "one a turn, plus Focus and Improvise"
    plain = reference("gamma-apollo")
    assert [each.note for each in plain.sections if each.title == "Skills"] == ["one a turn, plus Focus"]


@pytest.mark.rule("ST-163", "ST-165", "ST-262", "ST-264", "ST-266", "ST-267")
@pytest.mark.parametrize("tier", ["core", "advanced"])
def test_reference_and_cards_agree_on_skills_and_bonuses(tier: str):
    """Check that the reference allows each kind and level what its units have on their cards."""
    everybody = [
        each for each, design in ROSTERS[SLUG].published.items() if tier == "advanced" or not design.spec.is_warship
    ]
    sheets = [
        ROSTERS[SLUG].datasheet(ROSTERS[SLUG].published[each].spec, name=each, design_name=each) for each in everybody
    ]
    lines = {
        line.name.partition(" [")[0]: line.text
        for each in reference(*everybody, tier=tier).sections
        if each.title in ("Skills", "Level 1+ bonuses")
        for line in each.lines
    }
    for skill in CATALOGUE.skills.values():
        for sheet in sheets:
            barred = f"Not for .*{sheet.kind_name}"
            may = not re.search(barred, lines[skill.name]) and (
                sheet.level > 0 or "Level 1+ only." not in lines[skill.name]
            )
            assert may == (skill in sheet.skills), (skill.name, sheet.name)
    for bonus in CATALOGUE.bonuses.values():
        for sheet in sheets:
            text = lines[bonus.name]
            only = re.search(r"(?:^|\. )([A-Z][^.]*) only\.", text)
            may = sheet.level > 0 and sheet.kind_slug != "warship"
            may &= not re.search(f"Not for .*{sheet.kind_name}", text) and (not only or sheet.kind_name in only[1])
            assert may == (bonus in sheet.bonuses), (bonus.name, sheet.name)


def test_slip_asks_for_hp_victory_points_and_damage():
    text = page_text(items.slip(system=SLUG))
    for words in ("HP lost", "Leaders among them", "Victory points", "Damage dealt", "Commander", "wounded"):
        assert words in text, words


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["design", "lab", "rules", "scenario"])
def test_every_page_of_game_has_attribution(client: Any, page: str):
    urls = {
        "design": reverse("rosters:design_published", args=[SLUG, "gamma-apollo"]),
        "lab": f"{reverse('rosters:lab')}?system={SLUG}",
        "rules": reverse("rosters:rules", args=[SLUG]),
        "scenario": reverse("rosters:scenario_published", args=[SLUG, "versus"]),
    }
    assert ATTRIBUTION in html.unescape(client.get(urls[page]).content.decode())


@pytest.mark.django_db
def test_rules_page_lists_announced_rules(client: Any):
    page = html.unescape(client.get(reverse("rosters:rules", args=[SLUG])).content.decode())
    assert "Strategic Robot Warfare, Trump Card, Climactic Events" in page


@pytest.mark.django_db
def test_pages_of_other_games_have_no_licence(client: Any):
    assert "CC BY" not in client.get(reverse("rosters:rules", args=["blazing-steel"])).content.decode()
