"""Which workers are alive: a row of each, renewed every few seconds by the processes that do its jobs.

Those processes start no others, so a thread may beat in them while a job runs.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from rosters.models import WorkerSeen
from rosters.site.compiled import Compiled

log = logging.getLogger(__name__)

BEAT_SECONDS = 5.0
SILENT_SECONDS = 20.0  # after which a worker counts as gone
FORGOTTEN = timedelta(hours=1)  # after which nobody asks about its row
ALIVE = Compiled(lambda since: WorkerSeen.objects.filter(seen_at__gte=since).values_list("queues"), since=datetime)


def is_served(queue: str) -> bool:
    """Whether a worker that takes jobs of this queue is alive. One query."""
    since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    return any(queue in queues for (queues,) in ALIVE.rows(since=since))


def worker_beat(*, main: int) -> None:
    """Notes that the worker of this main process is alive, and forgets those long gone."""
    now = timezone.now()
    _, is_new = WorkerSeen.objects.update_or_create(
        name=_name(main), defaults={"queues": settings.WORKER_QUEUES, "seen_at": now}
    )
    if is_new:
        WorkerSeen.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


def worker_gone(*, main: int) -> None:
    """Notes that the worker has ended."""
    WorkerSeen.objects.filter(name=_name(main)).delete()


def beat_while_alive() -> None:
    """Beats for this process's worker from now on, in a thread."""
    main = os.getppid()

    def beat() -> None:
        while True:
            try:
                worker_beat(main=main)
            except DatabaseError as error:  # away for a moment: the next beat may find it
                log.warning("the worker's beat could not be noted: %s", error)
            finally:
                connection.close()
            time.sleep(BEAT_SECONDS)

    threading.Thread(target=beat, daemon=True, name="beat").start()


def _name(main: int) -> str:
    return f"{socket.gethostname()}:{main}"
