"""Pages that aren't cards: each a tagged PDF without cut text, missing fonts or missing names."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from django.conf import settings as django_settings

from rosters.paper import engine, page_layout
from rosters.paper.engine import missing_glyphs
from rosters.paper.page_layout import SMALLEST_PT
from rosters.paper.sheets import PAPERS
from rosters.paper.themes import THEMES
from rosters.printing.rendering import page_groups, page_key, page_pdfs
from rosters.products.base import Item
from systems import BATTLES, PAPER
from systems.documents import DocumentError
from tests.example_shares import in_every_run, in_turn
from tests.rosters.paper import items, pdf
from tests.rosters.paper.units import SYSTEM, ace, fullest, hard_cases, mech_cases, unit

MEKS = {name: document for name, document in hard_cases().items() if "support" not in document}
UNITS = {**MEKS, **mech_cases()}
HALVES = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}
PAGES = {**items.every_page(), **items.every_mech_page()}


@pytest.fixture
def own_folder(tmp_path: Path, settings: Any):
    """Give a test that counts drawings its own cache."""
    settings.VAR_DIR = tmp_path / "var"


@pytest.fixture(scope="module")
def drawn_offline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the pages with pictures and codes, drawn without a network."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(django_settings, "VAR_DIR", tmp_path_factory.mktemp("offline"))
        patch.setattr(socket, "socket", lambda *_, **__: pytest.fail("a page opened a connection"))
        return {
            name: items.page_pdf(PAGES[name], items.settings()) for name in ("datasheet", "roster", "slip", "scenario")
        }


def draw_pdf(item: Item, tmp_path: Path, **settings: Any) -> Path:
    path = tmp_path / "page.pdf"
    path.write_bytes(items.page_pdf(item, items.settings(**settings)))
    return path


def figures(document: pikepdf.Pdf) -> list[str]:
    """Return alternative texts of all figures in the structure tree, in reading order. Fails on a figure without one."""
    found: list[str] = []

    def walk(node: Any) -> None:
        if isinstance(node, pikepdf.Array):
            for child in node:
                walk(child)
        elif isinstance(node, pikepdf.Dictionary) and "/S" in node:
            if node.S == "/Figure":
                found.append(str(node.Alt))
            walk(node.get("/K", pikepdf.Array()))

    walk(document.Root.StructTreeRoot.K)
    return found


def assert_all_can_be_read(path: Path) -> None:
    """Assert that nothing is printed in the printer's margins, nor in smaller type than promised."""
    assert pdf.smallest_type(path) >= SMALLEST_PT - 0.01
    for (width, height), words in zip(pdf.page_sizes(path), pdf.words(path), strict=True):
        for word in words:
            assert word.left >= 6, word
            assert word.top >= 6, word
            assert word.right <= width - 6, word
            assert word.bottom <= height - 6, word


CHECKED_PAGES = (
    "roster",
    "blank slip",
    "mech datasheet",
)


@pytest.mark.parametrize(
    ("name", "theme"), in_turn([(name, theme) for name in PAGES for theme in THEMES], CHECKED_PAGES)
)
def test_each_page_is_one_tagged_sheet(name: str, theme: str, tmp_path: Path):
    paper = "letter" if theme == "grey" else "a4"
    path = draw_pdf(PAGES[name], tmp_path, theme=theme, paper=paper)
    width, height = PAPERS[paper]
    assert pdf.page_sizes(path) == [(height, width) if name.endswith("blank slip") else (width, height)]
    assert_all_can_be_read(path)
    fonts = pdf.fonts(path)
    assert fonts
    assert all(is_embedded and "+Muster" in font for font, is_embedded in fonts), fonts
    with pikepdf.open(path) as document:
        assert document.Root.MarkInfo.Marked
        assert str(document.Root.Lang) == "en"
        assert document.docinfo["/Title"]
        assert document.Root.ViewerPreferences.DisplayDocTitle
        with document.open_metadata() as metadata:
            assert metadata["pdfuaid:part"] == "1"
        figures(document)


@pytest.mark.slow
def test_images_have_alternative_texts(drawn_offline: dict[str, bytes]):
    texts = {}
    for name, drawn in drawn_offline.items():
        with engine.open_pdf(drawn) as document:
            texts[name] = figures(document)
    assert texts["roster"] == [f"Code that opens {items.LIVE}"]
    assert texts["datasheet"] == [f"Code that opens {items.LIVE}", "WASP as it is built"]
    assert texts["slip"] == [f"Code that opens {items.REPORT}"]
    (story,) = texts["scenario"]
    assert "Zone 2: Plain, Attacker: all Meks set up." in story
    assert (
        "Zone 8: Moors, Defender: half of the points set up, 2 × Infantry strongpoint, Exit by the bottom edge."
        in story
    )


@pytest.mark.usefixtures("own_folder")
def test_page_is_drawn_once_and_cached(monkeypatch: pytest.MonkeyPatch):
    first = items.page_pdf(PAGES["roster"], items.settings())
    with monkeypatch.context() as patched:
        patched.setattr(engine, "weasyprint", lambda: pytest.fail("a cached page is drawn again"))
        assert items.page_pdf(PAGES["roster"], items.settings()) == first
        assert (
            items.page_pdf(PAGES["roster"], items.settings(bleed_mm=2, backs="none", sheet="half", card="a7")) == first
        )


def test_page_key_changes_with_its_content_and_settings():
    item, plain = PAGES["datasheet"], items.settings()
    keys = [
        page_key([item], items.settings(**how))
        for how in ({}, {"theme": "grey"}, {"paper": "letter"}, {"sheet": "half"})
    ]
    assert len(set(keys)) == 4
    other = items.datasheet(unit("wasp", name="Ghost"))
    assert page_key([other], plain) != keys[0]


@pytest.mark.usefixtures("own_folder")
def test_missing_characters_of_cached_pages_are_reported():
    item = items.datasheet(unit(name="Wasp \U000e0041\u0870"))
    reported = []
    for _ in range(2):
        with missing_glyphs() as missing:
            items.page_pdf(item, items.settings(sheet="half"))
        reported.append(missing)
    assert reported[0] == reported[1] != set()


def test_cards_and_breaks_are_no_pages():
    assert page_pdfs([items.item("break")], items.settings()) == []
    with pytest.raises(DocumentError, match="is no page"):
        items.page_pdf(items.item("support-card", system=SYSTEM, support="panzer"), items.settings())


# Data sheets


@pytest.mark.parametrize(
    ("paper", "sheet", "units"),
    [
        ("a4", "half", ["fullest titan", "widest name"]),
        ("a4", "two-up", ["fullest heavy-mech", "one long word"]),
        pytest.param("a4", "half", list(UNITS)[1::4], marks=pytest.mark.slow),
        pytest.param("a4", "two-up", list(UNITS)[3::4], marks=pytest.mark.slow),
        *(
            pytest.param(paper, sheet, list(UNITS), marks=pytest.mark.proof)
            for paper in ("a4", "letter")
            for sheet in ("half", "two-up")
        ),
    ],
    ids=[
        "half",
        "two-up",
        "more-half",
        "more-two-up",
        "all-a4-half",
        "all-a4-two-up",
        "all-letter-half",
        "all-letter-two-up",
    ],
)
def test_half_data_sheet_takes_half_a_page(paper: str, sheet: str, units: list[str], tmp_path: Path):
    how = items.settings(sheet=sheet, paper=paper)
    hard = [items.datasheet(UNITS[name]) for name in units]
    for at, made in enumerate(page_pdfs(hard, how)):
        path = tmp_path / f"{at}.pdf"
        path.write_bytes(made)
        width, height = PAPERS[paper]
        assert pdf.page_sizes(path) == [HALVES[paper] if sheet == "half" else (height, width)]
        assert_all_can_be_read(path)


@pytest.mark.parametrize("sheet", in_every_run(["half"], ["full", "half", "two-up"]))
def test_no_size_of_data_sheet_omits_anything(sheet: str, tmp_path: Path):
    document = fullest("titan") | {"condition": {"hits": 3, "weapons_lost": [0]}}
    text = pdf.text(draw_pdf(items.datasheet(document), tmp_path, sheet=sheet))
    texts = ["Featherstonehaugh-Cholmondeley", "3 of 6 left", "Spaul Liner", "Phalanx", "Twin-Laser", "Quick Draw"]
    texts += ["Chassis Familiarity (Assault)", "Reactor core", "Moors", "System lost", "123", "13 / 8", "3/3"]
    for words in texts:
        assert words in text, words


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("sheet", in_every_run(["half"], ["full", "half", "two-up"], pytest.mark.slow))
def test_fullest_data_sheet_takes_few_drawings(sheet: str, monkeypatch: pytest.MonkeyPatch):
    made = []
    draw = page_layout.page_document
    monkeypatch.setattr(page_layout, "page_document", lambda html: made.append(html) or draw(html))
    items.page_pdf(items.datasheet(fullest("titan")), items.settings(sheet=sheet))
    assert 1 <= len(made) <= (4 if sheet == "full" else 3)  # the first with additions that find no room


def test_two_up_pairs_neighbouring_data_sheets(tmp_path: Path):
    wasp, viper, saber = (items.datasheet(unit(slug)) for slug in ("wasp", "viper", "saber"))
    stop = items.item("break")
    how = items.settings(sheet="two-up")
    run = [wasp, viper, saber, PAGES["roster"], wasp, stop, viper]
    groups = [[item for _, item in group] for group in page_groups([("", item) for item in run], how)]
    assert groups == [[wasp, viper], [saber], [PAGES["roster"]], [wasp], [viper]]
    path = tmp_path / "pair.pdf"
    path.write_bytes(page_pdfs([wasp, viper], how)[0])
    (words,) = pdf.words(path)
    places = {word.text: word.left for word in words}
    assert places["WASP"] < 148.5 < places["VIPER"]


def test_copies_are_made_of_pages_and_of_halves():
    wasp = items.item("datasheet", unit=unit(), copies=3)
    assert [len(group) for group in page_groups([("", wasp)], items.settings(sheet="two-up"))] == [2, 1]
    assert len(page_pdfs([wasp], items.settings(sheet="half"))) == 3


def test_support_unit_has_no_data_sheet():
    with pytest.raises(DocumentError, match="no datasheet"):
        items.page_pdf(items.datasheet(hard_cases()["support"]), items.settings())


# Rosters


def test_roster_shows_everything_the_opponent_must_know(tmp_path: Path):
    bo = {"name": "Bo", "experience": "elite", "skills": ["tactics"], "kills": 12, "games": 11}
    units = [
        unit("draken", name="Ghost", pilot={"name": "Ana", "experience": "veteran", "skills": ["accuracy"], "kills": 1, "games": 4},
             condition={"hits": 2, "weapons_lost": [0, 1], "legs": 1, "wounded": True}),
        hard_cases()["support"],
    ]  # fmt: skip
    path = draw_pdf(items.roster(units, pilots=[bo], problems=["Ghost has no gun."], balance=7), tmp_path)
    text = pdf.text(path)
    for words in (
        "IRON WOLVES", "We bill by the hour", "Kim", "74", "22 November 2026", items.LIVE, "Ghost", "DRAKEN, Heavy", "24",
        "Ana Veteran, 1 kill, 4 games", "Accuracy",
        "Infantry strongpoint", "Bo Elite, 12 kills, 11 games", "Tactics", "Ghost has no gun.", "7 points",
    ):  # fmt: skip
        assert words in text, words
    (page,) = pdf.words(path)
    (left,) = (word.left for word in page if word.text == "Damage")
    column = sorted((word for word in page if word.left > left - 0.1), key=lambda word: (round(word.top), word.left))
    damage = " ".join(word.text for word in column).replace("- ", "-")
    assert "Damage 2 of 4 Hits left; 2 × Rail-Cannon lost; legs −1; pilot wounded –" in damage


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (40, 1), (60, 2)])
def test_roster_is_one_page_up_to_forty_units(count: int, pages: int, tmp_path: Path):
    units = [unit("draken", name=f"Unit {at:02}", pilot={"name": "Ana"}) for at in range(count)]
    path = draw_pdf(items.roster(units), tmp_path)
    assert len(pdf.page_sizes(path)) == pages
    text = pdf.text(path)
    assert all(f"Unit {at:02}" in text for at in range(count))


def test_roster_of_the_hardest_names_omits_nothing(tmp_path: Path):
    path = draw_pdf(items.roster([*MEKS.values()], name="Ω" * 60, motto="W" * 120, pilots=[ace()] * 4), tmp_path)
    assert_all_can_be_read(path)
    text = pdf.text(path).replace(" ", "")
    for words in ("ГремящийВолк", "ŻółćĄęŞtefanÑandú", "<b>&amp;</b>", "W" * 20, "ChassisFamiliarity(Assault)"):
        assert words in text, words


# Slips


def test_slip_has_boxes_for_units_and_a_code(tmp_path: Path):
    path = draw_pdf(items.slip(5), tmp_path)
    text = pdf.text(path)
    for words in ("Border War, round 3", "Opening Shots", "30 November 2026", items.REPORT, "Unit 4", "Ana", "6+", "unhurt",
                  "injured", "killed", "destroyed", "Attacker wins", "Draw", "Minefield", "Signed for Steel Rain"):  # fmt: skip
        assert words in text, words
    assert text.count("destroyed") == 10
    with pikepdf.open(path) as document:
        (box,) = figure_boxes(document)
    assert min(box) >= 20


@pytest.mark.proof
def test_slip_of_sixty_units_a_side_continues(tmp_path: Path):
    text = pdf.text(draw_pdf(items.slip(60), tmp_path))
    assert text.count("Unit 59") == 2
    assert "Signed for Steel Rain" in text


def figure_boxes(document: pikepdf.Pdf) -> list[tuple[float, float]]:
    """Return width and height in mm of each figure."""
    found: list[tuple[float, float]] = []
    for thing in document.objects:
        if isinstance(thing, pikepdf.Dictionary) and thing.get("/S") == "/Figure":
            left, top, right, bottom = (float(number) for number in thing.A.BBox)
            found.append(((right - left) * 25.4 / 96, (bottom - top) * 25.4 / 96))
    return found


@pytest.mark.parametrize("system", [slug for slug in BATTLES if slug in PAPER])
def test_slip_asks_for_every_field_of_its_form(system: str):
    hand = BATTLES[system].hand
    assert PAPER[system].slip_words().fates == tuple(hand.fates.values())
    text = items.page_text(items.slip(system=system), items.settings()).casefold()
    for name, label in hand.fields.items():
        assert name == "fate" or label.casefold() in text, label
    assert PAPER[system].has_support == bool(BATTLES[system].support_results)


# Blanks


def test_blank_pages_have_room_for_the_largest_mek():
    text = items.page_text(PAGES["blank datasheet"], items.settings())
    for words in ("Hits", "strike out what the Mek does not have", "Pilot wounded", "Moors", "Weapons", "Masked units"):
        assert words in text, words
    words = items.page_text(PAGES["blank slip"], items.settings()).split()
    assert words.count("Result") == 2
    assert words.count("destroyed") == 16


def test_page_reads_nothing_from_the_network(drawn_offline: dict[str, bytes]):
    """Every address on a page is text or a code; none is fetched."""
    for drawn in drawn_offline.values():
        assert engine.open_pdf(drawn)
