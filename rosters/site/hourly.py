"""Hourly limits: how long to wait, and how to say it."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.utils import timezone

HOUR = timedelta(hours=1)
WAIT_FOR_ONE, WAIT_FOR_OTHERS = 5, 60  # seconds until a retry makes sense while workers are busy


def wait_until_gone(last: datetime) -> int:
    """Return the seconds until that moment is an hour ago; at least 1."""
    return max(1, math.ceil((last + HOUR - timezone.now()).total_seconds()))


def in_minutes(wait: int) -> str:
    """Format seconds as `in 12 minutes`."""
    minutes = math.ceil(wait / 60)
    return "in a minute" if minutes == 1 else f"in {minutes} minutes"
