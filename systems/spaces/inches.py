"""Geometry on a table on which everything is measured in inches: distances, straight ways, directions of length 1.

Only + - * / and the square root are used, which give the same last bit on every machine. Plain functions of floats, so
that a game can name this module among its rules and have it compiled with them.
"""

from __future__ import annotations

from math import sqrt


def squared(ax: float, ay: float, bx: float, by: float) -> float:
    """The square of the distance of two points."""
    return (bx - ax) * (bx - ax) + (by - ay) * (by - ay)


def squared_to_way(cx: float, cy: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The square of the distance of a point from the straight way from a to b."""
    wx = bx - ax
    wy = by - ay
    vx = cx - ax
    vy = cy - ay
    length = wx * wx + wy * wy
    along = vx * wx + vy * wy
    if along <= 0.0:
        return vx * vx + vy * vy
    if along >= length:
        return squared(bx, by, cx, cy)
    across = wx * vy - wy * vx
    return across * across / length


def way(x: float, y: float, tx: float, ty: float) -> tuple[float, float]:
    """The direction from a point to another one, of length 1; of two that are the same there is none: (0, 0)."""
    length = sqrt(squared(x, y, tx, ty))
    if length == 0.0:
        return 0.0, 0.0
    return (tx - x) / length, (ty - y) / length
