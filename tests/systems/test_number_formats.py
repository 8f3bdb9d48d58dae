"""Numbers are written the same way on pages and on paper."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from rosters.templatetags import components
from systems import ROSTERS
from systems.meks_and_mercs.catalogue import movement_text
from systems.paper.blocks import count_boxes
from systems.paper.blocks import percent as paper_percent
from systems.text import format_decimal, format_signed, pluralize, round_half_up

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (Fraction(21, 4), "5.25"), (Fraction(23, 4), "5.75"), (Fraction(1, 8), "0.13"), (Fraction(3, 8), "0.38"),
        (Fraction(7, 6), "1.17"), (Fraction(7, 2), "3.5"), (3, "3"), (0, "0"),
    ],
)  # fmt: skip
def test_mean_has_two_digits_rounded_half_up(number: Fraction, expected: str):
    assert format_decimal(number) == expected
    assert components.format_decimal(number) == expected


def test_count_boxes_go_on_in_tens():
    rows = {count: count_boxes(count) for count in (0, 10, 11, 20, 21)}
    assert {count: row[0].inside for count, row in rows.items()} == {0: "1", 10: "1", 11: "11", 20: "11", 21: "21"}
    assert {count: sum(box.is_marked for box in row) for count, row in rows.items()} == {
        0: 0,
        10: 10,
        11: 1,
        20: 10,
        21: 1,
    }


@pytest.mark.parametrize(
    ("number", "words", "expected"),
    [
        (1, "points", "1 point"), (2, "points", "2 points"), (1, "Hits", "1 Hit"), (1, "matches", "1 match"),
        (1, "companies", "1 company"), (1, "boxes", "1 box"), (1, "hexes", "1 hex"), (1, "pieces", "1 piece"),
        (1, "ore", "1 ore"), (1, "objective points", "1 objective point"), (1, "losses", "1 loss"),
    ],
)  # fmt: skip
def test_one_of_a_kind_is_singular(number: int, words: str, expected: str):
    assert pluralize(number, words) == expected


def test_last_hit_of_a_mek_is_singular():
    assert ROSTERS["meks-and-mercs"].describe_condition({"hits": 1, "weapons_lost": [0]}) == "1 Hit left, 1 weapon lost"


def test_half_is_always_rounded_up():
    assert [round_half_up(Fraction(half, 2)) for half in (1, 3, 5, 7)] == [1, 2, 3, 4]
    assert paper_percent(Fraction(1, 8)) == "13%"
    assert paper_percent(Fraction(3, 8)) == "38%"
    assert components.percent(Fraction(1, 16)) == "6.3%"


def test_negative_sign_is_true_minus():
    assert (format_signed(2), format_signed(-2), format_signed(0)) == ("+2", "−2", "±0")
    assert movement_text(1, -1) == "1d6−1"


@pytest.mark.parametrize("system", ROSTERS)
def test_game_texts_use_no_hyphen_as_sign(system: str):
    folder = ROOT / "systems" / system.replace("-", "_")
    words = re.compile(r'^(?:text|effect|brief|special|when|line|requirement) = "(.*)"', re.MULTILINE)
    texts = [text for path in folder.rglob("*.toml") for text in words.findall(path.read_text())]
    assert texts
    assert [text for text in texts if re.search(r"(?<!\w)-\d|\d-\d", text)] == []
