"""What a table's dice reveal about their fairness."""

from fractions import Fraction
from math import factorial, isclose

import pytest

from battles.live.dice import chi_square_tail, faces_by_die, fairness, p_value


@pytest.mark.parametrize(
    ("value", "degrees", "chance"),
    [(3.841459, 1, 0.05), (5.991465, 2, 0.05), (11.070498, 5, 0.05), (14.067140, 7, 0.05), (16.918978, 9, 0.05),
     (20.515006, 5, 0.001), (0.0, 5, 1.0)],
)  # fmt: skip
def test_chi_square_tail_matches_printed_tables(value, degrees, chance):
    assert isclose(chi_square_tail(value, degrees), chance, rel_tol=1e-5)


def test_oddness_of_a_coin_is_near_the_exact_value():
    count, heads = 40, 27
    exact = sum(
        Fraction(factorial(count), factorial(each) * factorial(count - each)) for each in range(count + 1)
        if abs(each - count / 2) >= abs(heads - count / 2)
    ) / 2**count  # fmt: skip
    assert abs(p_value([heads, count - heads]) - float(exact)) < 0.02


def test_few_dice_get_no_verdict():
    found = fairness([6] * 29, 6)
    assert found.chance is None
    assert "are too few to judge" in found.verdict
    assert "after 30" in found.verdict


def test_even_dice_pass_and_loaded_ones_are_very_odd():
    assert fairness([1, 2, 3, 4, 5, 6] * 10, 6).verdict.startswith("The dice look fair")
    assert fairness([6] * 30, 6).verdict.startswith("Very unusual")
    assert fairness([1] * 6 + [2] * 3 + [3] * 4 + [4] * 6 + [5] * 4 + [6] * 15, 6).verdict.startswith(
        "Unusual, but no proof"
    )


def test_each_face_has_a_share_with_interval():
    found = fairness([1, 1, 2, 6], 6)
    assert [face.count for face in found.faces] == [2, 1, 0, 0, 0, 1]
    assert all(face.share.low <= face.share.share <= face.share.high for face in found.faces)
    assert (found.mean, found.expected) == (2.5, 3.5)
    assert found.low < 3.5 < found.high


def test_dice_are_grouped_by_number_of_faces():
    assert faces_by_die([(8, [8]), (6, [1, 2]), (8, [3])]) == {6: [1, 2], 8: [8, 3]}
