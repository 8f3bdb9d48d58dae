"""Cards as PDF: page size and count, fonts, text, places, cut marks, backs, cache."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pikepdf
import pytest

from rosters.documents import DocumentError
from rosters.printing import cache, cards, look, render_cards
from rosters.printing.documents import read_unit
from rosters.printing.engine import glyph_warning, missing_glyphs
from rosters.printing.impose import MARGIN, PAPERS, Sheet, UnknownPaperError
from rosters.printing.orders import PrintSettings, UnitItem
from tests.rosters.printing import pdf
from tests.rosters.printing.units import hard_cases, published, unit


@pytest.fixture(autouse=True)
def _fresh_cache():
    shutil.rmtree(cache.folder(), ignore_errors=True)


@pytest.fixture
def saved(tmp_path: Path):
    def save(data: bytes) -> Path:
        path = tmp_path / "print.pdf"
        path.write_bytes(data)
        return path

    return save


def sheet_of(paper: str) -> Sheet:
    return Sheet(paper=paper, card_width=63, card_height=88)


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_cards_fill_a_page_and_their_backs_the_next(paper: str, saved):
    path = saved(render_cards(published(), paper))
    assert pdf.page_sizes(path) == [PAPERS[paper]] * 2
    front, back = pdf.words(path)
    assert {"WASP", "DRAKEN", "ODIN"} <= {word.text for word in front}
    assert sum(word.text == "TERRAIN" for word in back) == 9


@pytest.mark.parametrize("paper", PAPERS)
def test_cards_keep_the_margins_of_the_paper(paper: str):
    sheet = sheet_of(paper)
    assert (sheet.columns, sheet.rows) == (3, 3)
    assert min(sheet.origin) >= MARGIN


@pytest.mark.parametrize("paper", PAPERS)
def test_each_word_lies_inside_a_card(paper: str, saved):
    sheet = sheet_of(paper)
    left, top = sheet.origin
    path = saved(render_cards([*hard_cases().values()], paper))
    pages = pdf.words(path)
    assert sum(map(len, pages)) > 1000
    for page in pages:
        for word in page:
            column, row = (word.left - left) // 63, (word.top + 1 - top) // 88
            assert 0 <= column < 3, word
            assert 0 <= row < 3, word
            assert word.left >= left + column * 63 + 2.5, word
            assert word.right <= left + (column + 1) * 63 - 2.5, word
            assert word.bottom <= top + (row + 1) * 88 - 1.5, word


def test_a_back_lies_behind_its_front_when_turned_over_the_long_edge():
    sheet = sheet_of("a4")
    width = PAPERS["a4"][0]
    for slot in range(9):
        x, y = sheet.place(slot, is_back=False)
        behind_x, behind_y = sheet.place(slot, is_back=True)
        assert behind_y == y
        assert behind_x == pytest.approx(width - x - 63)


def test_the_pilots_back_is_printed_behind_him(saved):
    path = saved(render_cards([unit(pilot={"name": "Ana", "experience": "veteran", "kills": 7, "games": 4})], "a4"))
    front, back = pdf.words(path)
    (name,) = [word for word in front if word.text == "Ana"]
    kills = next(word for word in back if word.text == "Veteran,")
    assert name.left < 73.5
    assert kills.left > 210 - 73.5


def test_all_fonts_are_embedded_and_ours(saved):
    found = pdf.fonts(saved(render_cards(published(), "a4")))
    assert found
    assert all(embedded for _, embedded in found)
    assert all("Muster" in name for name, _ in found), found


def test_marks_and_cards_are_all_that_is_drawn(saved):
    with pikepdf.open(saved(render_cards([unit()], "a4", duplex=False))) as opened:
        assert len(opened.pages) == 1
        (page,) = opened.pages
        assert b" l S" in page.Contents.read_bytes()
        assert list(page.Resources.XObject.keys()) == ["/C0"]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pages each run of the drawer was asked for."""
    counts: list[int] = []
    draw = cards.draw_pages

    def count(pages, *args):
        counts.append(len(pages))
        return draw(pages, *args)

    monkeypatch.setattr(cards, "draw_pages", count)
    return counts


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the units whose cards were laid out."""
    names: list[str] = []
    sides_of = cards.sides_of

    def note(item, *args):
        names.append(item.unit.name)
        return sides_of(item, *args)

    monkeypatch.setattr(cards, "sides_of", note)
    return names


def items(*units: dict) -> list[UnitItem]:
    return [UnitItem(what="unit-card", unit=read_unit(data).document) for data in units]


def test_equal_cards_are_drawn_once(drawn: list[int]):
    first = render_cards([unit(name="Twin")] * 12, "a4")
    again = render_cards([unit(name="Twin")] * 12, "a4")
    assert len(drawn) == 1
    assert drawn[0] <= 2  # one front, one back, unless the back is known
    assert first == again


def test_only_a_changed_card_is_drawn_again(drawn: list[int], laid_out: list[str]):
    render_cards(published(), "a4")
    drawn.clear()
    laid_out.clear()
    render_cards([*published()[1:], unit(name="Renamed")], "letter")
    assert drawn == [1]
    assert laid_out == ["Renamed"]


def test_a_known_card_needs_neither_datasheet_nor_layout(laid_out: list[str]):
    known = items(*published())
    first = cards.draw_cards(known, PrintSettings())
    laid_out.clear()
    assert cards.draw_cards(known, PrintSettings()) == first
    assert laid_out == []


@pytest.mark.parametrize(
    ("settings", "is_same"),
    [
        ({"theme": "grey"}, False),
        ({"bleed_mm": 2.0}, False),
        ({"paper": "letter"}, True),
        ({"backs": "fold-over"}, True),
        ({"backs": "none"}, False),
        ({"front": {"x": 1.0, "y": 0.5}}, True),
        ({"marks": False}, True),
    ],
)
def test_a_card_is_known_by_what_decides_its_look_and_by_nothing_else(settings: dict, is_same: bool):
    (item,) = items(unit())
    other = PrintSettings.model_validate(settings)
    assert (cards.item_key(item, PrintSettings()) == cards.item_key(item, other)) is is_same


def test_copies_are_the_same_card_and_every_other_field_makes_another():
    (item,) = items(unit())
    settings = PrintSettings()
    assert cards.item_key(item.model_copy(update={"copies": 9}), settings) == cards.item_key(item, settings)
    for change in ({"name": "Other"}, {"url": "https://example.org/u/1"}, {"colour": "#112233"}, {"company": "X"}):
        changed = item.model_copy(update={"unit": item.unit.model_copy(update=change)})
        assert cards.item_key(changed, settings) != cards.item_key(item, settings), change


def test_new_code_or_another_library_draws_everything_again(monkeypatch: pytest.MonkeyPatch):
    (item,) = items(unit())
    before = cards.item_key(item, PrintSettings())
    look.fingerprint.cache_clear()
    monkeypatch.setattr(look, "versions", lambda: {"weasyprint": "99"})
    changed = cards.item_key(item, PrintSettings())
    look.fingerprint.cache_clear()
    assert changed != before


def test_the_fingerprint_knows_code_templates_styles_catalogues_fonts_and_libraries():
    found = {path.suffix for folder, patterns in look.SOURCES for pattern in patterns for path in folder.rglob(pattern)}
    assert found == {".py", ".toml", ".html", ".css", ".ttf"}
    versions = look.versions()
    assert {"weasyprint", "pydyf", "pango", "harfbuzz"} <= versions.keys()
    assert versions["harfbuzz"].count(".") == 2


def test_a_long_print_is_drawn_in_batches(drawn: list[int]):
    many = items(*(unit(name=f"Batch {at}") for at in range(100)))
    told: list[tuple[int, int]] = []
    assert len(cards.draw_cards(many, PrintSettings(), lambda done, total: told.append((done, total)))) == 100
    assert max(drawn) <= cards.BATCH
    assert [total for _, total in told] == [100] * len(drawn)
    assert told[-1] == (100, 100)


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-200]),
        lambda path: path.write_bytes(b"%PDF-1.7 not what it was"),
    ],
    ids=["gone", "empty", "cut short", "other"],
)
@pytest.mark.parametrize("files", ["*.pdf", "pages/*/*.json", "items/*/*.json"])
def test_a_damaged_cache_is_only_slower(damage, files: str):
    whole = render_cards([unit()], "a4")
    paths = list(cache.folder().glob(files))
    assert paths
    for path in paths:
        damage(path)
    assert render_cards([unit()], "a4") == whole
    assert render_cards([unit()], "a4") == whole


def test_the_folder_of_cards_stays_within_its_bound(monkeypatch: pytest.MonkeyPatch):
    for at in range(4):
        render_cards([unit(name=f"Old {at}")], "a4")
    monkeypatch.setattr(cache, "MAX_BYTES", 60_000)
    monkeypatch.setattr(cache, "KEPT_BYTES", 40_000)
    render_cards([unit(name="Newest")], "a4")
    batches = {path.stem: path.stat().st_size for path in cache.folder().glob("*.pdf")}
    assert sum(batches.values()) <= 60_000
    pages = [json.loads(path.read_text()) for path in cache.folder().glob("pages/*/*.json")]
    assert pages
    assert {page["batch"] for page in pages} <= batches.keys()
    for path in cache.folder().glob("items/*/*.json"):
        assert all(cache.find(key) for key in cache.pages_of(json.loads(path.read_text())))


def test_a_character_that_no_font_has_is_told_also_from_the_cache():
    unassigned = "\U0010fffd"  # private use, in the last plane
    for _ in range(2):
        with missing_glyphs() as missing:
            render_cards([unit(name=f"A {unassigned}")], "a4")
        assert unassigned in missing
    assert "U+10FFFD" in glyph_warning(missing)


def test_nothing_is_fetched_from_the_network_or_from_other_files():
    from rosters.printing.engine import fetcher

    for url in ("http://127.0.0.1:1/x.css", "https://example.org/x", "ftp://x/y", "file:///etc/passwd"):
        with pytest.raises(ValueError, match="not"):
            fetcher().fetch(url)


@pytest.mark.parametrize(
    ("units", "path"),
    [
        ([], "units"),
        ([unit(spec={"chassis": "giga"})], "units[0].spec.chassis"),
        ([unit(), unit(pilot={"experience": "god"})], "units[1].pilot.experience"),
        ([unit(system="chess")], "units[0].system"),
        ([unit(name="x" * 61)], "units[0].name"),
        ([unit(condition={"hits": 9})], "condition.hits"),
    ],
)
def test_a_unit_that_cannot_be_printed_is_refused_with_its_place(units: list, path: str):
    with pytest.raises(DocumentError) as refusal:
        render_cards(units, "a4")
    assert refusal.value.path == path


def test_paper_that_there_is_not_is_refused():
    with pytest.raises(UnknownPaperError, match="a3"):
        render_cards([unit()], "a3")
