"""A whole print from its order: cards and pages in the reader's order, progress, refusals."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rosters.printing import cache, render_order, rendering
from rosters.printing.impose import impose
from rosters.printing.orders import MAX_VALUES, check_order, read_order
from rosters.printing.view_helpers import counts_of
from systems.documents import DocumentError
from tests.rosters.paper import pdf
from tests.rosters.paper.units import ace, hard_cases, unit


@pytest.fixture(autouse=True)
def _fresh_cache():
    shutil.rmtree(cache.folder(), ignore_errors=True)


def order(*items: dict, **settings):
    return read_order(
        {"title": "Iron Wolves", "settings": {"backs": "none", "sheet": "half", **settings}, "items": list(items)}
    )


def card(name: str, copies: int = 1) -> dict:
    return {"what": "unit-card", "unit": unit(name=name), "copies": copies}


def sheet(name: str) -> dict:
    return {"what": "datasheet", "unit": unit(name=name)}


BREAK = {"what": "break"}


def page_words(tmp_path: Path, printed: rendering.Printed) -> list[set[str]]:
    path = tmp_path / "print.pdf"
    path.write_bytes(printed.pdf)
    names = {"ALPHA", "BRAVO", "CHARLIE"}
    return [{word.text.upper() for word in page} & names for page in pdf.words(path)]


def test_items_keep_their_order_and_neighbouring_cards_share_sheets(tmp_path: Path):
    printed = render_order(order(card("Alpha"), card("Bravo"), sheet("Charlie"), card("Alpha")))
    assert page_words(tmp_path, printed) == [{"ALPHA", "BRAVO"}, {"CHARLIE"}, {"ALPHA"}]
    assert printed.pages == 3
    assert printed.warning == ""


def test_break_begins_a_new_sheet(tmp_path: Path):
    printed = render_order(order(card("Alpha"), BREAK, card("Bravo"), BREAK))
    assert page_words(tmp_path, printed) == [{"ALPHA"}, {"BRAVO"}]


def test_copies_are_drawn_once_and_laid_side_by_side(tmp_path: Path):
    printed = render_order(order(card("Alpha", copies=10)))
    assert printed.pages == 2
    path = tmp_path / "print.pdf"
    path.write_bytes(printed.pdf)
    assert sum(word.text == "ALPHA" for page in pdf.words(path) for word in page) == 10


def test_progress_counts_only_uncached_items():
    render_order(order(card("Alpha")))
    progress: list[tuple[int, int]] = []
    render_order(order(card("Alpha"), card("Bravo"), sheet("Charlie")), lambda *parts: progress.append(parts))
    assert progress == [(1, 2), (2, 2)]


def test_missing_characters_are_reported_each_time():
    strange = order(card("A \U0010fffd"))
    assert "U+10FFFD" in render_order(strange).warning
    assert "U+10FFFD" in render_order(strange).warning


def test_refused_item_is_named_by_its_place():
    bad = {"what": "unit-card", "unit": unit(spec={"chassis": "giga"})}
    with pytest.raises(DocumentError) as refusal:
        render_order(order(sheet("Charlie"), BREAK, card("Alpha"), bad))
    assert refusal.value.path == "items[3].unit.spec.chassis"


@pytest.mark.parametrize("sheet_kind", ["half", "two-up"])
def test_refused_page_is_named_by_its_place(sheet_kind: str):
    bad = {"what": "datasheet", "unit": unit(condition={"hits": 99})}
    with pytest.raises(DocumentError) as refusal:
        render_order(order(card("Alpha"), sheet("Bravo"), BREAK, sheet("Charlie"), bad, sheet=sheet_kind))
    assert refusal.value.path == "items[4].unit.condition.hits"


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        ({"what": "datasheet", "unit": hard_cases()["support"]}, "items[1].unit"),
        ({"what": "pilot-card", "unit": unit()}, "items[1].unit.pilot"),
        ({"what": "datasheet", "unit": unit(condition={"hits": 99})}, "items[1].unit.condition.hits"),
        ({"what": "roster", "roster": {"system": "chess", "name": "X"}}, "items[1].roster.system"),
    ],
)
def test_unprintable_item_is_refused_by_check_and_render(bad: dict, path: str):
    wanted = order(card("Alpha"), bad)
    for refuse in (check_order, render_order):
        with pytest.raises(DocumentError) as refusal:
            refuse(wanted)
        assert refusal.value.path == path


def test_order_of_900_units_with_16_skills_is_read():
    wanted = order(*({"what": "unit-card", "unit": unit(name=f"Unit {at}", pilot=ace())} for at in range(900)))
    assert len(wanted.items[899].unit.pilot.skills) == 16


def test_order_with_too_many_values_is_refused():
    spec = {"weapons": [0] * MAX_VALUES}
    with pytest.raises(DocumentError, match=f"holds more than {MAX_VALUES} values"):
        order({"what": "unit-card", "unit": unit(spec=spec)})


def test_empty_backs_of_standees_are_pages_only_before_others():
    alone = order(*({"what": "standee", "unit": unit(name=f"Unit {at}")} for at in range(40)), backs="long-edge")
    assert render_order(alone).pages == counts_of(alone).sheets == 2
    mixed = order({"what": "standee", "unit": unit()}, sheet("Alpha"), card("Bravo"), backs="long-edge")
    assert render_order(mixed).pages == 6  # only cards are printed behind a card
    folded = order({"what": "standee", "unit": unit()}, backs="fold-over")
    assert render_order(folded).pages == counts_of(folded).sheets == 1


@pytest.mark.parametrize(
    ("items", "path"),
    [
        ([card("Alpha", copies=900), card("Bravo")], "items"),
        ([card("Alpha", copies=10_000)], "items[0].copies"),
        ([card("Alpha")] * 10_000, "items"),
        ([card("😀" * 5_000)], "items[0].unit.name"),
        ([{"what": "unit-card", "unit": unit(pilot={"name": "😀" * 5_000})}], "items[0].unit.pilot.name"),
        ([sheet("Alpha")] * 201, "items"),
    ],
    ids=["901 cards", "10,000 copies", "10,000 cards", "5,000 emoji", "a pilot of emoji", "201 datasheets"],
)
def test_oversized_order_is_refused_before_drawing(items: list, path: str):
    with pytest.raises(DocumentError) as refusal:
        order(*items)
    assert refusal.value.path.startswith(path)


def test_batch_deleted_during_a_print_is_drawn_again(monkeypatch: pytest.MonkeyPatch):
    wanted = order(card("Alpha"))
    whole = render_order(wanted)
    calls = []

    def vanishing(*args, **kwargs):
        calls.append(1)
        if len(calls) == 1:
            for path in cache.folder().glob("*.pdf"):
                path.unlink()
        return impose(*args, **kwargs)

    monkeypatch.setattr("rosters.printing.impose.impose", vanishing)
    assert render_order(wanted).pdf == whole.pdf
    assert len(calls) == 2
