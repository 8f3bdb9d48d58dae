"""What a worker prints. Tasks take an id, claim its row, may run twice without harm, and stop quietly if it is gone."""

import contextlib
import logging
import os
from typing import Any

from celery import shared_task
from celery.signals import worker_process_init, worker_process_shutdown, worker_shutdown
from django.db import DatabaseError

from rosters.documents import DocumentError
from rosters.models import PrintJob
from rosters.printing.drawing import forget_fonts
from rosters.services.print_batches import batch_draw, batches_drop
from rosters.services.printing import order_of, print_render
from rosters.workers import beat_while_alive, worker_gone

log = logging.getLogger(__name__)


@shared_task
def print_run(pk: int) -> None:
    """Draws a queued print and stores its file."""
    job = PrintJob.claim(pk)
    if job is None:
        return
    if job.tries > job.MAX_TRIES:
        job.fail(f"Given up after {job.MAX_TRIES} tries: the worker died each time.")
        return
    try:
        print_render(job=job)
    except DocumentError as error:
        job.fail(f"This can't be printed: {error}")
        batches_drop(job=job)
    except Exception:
        log.exception("print %s", pk)
        job.fail("The print could not be drawn; the fault is ours and has been noted.")
        batches_drop(job=job)


@shared_task
def print_batch(pk: int) -> None:
    """Draws some of the cards of a long print that another worker holds."""
    batch_draw(pk=pk, order_of=order_of)


@worker_process_shutdown.connect
def tidy_up(**kwargs: Any) -> None:
    """A worker process that ends leaves no fonts in the temporary folder."""
    forget_fonts()


@worker_process_init.connect
def give_signs_of_life(**kwargs: Any) -> None:
    """Pages learn from it whether somebody is there to do what waits."""
    beat_while_alive()


@worker_shutdown.connect
def say_goodbye(**kwargs: Any) -> None:
    """Told once, by the main process, when all jobs are done."""
    with contextlib.suppress(DatabaseError):
        worker_gone(main=os.getpid())
