"""The tray below a map or a table: where the counters lie of those that aren't on it, and what is written over them."""

from __future__ import annotations

from collections.abc import Sequence

from battles.replay.fire import Point
from battles.replay.naming import Box

HEAD, ROW = 34, 74  # heights of its heading, and of its counters with the names below them
HEIGHT = HEAD + ROW
WORD = 120.0  # width of its heading
PITCH = 124  # from one counter to the next, where there is room for it: as far as a name below needs
MIDDLE = HEAD + 24  # of its counters, from its top


def in_tray(keys: Sequence[str], width: float, top: float) -> dict[str, Point]:
    """Where each lies in a tray so wide, from the left."""
    pitch = min(PITCH, width / max(1, len(keys)))
    return {key: (round(pitch * (at + 0.5), 1), top + MIDDLE) for at, key in enumerate(keys)}


def heading_box(top: float) -> Box:
    """What the heading covers."""
    return 0.0, top, WORD, top + HEAD - 8
