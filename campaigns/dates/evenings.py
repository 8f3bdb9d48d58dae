"""Which days suit a player, and which suit both sides. Pure: calendar days, no clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayableDays:
    """A player's availability."""

    weekdays: frozenset[int] = frozenset()  # 0 is Monday
    days: frozenset[date] = frozenset()
    away: tuple[tuple[date, date], ...] = ()  # first and last day

    def suits(self, day: date) -> bool:
        """Return whether the player can play on that day."""
        is_away = any(first <= day <= last for first, last in self.away)
        return not is_away and (day in self.days or day.weekday() in self.weekdays)


def common_days(first: date, last: date, both: Sequence[PlayableDays]) -> Iterator[date]:
    """Yield the days from `first` to `last`, both included, that suit everybody."""
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        if all(each.suits(day) for each in both):
            yield day
