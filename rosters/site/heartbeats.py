"""Heartbeats show which workers are alive; timer notes show when each timer last did its work.

Heartbeats are rows in the database. A thread writes them, so that they continue while a job runs. Timer notes are in
the cache that all processes and machines share. A worker writes the note after the work is done, so a timer is shown as
late whatever the cause is: no beat, no worker, a long queue, or work that fails.
"""

from __future__ import annotations

import logging
import socket
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from celery.schedules import BaseSchedule, maybe_schedule
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.utils import timezone
from redis.exceptions import RedisError

from rosters.database.queries import PreparedQuery
from rosters.models import WorkerHeartbeat
from rosters.site.job_runs import TEMPORARY_ERRORS

log = logging.getLogger(__name__)

BEAT_SECONDS = 5.0
SILENT_SECONDS = 20.0  # a worker without a heartbeat for so long counts as gone
PATIENCE_SECONDS = 5.0  # how long an ending process waits for a heartbeat in progress
FORGOTTEN = timedelta(hours=1)  # the row of a worker without a heartbeat for so long is deleted
ALIVE = PreparedQuery(
    lambda since: WorkerHeartbeat.objects.filter(seen_at__gte=since).values_list("queues"), since=datetime
)


def is_served(queue: str) -> bool:
    """Return whether a worker for this queue is alive. Makes one query."""
    since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    return any(queue in queues for (queues,) in ALIVE.rows(since=since))


def worker_beat(*, main: int) -> None:
    """Record that the worker with this main process is alive, and delete the rows of workers that are long gone."""
    now = timezone.now()
    _, is_new = WorkerHeartbeat.objects.update_or_create(
        name=_name(main), defaults={"queues": settings.WORKER_QUEUES, "seen_at": now}
    )
    if is_new:
        WorkerHeartbeat.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


def worker_gone(*, main: int) -> None:
    """Delete the heartbeat of a worker that has ended."""
    WorkerHeartbeat.objects.filter(name=_name(main)).delete()


class Heartbeat:
    """A thread that sends the heartbeats of one process."""

    def __init__(self, *, main: int) -> None:
        self._main = main
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="beat")

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Stop the thread and wait for it: a later heartbeat would make the worker look alive after its end."""
        self._ending.set()
        self._thread.join(PATIENCE_SECONDS)

    def _beat(self) -> None:
        while not self._ending.is_set():
            try:
                worker_beat(main=self._main)
            except DatabaseError as error:  # perhaps only for a moment: the next heartbeat may succeed
                log.warning("the worker's beat could not be noted: %s", error)
            finally:
                connection.close()
            self._ending.wait(BEAT_SECONDS)


def _name(main: int) -> str:
    return f"{socket.gethostname()}:{main}"


LATE_AFTER = timedelta(minutes=3)  # a timer's work is overdue after this
START_KEY = "timer-start"
DONE_KEY = "timer-done:{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """An entry of the schedule, with the time of its last work."""

    name: str
    seen_at: datetime | None  # when its work was last done, or else when beat started; None if unknown
    is_late: bool


def note_start() -> bool:
    """Record that beat has started, which is when all work becomes due; return False if that can't be recorded now."""
    return _note(START_KEY)


def note_done(*, task: str) -> None:
    """Record that a timer's work was done now; ignore tasks without a timer."""
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        if entry["task"] == task:
            _note(DONE_KEY.format(name))


def timers() -> list[Timer]:
    """Return all timers, in the order of the schedule."""
    now = timezone.now()
    notes = cache.get_many([START_KEY, *map(DONE_KEY.format, settings.CELERY_BEAT_SCHEDULE)])
    # notes from the future were written while a clock was wrong
    seen = {key: at for key, at in notes.items() if at <= now + LATE_AFTER}
    started_at = seen.pop(START_KEY, min(seen.values(), default=None))  # the cache may have lost the start
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
    """Log an error about one row as one line and go on; temporary errors of database or broker are still raised."""
    try:
        yield
    except TEMPORARY_ERRORS:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        reason = " ".join(str(error).split())[:200]
        log.warning("%s was skipped: %s: %s (%s:%s)", what, type(error).__name__, reason, last.filename, last.lineno)
