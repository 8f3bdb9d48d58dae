"""Imposed sheets: every size on every paper, checked through content, tags, backs, offsets and speed."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

from rosters.paper.documents import PrintSettings
from rosters.paper.sheets import MARGIN, PAPERS
from rosters.printing.cache import Drawn, PageRef
from rosters.printing.impose import BREAK, impose, straight
from tests.rosters.paper import checks, pdf
from tests.rosters.paper.plain_cards import A6, A7, COUNTER, POKER, SIZES, STANDEE, TAROT, draw_cards

LONG, SHORT = "long-edge", "short-edge"


def settings(**fields: object) -> PrintSettings:
    return PrintSettings.model_validate(fields)


def open_pdf(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(data))


def near(area: checks.Area) -> object:
    return pytest.approx((area.left, area.top, area.right, area.bottom), abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.slug)
@pytest.mark.parametrize("backs", ["none", LONG, SHORT, "fold-over"])
@pytest.mark.parametrize("bleed", [0.0, 3.0])
@pytest.mark.each_value
def test_each_sheet_is_complete(paper: str, size, backs: str, bleed: float, tmp_path: Path):
    path = tmp_path / "print.pdf"
    cards = draw_cards(7, size, bleed)
    path.write_bytes(impose(cards, settings(paper=paper, backs=backs, bleed_mm=bleed), "Cards & more"))
    names = ["F0", "F6"] + (["B0", "B6"] if backs != "none" or size.folds else [])
    checks.check(path, size=PAPERS[paper], title="Cards & more", texts=names)
    words = pdf.words(path)
    with pikepdf.open(path) as sheets:
        card_count = 0
        for number in range(len(sheets.pages)):
            assert checks.problems_of_sheet(sheets, number) == []
            assert checks.words_outside(words[number], sheets, number) == []
            card_count += len(checks.drawing(sheets, number).cards)
    assert card_count == (7 if backs == "none" and not size.folds else 14)


@pytest.mark.parametrize("size", [POKER, TAROT, A6, A7, COUNTER], ids=lambda size: size.slug)
@pytest.mark.parametrize("backs", [LONG, SHORT])
@pytest.mark.parametrize("bleed", [0.0, 3.0])
@pytest.mark.each_value
def test_backs_and_marks_lie_behind_their_fronts(size, backs: str, bleed: float):
    width, height = PAPERS["a4"]
    sheets = open_pdf(impose(draw_cards(11, size, bleed), settings(backs=backs, bleed_mm=bleed), "Cards"))
    assert len(sheets.pages) % 2 == 0
    for number in range(0, len(sheets.pages), 2):
        front, back = checks.drawing(sheets, number), checks.drawing(sheets, number + 1)

        def behind(area: checks.Area) -> object:
            if backs == LONG:
                return near(checks.Area(width - area.right, area.top, width - area.left, area.bottom))
            return near(checks.Area(area.left, height - area.bottom, area.right, height - area.top))

        assert len(front.cards) == len(back.cards)
        for (_, turn, area), (_, back_turn, back_area) in zip(front.cards, back.cards, strict=True):
            assert (back_area.left, back_area.top, back_area.right, back_area.bottom) == behind(area)
            assert back_turn == (-turn % 4 if backs == LONG else (2 - turn) % 4)
        for mark, back_mark in zip(front.strokes, back.strokes, strict=True):
            assert (back_mark.left, back_mark.top, back_mark.right, back_mark.bottom) == behind(mark)


def test_words_of_a_back_are_printed_behind_its_front(tmp_path: Path):
    path = tmp_path / "print.pdf"
    path.write_bytes(impose(draw_cards(2), settings(backs=LONG), "Cards"))
    front, back = pdf.words(path)
    places = {word.text: word for word in (*front, *back)}
    assert places["F0"].left == pytest.approx(10.5 + 2, abs=0.5)
    assert places["B0"].left == pytest.approx(210 - 10.5 - 63 + 2, abs=0.5)
    assert places["B1"].left == pytest.approx(places["B0"].left - 63, abs=0.1)
    assert places["B0"].top == pytest.approx(places["F0"].top, abs=0.01)


@pytest.mark.parametrize(
    ("backs", "duplex"),
    [(LONG, "/DuplexFlipLongEdge"), (SHORT, "/DuplexFlipShortEdge"), ("none", "/Simplex"), ("fold-over", "/Simplex")],
)
def test_pdf_sets_duplex_and_no_scaling(backs: str, duplex: str):
    sheets = open_pdf(impose(draw_cards(1), settings(backs=backs), "Cards"))
    preferences = sheets.Root.ViewerPreferences
    assert preferences.Duplex == duplex
    assert preferences.PrintScaling == "/None"


def test_breaks_and_kinds_start_new_sheets():
    cards, counters = draw_cards(4), draw_cards(2, COUNTER)
    one = [cards[0], counters[0], cards[1], counters[1]]
    sheets = open_pdf(impose([BREAK, *one, BREAK, BREAK, *cards[2:], BREAK], settings(backs="none"), "Cards"))
    assert [len(checks.drawing(sheets, number).cards) for number in range(len(sheets.pages))] == [2, 2, 2]
    assert checks.alternative_texts(sheets) == [
        card.text for card in (cards[0], cards[1], counters[0], counters[1], cards[2], cards[3])
    ]


BASES = tuple(replace(COUNTER, width=mm, height=mm) for mm in (60.0, 25.0, 40.0))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("backs", ["none", LONG, SHORT, "fold-over"])
@pytest.mark.parametrize("bleed", [0.0, 3.0])
@pytest.mark.each_value
def test_counters_of_several_sizes_share_a_sheet(paper: str, backs: str, bleed: float, tmp_path: Path):
    path = tmp_path / "print.pdf"
    cards = [card for size in BASES for card in draw_cards(2, size, bleed)]
    path.write_bytes(impose(cards, settings(paper=paper, backs=backs, bleed_mm=bleed), "Counters"))
    words = pdf.words(path)
    with pikepdf.open(path) as sheets:
        card_counts = [len(checks.drawing(sheets, number).cards) for number in range(len(sheets.pages))]
        assert card_counts == {"none": [6], "fold-over": [12]}.get(backs, [6, 6])
        for number in range(len(sheets.pages)):
            assert checks.problems_of_sheet(sheets, number) == []
            assert checks.words_outside(words[number], sheets, number) == []
        if backs == LONG:
            front, back = (checks.drawing(sheets, number) for number in range(2))
            wide = PAPERS[paper][0]
            for (_, _, area), (_, _, behind) in zip(front.cards, back.cards, strict=True):
                assert near(behind) == (wide - area.right, area.top, wide - area.left, area.bottom)


def test_only_remainders_of_full_sheets_share_one():
    large, small, _middle = BASES
    assert pages_of([*draw_cards(14, large), *draw_cards(3, small)], backs="none") == [12, 5]
    assert pages_of([*draw_cards(11, large), *draw_cards(8, small)], backs="none") == [11, 8]  # no room below


def test_standees_are_folded_whatever_the_backs_setting():
    """Their sheet has an empty back where something follows, so that it starts on a front."""
    assert pages_of([*draw_cards(1), *draw_cards(1, STANDEE)]) == [1, 1, 2]
    assert pages_of([*draw_cards(1, STANDEE), *draw_cards(1)]) == [2, 0, 1, 1]


def test_empty_back_is_a_page_only_before_another_sheet():
    bare = [replace(card, back=None) for card in draw_cards(10)]
    assert pages_of(bare) == [9, 0, 1]
    assert pages_of([*bare[:1], *draw_cards(1)]) == [2, 1]
    assert pages_of(bare, backs="fold-over") == [9, 1]


def pages_of(cards: list[Drawn], backs: str = LONG) -> list[int]:
    """Return how many cards are on each page."""
    sheets = open_pdf(impose(cards, settings(backs=backs), "Mixed"))
    assert checks.problems_of_streams(sheets) == []
    return [len(checks.drawing(sheets, number).cards) for number in range(len(sheets.pages))]


def test_cards_have_alternative_texts_in_reading_order():
    sheets = open_pdf(impose(draw_cards(2), settings(backs=LONG), "Cards"))
    assert checks.alternative_texts(sheets) == [
        "Card 0\nArmor 4, hits 3", "Card 1\nArmor 4, hits 3", "Back of Card 0", "Back of Card 1",
    ]  # fmt: skip
    kinds = [str(element.S) for element in checks.elements_of(sheets.Root.StructTreeRoot)]
    assert kinds == ["/Document", "/Sect", *["/Figure"] * 4]


def test_card_without_text_has_an_alternative_text():
    sheets = open_pdf(impose([replace(draw_cards(1)[0], text="")], settings(), "Cards"))
    assert checks.alternative_texts(sheets) == ["Card", "Back of a card"]


@pytest.mark.parametrize("backs", [LONG, SHORT])
def test_printer_offsets_move_each_side(backs: str):
    still = open_pdf(impose(draw_cards(9), settings(backs=backs), "Cards"))
    moved = open_pdf(impose(draw_cards(9), settings(backs=backs, front={"x": 1.5, "y": -2}, back={"x": -0.5}), "Cards"))
    for number, (x, y) in enumerate([(1.5, -2.0), (-0.5, 0.0)]):
        before, after = checks.drawing(still, number), checks.drawing(moved, number)
        for one, other in zip(
            [*(card[2] for card in before.cards), *before.trims, *before.strokes],
            [*(card[2] for card in after.cards), *after.trims, *after.strokes],
            strict=True,
        ):
            assert (other.left - x, other.top - y, other.right - x, other.bottom - y) == near(one)


def test_offsets_never_push_a_card_off_the_paper():
    far = settings(paper="letter", backs="none", marks=False, front={"x": 10, "y": 10})
    sheets = open_pdf(impose(draw_cards(70, COUNTER), far, "Cards"))
    width, height = PAPERS["letter"]
    assert checks.problems_of_sheet(sheets, 0, margin=0) == []
    assert max(area.right for _, _, area in checks.drawing(sheets, 0).cards) > width - MARGIN
    assert max(area.bottom for _, _, area in checks.drawing(sheets, 0).cards) <= height + 0.01


def test_marks_can_be_left_out():
    assert not checks.drawing(open_pdf(impose(draw_cards(1), settings(marks=False), "Cards")), 0).strokes


def test_repeated_card_and_fonts_are_stored_once():
    (card,) = draw_cards(1)
    sheets = open_pdf(impose([card] * 100, settings(), "Cards"))
    forms = {page.Resources.XObject[name].objgen for page in sheets.pages for name in page.Resources.XObject}
    assert len(forms) == 2
    mixed = open_pdf(impose([card, *draw_cards(1, TAROT)], settings(backs="none"), "Cards"))
    files = [found for found in mixed.objects if isinstance(found, pikepdf.Stream) and "/Length1" in found]
    assert len(files) == 1


def test_equal_cards_give_equal_bytes():
    assert impose(draw_cards(3), settings(), "Cards") == impose(draw_cards(3), settings(), "Cards")


def test_extra_bleed_is_cut():
    sheets = open_pdf(impose(draw_cards(9, POKER, 3.0), settings(backs="none"), "Cards"))
    assert checks.problems_of_sheet(sheets, 0) == []
    assert {round(area.right - area.left, 1) for _, _, area in checks.drawing(sheets, 0).cards} == {63.0}


def test_empty_print_is_refused():
    with pytest.raises(ValueError, match="no cards"):
        impose([BREAK], settings(), "Cards")


def test_each_file_of_900_known_cards_is_read_once(tmp_path: Path, monkeypatch):
    cards = []
    for at in range(20):
        batch = tmp_path / f"{at}.pdf"
        shutil.copy(draw_cards(45)[0].front.batch, batch)
        for card in draw_cards(45):
            cards.append(replace(card, front=PageRef(batch, card.front.page), back=PageRef(batch, card.back.page)))
    read = []
    with monkeypatch.context() as patch:
        from_file = pikepdf.open
        patch.setattr(pikepdf, "open", lambda *given, **more: read.append(given) or from_file(*given, **more))
        data = impose(cards, settings(), "Cards")
    assert len(read) == 20
    assert len(open_pdf(data).pages) == 200


def test_each_side_on_screen_is_its_own_page(tmp_path: Path):
    path = tmp_path / "print.pdf"
    path.write_bytes(straight([*draw_cards(2, bleed=3.0), BREAK, *draw_cards(1, A7)], "Cards to read"))
    checks.check(path, pages=6, title="Cards to read", texts=["F0", "B1"])
    assert pdf.page_sizes(path) == [(63, 88)] * 4 + [(74, 105)] * 2
    assert [[word.text for word in page] for page in pdf.words(path)] == [
        ["F0"],
        ["B0"],
        ["F1"],
        ["B1"],
        ["F0"],
        ["B0"],
    ]
