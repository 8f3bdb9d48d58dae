"""Names beside counters: complete or missing, and over nothing else."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from battles.replay.drawing import Box, NamedCounter, place_names

TABLE: Box = (0.0, 0.0, 900.0, 720.0)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_name_moves_beside_its_counter_when_dice_lie_below():
    (below,) = place_names([NamedCounter((450, 300), 1, "Warden")], [], TABLE)
    assert (below.text, below.x) == ("Warden", 450)
    assert below.y > 328
    (beside,) = place_names([NamedCounter((450, 300), 1, "Warden", is_busy=True)], [], TABLE)
    assert (beside.y, beside.box[0] > 478) == (306, True)


def test_name_without_room_is_left_out():
    crowd = [NamedCounter((100 + 57 * (at % 5), 100 + 57 * (at // 5)), 1, "Heavy mech of the line") for at in range(25)]
    names = place_names(crowd, [], TABLE)
    assert names[12].text == ""
    assert {name.text for name in names} == {"", "Heavy mech of the line"}


def test_absent_unit_has_no_name():
    assert [name.text for name in place_names([NamedCounter(None, 1, "Warden")], [], TABLE)] == [""]


@given(
    places=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 720)), max_size=16),
    words=st.text("abcdef ", max_size=30),
    size=st.sampled_from([0.6, 1.0, 1.6]),
)
def test_names_overlap_nothing_and_stay_on_the_table(places, words, size):
    taken = [(400.0, 300.0, 500.0, 400.0)]
    counters = [NamedCounter((float(x), float(y)), size, words) for x, y in places]
    boxes = [name.box for name in place_names(counters, taken, TABLE) if name.text]
    half = 24 * size
    discs = [(x - half, y - half, x + half, y + half) for x, y in places]
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    assert not any(overlap(box, other) for box in boxes for other in (*discs, *taken))
    assert all(box[0] >= 0 and box[1] >= 0 and box[2] <= 900 and box[3] <= 720 for box in boxes)
