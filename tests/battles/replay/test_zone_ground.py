"""The ground of zones: decorated by zone number, always the same, never under units."""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot

import pytest

from battles.replay.zone_drawing import SIGN_DISTANCE, SIGN_REACH, SIZES, TERRAIN_SIGNS, scatter_signs

AREA = (0.0, 0.0, 220.0, 190.0)
CLEAR = ((54.0, 22.0, 166.0, 73.0), (54.0, 117.0, 166.0, 168.0))


def middles(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"M(-?\d+),(-?\d+)", path)]


@pytest.mark.parametrize("look", TERRAIN_SIGNS)
def test_signs_stay_apart_and_leave_the_middle_clear(look: str):
    for number in range(1, 10):
        found = middles(scatter_signs(look, number, AREA, CLEAR, 22))
        assert 8 <= len(found) <= 22
        assert all(hypot(x - a, y - b) > SIGN_DISTANCE - 2 for (x, y), (a, b) in combinations(found, 2))
        least = SIGN_REACH * SIZES[0] - 1
        for x, y in found:
            assert least <= x <= 220 - least
            assert least <= y <= 190 - least
            assert not any(a - least < x < c + least and b - least < y < d + least for a, b, c, d in CLEAR)


@pytest.mark.parametrize("look", TERRAIN_SIGNS)
def test_sign_fits_its_reserved_space(look: str):
    for sign in TERRAIN_SIGNS[look]:
        x = y = start_x = start_y = 0.0
        for step, numbers in re.findall(r"([a-z])([^a-z]*)", sign):
            values = [float(number) for number in re.findall(r"-?\d+", numbers)]
            match step:
                case "h":
                    ways = [(values[0], 0.0)]
                case "v":
                    ways = [(0.0, values[0])]
                case "c" | "q":
                    size = {"c": 6, "q": 4}[step]
                    ways = [(values[at + size - 2], values[at + size - 1]) for at in range(0, len(values), size)]
                case _:
                    ways = list(zip(values[::2], values[1::2], strict=True))
            if step == "z":
                x, y = start_x, start_y
            for right, down in ways:
                x, y = x + right, y + down
                assert max(abs(x), abs(y)) <= SIGN_REACH, sign
            if step == "m":
                start_x, start_y = x, y


def test_each_zone_has_its_own_stable_ground():
    one, other = (scatter_signs("wood", number, AREA, CLEAR, 22) for number in (1, 2))
    assert one != other
    scatter_signs.cache_clear()
    assert scatter_signs("wood", 1, AREA, CLEAR, 22) == one


def test_ground_without_a_look_has_no_signs():
    assert scatter_signs("", 1, AREA, CLEAR, 22) == ""
