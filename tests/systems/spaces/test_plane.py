"""Geometry in whole numbers against the same geometry in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.spaces.plane import (
    first_inside,
    first_within,
    is_ahead,
    is_crossed,
    is_inside,
    is_passed,
    root,
    square,
    steps_on_table,
)

along = st.integers(0, 3600)
near = st.integers(1500, 2100)  # dense enough to hit edges
points = st.tuples(st.one_of(along, near), st.one_of(along, near))
radii = st.sampled_from([100, 200, 300, 350, 400])
steps = st.tuples(st.integers(-20, 20), st.integers(-20, 20))


def nearest_square(centre, a, b):
    """Return the exact square of the distance between a point and the line from a to b."""
    length = square(*a, *b)
    if length == 0:
        return Fraction(square(*centre, *a))
    t = Fraction((centre[0] - a[0]) * (b[0] - a[0]) + (centre[1] - a[1]) * (b[1] - a[1]), length)
    t = max(Fraction(0), min(Fraction(1), t))
    return (a[0] + t * (b[0] - a[0]) - centre[0]) ** 2 + (a[1] + t * (b[1] - a[1]) - centre[1]) ** 2


@given(number=st.integers(0, 2**50))
@example(number=25_920_000)
def test_root_is_rounded_down(number):
    assert root(number) == isqrt(number)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 99, 100, 101, 10**8 - 1, 10**8])
def test_root_is_exact_for_small_numbers_and_squares(number):
    assert root(number) == isqrt(number)


@given(centre=points, radius=radii, a=points, b=points)
@example(centre=(1800, 1400), radius=300, a=(1500, 0), b=(1500, 3600))  # touches the edge
@example(centre=(1800, 1400), radius=200, a=(1800, 1200), b=(1800, 1200))  # a point on the edge
@example(centre=(1800, 1400), radius=200, a=(1800, 1000), b=(1800, 1200))  # ends on the edge
def test_line_crosses_disc_when_nearest_point_is_inside(centre, radius, a, b):
    nearest = nearest_square(centre, a, b)
    assert is_crossed(*centre, radius, *a, *b) == (nearest < radius * radius)
    assert is_passed(*centre, radius, *a, *b) == (nearest <= radius * radius)
    assert is_crossed(*centre, radius, *a, *b) == is_crossed(*centre, radius, *b, *a)


@given(centre=points, radius=radii, point=points)
def test_line_without_length_is_a_point(centre, radius, point):
    assert is_crossed(*centre, radius, *point, *point) == is_inside(*centre, radius, *point)


def test_edge_of_disc_is_outside():
    assert is_inside(1800, 1400, 200, 1800, 1201)
    assert not is_inside(1800, 1400, 200, 1800, 1200)


def test_point_abeam_is_ahead_and_slightly_behind_is_not():
    assert is_ahead(0, 1, 1800, 1000, 2400, 1000)
    assert not is_ahead(0, 1, 1800, 1000, 2400, 999)
    assert is_ahead(0, 1, 1800, 1000, 1800, 1000)  # on the same spot


@given(at=along, step=st.integers(-20, 20))
def test_steps_on_table_end_on_table(at, step):
    count = 0
    while count < 20 and 0 <= at + (count + 1) * step <= 3600:
        count += 1
    assert steps_on_table(at, step, 3600, 20) == count


@given(centre=points, reach=radii, start=points, step=steps, most=st.integers(0, 20))
def test_first_step_within_reach_is_found(centre, reach, start, step, most):
    (x, y), (dx, dy) = start, step
    ends = [square(*centre, x + n * dx, y + n * dy) for n in range(1, most + 1)]
    assert first_within(*centre, reach, x, y, dx, dy, most) == next(
        (n for n, apart in enumerate(ends, 1) if apart <= reach * reach), most + 1
    )
    assert first_inside(*centre, reach, x, y, dx, dy, most) == next(
        (n for n, apart in enumerate(ends, 1) if apart < reach * reach), most + 1
    )
