"""Retention: how long data is kept, and the deletion of expired rows in small transactions.

Each app registers its functions that delete expired data (`hooks.clearings`). A timer and `manage.py clear_old` call
them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import Http404

from rosters.jobs import JobStatus
from rosters.models import PrintJob

AT_A_TIME = 100  # rows per transaction
UNNAMED_FOR = timedelta(hours=1)  # a newer file without a row may belong to one that is still being written

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearing:
    """One run of all clearings: its time, the maximum number of rows or files of a kind, and whether it only counts."""

    now: datetime
    most: int | None = None
    is_dry: bool = False
    unnamed_for: timedelta = UNNAMED_FOR


def clear_rows(
    rows: QuerySet[M],
    run: Clearing,
    *,
    kept: Callable[[list[M]], Iterable[int]] = lambda found: (),
    clear: Callable[[list[M]], object] | None = None,
) -> int:
    """Delete these rows, or call `clear` with batches of them, oldest first; return their number.

    The rows of a batch are locked and read again before they are deleted. `kept` gets a batch and returns the IDs of
    the rows that must stay.
    """
    gone, further = 0, rows
    while run.most is None or gone < run.most:
        with transaction.atomic():
            found = list(further.order_by("pk").select_for_update(of=("self",), skip_locked=True)[:AT_A_TIME])
            if not found:
                break
            further = rows.filter(pk__gt=found[-1].pk)
            staying = set(kept(found))
            going = [row for row in found if row.pk not in staying]
            if clear is not None and not run.is_dry:
                clear(going)
            elif not run.is_dry:
                rows.model._default_manager.filter(pk__in=[row.pk for row in going]).delete()
            gone += len(going)
    return gone


def unreferenced(rows: QuerySet[M], *besides: type[Model]) -> QuerySet[M]:
    """Return the rows to which no other row refers, not counting rows of the models `besides`."""
    for relation in rows.model._meta.get_fields(include_hidden=True):
        if not (relation.auto_created and not relation.concrete and relation.is_relation):
            continue
        model = relation.related_model
        if isinstance(model, type) and issubclass(model, Model) and model not in besides:
            name = relation.field.name  # type: ignore[union-attr]
            rows = rows.filter(~Exists(model._base_manager.filter(**{name: OuterRef("pk")})))
    return rows


class ExplainedNotFoundError(Http404):
    """Raised if something doesn't exist, with a sentence for the reader that explains why that may be.

    If `status` is 410, it existed before, and `page` is the page on which it can be made again.
    """

    def __init__(self, sentence: str, status: int = 404, page: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.status, self.page = sentence, status, page


def expires_at(begun: datetime | None, days: int) -> datetime | None:
    """Return when something may be deleted; None if never, or not in its current state."""
    return begun + timedelta(days=days) if begun and days else None


def expiry_cutoff(now: datetime, days: int) -> datetime | None:
    """Return the time before which things must have begun to be deleted now; None if they are kept for ever."""
    return now - timedelta(days=days) if days else None


def print_kept_until(job: PrintJob) -> datetime | None:
    """Return until when the file of a finished print is kept; None if for ever, or if there is no file."""
    if job.status != JobStatus.DONE or not job.file:
        return None
    return expires_at(job.ended_at, settings.KEEP_PRINTS_DAYS)


def print_gone() -> str:
    """Return the message for the page of a print whose file was deleted."""
    days = settings.KEEP_PRINTS_DAYS
    return f"{kept_for('PDFs are', days)} You can recreate it on the print's page.".strip()


def kept_for(what: str, days: int) -> str:
    """Return a sentence that starts with `what` and says how long it is kept; "" if for ever."""
    return f"{what} kept for {days} day{'' if days == 1 else 's'}." if days else ""
