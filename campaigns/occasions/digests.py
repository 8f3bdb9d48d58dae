"""When a player's next digest is due, in their local time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from campaigns.models import NotificationPreferences


def get_zone(name: str) -> tzinfo:
    """Return the time zone of that name; UTC if the name is unknown."""
    try:
        return ZoneInfo(name) if name else UTC
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return UTC


def next_digest(wishes: NotificationPreferences, zone: str, now: datetime) -> datetime:
    """Return the next time after `now` at the hour set in the player's zone; for weekly digests on their weekday."""
    there = now.astimezone(get_zone(zone))
    due = there.replace(hour=wishes.hour, minute=0, second=0, microsecond=0, fold=0)
    while due.astimezone(UTC) <= now or (wishes.rhythm == NotificationPreferences.Rhythm.WEEKLY and due.weekday() != wishes.weekday):
        due += timedelta(days=1)  # in local time: the hour stays the same when clocks change
    return due.astimezone(UTC)
