"""The printer's test sheet: fixed scales, pointers and crosses that move, matching letters on both sides."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pikepdf
import pytest

from rosters.paper.documents import PrintSettings
from rosters.paper.sheets import PAPERS
from rosters.products.test_sheet import test_sheet as make_sheet
from rosters.products.test_sheet import test_sheet_html as make_html
from tests.rosters.paper import checks, pdf


def settings(**fields: object) -> PrintSettings:
    return PrintSettings.model_validate(fields)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("backs", "pages"), [("none", 1), ("fold-over", 1), ("long-edge", 2), ("short-edge", 2)])
def test_sheet_has_a_page_for_each_printed_side(paper: str, backs: str, pages: int, tmp_path: Path):
    path = tmp_path / "print.pdf"
    path.write_bytes(make_sheet(settings(paper=paper, backs=backs)))
    checks.check(path, pages=pages, size=PAPERS[paper], title="Printer test sheet", texts=["Fold the left edge"])
    assert all(word.left >= 6 and word.right <= PAPERS[paper][0] - 6 for page in pdf.words(path) for word in page)
    with pikepdf.open(path) as opened:
        assert opened.Root.ViewerPreferences.PrintScaling == "/None"


def words(tmp_path: Path, **fields: object) -> list[dict[str, pdf.Word]]:
    path = tmp_path / "print.pdf"
    path.write_bytes(make_sheet(settings(**fields)))
    return [{word.text: word for word in page} for page in pdf.words(path)]


@pytest.mark.parametrize("paper", PAPERS)
def test_reading_is_the_whole_offset_whatever_is_set(paper: str, tmp_path: Path):
    still = words(tmp_path, paper=paper)
    moved = words(tmp_path, paper=paper, front={"x": 1.5, "y": -2.0}, back={"x": -0.5})
    for before, after, (x, y) in zip(still, moved, [(1.5, -2.0), (-0.5, 0.0)], strict=True):
        assert (after["+10"].left, after["+10"].top) == (before["+10"].left, before["+10"].top)
        assert after["A"].left == pytest.approx(before["A"].left + x, abs=0.01)
        assert after["A"].top == pytest.approx(before["A"].top + y, abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
def test_zero_is_mid_page_and_triangles_show_the_offsets(paper: str):
    html = make_html(settings(paper=paper, backs="none", front={"x": 1.5, "y": -2.0}))
    width, height = PAPERS[paper]
    (drawing,) = [unquote(found) for found in re.findall(r'src="data:image/svg\+xml,([^"]*)"', html)]
    level, upright = re.search(r'class="zero" d="M([\d.]+) [\d.]+v-9M[\d.]+ ([\d.]+)h-9"', drawing).groups()
    assert (float(level), float(upright)) == (width / 2, pytest.approx(height / 2))
    x, y = re.search(r'class="solid" d="M([\d.]+) [\d.]+l1.6 3.2h-3.2zM[\d.]+ ([\d.]+)l', drawing).groups()
    assert (float(x), float(y)) == (pytest.approx(width / 2 + 1.5), pytest.approx(height / 2 - 2))
    assert 'transform="translate(1.5 -2)"' in drawing


@pytest.mark.parametrize("backs", ["long-edge", "short-edge"])
def test_each_letter_has_the_same_letter_behind(backs: str, tmp_path: Path):
    width, height = PAPERS["a4"]
    front, back = words(tmp_path, backs=backs)
    for letter in "ABCD":
        here, there = front[letter], back[letter]
        is_left, is_top = here.left < width / 2, here.top < height / 2
        assert (there.left < width / 2) == (is_left if backs == "short-edge" else not is_left)
        assert (there.top < height / 2) == (is_top if backs == "long-edge" else not is_top)
