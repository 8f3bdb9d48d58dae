"""How long things are kept that can be made again, or that nobody with an account made; what is told of it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.http import Http404

from rosters.models import PrintJob
from rosters.site.jobs import JobStatus


class NotKeptError(Http404):
    """What was asked for is not there, and why that may be: a sentence for the reader.

    `status` 410: it surely was there; `page` is then where it can be had again.
    """

    def __init__(self, sentence: str, status: int = 404, page: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.status, self.page = sentence, status, page


def until(begun: datetime | None, days: int) -> datetime | None:
    """When something may be cleared; None: never, or not as things are."""
    return begun + timedelta(days=days) if begun and days else None


def before(now: datetime, days: int) -> datetime | None:
    """What began before this is kept no longer; None: it is kept for ever."""
    return now - timedelta(days=days) if days else None


def print_kept_until(job: PrintJob) -> datetime | None:
    """Until when the file of a finished print is kept; None: for ever, or there is none."""
    if job.status != JobStatus.DONE or not job.file:
        return None
    return until(job.ended_at, settings.KEEP_PRINTS_DAYS)


def print_gone() -> str:
    """What is told of a print whose file was cleared."""
    days = settings.KEEP_PRINTS_DAYS
    return f"{kept_for('The file of a print is', days)} The print's page draws it anew at one press.".strip()


def kept_for(what: str, days: int) -> str:
    """A sentence about things that are cleared some day; "" if they never are."""
    return f"{what} kept for {days} day{'' if days == 1 else 's'}." if days else ""
