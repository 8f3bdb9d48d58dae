"""Pieces of pages that are drawn once and kept in this process, as long as there is room.

A piece is kept by the name of its template and by all that it shows: what never changes by its name (a record's digest
and a round), what may by its value (`templatetags/pieces.py`). Nothing has to be told to forget it. It is drawn without
the request, so it holds no token, and of the reader only what is named: his rights, his time zone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

ROOM = 10_000_000  # characters of all pieces together; a long turn of a battle takes half a million


class Pieces:
    """Markup by what it shows; where there is no more room, that goes which nobody asked for the longest."""

    def __init__(self, room: int) -> None:
        self._room, self._taken = room, 0
        self._kept: OrderedDict[Hashable, SafeString] = OrderedDict()
        self._lock = Lock()

    def get(self, shows: Hashable, draw: Callable[[], str]) -> SafeString:
        """The piece that shows this, drawn if it is not kept."""
        with self._lock:
            found = self._kept.get(shows)
            if found is not None:
                self._kept.move_to_end(shows)
                return found
        found = mark_safe(draw())
        with self._lock:
            if shows not in self._kept:
                self._kept[shows] = found
                self._taken += len(found)
            while self._taken > self._room:
                self._taken -= len(self._kept.popitem(last=False)[1])
        return found


_pieces = Pieces(ROOM)


def piece(template: str, *shows: Hashable, context: Callable[[], Mapping[str, object]]) -> SafeString:
    """The template with that context, drawn once for all that it `shows`."""
    return _pieces.get((template, *shows), lambda: render_to_string(template, dict(context())))
