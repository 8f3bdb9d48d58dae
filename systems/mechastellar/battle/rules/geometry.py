"""The facing of units. ST-061, ST-064, ST-D95. Directions are vectors of length 1."""

from __future__ import annotations

HALF_ROOT = 0.7071067811865476  # square root of 1/2: sine and cosine of 45 degrees
ASIDE = 0.00000001745  # sine of the millionth of a degree that arcs allow


def is_ahead(x: float, y: float, face_x: float, face_y: float, tx: float, ty: float) -> bool:
    """Return True if a point is in the front arc from (x, y); its border and (x, y) itself are. ST-064."""
    to_x = tx - x
    to_y = ty - y
    along = face_x * to_x + face_y * to_y
    if along >= 0.0:
        return True
    return along * along <= ASIDE * ASIDE * (to_x * to_x + to_y * to_y)


def turned(face_x: float, face_y: float, to_x: float, to_y: float, rotations: int) -> tuple[float, float]:
    """Return the facing after `rotations` of up to 90 degrees towards a direction; (0, 0) is none. ST-061."""
    if rotations == 0 or (to_x == 0.0 and to_y == 0.0):
        return face_x, face_y
    if rotations > 1 or face_x * to_x + face_y * to_y >= 0.0:
        return to_x, to_y
    if face_x * to_y - face_y * to_x > 0.0:
        return -face_y, face_x
    return face_y, -face_x


def half_turned(face_x: float, face_y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """Return the facing after a rotation of up to 45 degrees towards a direction. ST-062."""
    if to_x == 0.0 and to_y == 0.0:
        return face_x, face_y
    ahead = face_x * to_x + face_y * to_y
    aside = face_x * to_y - face_y * to_x
    if abs(aside) <= ahead:
        return to_x, to_y
    sign = 1.0 if aside > 0.0 else -1.0
    return (face_x - sign * face_y) * HALF_ROOT, (face_y + sign * face_x) * HALF_ROOT
