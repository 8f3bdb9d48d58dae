"""Drawing shared by many workers: the cards of a long print that nobody has drawn yet, in batches that anyone may take.

A batch is a row with a lease; its cards go to the cache. The worker that holds the print takes batches itself as long
as there are any, then waits for those that others hold, and takes up those whose worker was killed. So a print ends
whoever helps or dies, and whatever is not in the cache after all is drawn by its own worker.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from rosters.models import PrintBatch, PrintJob
from rosters.paper.cards import draw_cards, unknown
from rosters.paper.orders import PrintOrder
from rosters.paper.product import Item
from rosters.paper.products import is_card
from rosters.site.job_runs import BLIPS, pause_after
from rosters.site.jobs import JobStatus

log = logging.getLogger(__name__)

ITEMS = 40  # in a batch: about half a second of drawing
SHARED_FROM = 2 * ITEMS  # fewer new cards are drawn sooner by one worker
POLL_SECONDS = 0.1
RENEW_SECONDS = 2.0


class ClaimLostError(RuntimeError):
    """Raised in the midst of drawing when the print was called off or another worker holds it."""


def batches_share(*, job: PrintJob, order: PrintOrder, invite: Callable[[int], None]) -> int:
    """Draws the cards of a claimed print that nobody knows, with all who come; how many of them were new.

    `invite` is told of each batch that another worker may take. Raises ClaimLostError.
    """
    cards = _cards(order)
    rows = list(PrintBatch.objects.filter(job=job))
    if not rows:
        new = unknown(cards, order.settings)
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
    """Draws a batch for whoever holds its print; False if it is gone, taken or called off."""
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
    """The print is over: nobody needs to know any more who drew what."""
    PrintBatch.objects.filter(job=job).delete()


@transaction.atomic
def _cut(job: PrintJob, new: list[int]) -> list[PrintBatch]:
    """The batches of a print, written while it is held, so that none come after its end. Raises ClaimLostError."""
    if not job.held().select_for_update(no_key=True, of=("self",)).exists():
        raise ClaimLostError
    return PrintBatch.objects.bulk_create(
        PrintBatch(job=job, number=number, items=new[at : at + ITEMS])
        for number, at in enumerate(range(0, len(new), ITEMS))
    )


def _cards(order: PrintOrder) -> list[Item]:
    return [item for item in order.items if is_card(item)]


def _draw(batch: PrintBatch, cards: list[Item], order: PrintOrder) -> bool:
    """False if its cards can't be drawn, or the claim was lost. A blip is handed on, with the batch free for others."""
    try:
        draw_cards([cards[at] for at in batch.items], order.settings)
    except BLIPS:
        if batch.blips < batch.MAX_BLIPS:
            batch.put_back(pause_after(batch.blips))
        else:
            batch.fail("The disk or the database did not answer.")
        raise
    except Exception:  # the print's own worker meets the same, and tells the reader
        log.exception("batch %s", batch.pk)
        return not batch.fail("These cards could not be drawn.")
    return batch.finish()


def _to_take(job: PrintJob, rows: list[PrintBatch]) -> Iterator[PrintBatch]:
    """Claimed batches, one after the other, until none is left to draw. Raises ClaimLostError."""
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
    """Writes how far the print is, and keeps hold of it."""
    done = set(PrintBatch.objects.filter(job=job, status=JobStatus.DONE).values_list("pk", flat=True))
    parts_done = sum(len(row.items) for row in rows if row.pk in done)
    if not job.renew(parts_done=parts_done, parts=sum(len(row.items) for row in rows)):
        raise ClaimLostError
