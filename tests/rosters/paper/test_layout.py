"""Text is fitted before it is drawn: inside the card, without overlap, nothing omitted."""

from __future__ import annotations

import re

import pytest

from rosters.card_layout import POKER, CardPage, TextBox, lay_out
from rosters.paper.documents import sheet_of
from systems import PAPER
from systems.paper.blocks import CardFace, Entries, Entry
from systems.paper.metrics import fit_size, width_mm, wrap
from tests.rosters.paper.units import hard_cases, published, read, unit

TOLERANCE = 0.02  # mm


def pages_of(document: dict) -> tuple[list[CardPage], list[CardPage]]:
    asked = read(document)
    content = PAPER[asked.system].card(sheet_of(asked))
    return lay_out(content.front), lay_out(content.back)


def ink_of(text: TextBox) -> list[tuple[float, float, float, float]]:
    """Return left, top, right, bottom of each line that has text."""
    boxes = []
    for at, line in enumerate(text.lines):
        if not line:
            continue
        width = width_mm(line, text.font, text.size)
        slack = text.width - width
        left = text.x + {"left": 0.0, "center": slack / 2, "right": slack}[text.align]
        top = text.y + at * text.leading
        boxes.append((left, top, left + width, top + text.leading))
    return boxes


@pytest.mark.parametrize("name", hard_cases())
def test_all_text_stays_inside_the_safe_area(name: str):
    for page in [page for side in pages_of(hard_cases()[name]) for page in side]:
        for text in page.texts:
            for left, top, right, bottom in ink_of(text):
                assert left >= POKER.safe - 0.05, text
                assert right <= POKER.width - POKER.safe + 0.05, text
                assert top >= POKER.safe - 1.2, text
                assert bottom <= POKER.height - POKER.safe + TOLERANCE, text


@pytest.mark.parametrize("name", hard_cases())
def test_no_two_texts_of_a_card_overlap(name: str):
    for page in [page for side in pages_of(hard_cases()[name]) for page in side]:
        boxes = [(box, text) for text in page.texts for box in ink_of(text)]
        for at, (one, text) in enumerate(boxes):
            for other, second in boxes[at + 1 :]:
                across = min(one[2], other[2]) - max(one[0], other[0])
                # Leading is a sixth more than the type: lines may share that much without touching.
                along = min(one[3], other[3]) - max(one[1], other[1])
                allowed = 0.32 * min(text.leading, second.leading)
                assert across <= 0.3 or along <= allowed, f"{text.lines} overlaps {second.lines}"


@pytest.mark.parametrize("name", hard_cases())
def test_strokes_stay_inside_the_card(name: str):
    for page in [page for side in pages_of(hard_cases()[name]) for page in side]:
        for path in "".join("".join(paths) for paths in page.art.values()).split("M")[1:]:
            x, y = map(float, re.match(r"([\d.]+) ([\d.]+)", path).groups())
            assert 3 <= x <= 60, path
            assert 3 <= y <= 86, path


@pytest.mark.parametrize("document", published(), ids=lambda document: document["name"])
def test_published_mek_fits_on_one_card(document: dict):
    fronts, backs = pages_of(document)
    assert (len(fronts), len(backs)) == (1, 1)


def test_every_skill_of_a_long_list_is_printed():
    document = hard_cases()["fullest titan"]
    fronts, _ = pages_of(document)
    assert len(fronts) > 1
    words = " ".join(line for page in fronts for text in page.texts for line in text.lines)
    for skill in sheet_of(read(document)).pilot.skills:
        assert skill.name in words
    assert f"1 of {len(fronts)}" in words


def test_card_with_little_text_has_larger_type():
    small = lay_out(CardFace(title="A", blocks=(Entries(title="X", entries=(Entry(name="one"),)),)))[0]
    many = tuple(Entry(name=f"entry {number}", text="with a word or two") for number in range(23))
    full = lay_out(CardFace(title="A", blocks=(Entries(title="X", entries=many),)))[0]
    size = {page.texts[-2 if page is full else -1].size for page in (small, full)}
    assert max(text.size for text in small.texts if "one" in text.lines) > max(
        text.size for text in full.texts if "entry 1" in text.lines
    ), size


def test_lost_parts_are_crossed_out():
    whole, _ = pages_of(unit("draken"))
    damaged, _ = pages_of(unit("draken", condition={"hits": 2, "weapons_lost": [1], "legs": 1}))
    marks = [len(pages[0].art.get("mark", [])) for pages in (whole, damaged)]
    assert marks == [0, 4]


def test_wrapped_text_is_whole_and_fits_the_width():
    text = "A word andaveryveryverylongwordwithoutanyspace 日本語の長い名前 end"
    lines = wrap(text, "text", 7, 12)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width_mm(line, "text", 7) <= 12 for line in lines)


def test_name_shrinks_before_breaking():
    assert fit_size("DRAKEN", "head", (17, 10), 40) == (17, ("DRAKEN",))
    size, lines = fit_size("A MUCH LONGER NAME FOR A MEK", "head", (17, 10), 40)
    assert (size, len(lines)) == (10, 1) or len(lines) > 1


def test_line_break_respects_opening_and_closing_marks():
    text = "鋼鉄の「狼」部隊、第三小隊。ザッカーっと「東」「西」の門（北）" * 3
    for width in range(8, 60):
        lines = wrap(text, "text", 8, width)
        assert "".join(lines) == text
        for line in lines:
            assert width_mm(line, "text", 8) <= width or len(line) <= 2
            assert len(line) < 3 or (line[0] not in "」、。ー）っッ" and line[-1] not in "「（"), (width, lines)


def test_long_arabic_name_takes_few_lines():
    name = "كتيبة الصحراء الحمراء للدفاع عن المدينة القديمة والميناء الكبير"
    assert len(wrap(name, "text", 8, 60)) <= 3
