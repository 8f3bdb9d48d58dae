"""The tray below a map or a table: the positions of counters that aren't on it, and its heading."""

from __future__ import annotations

from collections.abc import Sequence

from battles.replay.fire import Point
from battles.replay.naming import Box

TRAY_HEAD, TRAY_ROW = 34, 74  # heights of its heading, and of its counters with the names below them
TRAY_HEIGHT = TRAY_HEAD + TRAY_ROW
TRAY_HEADING_WIDTH = 120.0  # width of its heading
TRAY_PITCH = 124  # from one counter to the next if there is room: the width of a name below
MIDDLE = TRAY_HEAD + 24  # of its counters, from its top


def tray_places(keys: Sequence[str], width: float, top: float) -> dict[str, Point]:
    """Return each position in a tray of that width, from the left."""
    pitch = min(TRAY_PITCH, width / max(1, len(keys)))
    return {key: (round(pitch * (at + 0.5), 1), top + MIDDLE) for at, key in enumerate(keys)}


def tray_heading_box(top: float) -> Box:
    """Return the box that the heading covers."""
    return 0.0, top, TRAY_HEADING_WIDTH, top + TRAY_HEAD - 8
