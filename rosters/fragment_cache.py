"""Fragments of pages, rendered once and cached in this process while there is room.

The cache key is the template's name and everything the fragment shows: unchanging things by name (a record's digest and
a round), others by value (`templatetags/fragments.py`), so nothing has to be invalidated. A fragment is rendered
without the request, so it contains no token, and depends only on what is named of the reader: their permissions, their
time zone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

MAX_SIZE = 10_000_000  # characters of all fragments together; a long turn of a battle takes half a million


class FragmentCache:
    """Markup by what it shows; when full, the least recently used fragment is dropped."""

    def __init__(self, room: int) -> None:
        self._room, self._taken = room, 0
        self._kept: OrderedDict[Hashable, SafeString] = OrderedDict()
        self._lock = Lock()

    def get(self, shows: Hashable, draw: Callable[[], str]) -> SafeString:
        """Return the fragment for this key, rendered if it is not cached."""
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


_fragments = FragmentCache(MAX_SIZE)


def render_fragment(template: str, *shows: Hashable, context: Callable[[], Mapping[str, object]]) -> SafeString:
    """Return the template rendered with that context, once for everything it `shows`."""
    return _fragments.get((template, *shows), lambda: render_to_string(template, dict(context())))
