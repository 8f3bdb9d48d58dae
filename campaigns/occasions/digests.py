"""When a player's next digest is due, by the clock on his wall."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from campaigns.models import Wishes


def zone_of(name: str) -> tzinfo:
    """The time zone of that name; UTC for one that nobody knows."""
    try:
        return ZoneInfo(name) if name else UTC
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return UTC


def next_digest(wishes: Wishes, zone: str, now: datetime) -> datetime:
    """The next moment after now at which his clock shows his hour, and his weekday where he wants one a week."""
    there = now.astimezone(zone_of(zone))
    due = there.replace(hour=wishes.hour, minute=0, second=0, microsecond=0, fold=0)
    while due.astimezone(UTC) <= now or (wishes.rhythm == Wishes.Rhythm.WEEKLY and due.weekday() != wishes.weekday):
        due += timedelta(days=1)  # of the wall: the hour stays what it is, whatever the clocks do
    return due.astimezone(UTC)
