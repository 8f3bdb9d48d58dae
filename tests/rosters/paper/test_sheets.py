"""Data sheets: one page a unit, whatever is on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rosters.paper.page_layout import SMALLEST_PT
from rosters.paper.sheets import PAPERS
from systems.documents import DocumentError
from tests.rosters.paper import pdf
from tests.rosters.paper.units import hard_cases, mech_cases, printed, unit

MEKS = {name: document for name, document in hard_cases().items() if "support" not in document}
UNITS = {**MEKS, **mech_cases()}


@pytest.mark.parametrize(
    ("paper", "units"),
    [
        ("a4", ["fullest titan", "all lost", "fullest track"]),
        # the others are drawn on halves of pages: tests/rosters/paper/test_pages.py
        pytest.param("a4", list(UNITS)[::2], marks=pytest.mark.slow),
        pytest.param("a4", list(UNITS), marks=pytest.mark.proof),
        pytest.param("letter", list(UNITS), marks=pytest.mark.proof),
    ],
    ids=["a4", "more-a4", "all-a4", "all-letter"],
)
def test_each_unit_takes_exactly_one_page(paper: str, units: list[str], tmp_path: Path):
    path = tmp_path / "sheets.pdf"
    path.write_bytes(printed([UNITS[name] for name in units], "datasheet", paper=paper))
    assert pdf.page_sizes(path) == [PAPERS[paper]] * len(units)
    assert pdf.smallest_type(path) >= SMALLEST_PT - 0.01
    width, height = PAPERS[paper]
    for page in pdf.words(path):
        assert all(word.left >= 6 and word.right <= width - 6 for word in page)
        assert all(word.top >= 6 and word.bottom <= height - 6 for word in page)


def test_data_sheet_shows_everything_required(tmp_path: Path):
    path = tmp_path / "sheet.pdf"
    pilot = {"name": "Ana", "experience": "veteran", "skills": ["accuracy"], "kills": 6, "games": 4}
    path.write_bytes(printed([unit("draken", company="Iron Wolves", pilot=pilot)], "datasheet"))
    text = pdf.text(path)
    for words in (
        "DRAKEN", "Iron Wolves", "24", "Heavy Mek", "3+", "1d6+3", "Rail-Cannon", "4+ 50%", "5+ 33%", "Hammer-Missile",
        "save −1; −2 vs Point Defense", "CIWS", "1d6 kills", "Director Can attack two targets",
        "Point Defense Enemy missiles", "Targets", "to Long", "ID to Medium", "6+ on the die", "Ana", "Veteran (+1 move: counted in)",
        "Accuracy One cannon attack", "5/5", "67%", "1.03 M 2 × Rail-Cannon, Hammer-Missile 5 0.86", "9.5", "2/2 · 1/1 · 1/2", "Reactor core",
        "Highlands", "wounded 5+",
    ):  # fmt: skip
        assert words in text, words
    assert all(embedded and "Muster" in name for name, embedded in pdf.fonts(path))


def test_odins_printed_points_are_shown(tmp_path: Path):
    path = tmp_path / "sheet.pdf"
    path.write_bytes(printed([unit("odin")], "datasheet"))
    assert "points, printed 27" in pdf.text(path)


def test_support_units_have_no_data_sheet():
    with pytest.raises(DocumentError, match="no datasheet"):
        printed([hard_cases()["support"]], "datasheet")
