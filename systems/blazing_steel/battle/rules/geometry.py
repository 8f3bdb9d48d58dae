"""Relations of bases: gaps, arcs, turns. BS-070 to BS-073, BS-161 to BS-163, ledger 6.1. Directions are vectors."""

from __future__ import annotations

from math import sqrt

from systems.spaces.inches import squared

TINY = 1e-9  # tolerance in inches: "at most" includes it, "less than" excludes it
HALF_ROOT = 0.7071067811865476  # square root of 1/2: sine and cosine of 45 degrees
FRONT, LEFT, RIGHT, REAR = 1, 2, 3, 4
NO_FLANK, SIDE_FLANK, REAR_FLANK = 0, 1, 2


def gap(ax: float, ay: float, a_radius: float, bx: float, by: float, b_radius: float) -> float:
    """Return the distance from edge to edge of two bases, not below 0. BS-070."""
    return max(0.0, sqrt(squared(ax, ay, bx, by)) - a_radius - b_radius)


def arc_of(x: float, y: float, face_x: float, face_y: float, tx: float, ty: float) -> int:
    """Return the arc of a point seen from (x, y); on a line, the arc nearer the front. BS-072, ledger 2.12."""
    ahead = face_x * (tx - x) + face_y * (ty - y)
    left = face_x * (ty - y) - face_y * (tx - x)
    beside = abs(left)
    if beside <= ahead + TINY:
        return FRONT
    if beside + ahead < -TINY:
        return REAR
    return LEFT if left > 0.0 else RIGHT


def flank_of(x: float, y: float, face_x: float, face_y: float, ax: float, ay: float, a_radius: float) -> int:
    """Return the side from which an attack by a base at a hits a target at (x, y). BS-161 to BS-163."""
    ahead = face_x * (ax - x) + face_y * (ay - y)
    beside = abs(face_x * (ay - y) - face_y * (ax - x))
    if beside + ahead < -TINY:
        return REAR_FLANK
    if (beside - ahead) * HALF_ROOT >= a_radius - TINY and (beside + ahead) * HALF_ROOT >= a_radius - TINY:
        return SIDE_FLANK
    return NO_FLANK


def turned(face_x: float, face_y: float, to_x: float, to_y: float, left: int, right: int) -> tuple[float, float]:
    """Return the facing after a turn towards a direction, by at most `left` or `right` degrees. BS-044, BS-AR03.

    Each limit is 0, 45 or 90.
    """
    if to_x == 0.0 and to_y == 0.0:
        return face_x, face_y
    ahead = face_x * to_x + face_y * to_y
    aside = face_x * to_y - face_y * to_x
    most = left if aside >= -TINY else right
    sign = 1.0 if aside >= -TINY else -1.0
    beside = abs(aside)
    if most == 90:
        return (to_x, to_y) if ahead >= -TINY else (-sign * face_y, sign * face_x)
    if most == 45:
        if beside <= ahead + TINY:
            return to_x, to_y
        return (face_x - sign * face_y) * HALF_ROOT, (face_y + sign * face_x) * HALF_ROOT
    return face_x, face_y
