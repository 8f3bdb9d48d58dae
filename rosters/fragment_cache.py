"""A cache of rendered page fragments in this process.

The cache key is the template's name and everything that the fragment shows: by name if it never changes (a record's
digest and a round), otherwise by value (`templatetags/fragments.py`). So nothing has to be invalidated. A fragment is
rendered without the request: it contains no token, and depends only on those facts about the reader that are in the
key, such as permissions and time zone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

MAX_SIZE = 10_000_000  # characters of all fragments together; a long turn of a battle has half a million


class FragmentCache:
    """A cache of markup by what it shows. When it is full, the least recently used fragment is dropped."""

    def __init__(self, room: int) -> None:
        self._room, self._taken = room, 0
        self._kept: OrderedDict[Hashable, SafeString] = OrderedDict()
        self._lock = Lock()

    def get(self, shows: Hashable, draw: Callable[[], str]) -> SafeString:
        """Return the fragment for this key; call `draw` if it isn't cached."""
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
    """Return the rendered template; `context` is only called if no fragment with the same `shows` is cached."""
    return _fragments.get((template, *shows), lambda: render_to_string(template, dict(context())))
