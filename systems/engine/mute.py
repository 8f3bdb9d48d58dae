"""A log that keeps nothing, for plain runs that only tally."""

from __future__ import annotations


class MuteLog(list[tuple[str, dict[str, int]]]):
    """A log that drops its notes."""

    def append(self, fact: tuple[str, dict[str, int]], /) -> None:
        pass
