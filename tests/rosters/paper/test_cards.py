"""Cards as PDF: page size and count, fonts, text, places, cut marks, backs, cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pikepdf
import pytest

from rosters.paper.engine import glyph_warning, missing_glyphs
from rosters.paper.sheets import PAPERS, Plan, plan
from rosters.printing import cache
from systems.documents import DocumentError
from tests.rosters.paper import pdf
from tests.rosters.paper.units import hard_cases, printed, published, unit


@pytest.fixture(autouse=True)
def _fresh_cache():
    shutil.rmtree(cache.folder(), ignore_errors=True)


@pytest.fixture
def save_pdf(tmp_path: Path):
    def save(data: bytes) -> Path:
        path = tmp_path / "print.pdf"
        path.write_bytes(data)
        return path

    return save


def sheet_of(paper: str) -> Plan:
    return plan(paper, (63, 88), 0.0, marks=True, folded=False)


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_cards_fill_a_page_with_backs_behind(paper: str, save_pdf):
    path = save_pdf(printed(published(), paper=paper))
    assert pdf.page_sizes(path) == [PAPERS[paper]] * 2
    front, back = pdf.words(path)
    assert {"WASP", "DRAKEN", "ODIN"} <= {word.text for word in front}
    assert sum(word.text == "TERRAIN" for word in back) == 9


@pytest.mark.parametrize("paper", PAPERS)
def test_each_word_is_inside_a_card(paper: str, save_pdf):
    first = next(sheet_of(paper).cells())
    left, top = first.x, first.y
    path = save_pdf(printed(hard_cases().values(), paper=paper))
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


def test_pilots_back_is_printed_behind_their_front(save_pdf):
    path = save_pdf(printed([unit(pilot={"name": "Ana", "experience": "veteran", "kills": 7, "games": 4})]))
    front, back = pdf.words(path)
    (name,) = [word for word in front if word.text == "Ana"]
    kills = next(word for word in back if word.text == "Veteran,")
    assert name.left < 73.5
    assert kills.left > 210 - 73.5


def test_all_fonts_are_embedded_and_ours(save_pdf):
    found = pdf.fonts(save_pdf(printed(published())))
    assert found
    assert all(embedded for _, embedded in found)
    assert all("Muster" in name for name, _ in found), found


def test_only_marks_and_cards_are_drawn(save_pdf):
    with pikepdf.open(save_pdf(printed([unit()], backs="none"))) as opened:
        assert len(opened.pages) == 1
        (page,) = opened.pages
        assert b" l S" in page.Contents.read_bytes()
        assert list(page.Resources.XObject.keys()) == ["/C0"]


def test_missing_character_is_named_also_from_the_cache():
    unassigned = "\U0010fffd"  # private use, in the last plane
    for _ in range(2):
        with missing_glyphs() as missing:
            printed([unit(name=f"A {unassigned}")])
        assert unassigned in missing
    assert "U+10FFFD" in glyph_warning(missing)


def test_no_network_or_file_is_read():
    from rosters.paper.engine import fetcher

    for url in ("http://127.0.0.1:1/x.css", "https://example.org/x", "ftp://x/y", "file:///etc/passwd"):
        with pytest.raises(ValueError, match="not"):
            fetcher().fetch(url)


@pytest.mark.parametrize(
    ("units", "path"),
    [
        ([], "items"),
        ([unit(spec={"chassis": "giga"})], "items[0].unit.spec.chassis"),
        ([unit(), unit(pilot={"experience": "god"})], "items[1].unit.pilot.experience"),
        ([unit(system="chess")], "items[0].unit.system"),
        ([unit(name="x" * 61)], "items[0].unit.name"),
        ([unit(condition={"hits": 9})], "items[0].unit.condition.hits"),
    ],
)
def test_unprintable_unit_is_refused_with_field(units: list, path: str):
    with pytest.raises(DocumentError) as refusal:
        printed(units)
    assert refusal.value.path == path
