"""Geometry on a flat table in whole numbers: points, discs, straight lines, arcs, moves in equal steps.

A system chooses its unit of length. All comparisons are exact; with coordinates below 2^14 every product stays below
2^58. These are plain functions of whole numbers, so that a system can list this module among its rules and have it
compiled with them.
"""

from __future__ import annotations


def square(ax: int, ay: int, bx: int, by: int) -> int:
    """Return the square of the distance between two points."""
    return (bx - ax) * (bx - ax) + (by - ay) * (by - ay)


def root(number: int) -> int:
    """Return the largest whole number whose square is at most `number`, which is 0 or more."""
    bit = 1
    while bit <= number >> 2:
        bit <<= 2
    rest = number
    found = 0
    while bit:
        if rest >= found + bit:
            rest -= found + bit
            found = (found >> 1) + bit
        else:
            found >>= 1
        bit >>= 2
    return found


def is_inside(cx: int, cy: int, radius: int, x: int, y: int) -> bool:
    """Return whether a point is inside a disc, not on its edge."""
    return square(cx, cy, x, y) < radius * radius


def is_crossed(cx: int, cy: int, radius: int, ax: int, ay: int, bx: int, by: int) -> bool:
    """Return whether the line from a to b crosses the inside of a disc; touching its edge doesn't count."""
    wx = bx - ax
    wy = by - ay
    fx = cx - ax
    fy = cy - ay
    length = wx * wx + wy * wy
    along = fx * wx + fy * wy
    if along <= 0:
        return fx * fx + fy * fy < radius * radius
    if along >= length:
        return square(bx, by, cx, cy) < radius * radius
    across = wx * fy - wy * fx
    return across * across < radius * radius * length


def is_passed(cx: int, cy: int, reach: int, ax: int, ay: int, bx: int, by: int) -> bool:
    """Return whether the line from a to b comes within `reach` of a point, inclusive."""
    wx = bx - ax
    wy = by - ay
    fx = cx - ax
    fy = cy - ay
    length = wx * wx + wy * wy
    along = fx * wx + fy * wy
    if along <= 0:
        return fx * fx + fy * fy <= reach * reach
    if along >= length:
        return square(bx, by, cx, cy) <= reach * reach
    across = wx * fy - wy * fx
    return across * across <= reach * reach * length


def is_ahead(fx: int, fy: int, x: int, y: int, tx: int, ty: int) -> bool:
    """Return whether a point is in the front half of a unit at (x, y) facing (fx, fy), including directly abeam."""
    return fx * (tx - x) + fy * (ty - y) >= 0


def steps_on_table(at: int, step: int, size: int, most: int) -> int:
    """Return how many of `most` steps along one axis stay within 0 .. size."""
    if step > 0:
        return min(most, (size - at) // step)
    if step < 0:
        return min(most, at // -step)
    return most


def first_within(cx: int, cy: int, reach: int, x: int, y: int, dx: int, dy: int, most: int) -> int:
    """Return the first of `most` steps by (dx, dy) that ends within `reach` of a point, inclusive; else most + 1."""
    if not is_passed(cx, cy, reach, x, y, x + most * dx, y + most * dy):
        return most + 1
    for step in range(1, most + 1):
        if square(cx, cy, x + step * dx, y + step * dy) <= reach * reach:
            return step
    return most + 1


def first_inside(cx: int, cy: int, radius: int, x: int, y: int, dx: int, dy: int, most: int) -> int:
    """Return the first of `most` steps by (dx, dy) that ends inside a disc, not on its edge; otherwise most + 1."""
    if not is_crossed(cx, cy, radius, x, y, x + most * dx, y + most * dy):
        return most + 1
    for step in range(1, most + 1):
        if is_inside(cx, cy, radius, x + step * dx, y + step * dy):
            return step
    return most + 1
