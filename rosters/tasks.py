"""Tasks for workers. They take an ID and claim its row. They may run twice, and stop silently if the row is gone."""

import contextlib
import logging
import os
from typing import Any

from celery import Task, shared_task
from celery.signals import task_success, worker_process_init, worker_process_shutdown, worker_shutdown
from django.db import DatabaseError
from django.utils import timezone

from rosters.accounts.data_export import data_export_pack
from rosters.accounts.forms import reset_send
from rosters.accounts.sign_ins import sign_in_notify
from rosters.models import DataExport, PrintJob
from rosters.paper.drawing import forget_fonts
from rosters.printing.batches import batch_draw, batches_drop
from rosters.printing.services import order_of, print_pictures, print_render, prints_without_pictures
from rosters.services.retention import clear_all
from rosters.site.heartbeats import Heartbeat, note_done, skip_unreadable, worker_gone
from rosters.site.job_runs import TEMPORARY_ERRORS, run
from rosters.site.retention import Clearing

log = logging.getLogger(__name__)

MAX_ROWS = 2_000  # rows of each kind that one run clears
BEATS: list[Heartbeat] = []  # the heartbeats of this process


@shared_task
def print_run(pk: int) -> None:
    """Draw a queued print and store its file."""
    sorry = "Something went wrong on our side and the print failed. Try again."
    run(
        PrintJob,
        print_run,
        pk,
        lambda job: print_render(job=job),
        sorry=sorry,
        after_failure=lambda job: batches_drop(job=job),
    )


@shared_task
def print_batch(pk: int) -> None:
    """Draw some of the cards of a long print that another worker holds."""
    try:
        batch_draw(pk=pk, order_of=order_of)
    except TEMPORARY_ERRORS as error:
        log.warning("batch %s stumbled: %s", pk, error)  # the worker that holds the print draws it later


@shared_task
def print_missing_pictures() -> None:
    """Draw missing previews of prints whose worker was killed. Run by the timer."""
    for pk in prints_without_pictures():
        try:
            with skip_unreadable(f"pictures of print {pk}"):
                print_pictures(pk=pk)
        except TEMPORARY_ERRORS as error:
            log.warning("pictures of print %s: %s", pk, error)


@shared_task
def takeout_run(pk: int) -> None:
    """Pack the archive of a player's data."""
    sorry = "Something went wrong on our side and your data couldn't be packed. Try again."
    run(DataExport, takeout_run, pk, lambda job: data_export_pack(job=job), sorry=sorry)


@shared_task
def clear_old() -> None:
    """Delete expired data, at most MAX_ROWS of each kind; the next run takes the rest. Run by the timer."""
    for what, count in clear_all(Clearing(now=timezone.now(), most=MAX_ROWS)):
        if count:
            log.info("cleared %s %s", count, what)


@shared_task(autoretry_for=(OSError,), retry_backoff=30, max_retries=4)  # SMTPException is an OSError
def sign_in_mail(pk: int) -> None:
    """Mail a player about a sign-in with a browser or program that they haven't used before."""
    sign_in_notify(pk=pk)


@shared_task(autoretry_for=(OSError,), retry_backoff=30, max_retries=4)
def reset_mail(email: str) -> None:
    """Mail a player who has forgotten their password. If the message is lost, they have to ask again."""
    reset_send(email=email)


@task_success.connect
def note_timer(sender: "Task[Any, Any]", **kwargs: object) -> None:
    """Note that a timer's task is done, for /readyz and /metrics."""
    if not sender.request.is_eager:
        note_done(task=sender.name)


@worker_process_shutdown.connect
def tidy_up(**kwargs: object) -> None:
    """When a worker process ends, delete its fonts from the temporary folder and stop its heartbeat."""
    forget_fonts()
    for beats in BEATS:
        beats.end()


@worker_process_init.connect
def start_heartbeat(**kwargs: object) -> None:
    """Start the heartbeat that shows pages whether a worker is running."""
    beats = Heartbeat(main=os.getppid())
    BEATS.append(beats)
    beats.start()


@worker_shutdown.connect
def delete_heartbeat(**kwargs: object) -> None:
    """Delete the worker's heartbeat when all its jobs are done; runs once, in the main process."""
    with contextlib.suppress(DatabaseError):
        worker_gone(main=os.getpid())
