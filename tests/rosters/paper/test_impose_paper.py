"""Plans of sheets: how many, where, marks, and backs behind fronts, checked by turning and folding the paper."""

from __future__ import annotations

import itertools

import pytest

from rosters.paper.sheets import MARGIN, PAPERS, CardTooLargeError, Place, Plan, UnknownPaperError, paper_size, plan
from tests.rosters.paper.plain_cards import SIZES

CARDS = [(size.width, size.height) for size in SIZES]
EVERY = list(itertools.product(PAPERS, CARDS, (0.0, 3.0), (False, True)))


def on_paper(place: Place, u: float, v: float) -> tuple[float, float]:
    """Return where a point of a card lies: u from its left, v from its top, as it is read."""
    width, height = place.width, place.height
    x, y = {0: (u, v), 1: (width - v, u), 2: (width - u, height - v), 3: (v, height - u)}[place.turn]
    return pytest.approx((place.x + x, place.y + y))


@pytest.mark.parametrize(
    ("paper", "card", "count"),
    [
        ("a4", (63, 88), 9), ("a4", (70, 120), 6), ("a4", (105, 148), 2), ("a4", (74, 105), 5), ("a4", (30, 30), 54),
        ("letter", (63, 88), 9), ("letter", (70, 120), 5), ("letter", (105, 148), 2), ("letter", (74, 105), 5),
    ],
)  # fmt: skip
def test_sheet_holds_as_many_cards_as_fit(paper: str, card: tuple[float, float], count: int):
    assert plan(paper, card, 0.0, marks=True, folded=False).count == count


def test_cards_are_turned_where_more_fit():
    turned = plan("a4", (63, 88), 3.0, marks=True, folded=False)
    assert turned.count == 8
    assert {cell.turn for cell in turned.cells()} == {1}


@pytest.mark.parametrize(("paper", "card", "bleed", "folded"), EVERY)
@pytest.mark.each_value
def test_cards_with_bleed_keep_margins_and_do_not_overlap(
    paper: str, card: tuple[float, float], bleed: float, folded: bool
):
    layout = plan(paper, card, bleed, marks=True, folded=folded)
    width, height = PAPERS[paper]
    boxes = [Place(c.x - bleed, c.y - bleed, c.width + 2 * bleed, c.height + 2 * bleed) for c in layout.cells()]
    assert len(boxes) == layout.count > 0
    for box in boxes:
        assert min(box.x, box.y, width - box.right, height - box.bottom) >= MARGIN - 1e-6
    for one, other in itertools.combinations(boxes, 2):
        assert (
            one.right <= other.x + 1e-6
            or other.right <= one.x + 1e-6
            or one.bottom <= other.y + 1e-6
            or other.bottom <= one.y + 1e-6
        )


@pytest.mark.parametrize(("paper", "card", "bleed", "folded"), EVERY)
@pytest.mark.parametrize("is_full", [True, False])
@pytest.mark.each_value
def test_each_cut_has_two_marks_outside_cards(
    paper: str, card: tuple[float, float], bleed: float, folded: bool, is_full: bool
):
    layout = plan(paper, card, bleed, marks=True, folded=folded)
    used = layout.count if is_full else layout.count // 2 + 1
    cuts = layout.marks(used).cuts
    cells = list(layout.cells())[:used]
    width, height = PAPERS[paper]
    for x1, y1, x2, y2 in cuts:
        assert min(x1, x2, y1, y2) >= MARGIN - 1e-6
        assert max(x1, x2) <= width - MARGIN + 1e-6
        assert max(y1, y2) <= height - MARGIN + 1e-6
        for cell in cells:
            is_clear_across = max(x1, x2) <= cell.x - bleed + 1e-6 or min(x1, x2) >= cell.right + bleed - 1e-6
            is_clear_along = max(y1, y2) <= cell.y - bleed + 1e-6 or min(y1, y2) >= cell.bottom + bleed - 1e-6
            assert is_clear_across or is_clear_along
    for cell in cells:
        for x in (cell.x, cell.right):
            at = [y for x1, y, x2, _ in cuts if x1 == x2 == pytest.approx(x)]
            assert min(at) < cell.y
            assert max(at) > cell.bottom
        for y in (cell.y, cell.bottom):
            at = [x for x, y1, _, y2 in cuts if y1 == y2 == pytest.approx(y)]
            assert min(at) < cell.x
            assert max(at) > cell.right


@pytest.mark.parametrize("card", CARDS)
def test_cards_lie_twice_the_bleed_apart(card: tuple[float, float]):
    for bleed in (0.0, 2.0):
        block = max(plan("a4", card, bleed, marks=True, folded=False).blocks, key=lambda block: block.count)
        first, second = block.cell(0), block.cell(1)
        gap = second.x - first.right if block.columns > 1 else second.y - first.bottom
        assert gap == pytest.approx(2 * bleed)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", CARDS)
def test_back_lies_behind_its_front_on_a_turned_sheet(paper: str, card: tuple[float, float]):
    layout = plan(paper, card, 0.0, marks=True, folded=False)
    width, height = PAPERS[paper]
    for cell in layout.cells():
        front = layout.front(cell)
        over_long = front.behind(layout.paper, "long-edge")
        over_short = front.behind(layout.paper, "short-edge")
        for u, v in ((0, 0), (card[0], 0), (10, 20)):
            x, y = on_paper(front, card[0] - u, v).expected  # the point of the front behind which (u, v) belongs
            assert (width - x, y) == on_paper(over_long, u, v)
            assert (x, height - y) == on_paper(over_short, u, v)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("bleed", [0.0, 3.0])
@pytest.mark.each_value
def test_back_lies_upright_behind_its_front_when_folded(paper: str, card: tuple[float, float], bleed: float):
    layout = plan(paper, card, bleed, marks=True, folded=True)
    folds = layout.marks(layout.count).folds
    for cell, (x1, y1, x2, _) in zip(layout.cells(), lines_of(layout, folds), strict=True):
        front, back = layout.front(cell), layout.folded_back(cell)
        for u, v in ((0, 0), (card[0], 0), (10, 20)):
            x, y = on_paper(back, u, v).expected
            folded = (2 * x1 - x, y) if x1 == x2 else (x, 2 * y1 - y)
            assert folded == on_paper(front, card[0] - u, v)


def lines_of(layout: Plan, folds: tuple) -> list:
    """Return the fold lines that run across cells, in the order of the cells."""
    found = []
    for cell in layout.cells():
        (line,) = [
            (x1, y1, x2, y2)
            for x1, y1, x2, y2 in folds
            if cell.x - 1e-6 <= min(x1, x2) and max(x1, x2) <= cell.right + 1e-6
            and cell.y - 1e-6 <= min(y1, y2) and max(y1, y2) <= cell.bottom + 1e-6
        ]  # fmt: skip
        found.append(line)
    return found


def test_bleed_of_a_folded_card_ends_at_the_fold():
    layout = plan("a4", (63, 88), 3.0, marks=True, folded=True)
    for cell in layout.cells():
        front, back = layout.front(cell), layout.folded_back(cell)
        one, other = layout.drawn(front, cell), layout.drawn(back, cell)
        assert one.width * one.height + other.width * other.height == pytest.approx(
            (cell.width + 6) * (cell.height + 6)
        )


def test_card_larger_than_the_paper_is_refused():
    with pytest.raises(CardTooLargeError, match="200 x 290"):
        plan("a4", (200, 290), 0.0, marks=False, folded=False)


def test_unknown_paper_is_refused():
    with pytest.raises(UnknownPaperError, match="a3"):
        paper_size("a3")
