"""Paper: asked for by a player or a visitor, bounded, rendered once by a worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from rosters.jobs import JobStatus
from rosters.models import Company, Paper, Player, PrintJob
from rosters.printing import MissingPangoError, read_units, render_order
from rosters.printing.orders import MOST_PAGES, PrintOrder, read_order

from ._base import RefusedError
from .print_batches import ClaimLostError, batches_drop, batches_share

UNITS_VISITOR, UNITS_PLAYER = 18, 900
OPEN_VISITOR, OPEN_PLAYER, OPEN_VISITORS_TOGETHER = 3, 10, 40
AN_HOUR_VISITOR, AN_HOUR_PLAYER = 30, 120


def print_ask(
    *,
    units: Sequence[Mapping[str, Any]],
    kind: str,
    paper: str,
    title: str,
    duplex: bool = True,
    company: Company | None = None,
    actor: Player | None = None,
    visitor: str = "",
) -> PrintJob:
    """A queued print of these unit documents. Raises RefusedError for what is too much, DocumentError for a unit."""
    if kind not in PrintJob.Kind.values:
        raise RefusedError("kind", "Choose unit cards or datasheets.")
    if paper not in Paper.values:
        raise RefusedError("paper", "Choose A4 or Letter.")
    if not units:
        raise RefusedError("units", "Choose at least one unit.")
    most = UNITS_PLAYER if actor else UNITS_VISITOR
    if kind == PrintJob.Kind.SHEETS:
        most = min(most, MOST_PAGES)
    if len(units) > most:
        raise RefusedError("units", f"At most {most} units in one print.")
    content = [unit.document.model_dump(mode="json") for unit in read_units(list(units))]
    with transaction.atomic():
        _allowed(actor, visitor)
        job = PrintJob.objects.create(
            asked_by=actor,
            asked_from="" if actor else visitor,
            company=company,
            title=title[:120],
            kind=kind,
            paper=paper,
            duplex=duplex,
            content=content,
        )
        transaction.on_commit(lambda: _send(job.pk))
    return job


def print_render(*, job: PrintJob) -> bool:
    """Draws a claimed job and stores its file. False if the claim was lost meanwhile: nothing is left behind then."""
    started = time.perf_counter()
    order = order_of(job)
    try:
        shared = batches_share(job=job, order=order, invite=_send_batch)
        printed = render_order(order, _progress(job, shared))
    except ClaimLostError:
        return False
    except MissingPangoError as error:
        return not job.fail(str(error))
    name = job.file.storage.save(f"prints/{job.key}.pdf", ContentFile(printed.pdf))
    seconds = time.perf_counter() - started
    if not job.finish(file=name, pages=printed.pages, seconds=seconds, warning=printed.warning[:300]):
        job.file.storage.delete(name)
        return False
    batches_drop(job=job)
    return True


def print_call_off(*, job: PrintJob) -> bool:
    """Stops a print that is not done; what is drawn of it is kept for the next. False if it is over already."""
    open_rows = PrintJob.objects.filter(pk=job.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    called_off = bool(open_rows.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now()))
    if called_off:
        batches_drop(job=job)
    return called_off


def order_of(job: PrintJob) -> PrintOrder:
    """What the job prints. Support units have a card, but no datasheet: they are left out beside units that have one."""
    is_cards = job.kind == PrintJob.Kind.CARDS
    units = [unit for unit in job.content if is_cards or not unit.get("support")] or job.content
    return read_order(
        {
            "title": job.title or "Print",
            "settings": {"paper": job.paper, "backs": "long-edge" if job.duplex else "none"},
            "items": [{"what": "unit-card" if is_cards else "datasheet", "unit": unit} for unit in units],
        }
    )


def _progress(job: PrintJob, shared: int) -> Callable[[int, int], None]:
    def report(done: int, total: int) -> None:
        if not job.renew(parts_done=shared + done, parts=shared + total):
            raise ClaimLostError

    return report


def _allowed(actor: Player | None, visitor: str) -> None:
    """Raises RefusedError if this one has to wait before printing again."""
    asker = Q(asked_by=actor) if actor else Q(asked_by=None, asked_from=visitor)
    waiting = Q(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    if PrintJob.objects.filter(asker, waiting).count() >= (OPEN_PLAYER if actor else OPEN_VISITOR):
        raise RefusedError("units", "Your earlier prints are still being drawn; wait for one to end.")
    most = AN_HOUR_PLAYER if actor else AN_HOUR_VISITOR
    if PrintJob.objects.filter(asker, queued_at__gte=timezone.now() - timedelta(hours=1)).count() >= most:
        raise RefusedError("units", f"That is {most} prints within the hour; come back in a while.")
    if actor is None and PrintJob.objects.filter(waiting, asked_by=None).count() >= OPEN_VISITORS_TOGETHER:
        raise RefusedError("units", "Many visitors are printing right now; try again in a minute.")


def _send(pk: int) -> None:
    from rosters.tasks import print_run  # the task calls this module

    print_run.delay(pk)


def _send_batch(pk: int) -> None:
    from rosters.tasks import print_batch

    print_batch.delay(pk)
