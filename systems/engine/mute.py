"""A log that keeps nothing, for plain runs that only count."""

from __future__ import annotations


class MuteLog(list[tuple[int, ...]]):
    """Takes notes and forgets them."""

    def append(self, facts: tuple[int, ...], /) -> None:
        pass
