"""Run jobs of all kinds (claim, work, retry, give up with a reason), and write their files.

A temporary error ("blip") is a database or broker that does not answer, a lock that is held too long, or a disk error.
It isn't the job's fault, so the job waits, longer each time, and is tried again, up to a limit. With any other error,
the job fails for good. If that can't be written either, the lease runs out and the sweep finds the row. A file's name
is in the job's row before the file is written, so a crash leaves no file without a row. A file is written under a
temporary name and then moved into place, so nobody ever reads half a file, even if two workers write it.
"""

from __future__ import annotations

import importlib
import logging
import os
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from celery import Task, current_app
from django.conf import settings
from django.db import InterfaceError, OperationalError, connections, transaction
from kombu.exceptions import OperationalError as BrokerError

from rosters.jobs import Job, JobStatus
from rosters.site.log_context import of_job

log = logging.getLogger(__name__)
J = TypeVar("J", bound=Job)

# OperationalError includes lost connections, deadlocks and SQLite's "locked"; OSError includes connection resets,
# timeouts and full disks.
TEMPORARY_ERRORS = (OperationalError, InterfaceError, BrokerError, OSError)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=2), timedelta(seconds=60)
WRITE_AGAIN_AFTER = (0.2, 1.0, 3.0)  # seconds between attempts of the write that ends a try


def run(
    kind: type[J],
    task: Task,
    pk: int,
    work: Callable[[J], object],
    *,
    sorry: str,
    after_failure: Callable[[J], object] = lambda job: None,
) -> None:
    """Claim the row and do the work; do nothing if it is finished, cancelled, deleted or claimed by another worker.

    If it fails because of a bug, the user sees `sorry`. After any failure for good, `after_failure` cleans up.
    """
    try:
        job = kind.claim(pk)
    except TEMPORARY_ERRORS as error:
        log.warning("%s %s could not be claimed: %s", kind.__name__, pk, error)  # the sweep will try it again
        return
    if job is not None:
        attempt(job, task, (pk,), work, sorry=sorry, after_failure=after_failure)


def attempt(
    job: J,
    task: Task,
    message: tuple[object, ...],
    work: Callable[[J], object],
    *,
    sorry: str,
    after_failure: Callable[[J], object] = lambda job: None,
) -> None:
    """Do the work of a claimed job. After a temporary error, `message` is sent to `task` again."""
    begun = time.perf_counter()
    with of_job(f"{type(job).__name__.lower()}-{job.pk}"):
        if reason := _worked_off(job, task, message, work, sorry):
            _fail(job, reason, after_failure)
        log.info("%s %s: %.0f ms of work", type(job).__name__, job.pk, (time.perf_counter() - begun) * 1000)


def _worked_off(job: J, task: Task, message: tuple[object, ...], work: Callable[[J], object], sorry: str) -> str:
    """Do the work; return why the job failed for good, or "" if it is done or will be tried again."""
    if job.tries > job.MAX_TRIES:
        return f"This failed {job.MAX_TRIES} times because the server stopped each time. Try again later."
    try:
        work(job)
    except TEMPORARY_ERRORS as error:
        log.warning("%s %s stumbled: %s: %s", type(job).__name__, job.pk, type(error).__name__, error)
        if job.blips >= job.MAX_BLIPS:
            reason = f"This failed {job.blips + 1} times because part of the server didn't respond. "
            return reason + "Try again later."
        pause = pause_after(job.blips)
        if _written(lambda: job.put_back(pause)):
            wake(task, *message, after=pause)  # else the lease runs out, and the sweep finds the row
    except Exception:
        log.exception("%s %s", type(job).__name__, job.pk)
        return sorry
    return ""


def wake(task: Task | str, *message: object, after: timedelta | None = None) -> None:
    """Send a message to a task; the task can be given by name, because services can't import tasks, which import them.

    It is no error if the broker does not answer: the row is already written, so the sweep finds it.
    """
    if isinstance(task, str):
        task = task_named(task)
    try:
        if after is None:
            task.delay(*message)
        else:
            task.apply_async(message, countdown=after.total_seconds())
    # Not only TEMPORARY_ERRORS: if the connection is lost right now, the broker's library raises other errors.
    except Exception as error:
        log.warning("no worker could be told of %s %s: %s: %s", task.name, message, type(error).__name__, error)


def task_named(name: str) -> Task:
    """Return the task of that name, e.g. "battles.tasks.battle_resolve"; import its module if necessary."""
    importlib.import_module(name.rpartition(".")[0])
    return current_app.tasks[name]


def pause_after(blips: int) -> timedelta:
    """Return how long a job waits after so many temporary errors."""
    pause: timedelta = min(FIRST_PAUSE * 2**blips, LONGEST_PAUSE)
    return pause


def _fail(job: J, reason: str, after_failure: Callable[[J], object]) -> None:
    @transaction.atomic
    def write() -> None:
        if job.fail(reason):
            after_failure(job)

    _written(write)


def _written(write: Callable[[], object]) -> bool:
    """Try several times to write; return whether it succeeded. Else the lease runs out and the sweep finds the row."""
    for pause in (*WRITE_AGAIN_AFTER, None):
        for each in connections.all(initialized_only=True):
            if not each.in_atomic_block:
                each.close_if_unusable_or_obsolete()
        try:
            write()
            return True
        except TEMPORARY_ERRORS as error:
            log.warning("the end of a try could not be written: %s", error)
        if pause:
            time.sleep(pause)
    return False


UNFINISHED = ".part"  # suffix of files that are still being written


def finish_with_file(job: Job, name: str, data: bytes, **result: object) -> bool:
    """Store the file of a claimed job and mark the job done; return False, and leave no file, if the claim was lost."""
    if not job.claimed().update(**{"file": name}):
        return False
    put_file(name, data)
    if job.finish(file=name, **result):
        return True
    # If another worker has claimed the job now, it writes the same file. If none has, e.g. after cancelling, nobody
    # needs the file.
    rows = type(job)._default_manager.filter(pk=job.pk)
    if not rows.filter(status__in=(JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.DONE)).exists():
        drop_file(name)
    return False


def put_file(name: str, data: bytes) -> None:
    """Write a file of the storage in one step; it replaces an existing file."""
    path = _place(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def drop_file(name: str) -> None:
    """Delete the file, if there is one."""
    _place(name).unlink(missing_ok=True)


def _place(name: str) -> Path:
    return Path(settings.MEDIA_ROOT) / name
