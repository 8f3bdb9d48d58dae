"""Prints: requested by a player or a visitor, within limits, and drawn once by a worker."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format

from rosters.jobs import JobStatus
from rosters.models import Company, Player, PrintJob
from rosters.paper import MissingPangoError
from rosters.paper.orders import PrintOrder, amounts, check_order, kept_order, read_order
from rosters.paper.pictures import page_pictures
from rosters.paper.press import render_order
from rosters.policy import asked_by
from rosters.services.job_files import finish_with_file, put_file
from rosters.site.hourly import HOUR, WAIT_FOR_ONE, WAIT_FOR_OTHERS, in_minutes, wait_until_gone
from rosters.site.job_runs import BLIPS, wake
from rosters.site.refusals import RefusedError, TooOftenError
from systems.documents import DocumentError

from .batches import ClaimLostError, batches_drop, batches_share

CARDS_VISITOR, PAGES_VISITOR = 40, 12
OPEN_VISITOR, OPEN_PLAYER, OPEN_VISITORS_TOGETHER = 3, 10, 40
AN_HOUR_VISITOR, AN_HOUR_PLAYER = 30, 120
PICTURES_WITHIN = timedelta(seconds=20)  # after a print's end; then another worker draws them
MAX_PICTURES = 50  # prints per run
RUN, BATCH = "rosters.tasks.print_run", "rosters.tasks.print_batch"

log = logging.getLogger(__name__)


def print_ask(
    *,
    order: PrintOrder | Mapping[str, object],
    company: Company | None = None,
    actor: Player | None = None,
    visitor: str = "",
    choice: Mapping[str, object] | None = None,
    form_path: str = "",
    subjects: Mapping[str, object] | None = None,
) -> PrintJob:
    """Queue a print. Raises RefusedError for too much, DocumentError for errors in the order.

    `choice` and `form_path` bring the user back to the form as they left it; `subjects`: see PrintJob.
    """
    order = _dated(read_order(order))
    if actor is None:
        _bounded(order)
    check_order(order)
    with transaction.atomic():
        _allowed(actor, visitor)
        job = PrintJob.objects.create(
            asked_by=actor,
            asked_from="" if actor else visitor,
            company=company,
            title=order.title,
            content=order.model_dump(mode="json"),
            choice=dict(choice or {}),
            form_path=form_path[:4000],
            subjects=dict(subjects or {}),
        )
        transaction.on_commit(lambda: wake(RUN, job.pk))
    return job


def _dated(order: PrintOrder) -> PrintOrder:
    """Return the order with the current day, unless it has one."""
    if order.settings.printed_on:
        return order
    today = date_format(timezone.localdate(), "j F Y")
    return order.model_copy(update={"settings": order.settings.model_copy(update={"printed_on": today})})


def print_again(*, job: PrintJob, actor: Player | None = None, visitor: str = "") -> PrintJob:
    """Draw the same order again: under its old link for the player who requested it, as a new print for anybody else.

    A print that is waiting, or is drawn and still has its file, stays unchanged.
    """
    if not job.is_over or (job.status == JobStatus.DONE and job.file):
        return job
    if asked_by(job, actor, visitor):
        with transaction.atomic():
            _allowed(actor, visitor)
            if job.ask_anew(file="", pages=None, previews=None, parts=0, parts_done=0, warning=""):
                transaction.on_commit(lambda: wake(RUN, job.pk))
        job.refresh_from_db()
        return job
    return _ask_for_another(job, order_of(job), actor, visitor)


def print_accessible(*, job: PrintJob, actor: Player | None = None, visitor: str = "") -> PrintJob:
    """Queue the same order for screens and screen readers."""
    order = order_of(job)
    settings = order.settings.model_copy(update={"medium": "screen"})
    return _ask_for_another(job, order.model_copy(update={"settings": settings}), actor, visitor)


def _ask_for_another(job: PrintJob, order: PrintOrder, actor: Player | None, visitor: str) -> PrintJob:
    """Queue that order as this user's own print, from the same form as the job."""
    return print_ask(
        order=order, company=job.company, actor=actor, visitor=visitor, choice=job.choice, form_path=job.form_path
    )


def print_call_off(*, job: PrintJob, actor: Player | None = None, visitor: str = "") -> bool:
    """Cancel a print that is not drawn yet; False if it has already ended. Refused to all who didn't request it."""
    if not asked_by(job, actor, visitor):
        raise RefusedError("print", "Only who asked for a print can call it off.")
    waiting = PrintJob.objects.filter(pk=job.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    with transaction.atomic():
        called_off = bool(waiting.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now()))
        if called_off:
            batches_drop(job=job)
    return called_off


def order_of(job: PrintJob) -> PrintOrder:
    """Return the order, which was checked when it was requested."""
    return kept_order(job.content)


def print_render(*, job: PrintJob) -> bool:
    """Draw a claimed job and store its file. False if the claim was lost meanwhile: then nothing is left behind."""
    started = time.perf_counter()
    order = order_of(job)
    try:
        shared = batches_share(job=job, order=order, invite=partial(wake, BATCH))
        printed = render_order(order, _progress(job, shared))
    except MissingPangoError as error:
        return _refuse(job, str(error))
    except DocumentError as error:
        return _refuse(job, f"This can't be printed: {error}")
    except ClaimLostError:
        return False
    if job.held().exists():
        batches_drop(job=job)  # first, so that a finished print never has any
    result = {"pages": printed.pages, "warning": printed.warning[:300], "seconds": time.perf_counter() - started}
    if not finish_with_file(job, job.file_name, printed.pdf, lease_until=_pictures_until(), **result):
        return False
    _draw_pictures(job, printed.pdf)
    return True


@transaction.atomic
def _refuse(job: PrintJob, reason: str) -> bool:
    """Fail a print because of an error in its order; return False."""
    if job.fail(reason):
        batches_drop(job=job)
    return False


# --- previews ---------------------------------------------------------------------------------------------------------


def prints_without_pictures() -> list[int]:
    """Return the finished prints whose worker ended before it had drawn their previews."""
    rows = PrintJob.objects.filter(status=JobStatus.DONE, previews=None, lease_until__lt=timezone.now())
    return list(rows.exclude(file="").order_by("pk").values_list("pk", flat=True)[:MAX_PICTURES])


def print_pictures(*, pk: int) -> bool:
    """Draw the previews of a print that has none yet; False if another worker is doing it, or there is nothing to draw.

    The row is claimed by its lease, like a job. A print whose previews crash their workers stays without.
    """
    open_rows = PrintJob.objects.filter(pk=pk, status=JobStatus.DONE, previews=None, lease_until__lt=timezone.now())
    if not open_rows.update(lease_until=_pictures_until(), tries=F("tries") + 1):
        return False
    job = PrintJob.objects.get(pk=pk)
    if job.tries > 2 * job.MAX_TRIES or not job.file or not job.file.storage.exists(str(job.file.name)):
        PrintJob.objects.filter(pk=pk).update(previews=0)
        return False
    with job.file.open("rb") as file:
        _draw_pictures(job, file.read())
    return True


def _pictures_until() -> datetime:
    return timezone.now() + PICTURES_WITHIN


def _draw_pictures(job: PrintJob, pdf: bytes) -> None:
    """Store images of the first pages, and their number in the row. A print is complete without them."""
    drawn = 0
    try:
        for picture in page_pictures(pdf):
            put_file(job.preview_name(drawn + 1), picture)
            drawn += 1
    except BLIPS:
        raise
    except Exception:
        log.exception("pictures of print %s", job.pk)
    PrintJob.objects.filter(pk=job.pk, status=JobStatus.DONE).update(previews=drawn)


def _progress(job: PrintJob, shared: int) -> Callable[[int, int], None]:
    def report(done: int, total: int) -> None:
        if not job.renew(parts_done=shared + done, parts=shared + total):
            raise ClaimLostError

    return report


def _bounded(order: PrintOrder) -> None:
    """Refuse prints that are too large for a visitor without an account."""
    cards, pages = amounts(order)
    if cards > CARDS_VISITOR:
        raise RefusedError("items", f"These are {cards} cards; visitors print {CARDS_VISITOR} at once, players 900.")
    if pages > PAGES_VISITOR:
        raise RefusedError("items", f"These are {pages} pages; visitors print {PAGES_VISITOR} at once, players 200.")


def _allowed(actor: Player | None, visitor: str) -> None:
    """Raise TooOftenError if this user has to wait before printing again."""
    asker = Q(asked_by=actor) if actor else Q(asked_by=None, asked_from=visitor)
    waiting = Q(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    if PrintJob.objects.filter(asker, waiting).count() >= (OPEN_PLAYER if actor else OPEN_VISITOR):
        raise TooOftenError("print", "Your earlier prints are still being drawn; wait for one to end.", WAIT_FOR_ONE)
    most = AN_HOUR_PLAYER if actor else AN_HOUR_VISITOR
    asked = PrintJob.objects.filter(asker, queued_at__gte=timezone.now() - HOUR)
    if asked.count() >= most:
        last: datetime = asked.order_by("-queued_at").values_list("queued_at", flat=True)[most - 1]
        wait = wait_until_gone(last)
        told = f"That is {most} prints within the hour; the next can be drawn {in_minutes(wait)}."
        raise TooOftenError("print", told, wait)
    if actor is None and PrintJob.objects.filter(waiting, asked_by=None).count() >= OPEN_VISITORS_TOGETHER:
        raise TooOftenError("print", "Many visitors are printing right now; try again in a minute.", WAIT_FOR_OTHERS)
