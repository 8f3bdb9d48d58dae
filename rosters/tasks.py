"""What a worker prints. The task takes an id, claims its row, may run twice without harm, and stops quietly if it is gone."""

import logging

from celery import shared_task

from rosters.documents import DocumentError
from rosters.models import PrintJob
from rosters.services.printing import print_render

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
    except Exception:
        log.exception("print %s", pk)
        job.fail("The print could not be drawn; the fault is ours and has been noted.")
