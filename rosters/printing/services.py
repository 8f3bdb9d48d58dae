"""Services for prints, print presets and printer profiles, and the previews of prints."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import TypeVar

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from rosters.jobs import JobStatus
from rosters.models import MAX_PREVIEWS, Company, PaperSize, Player, PrinterProfile, PrintJob, PrintPreset
from rosters.paper.documents import MAX_OFFSET_MM
from rosters.policy import asked_by
from rosters.printing import MissingPangoError
from rosters.printing.batches import ClaimLostError, batches_drop, batches_share
from rosters.printing.orders import CompanyChoice, PrintOrder, amounts, check_order, kept_order, read_order
from rosters.printing.rendering import render_order
from rosters.services.base import clean_text
from rosters.site.exceptions import RateLimitedError, RefusedError
from rosters.site.job_runs import TEMPORARY_ERRORS, finish_with_file, put_file, wake
from rosters.site.visitors import HOUR, WAIT_FOR_ONE, WAIT_FOR_OTHERS, in_minutes, wait_until_gone
from systems.documents import DocumentError

MAX_PRESETS = 50  # per player
MAX_PRINTERS = 20
OFFSETS = ("front_x", "front_y", "back_x", "back_y")
TOO_FAR_OFF = (
    f"Enter at most {MAX_OFFSET_MM:g} mm either way. If it's more, check the paper size and print at actual size."
)
RowT = TypeVar("RowT", PrintPreset, PrinterProfile)


@transaction.atomic
def preset_save(
    *,
    player: Player,
    name: str,
    choice: CompanyChoice,
    company: Company | None = None,
    preset: PrintPreset | None = None,
) -> PrintPreset:
    """Save a new preset, or overwrite the given one. A preset without a company has no units."""
    name = clean_text("preset_name", name, longest=60, now=preset.name if preset else None)
    _others(PrintPreset.objects.all(), player, preset, "preset", name, field="preset_name", most=MAX_PRESETS)
    if company is None:
        choice = choice.model_copy(update={"units": None, "pilots": None, "breaks": ()})
    row = preset or PrintPreset(player=player)
    row.name, row.company, row.company_name = name, company, company.name if company else ""
    row.choice = choice.model_dump(mode="json")
    row.save()
    return row


@transaction.atomic
def preset_rename(*, preset: PrintPreset, player: Player, name: str) -> PrintPreset:
    _own_row(preset, player, "preset")
    name = clean_text("name", name, longest=60)
    _others(PrintPreset.objects.all(), player, preset, "preset", name)
    preset.name = name
    preset.save(update_fields=["name", "changed_at"])
    return preset


def preset_delete(*, preset: PrintPreset, player: Player) -> None:
    _own_row(preset, player, "preset")
    preset.delete()


@transaction.atomic
def printer_save(
    *,
    player: Player,
    name: str,
    paper: str = PaperSize.A4,
    flip: str = PrinterProfile.Flip.LONG,
    offsets: dict[str, Decimal | float | str] | None = None,
    is_default: bool = False,
    printer: PrinterProfile | None = None,
) -> PrinterProfile:
    """Save a new printer, or change the given one. `offsets` (by the names in OFFSETS) are in mm, to a tenth."""
    name = clean_text("name", name, longest=60, now=printer.name if printer else None)
    if paper not in PaperSize.values:
        raise RefusedError("paper", "Choose A4 or Letter.")
    if flip not in PrinterProfile.Flip.values:
        raise RefusedError("flip", "Choose the edge that your printer flips on.")
    tenths = {field: _tenths(field, (offsets or {}).get(field, 0)) for field in OFFSETS}
    others = _others(PrinterProfile.objects.all(), player, printer, "printer", name, most=MAX_PRINTERS)
    if is_default:
        others.filter(is_default=True).update(is_default=False)
    row = printer or PrinterProfile(player=player)
    row.name, row.paper, row.flip, row.is_default = name, paper, flip, is_default
    for field, value in tenths.items():
        setattr(row, field, value)
    row.save()
    return row


def printer_delete(*, printer: PrinterProfile, player: Player) -> None:
    _own_row(printer, player, "printer")
    printer.delete()


def _tenths(field: str, value: object) -> int:
    try:
        millimetres = Decimal(str(value))
    except InvalidOperation:
        raise RefusedError(field, "must be a number in mm.") from None
    if not millimetres.is_finite() or abs(millimetres) > Decimal(str(MAX_OFFSET_MM)):
        raise RefusedError(field, TOO_FAR_OFF)
    return int((millimetres * 10).to_integral_value())


def _own_row(row: PrintPreset | PrinterProfile, player: Player, what: str) -> None:
    if row.player_id != player.pk:
        raise RefusedError(what, f"This {what} isn't yours.")


def _others(
    rows: QuerySet[RowT], player: Player, row: RowT | None, what: str, name: str, *, field: str = "name", most: int = 0
) -> QuerySet[RowT]:
    """Return the player's other rows; RefusedError if the name is taken or a new row would exceed `most`.

    The player's row is locked, so the name stays free until the end of the transaction.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    others = rows.filter(player=player)
    if row is not None:
        _own_row(row, player, what)
        others = others.exclude(pk=row.pk)
    elif others.count() >= most:
        raise RefusedError(field, f"You can keep {most} {what}s at most. Delete one first.")
    if others.filter(name=name).exists():
        raise RefusedError(field, f"You already have a {what} called {name}. Choose another name.")
    return others


WIDTH = 900  # pixels


def page_pictures(pdf: bytes) -> Iterator[bytes]:
    """Yield WebP images of the first MAX_PREVIEWS pages, each drawn when it is needed."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        for at in range(min(len(document), MAX_PREVIEWS)):
            page = document[at]
            drawn = page.render(scale=WIDTH / page.get_width())
            out = io.BytesIO()
            drawn.to_pil().convert("RGB").save(out, "WEBP", quality=82, method=2)
            drawn.close()
            page.close()
            yield out.getvalue()


CARDS_VISITOR, PAGES_VISITOR = 40, 12
OPEN_VISITOR, OPEN_PLAYER, OPEN_VISITORS_TOGETHER = 3, 10, 40
AN_HOUR_VISITOR, AN_HOUR_PLAYER = 30, 120
PICTURES_WITHIN = timedelta(seconds=20)  # time for drawing previews after a print; then another worker draws them
MAX_PICTURES = 50  # prints whose previews one run of the timer draws
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
    """Queue a print; RefusedError if it is too much, DocumentError if the order is invalid.

    `choice` and `form_path` restore the user's form. For `subjects` see PrintJob.
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
    """Return the order with today's date, unless it has a date."""
    if order.settings.printed_on:
        return order
    today = date_format(timezone.localdate(), "j F Y")
    return order.model_copy(update={"settings": order.settings.model_copy(update={"printed_on": today})})


def print_again(*, job: PrintJob, actor: Player | None = None, visitor: str = "") -> PrintJob:
    """Draw an order again: with its old link for the user who requested it, as a new print for anybody else.

    A print that is waiting, or that has its file, stays unchanged.
    """
    if not job.is_over or (job.status == JobStatus.DONE and job.file):
        return job
    if asked_by(job, actor, visitor):
        with transaction.atomic():
            _allowed(actor, visitor)
            if job.ask_again(file="", pages=None, previews=None, parts=0, parts_done=0, warning=""):
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
    """Queue an order as this user's own print, with the form of the other job."""
    return print_ask(
        order=order, company=job.company, actor=actor, visitor=visitor, choice=job.choice, form_path=job.form_path
    )


def print_cancel(*, job: PrintJob, actor: Player | None = None, visitor: str = "") -> bool:
    """Cancel a print; return False if it has already ended. RefusedError for users who didn't request it."""
    if not asked_by(job, actor, visitor):
        raise RefusedError("print", "Only the person who started a print can cancel it.")
    waiting = PrintJob.objects.filter(pk=job.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    with transaction.atomic():
        called_off = bool(waiting.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now()))
        if called_off:
            batches_drop(job=job)
    return called_off


def order_of(job: PrintJob) -> PrintOrder:
    """Return the job's order, which was checked at the request."""
    return kept_order(job.content)


def print_render(*, job: PrintJob) -> bool:
    """Draw a claimed job and store its file. Return False, and leave nothing behind, if the claim was lost."""
    started = time.perf_counter()
    order = order_of(job)
    try:
        shared = batches_share(job=job, order=order, invite=partial(wake, BATCH))
        printed = render_order(order, _progress(job, shared))
    except MissingPangoError as error:
        return _refuse(job, str(error))
    except DocumentError as error:
        return _refuse(job, f"This can't be printed: {error}.")
    except ClaimLostError:
        return False
    if job.claimed().exists():
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
    """Return the IDs of finished prints whose worker ended before it had drawn the previews."""
    rows = PrintJob.objects.filter(status=JobStatus.DONE, previews=None, lease_until__lt=timezone.now())
    return list(rows.exclude(file="").order_by("pk").values_list("pk", flat=True)[:MAX_PICTURES])


def print_pictures(*, pk: int) -> bool:
    """Draw the previews of a print that has none yet; return False if another worker does, or if the file is missing.

    The row is claimed with a lease, like a job. If drawing keeps crashing workers, the print stays without previews.
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
    """Store images of the first pages, and their number. A print is complete even without them."""
    drawn = 0
    try:
        for picture in page_pictures(pdf):
            put_file(job.preview_name(drawn + 1), picture)
            drawn += 1
    except TEMPORARY_ERRORS:
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
    """Raise RefusedError if the print is too large for a visitor without an account."""
    cards, pages = amounts(order)
    if cards > CARDS_VISITOR:
        raise RefusedError(
            "items",
            f"That's {cards} cards. Without an account you can print {CARDS_VISITOR} at a time; sign in to print up to 900.",
        )
    if pages > PAGES_VISITOR:
        raise RefusedError(
            "items",
            f"That's {pages} pages. Without an account you can print {PAGES_VISITOR} at a time; sign in to print up to 200.",
        )


def _allowed(actor: Player | None, visitor: str) -> None:
    """Raise RateLimitedError if this user has to wait before printing again."""
    asker = Q(asked_by=actor) if actor else Q(asked_by=None, asked_from=visitor)
    waiting = Q(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    if PrintJob.objects.filter(asker, waiting).count() >= (OPEN_PLAYER if actor else OPEN_VISITOR):
        raise RateLimitedError(
            "print", "Your earlier prints aren't finished yet. Wait for one to finish.", WAIT_FOR_ONE
        )
    most = AN_HOUR_PLAYER if actor else AN_HOUR_VISITOR
    asked = PrintJob.objects.filter(asker, queued_at__gte=timezone.now() - HOUR)
    if asked.count() >= most:
        last: datetime = asked.order_by("-queued_at").values_list("queued_at", flat=True)[most - 1]
        wait = wait_until_gone(last)
        message = f"You've made {most} prints within an hour. Try again {in_minutes(wait)}."
        raise RateLimitedError("print", message, wait)
    if actor is None and PrintJob.objects.filter(waiting, asked_by=None).count() >= OPEN_VISITORS_TOGETHER:
        raise RateLimitedError("print", "Many visitors are printing right now. Try again in a minute.", WAIT_FOR_OTHERS)
