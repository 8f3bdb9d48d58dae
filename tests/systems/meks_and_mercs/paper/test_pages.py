"""The pages of Meks & Mercs: a reference of exactly what is fielded, and scenarios as they are played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rosters.paper.documents import sheet_of
from systems import PAPER, roster_rules
from systems.documents import DocumentError
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.paper.additions import SKILL_RULES, SUPPORT_WEAPONS, SYSTEM_RULES, WEAPON_RULES
from systems.meks_and_mercs.paper.cards import HOT_BOXES
from systems.meks_and_mercs.paper.pilots import HEAT_BOXES, blank_unit_card
from systems.meks_and_mercs.paper.sheets import sheet_context
from systems.paper.blocks import Reference, Track
from tests.example_shares import in_turn
from tests.rosters.paper import items, pdf
from tests.rosters.paper.units import SYSTEM, published, read, unit


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any):
    settings.VAR_DIR = tmp_path / "var"


def page_text(item: Any, **settings: Any) -> str:
    """Return the text of a page before its layout."""
    return items.page_text(item, items.settings(**settings))


def draw_pdf(item: Any, tmp_path: Path, **settings: Any) -> Path:
    path = tmp_path / "page.pdf"
    path.write_bytes(items.page_pdf(item, items.settings(**settings)))
    return path


def reference(*units: dict[str, Any], support: tuple[str, ...] = ()) -> Reference:
    return PAPER[SYSTEM].reference([sheet_of(read(document)) for document in units], support)


def visible_texts(reference: Reference) -> str:
    """Return the text without the support roll tables, which name support that may still come."""
    kept = [section for section in reference.sections if not section.title.startswith("Support rolls")]
    lines = [line for section in kept for line in section.lines]
    return "\n".join(" ".join((line.name, *line.cells, line.text)) for line in lines)


def section(reference: Reference, title: str) -> list[str]:
    return [line.name for each in reference.sections if each.title == title for line in each.lines]


def test_weapon_is_printed_only_with_unit_that_has_one():
    assert "Hammer-Missile" in page_text(items.reference([unit("wasp"), unit("draken")]))
    text = page_text(items.reference([unit("wasp")]))
    assert "Hammer" not in text
    assert "Cannon 4+ – – 1 1" in text


@pytest.mark.parametrize("slug", roster_rules(SYSTEM).published)
def test_reference_names_only_parts_aboard(slug: str):
    spec = roster_rules(SYSTEM).published[slug].spec
    reference_text = reference(unit(slug))
    assert section(reference_text, "Weapons") == [
        line.name for line in CATALOGUE.weapons.values() if line.slug in spec.weapons
    ]
    assert section(reference_text, "Systems") == [
        line.name for line in CATALOGUE.systems.values() if line.slug in spec.systems
    ]
    text = visible_texts(reference_text)
    for entries, aboard in (
        (CATALOGUE.weapons, spec.weapons),
        (CATALOGUE.systems, spec.systems),
        (CATALOGUE.skills, ()),
    ):
        mentioned = " ".join(entries[other].name for other in aboard)
        for other, entry in entries.items():
            if other not in aboard and entry.name not in mentioned and entry.name not in ("Cannon", "Laser", "Missile"):
                assert entry.name not in text, entry.name


def test_reference_lists_skills_and_levels_of_pilots():
    ana = {"name": "Ana", "experience": "elite", "skills": ["spoof", "accuracy"]}
    text = reference(unit(pilot=ana), unit("saber", pilot={"name": "Bo", "experience": "green"}))
    assert section(text, "Skills") == ["Accuracy", "Spoof"]
    assert section(text, "Pilots") == ["Green", "Elite"]
    assert {
        "Green pilot, counted in on cards",
        "Elite pilot, counted in on cards",
        "Accuracy, one cannon attack",
    } < set(section(text, "To hit"))


@pytest.mark.rule("MM-014")
def test_every_packet_has_support_roll_tables():
    tables = [
        each for each in reference(unit("saber"), support=("surprise",)).sections if "Support rolls" in each.title
    ]
    assert [each.title.partition("first die ")[2] for each in tables] == ["1–2", "3–4", "5–6"]
    for each, table in zip(tables, "ABC", strict=True):
        printed = {line.lead: line.name for line in each.lines}
        assert printed == {str(line.face): line.name for line in CATALOGUE.support.values() if line.table == table}
        assert all(line.text for line in each.lines)
    text = page_text(items.scenario("head-to-head"))
    assert "Support roll, first die 5–6: second die 1 Gun Sled, 2 Panzer, 3 Mech. Infantry" in text


@pytest.mark.rule("MM-020", "MM-033", "MM-077")
def test_reference_explains_broken_contact_and_battle_damage():
    lines = {
        line.name: line.text
        for each in reference(unit("saber"), support=("battle-damage",)).sections
        for line in each.lines
    }
    assert "the unit can move away" in lines["After breaking"]
    assert "contact starts again at Long" in lines["After breaking"]
    text = visible_texts(reference(unit("saber"), support=("battle-damage",)))
    assert "the player with this result picks an enemy Mek" in text


def test_support_adds_its_units_and_weapons():
    text = reference(unit("saber"), support=("gun-sled", "support-fire", "mech-infantry"))
    assert section(text, "Support") == ["Support Fire", "Gun Sled", "Mech. Infantry"]
    assert section(text, "Support units") == ["Gun Sled", "APC", "Infantry strongpoint"]
    assert section(text, "Weapons") == ["Vulcan-Cannon", "Rail-Cannon", "Howitzer-Cannon"]
    assert section(text, "Infantry")
    assert not section(reference(unit("saber")), "Infantry")


def test_every_reference_line_cites_existing_rule():
    rulebook = roster_rules(SYSTEM).rulebook
    assert set(SYSTEM_RULES) == set(CATALOGUE.systems)
    assert set(SKILL_RULES) == {skill.skill for skill in CATALOGUE.skills.values()}
    assert set(WEAPON_RULES) <= set(CATALOGUE.weapons) >= set(SUPPORT_WEAPONS.values())
    everything = reference(*published(), support=tuple(CATALOGUE.support))
    cited = {line.rule for each in everything.sections for line in each.lines} | {
        each.rule for each in everything.sections
    }
    assert cited - {""} <= set(rulebook)
    assert len(cited) > 40


@pytest.mark.slow
def test_long_reference_continues_on_second_page(tmp_path: Path):
    skills = list(CATALOGUE.skills)[:16]
    ace = {"name": "Ana", "experience": "elite", "skills": skills}
    path = draw_pdf(items.reference([unit("odin", pilot=ace), *published()], list(CATALOGUE.support)), tmp_path)
    text = pdf.text(path)
    assert all(line.name in text for line in CATALOGUE.support.values())
    assert all(CATALOGUE.skills[slug].name in text for slug in skills)
    assert "Overheat Hits" in text


def test_unknown_support_is_refused():
    with pytest.raises(DocumentError, match="support"):
        items.page_pdf(items.reference([unit()], ["magic"]), items.settings())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "theme"),
    in_turn(
        [(slug, theme) for slug in roster_rules(SYSTEM).scenarios for theme in ("colour", "grey", "ink-saver")],
        ("hot-gates", "citadel"),  # the longest
    ),
)
def test_every_published_scenario_fits_on_a_page(slug: str, theme: str, tmp_path: Path):
    path = draw_pdf(items.scenario(slug), tmp_path, theme=theme, paper="letter")
    assert pdf.page_sizes(path) == [(215.9, 279.4)]
    assert_has_terms(pdf.text(path), slug)


@pytest.mark.parametrize("slug", roster_rules(SYSTEM).scenarios)
def test_every_published_scenario_prints_its_terms(slug: str):
    assert_has_terms(page_text(items.scenario(slug)), slug)


def assert_has_terms(text: str, slug: str) -> None:
    sheet = roster_rules(SYSTEM).scenario_sheet(roster_rules(SYSTEM).scenarios[slug].spec)
    assert sheet.victory in text
    assert all(zone.terrain_name in text for zone in sheet.zones)
    assert all(str(turn) in text for turn in range(1, sheet.turn_limit + 1))


def test_own_scenario_prints_its_terms():
    text = page_text(items.own_scenario())
    for words in (
        "The Bridge", "Get across.", "Break out", "Largest Mek: Heavy", "Turn limit: 9", "All Meks in zones 3, 6 and 9",
        "Half of the Meks in zone 5", "2 × Infantry strongpoint in zone 5", "all zones are Plain, unless you choose others", "EXIT", "Exit by the left edge",
    ):  # fmt: skip
        assert words in text, words


def test_chosen_terrain_is_drawn_where_scenario_prints_none():
    text = page_text(items.own_scenario(terrain="moors"))
    assert text.count("Moors") == 18
    assert "prints no terrain" not in text
    as_printed = page_text(items.own_scenario(terrain="printed"))
    assert as_printed.count("Plain") == 18
    with pytest.raises(DocumentError, match="terrain"):
        items.page_pdf(items.own_scenario(terrain="lava"), items.settings())


def test_scenario_page_prints_problems():
    text = page_text(items.own_scenario(spec={"turn_limit": 4}))
    assert "Problems" in text
    assert "no victory condition" in text


def test_sides_differ_by_shape_and_letter_in_every_theme():
    rules = roster_rules(SYSTEM)
    spec = rules.scenario_json(rules.scenarios["opening-shots"].spec)
    for theme in ("colour", "grey", "ink-saver"):
        drawing = str(PAPER[SYSTEM].scenario_context("Opening Shots", spec, "", theme)["map"])
        assert drawing.count("<circle") == 1
        assert drawing.count('width="21"') == 1
        assert drawing.count("<polygon") == 1
    assert 'fill="#' not in drawing.replace('fill="#000000"', "").replace('fill="#ffffff"', "")


def test_datasheet_ticks_heat_left_by_second_move():
    rules = roster_rules(SYSTEM)
    for carried in (0, 2):
        condition = {"carried_heat": carried} if carried else {}
        sheet = rules.datasheet(
            rules.published["draken"].spec, name="A", design_name="A", company="", pilot=None, condition=condition
        )
        assert dict(sheet_context(sheet)["states"])["2 heat carried"] == (carried > 0,)


def test_blank_card_marks_the_heat_boxes_that_are_not_safe():
    (heat,) = (block for block in blank_unit_card().front.blocks if isinstance(block, Track) and block.label == "HEAT")
    assert [box.is_hot for box in heat.boxes] == [False] * HEAT_BOXES + [True] * HOT_BOXES
