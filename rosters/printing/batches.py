"""Shares the drawing of a long print among workers: its new cards are split into batches that any worker can take.

A batch is a row with a lease; its cards go to the cache. The worker that holds the print draws batches as long as any
are free, then waits for those of other workers, and takes over batches whose worker was killed. So a print finishes
whatever happens to other workers. At the end its own worker draws any cards that aren't in the cache.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from rosters.jobs import JobStatus
from rosters.models import PrintBatch, PrintJob
from rosters.printing.orders import PrintOrder
from rosters.printing.rendering import draw_cards, uncached_items
from rosters.products import is_card
from rosters.products.base import Item
from rosters.site.job_runs import TEMPORARY_ERRORS, pause_after

log = logging.getLogger(__name__)

ITEMS = 40  # items in a batch, which take about half a second to draw
SHARED_FROM = 2 * ITEMS  # with fewer new cards, one worker is faster
POLL_SECONDS = 0.1
RENEW_SECONDS = 2.0


class ClaimLostError(RuntimeError):
    """Raised while drawing if the print was cancelled or another worker holds it."""


def batches_share(*, job: PrintJob, order: PrintOrder, invite: Callable[[int], None]) -> int:
    """Draw the new cards of a claimed print together with other workers; return their number.

    `invite` is called with the ID of each batch that another worker may take. ClaimLostError if the claim is lost.
    """
    cards = _cards(order)
    rows = list(PrintBatch.objects.filter(job=job))
    if not rows:
        new = uncached_items(cards, order.settings)
        if len(new) < SHARED_FROM:
            return 0
        rows = _cut(job, new)
    _report(job, rows)
    for row in rows[1:]:
        if row.status == JobStatus.QUEUED:
            invite(row.pk)
    for batch in _to_take(job, rows):
        _draw(batch, cards, order)
        _report(job, rows)
    _report(job, rows)
    return sum(len(row.items) for row in rows)


def batch_draw(*, pk: int, order_of: Callable[[PrintJob], PrintOrder]) -> bool:
    """Draw a batch for the worker that holds its print; return False if the batch is gone, taken or cancelled."""
    batch = PrintBatch.claim(pk)
    if batch is None:
        return False
    if batch.job.status != JobStatus.RUNNING:
        batch.fail("Nobody holds its print.")
        return False
    if batch.tries > batch.MAX_TRIES:
        batch.fail("Its workers died each time.")
        return False
    order = order_of(batch.job)
    return _draw(batch, _cards(order), order)


def batches_drop(*, job: PrintJob) -> None:
    """Delete the batches of a finished print."""
    PrintBatch.objects.filter(job=job).delete()


@transaction.atomic
def _cut(job: PrintJob, new: list[int]) -> list[PrintBatch]:
    """Create the batches of a print while it is locked, so that none are added after its end; ClaimLostError."""
    if not job.claimed().select_for_update(no_key=True, of=("self",)).exists():
        raise ClaimLostError
    return PrintBatch.objects.bulk_create(
        PrintBatch(job=job, number=number, items=new[at : at + ITEMS])
        for number, at in enumerate(range(0, len(new), ITEMS))
    )


def _cards(order: PrintOrder) -> list[Item]:
    return [item for item in order.items if is_card(item)]


def _draw(batch: PrintBatch, cards: list[Item], order: PrintOrder) -> bool:
    """Draw the cards of a batch; return False if they can't be drawn or if the claim was lost.

    A temporary error is raised again, after the batch has been freed for others.
    """
    try:
        draw_cards([cards[at] for at in batch.items], order.settings)
    except TEMPORARY_ERRORS:
        if batch.blips < batch.MAX_BLIPS:
            batch.put_back(pause_after(batch.blips))
        else:
            batch.fail("The disk or the database didn't respond.")
        raise
    except Exception:  # the print's own worker gets the same error and shows it to the reader
        log.exception("batch %s", batch.pk)
        return not batch.fail("These cards could not be drawn.")
    return batch.finish()


def _to_take(job: PrintJob, rows: list[PrintBatch]) -> Iterator[PrintBatch]:
    """Yield claimed batches one by one until none is left to draw; ClaimLostError if the print's claim is lost."""
    renewed = time.monotonic()
    while True:
        states = dict(PrintBatch.objects.filter(job=job).values_list("pk", "status"))
        open_rows = [row for row in rows if states.get(row.pk) in (JobStatus.QUEUED, JobStatus.RUNNING)]
        if not open_rows:
            return
        free = Q(status=JobStatus.QUEUED) | Q(status=JobStatus.RUNNING, lease_until__lt=timezone.now())
        pk = PrintBatch.objects.filter(free, job=job).values_list("pk", flat=True).first()
        batch = PrintBatch.claim(pk) if pk else None
        if batch is None:
            if time.monotonic() - renewed > RENEW_SECONDS:
                _report(job, rows)
                renewed = time.monotonic()
            time.sleep(POLL_SECONDS)
        elif batch.tries > batch.MAX_TRIES:
            batch.fail("Its workers died each time.")
        else:
            yield batch
            renewed = time.monotonic()


def _report(job: PrintJob, rows: list[PrintBatch]) -> None:
    """Store the progress of the print and renew its lease; ClaimLostError if the claim is lost."""
    done = set(PrintBatch.objects.filter(job=job, status=JobStatus.DONE).values_list("pk", flat=True))
    parts_done = sum(len(row.items) for row in rows if row.pk in done)
    if not job.renew(parts_done=parts_done, parts=sum(len(row.items) for row in rows)):
        raise ClaimLostError
