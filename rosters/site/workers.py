"""Which workers are alive: one row each, renewed every few seconds by the processes that do its jobs.

These processes start no others, so a thread can send the heartbeat while a job runs.
"""

from __future__ import annotations

import logging
import socket
import threading
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from rosters.models import WorkerHeartbeat
from rosters.site.compiled import PreparedQuery

log = logging.getLogger(__name__)

BEAT_SECONDS = 5.0
SILENT_SECONDS = 20.0  # then a worker counts as gone
PATIENCE_SECONDS = 5.0  # how long an ending process waits for a heartbeat in progress
FORGOTTEN = timedelta(hours=1)  # then its row is deleted
ALIVE = PreparedQuery(lambda since: WorkerHeartbeat.objects.filter(seen_at__gte=since).values_list("queues"), since=datetime)


def is_served(queue: str) -> bool:
    """Return whether a worker for this queue is alive. One query."""
    since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    return any(queue in queues for (queues,) in ALIVE.rows(since=since))


def worker_beat(*, main: int) -> None:
    """Record that the worker of this main process is alive, and delete rows of workers long gone."""
    now = timezone.now()
    _, is_new = WorkerHeartbeat.objects.update_or_create(
        name=_name(main), defaults={"queues": settings.WORKER_QUEUES, "seen_at": now}
    )
    if is_new:
        WorkerHeartbeat.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


def worker_gone(*, main: int) -> None:
    """Delete the heartbeat of a worker that has ended."""
    WorkerHeartbeat.objects.filter(name=_name(main)).delete()


class Beats:
    """The heartbeat of one process, in a thread of its own."""

    def __init__(self, *, main: int) -> None:
        self._main = main
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="beat")

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Stop; returns when no further heartbeat can follow, which would make the ended worker look alive."""
        self._ending.set()
        self._thread.join(PATIENCE_SECONDS)

    def _beat(self) -> None:
        while not self._ending.is_set():
            try:
                worker_beat(main=self._main)
            except DatabaseError as error:  # away for a moment: the next heartbeat may get through
                log.warning("the worker's beat could not be noted: %s", error)
            finally:
                connection.close()
            self._ending.wait(BEAT_SECONDS)


def _name(main: int) -> str:
    return f"{socket.gethostname()}:{main}"
