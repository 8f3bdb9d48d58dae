"""The base class of jobs: a row that is claimed by a conditional update with a lease, renewed and finished once.

The broker only wakes a worker; the row decides, whatever messages are lost or delivered twice. Only one worker at a
time can claim it, and the sweep wakes a worker again for rows whose lease has run out. `site/job_runs.py` runs jobs.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Coalesce
from django.utils import timezone


class JobStatus(models.TextChoices):
    DRAFT = "draft"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CALLED_OFF = "called-off", "Cancelled"


class Job(models.Model):
    """Base class of rows that workers process. `lease` identifies a claim: a worker whose claim is lost can't write."""

    status = models.CharField(max_length=12, choices=JobStatus, default=JobStatus.QUEUED, db_index=True)
    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    tries = models.PositiveSmallIntegerField(default=0, editable=False)  # tries that ended without a result
    blips = models.PositiveSmallIntegerField(default=0, editable=False)  # tries lost to temporary errors
    not_before = models.DateTimeField(null=True, editable=False)  # after a temporary error: time of the next try
    failure = models.CharField(max_length=500, blank=True)
    waiting_since = models.DateTimeField(default=timezone.now, editable=False)  # time of the request
    queued_at = models.DateTimeField(auto_now_add=True)  # time of the last message to a worker
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    MAX_TRIES = 5
    MAX_BLIPS = 8  # about four minutes, including the pauses

    class Meta:
        abstract = True

    @classmethod
    def claim(cls, pk: int) -> Self | None:
        """Claim the row with a new lease and return it; None if it is ended, gone, not due yet or held by a worker."""
        now = timezone.now()
        lease = uuid.uuid4()
        free = models.Q(status=JobStatus.QUEUED) & _is_due(now) | models.Q(
            status=JobStatus.RUNNING, lease_until__lt=now
        )
        claimed = cls._default_manager.filter(free, pk=pk).update(
            status=JobStatus.RUNNING,
            lease=lease,
            lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
            tries=models.F("tries") + 1,
            started_at=Coalesce("started_at", models.Value(now)),
        )
        return cls._default_manager.get(pk=pk) if claimed else None

    @classmethod
    def waiting(cls) -> models.QuerySet[Self]:
        """Return the rows that a worker could start now."""
        return cls._default_manager.filter(_is_due(timezone.now()), status=JobStatus.QUEUED)

    def claimed(self) -> models.QuerySet[Self]:
        """Return this row as a query set, empty if the claim was lost. Every write of a worker must go through it."""
        return type(self)._default_manager.filter(pk=self.pk, lease=self.lease, status=JobStatus.RUNNING)

    def renew(self, **progress: object) -> bool:
        """Extend the lease and write progress. Return False if the claim was lost; the worker then stops silently."""
        until = timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return bool(self.claimed().update(lease_until=until, **progress))

    def finish(self, **result: object) -> bool:
        """Mark the job as done and write its result. Return False if the claim was lost."""
        return bool(self.claimed().update(status=JobStatus.DONE, lease=None, ended_at=timezone.now(), **result))

    def fail(self, reason: str) -> bool:
        """Mark the job as failed, with a reason for the reader. Return False if the claim was lost."""
        return bool(
            self.claimed().update(status=JobStatus.FAILED, lease=None, ended_at=timezone.now(), failure=reason[:500])
        )

    def put_back(self, pause: timedelta) -> bool:
        """Queue the job again after a pause; this try doesn't count as a crash. Return False if the claim was lost."""
        return bool(
            self.claimed().update(
                status=JobStatus.QUEUED,
                lease=None,
                tries=models.F("tries") - 1,
                blips=models.F("blips") + 1,
                not_before=timezone.now() + pause,
            )
        )

    def ask_again(self, **fields: object) -> bool:
        """Queue an ended job again as if it had never been tried. Return False if its status has changed meanwhile."""
        over = type(self)._default_manager.filter(pk=self.pk, status=self.status)
        return bool(
            over.exclude(status__in=(JobStatus.QUEUED, JobStatus.RUNNING)).update(
                status=JobStatus.QUEUED, queued_at=timezone.now(), waiting_since=timezone.now(), ended_at=None, failure="",
                tries=0, blips=0, not_before=None, **fields,
            )
        )  # fmt: skip

    @property
    def is_over(self) -> bool:
        return self.status in (JobStatus.DONE, JobStatus.FAILED, JobStatus.CALLED_OFF)

    @classmethod
    def lapsed(cls, *, queue_is_long: bool = False) -> models.QuerySet[Self]:
        """Return rows that no worker is processing: the lease has run out, or they were queued longer than a lease ago.

        If the queue is long, their messages are assumed to be waiting still; then only rows are returned for which no
        message was sent since their lease ran out.
        """
        now = timezone.now()
        overdue = now - timedelta(seconds=settings.JOB_LEASE_SECONDS)
        expired = models.Q(status=JobStatus.RUNNING, lease_until__lt=now)
        found = expired & models.Q(queued_at__lte=models.F("lease_until"))
        if not queue_is_long:
            found |= (expired | models.Q(status=JobStatus.QUEUED) & _is_due(now)) & models.Q(queued_at__lt=overdue)
        return cls._default_manager.filter(found)


def _is_due(now: datetime) -> models.Q:
    """Return the filter for rows that aren't pausing after a temporary error."""
    return models.Q(not_before=None) | models.Q(not_before__lte=now)
