"""Geometry on a table measured in inches: distances, straight paths, unit vectors.

Only + - * / and the square root are used, because they give the same last bit on every machine. These are plain
functions of floats, so that a game can list this module among its rules and have it compiled with them.
"""

from __future__ import annotations

from math import sqrt


def squared(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the square of the distance between two points."""
    return (bx - ax) * (bx - ax) + (by - ay) * (by - ay)


def squared_to_way(cx: float, cy: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Return the square of a point's distance from the straight path from a to b."""
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
    """Return the direction from one point to another as a unit vector; (0, 0) if they are the same point."""
    length = sqrt(squared(x, y, tx, ty))
    if length == 0.0:
        return 0.0, 0.0
    return (tx - x) / length, (ty - y) / length
