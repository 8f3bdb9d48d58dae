"""Starting places of units ordered to a third of their side's line."""

from __future__ import annotations

import itertools

import pytest

from systems.orders import Starter, places_in_thirds, start_places


def test_ordered_units_spread_over_their_third():
    assert places_in_thirds(["left", "", "right", "left", "centre"], 0, 3600) == {0: 300, 3: 900, 2: 3000, 4: 1800}
    assert places_in_thirds(["", ""], 0, 3600) == {}
    assert places_in_thirds(["left"], 600, 4200) == {0: 1200}


def test_units_without_order_keep_their_place():
    line = [Starter("", 500, 50), Starter("right", 1800, 50), Starter("", 3100, 50)]
    assert start_places(line, 0, 3600) == [500, 3000, 3100]
    assert start_places([Starter("", at, 50) for at in (500, 1800, 3100)], 0, 3600) == [500, 1800, 3100]


def test_displaced_unit_stands_nearby_after_ordered_ones():
    line = [Starter("", 590, 50), Starter("left", 1800, 50), Starter("", 640, 50)]
    assert start_places(line, 0, 3600) == [500, 600, 700]
    assert start_places([Starter("", 20, 100), Starter("", 4790, 100)], 0, 4800) == [100, 4700]


@pytest.mark.parametrize("rooms", [[200] * 10, [100] * 10, [200, 100, 150, 200, 100, 150, 200, 200, 100, 150]])
def test_units_never_overlap_or_leave_line(rooms):
    for thirds in itertools.islice(itertools.product(("", "left", "centre", "right"), repeat=5), 0, None, 7):
        line = [
            Starter(third, 4800 * (at + 1) // 11, room)
            for at, (third, room) in enumerate(zip(thirds + thirds, rooms, strict=True))
        ]
        places = start_places(line, 0, 4800)
        stood = sorted(zip(places, rooms, strict=True))
        assert stood[0][0] >= stood[0][1]
        assert stood[-1][0] <= 4800 - stood[-1][1]
        for (one, its), (other, others) in itertools.pairwise(stood):
            assert other - one >= its + others
