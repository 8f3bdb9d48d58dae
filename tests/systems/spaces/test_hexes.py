"""A plane of hexes against the same plane in cube coordinates, floats and breadth-first searches."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.engine import runner
from systems.spaces import hexes as hx
from tests.systems.spaces import every_hex

COLUMNS, ROWS = 16, 13
CUBES = ((0, -1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1))
places = st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, ROWS - 1))
directions = st.integers(0, 5)
leans = st.sampled_from([1, -1])
EVERY = [(column, row) for row in range(ROWS) for column in range(COLUMNS)]


def number(place):
    return hx.hex_at(*place, COLUMNS, ROWS)


def place(at):
    return None if at < 0 else (at % COLUMNS, at // COLUMNS)


def beside(hexagon, direction):
    return place(hx.hex_beside(*hexagon, direction, COLUMNS, ROWS))


def cube(hexagon):
    column, row = hexagon
    diagonal = row - (column - column % 2) // 2
    return column, diagonal, -column - diagonal


def from_cube(q, r):
    return q, r + (q - q % 2) // 2


def line(a, b, lean):
    length = hx.hex_distance(*a, *b)
    return [place(hx.hex_on_line(*a, *b, step, lean, COLUMNS, ROWS)) for step in range(length + 1)]


def line_in_floats(a, b, lean):
    """Return the line as the rules describe it: the hexes of points on the way, each moved slightly aside."""
    length = max(abs(x - y) for x, y in zip(cube(a), cube(b), strict=True))
    found = [a]
    for step in range(1, length):
        point = [
            x + (y - x) * step / length + lean * off * 1e-6
            for x, y, off in zip(cube(a), cube(b), (1, 2, -3), strict=True)
        ]
        whole = [round(x) for x in point]
        errors = [abs(x - y) for x, y in zip(whole, point, strict=True)]
        if errors[0] > errors[1] and errors[0] > errors[2]:
            whole[0] = -whole[1] - whole[2]
        elif errors[1] > errors[2]:
            whole[1] = -whole[0] - whole[2]
        found.append(from_cube(whole[0], whole[1]))
    return [*found, b] if length else found


@given(hexagon=places)
def test_hex_number_is_unique_and_turns_with_map(hexagon):
    assert place(number(hexagon)) == hexagon
    column, row = hexagon
    assert place(hx.hex_opposite(number(hexagon), COLUMNS, ROWS)) == (COLUMNS - 1 - column, ROWS - 1 - row)
    assert hx.row_of(column, hx.diagonal_of(column, row)) == row


@pytest.mark.parametrize("off", [(-1, 0), (0, -1), (COLUMNS, 0), (0, ROWS)])
def test_place_off_map_has_no_number(off):
    assert number(off) == -1


def test_hex_in_even_column_has_six_neighbours():
    assert [beside((8, 5), direction) for direction in range(6)] == [(8, 4), (9, 4), (9, 5), (8, 6), (7, 5), (7, 4)]


def test_hex_in_odd_column_has_six_neighbours():
    assert [beside((7, 6), direction) for direction in range(6)] == [(7, 5), (8, 6), (8, 7), (7, 7), (6, 7), (6, 6)]


@given(hexagon=places, direction=directions)
def test_neighbours_are_one_step_apart_both_ways(hexagon, direction):
    there = beside(hexagon, direction)
    if there is not None:
        assert hx.hex_distance(*hexagon, *there) == 1
        assert beside(there, (direction + 3) % 6) == hexagon


@pytest.mark.parametrize("start", [(0, 0), (7, 6), (8, 6), (15, 12), (3, 11)])
def test_distance_is_fewest_steps(start):
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for direction in range(6):
            there = beside(here, direction)
            if there is not None and there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    assert {hexagon: hx.hex_distance(*start, *hexagon) for hexagon in EVERY} == steps


@given(a=places, b=places, c=places)
def test_distances_are_a_metric(a, b, c):
    assert hx.hex_distance(*a, *b) == hx.hex_distance(*b, *a)
    assert (hx.hex_distance(*a, *b) == 0) == (a == b)
    assert hx.hex_distance(*a, *c) <= hx.hex_distance(*a, *b) + hx.hex_distance(*b, *c)


@given(a=places, b=places, lean=leans)
def test_line_matches_its_description(a, b, lean):
    line_hexes = [hexagon if number(hexagon) >= 0 else None for hexagon in line_in_floats(a, b, lean)]
    assert line(a, b, lean) == line_hexes


@given(a=places, b=places, lean=leans)
def test_line_runs_between_ends_in_single_steps(a, b, lean):
    hexes = line(a, b, lean)
    assert hexes[0] == a
    assert hexes[-1] == b
    for step, hexagon in enumerate(hexes):
        if hexagon is not None:
            assert hx.hex_distance(*a, *hexagon) == step


@given(a=places, b=places)
def test_line_from_other_end_is_same(a, b):
    assert line(b, a, 1) == line(a, b, 1)[::-1]


@given(a=places, b=places, lean=leans)
def test_line_on_turned_map_leans_to_other_side(a, b, lean):
    def turned(hexagon):
        return None if hexagon is None else place(hx.hex_opposite(number(hexagon), COLUMNS, ROWS))

    assert line(turned(a), turned(b), -lean) == [turned(hexagon) for hexagon in line(a, b, lean)]


def test_two_lines_connect_hexes_along_an_edge():
    assert line((7, 6), (8, 5), 1) == [(7, 6), (8, 6), (8, 5)]
    assert line((7, 6), (8, 5), -1) == [(7, 6), (7, 5), (8, 5)]


def test_line_along_map_edge_may_leave_map():
    lines = [line((0, 0), (2, 0), lean) for lean in (1, -1)]
    assert sorted(lines, key=str) == [[(0, 0), (1, 0), (2, 0)], [(0, 0), None, (2, 0)]]


@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("far", [1, 2, 3, 4])
def test_front_and_rear_arcs_grow_with_distance(facing, far):
    at = (7, 6)
    ring = [hexagon for hexagon in EVERY if hx.hex_distance(*at, *hexagon) == far]
    front = [hexagon for hexagon in ring if hx.is_in_front(*at, facing, *hexagon)]
    behind = [hexagon for hexagon in ring if hx.is_behind(*at, facing, *hexagon)]
    assert len(ring) == 6 * far
    assert len(front) == len(behind) == 2 * far + 1
    assert not set(front) & set(behind)


def test_front_and_rear_arcs_match_description():
    at = (7, 6)
    around = [(7, 5), (8, 6), (6, 6), (7, 7), (8, 7), (6, 7), (9, 6), (5, 6), (9, 5), (9, 7)]
    assert [hexagon for hexagon in around if hx.is_in_front(*at, 0, *hexagon)] == [(7, 5), (8, 6), (6, 6), (9, 5)]
    assert [hexagon for hexagon in around if hx.is_behind(*at, 0, *hexagon)] == [(7, 7), (8, 7), (6, 7), (9, 7)]


@given(hexagon=places, facing=directions)
def test_own_hex_is_in_front_and_not_behind(hexagon, facing):
    assert hx.is_in_front(*hexagon, facing, *hexagon)
    assert not hx.is_behind(*hexagon, facing, *hexagon)


@given(a=places, b=places, facing=directions)
def test_arcs_match_cube_coordinates(a, b, facing):
    way = [y - x for x, y in zip(cube(a), cube(b), strict=True)]
    front = all(along * step >= 0 for along, step in zip(way, CUBES[facing], strict=True) if step)
    assert hx.is_in_front(*a, facing, *b) == front
    rear = all(along * -step >= 0 for along, step in zip(way, CUBES[facing], strict=True) if step)
    assert hx.is_behind(*a, facing, *b) == (rear and a != b)


@given(a=places, b=places, first=directions)
def test_direction_towards_hex_is_first_of_nearest(a, b, first):
    way = [y - x for x, y in zip(cube(a), cube(b), strict=True)]
    near = [sum(along * step for along, step in zip(way, direction, strict=True)) for direction in CUBES]
    order = [(first + turn) % 6 for turn in range(6)]
    assert hx.direction_towards(*a, *b, first) == max(order, key=lambda direction: near[direction])


def test_compiled_plane_gives_same_answers():
    rules = runner.compiled(
        "every-hex", every_hex.__name__, (hx.__name__, every_hex.__name__), frozenset(), boundscheck=True
    )
    seen = every_hex.State(every_hex.Pair(), [])
    every_hex.begin(seen, None, 0)
    prints = np.zeros(1, np.int64)
    tallies = [np.zeros(1, runner.dtype_of(every_hex.Pair))] * 3
    lists = [np.zeros(0, runner.dtype_of(every_hex.Pair))]
    begun = (0, 0, np.uint64(0), np.uint64(0))  # not begun, no dice left over
    rules.run(tallies[0], *lists, np.uint64(1), np.uint64(0), 1, *begun, tallies[1], tallies[2], prints)
    assert int(prints[0]) == every_hex.count(seen, None, None)
