"""The ground of zones, drawn: signs of their terrain scattered irregularly, but always in the same way.

Each zone's number is its seed: two woods differ, and every step of a replay shows the same one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

Box = tuple[float, float, float, float]  # left, top, right, bottom

TERRAIN_SIGNS: Mapping[str, tuple[str, ...]] = {  # by look of zones: paths from the middle of the sign on, within REACH
    "wood": (
        "m0,-17l7,11h-4l6,10h-18l6,-10h-4zm0,21v6",
        "m0,-15l6,9h-3l5,9h-16l5,-9h-3zm0,18v5",
        "m0,-14c8,0 12,5 10,11c-1,5 -5,7 -10,7c-5,0 -9,-2 -10,-7c-2,-6 2,-11 10,-11zm0,18v7",
    ),
    "plain": (
        "m-9,4h18m-13,0l-2,-6m6,6v-10m5,10l2,-7",
        "m-6,3h12m-8,0l-1,-5m4,5l1,-7",
        "m-16,1q8,-5 16,0t16,0",
    ),
    "highlands": (
        "m-17,11l12,-21l8,13l5,-7l9,15zm12,-21l2,10l-4,4",
        "m-13,9l10,-17l11,17zm10,-17l2,8l-3,3",
        "m-16,9c2,-11 7,-16 13,-16c8,0 14,6 18,16m-13,-9l2,5m5,-3l2,5",
    ),
    "moors": (
        "m-9,8h18m-13,0l-2,-9m6,9v-15m4,15l2,-12m-2,2l3,-3",
        "m-14,0q4,-4 7,0t7,0t7,0t7,0m-21,6q4,-4 7,0t7,0",
        "m-7,6h14m-9,0v-10m4,10l2,-8",
    ),
    "desert": (
        "m-18,6c6,-11 12,-12 18,-2c4,-7 11,-7 18,2",
        "m-5,1h3m5,-4h2m-7,8h2m6,-1h3",
        "m-13,5c4,-8 9,-9 14,-1q5,-4 11,1",
    ),
    "urban": (
        "m-9,12v-24h18v24zm5,-18h2m4,0h2m-8,7h2m4,0h2m-8,7h2m4,0h2",
        "m-11,9v-10l11,-8l11,8v10zm8,0v-6h6v6",
        "m-13,10v-15h11v15zm11,-8h13v8h-13m-7,-11h3m-3,5h3",
    ),
}
SIGN_REACH = 19.0  # from the middle of a sign to its farthest point, at its own size
SIZES = (0.8, 1.2)
SIGN_DISTANCE = 26.0  # between the middles of two
MAX_SIGN_TRIES = 600

_SIGN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@lru_cache(maxsize=512)
def scatter_signs(look: str, seed: int, area: Box, clear: tuple[Box, ...], most: int) -> str:
    """Return a path of up to `most` signs of that ground within the area, none touching the `clear` boxes."""
    if look not in TERRAIN_SIGNS:
        return ""
    chance = Random(f"{look} {seed}")  # noqa: S311  a picture, no dice
    signs = sorted(_sign_places(chance, area, clear, most), key=lambda sign: sign[1])
    return "".join(_sign(x, y, size, chance.choice(TERRAIN_SIGNS[look])) for x, y, size in signs)


def _sign_places(chance: Random, area: Box, clear: Sequence[Box], most: int) -> Iterator[tuple[float, float, float]]:
    """Yield middles and sizes, no two too near to each other."""
    found: list[tuple[float, float]] = []
    left, top, right, bottom = area
    for _try in range(MAX_SIGN_TRIES):
        if len(found) == most:
            return
        size = SIZES[0] + (SIZES[1] - SIZES[0]) * chance.random()
        reach = SIGN_REACH * size
        x = left + reach + (right - left - 2 * reach) * chance.random()
        y = top + reach + (bottom - top - 2 * reach) * chance.random()
        if any(
            box[0] < x + reach and x - reach < box[2] and box[1] < y + reach and y - reach < box[3] for box in clear
        ):
            continue
        if all((x - other) ** 2 + (y - down) ** 2 >= SIGN_DISTANCE**2 for other, down in found):
            found.append((x, y))
            yield x, y, size


def _sign(x: float, y: float, size: float, path: str) -> str:
    """Return the sign there; all of its steps are relative, so each number is scaled."""
    scaled = _SIGN_NUMBER.sub(lambda number: f"{float(number[0]) * size:.1f}".removesuffix(".0"), path)
    return f"M{x:.0f},{y:.0f}{scaled}"
