"""Which evenings suit a player, and which suit both of two. Pure: days of a wall calendar, no clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evenings:
    """When somebody can play."""

    weekdays: frozenset[int] = frozenset()  # 0 is Monday
    days: frozenset[date] = frozenset()
    away: tuple[tuple[date, date], ...] = ()  # first and last day

    def suits(self, day: date) -> bool:
        """Whether he can play on that day."""
        is_away = any(first <= day <= last for first, last in self.away)
        return not is_away and (day in self.days or day.weekday() in self.weekdays)


def suiting(first: date, last: date, both: Sequence[Evenings]) -> Iterator[date]:
    """The days between these two, both counted, that suit everybody."""
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        if all(each.suits(day) for each in both):
            yield day
