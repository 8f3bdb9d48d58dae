"""When each timer last did its work, and a guard for rows that its work can't read.

Notes are in the cache that all processes and machines share. A worker writes one after the work is done, so a timer is
late whatever the cause: no beat, no worker, a long queue, work that fails.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from celery.schedules import BaseSchedule, maybe_schedule
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError
from django.utils import timezone
from redis.exceptions import RedisError

from rosters.site.job_runs import BLIPS

log = logging.getLogger(__name__)

LATE_AFTER = timedelta(minutes=3)  # time after which its work is overdue
START_KEY = "timer-start"
DONE_KEY = "timer-done:{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """An entry of the schedule."""

    name: str
    seen_at: datetime | None  # when its work was last done, or beat started; None: unknown
    is_late: bool


def note_start() -> bool:
    """Record that beat has started, from when on work is due; False if it can't be recorded now."""
    return _note(START_KEY)


def note_done(*, task: str) -> None:
    """Record that a timer's work is done; ignores tasks without a timer."""
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        if entry["task"] == task:
            _note(DONE_KEY.format(name))


def timers() -> list[Timer]:
    """Return all timers, in the order of the schedule."""
    now = timezone.now()
    notes = cache.get_many([START_KEY, *map(DONE_KEY.format, settings.CELERY_BEAT_SCHEDULE)])
    # a note from the future comes from a clock that was wrong
    seen = {key: at for key, at in notes.items() if at <= now + LATE_AFTER}
    started_at = seen.pop(START_KEY, min(seen.values(), default=None))  # the cache may have lost it
    found = []
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        seen_at = max(filter(None, (seen.get(DONE_KEY.format(name)), started_at)), default=None)
        schedule = cast(BaseSchedule, maybe_schedule(cast(Any, entry["schedule"])))
        overdue = -schedule.remaining_estimate(seen_at) if seen_at else None
        found.append(Timer(name=name, seen_at=seen_at, is_late=overdue is None or overdue > LATE_AFTER))
    return found


def _note(key: str) -> bool:
    try:
        cache.set(key, timezone.now(), None)
    except (DatabaseError, RedisError) as error:
        log.warning("%s could not be noted: %s", key, error)
        return False
    return True


@contextmanager
def skip_unreadable(what: str) -> Iterator[None]:
    """Log an error with one row in one line, and go on; temporary errors of database or broker are raised."""
    try:
        yield
    except BLIPS:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        reason = " ".join(str(error).split())[:200]
        log.warning("%s was skipped: %s: %s (%s:%s)", what, type(error).__name__, reason, last.filename, last.lineno)
