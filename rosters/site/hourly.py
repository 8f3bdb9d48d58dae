"""Hours that are full: how long until there is room again, and how that is said."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.utils import timezone

HOUR = timedelta(hours=1)
WAIT_FOR_ONE, WAIT_FOR_OTHERS = 5, 60  # seconds after which it is worth asking again, where workers are busy


def wait_until_gone(last: datetime) -> int:
    """Seconds until that moment lies an hour back; 1 at the least."""
    return max(1, math.ceil((last + HOUR - timezone.now()).total_seconds()))


def in_minutes(wait: int) -> str:
    """`in 12 minutes`, of so many seconds."""
    minutes = math.ceil(wait / 60)
    return "in a minute" if minutes == 1 else f"in {minutes} minutes"
