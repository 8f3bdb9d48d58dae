"""Retention: how long things are kept that can be made again or were made without an account, and its wording."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.http import Http404

from rosters.jobs import JobStatus
from rosters.models import PrintJob


class NotKeptError(Http404):
    """Raised for something that is not there, with a sentence for the reader about why that may be.

    `status` 410: it certainly existed; then `page` is where it can be made again.
    """

    def __init__(self, sentence: str, status: int = 404, page: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.status, self.page = sentence, status, page


def expires_at(begun: datetime | None, days: int) -> datetime | None:
    """Return when something may be deleted; None: never, or not in its current state."""
    return begun + timedelta(days=days) if begun and days else None


def expiry_cutoff(now: datetime, days: int) -> datetime | None:
    """Return the time such that everything that began earlier is deleted; None: kept for ever."""
    return now - timedelta(days=days) if days else None


def print_kept_until(job: PrintJob) -> datetime | None:
    """Return until when the file of a finished print is kept; None: for ever, or there is no file."""
    if job.status != JobStatus.DONE or not job.file:
        return None
    return expires_at(job.ended_at, settings.KEEP_PRINTS_DAYS)


def print_gone() -> str:
    """Return the message about a print whose file was deleted."""
    days = settings.KEEP_PRINTS_DAYS
    return f"{kept_for('The file of a print is', days)} The print's page draws it anew at one press.".strip()


def kept_for(what: str, days: int) -> str:
    """Return a sentence about how long things are kept; "" if for ever."""
    return f"{what} kept for {days} day{'' if days == 1 else 's'}." if days else ""
