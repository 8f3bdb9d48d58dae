"""Simulations shared by many workers: each takes some hundred milliseconds of battles, added up in order.

A chunk is a row with a lease. Taking one, handing one in and adding up happen under a lock on the calculation's row, in
one short transaction per chunk. The sum is always over the first battles of the seed. So neither the sum nor an early
stop depends on the number of workers, their speed, or whether any was killed.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from battles.models import JOBS, Body, Calculation, Chunk
from rosters.jobs import JobStatus
from rosters.site.job_runs import TEMPORARY_ERRORS

FIRST_CHUNK = 1_000
LARGEST_CHUNK = 500_000
CHUNK_SECONDS = 0.3
SLICE_SECONDS = 1.0  # then other jobs get a turn; earlier if a job waits for its first worker
MAX_SHARING_WORKERS = 8  # per question

C = TypeVar("C", bound=Calculation)
PartT = TypeVar("PartT")  # the result of a chunk, as JSON values


@dataclass(frozen=True, slots=True)
class Work(Generic[PartT]):
    """How the battles of a question are simulated and added up."""

    unit: int  # a chunk is a multiple of this number of battles, except the last one
    count: Callable[[int, int], PartT]  # takes the first battle and the number of battles
    # returns the new sum, its number of battles, and whether they are enough
    add: Callable[[Body, PartT], tuple[Body, int, bool]]
    known: Callable[[Body], int] | None = None  # number of battles that can be taken, by the sum so far; None: all


def simulate_chunks(
    *,
    job: Calculation,
    work: Work[PartT],
    invite: Callable[[int], None] = lambda workers: None,
    seconds: float | None = None,
) -> bool:
    """Simulate chunks of a claimed question for `seconds` (default SLICE_SECONDS); return whether there are more.

    `invite` is called once, with the number of further workers that there is work for.
    """
    slice_ends = time.monotonic() + (SLICE_SECONDS if seconds is None else seconds)
    chunk = _take(job, work)
    is_first = True
    while chunk is not None:
        with _release_on_temporary_error(chunk):
            began = time.perf_counter()
            part = work.count(chunk.first, chunk.runs)
            took = time.perf_counter() - began
            size = next_chunk(chunk.runs, took)
            if is_first:
                left = (job.runs_asked - chunk.first - chunk.runs) / size
                invite(min(MAX_SHARING_WORKERS - 1, int(left)))
                is_first = False
            is_over = time.monotonic() >= slice_ends or _somebody_waits()
            chunk, has_more = _hand_in(job, chunk, part, took, work, None if is_over else size)
        if is_over:
            return has_more
    return False


@contextmanager
def _release_on_temporary_error(chunk: Chunk) -> Iterator[None]:
    """Free this worker's chunk for the next worker if a database error interrupts it."""
    try:
        yield
    except TEMPORARY_ERRORS:
        mine = Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease)
        with suppress(*TEMPORARY_ERRORS):
            mine.update(lease_until=timezone.now(), tries=F("tries") - 1)
        raise


def next_chunk(count: int, seconds: float) -> int:
    """Return the number of battles for a chunk of CHUNK_SECONDS, at most ten times the last one."""
    wanted = int(count * CHUNK_SECONDS / seconds) if seconds > 0 else LARGEST_CHUNK
    return max(1, min(wanted, count * 10, LARGEST_CHUNK))


def join_count(kind: type[C], pk: int, lease: str) -> C | None:
    """Return a question that other workers are simulating under the claim `lease`; None if it has ended."""
    rows = kind._default_manager.filter(pk=pk, status=JobStatus.RUNNING, lease=lease)
    return rows.first() if rows.update(lease_until=_lease_end()) else None


def reset_count(job: Calculation) -> None:
    """Discard everything simulated so far."""
    with transaction.atomic():
        row = _locked(job)
        Chunk.objects.filter(count_key=row.key).delete()
        row.runs_done, row.seconds, row.counts = 0, 0.0, {}
        row.save(update_fields=["runs_done", "seconds", "counts"])
    job.runs_done, job.seconds, job.counts = 0, 0.0, {}


def drop_chunks(job: Calculation) -> None:
    """Delete the chunks; results still being simulated are not added up."""
    Chunk.objects.filter(count_key=job.key).delete()


def _take(job: Calculation, work: Work[PartT], size: int | None = None) -> Chunk | None:
    """Take a chunk of that size, or one sized by the speed so far; None if there is nothing to take."""
    with transaction.atomic():
        row = _locked(job)
        if row.status != JobStatus.RUNNING:
            return None
        if size is None:
            size = next_chunk(row.runs_done, row.seconds) if row.runs_done else FIRST_CHUNK
        return _next(row, size, work)


def _hand_in(
    job: Calculation, chunk: Chunk, part: PartT, took: float, work: Work[PartT], size: int | None
) -> tuple[Chunk | None, bool]:
    """Store a finished chunk, once. Return the next one if a size is given, and whether there is more to take."""
    with transaction.atomic():
        row = _locked(job)
        if row.status != JobStatus.RUNNING:
            return None, False
        mine = Chunk.objects.filter(pk=chunk.pk, lease=chunk.lease)
        if mine.update(lease=None, lease_until=None, counts=part, seconds=took):
            _add_up(row, work)
        if row.status != JobStatus.RUNNING:
            return None, False
        if size is None:
            return None, _given(row) < row.runs_asked
        return _next(row, size, work), True


def _add_up(row: Calculation, work: Work[PartT]) -> None:
    """Add the chunks that directly follow the sum so far. The last one ends the simulation."""
    is_enough = False
    while not is_enough:
        chunk = Chunk.objects.filter(count_key=row.key, first=row.runs_done, lease=None).first()
        if chunk is None:
            break
        assert chunk.counts is not None  # it was handed in
        row.counts, row.runs_done, is_enough = work.add(row.counts, chunk.counts)
        row.seconds += chunk.seconds
        chunk.delete()
    row.tries, row.blips, row.ready_by = 0, 0, None
    if is_enough or row.runs_done >= row.runs_asked:
        row.status, row.lease, row.ended_at = JobStatus.DONE, None, timezone.now()
        drop_chunks(row)
    row.lease_until = _lease_end()
    row.save(
        update_fields=[
            "counts", "runs_done", "seconds", "tries", "blips", "ready_by", "status", "lease", "lease_until", "ended_at",
        ]
    )  # fmt: skip


def _next(row: Calculation, size: int, work: Work[PartT]) -> Chunk | None:
    """Return a chunk whose lease has run out, else the next battles that nobody has taken; None if there are none."""
    lease, until = uuid.uuid4(), _lease_end()
    lapsed = Chunk.objects.filter(count_key=row.key, lease_until__lt=timezone.now()).first()
    if lapsed is not None:
        if lapsed.tries >= row.MAX_TRIES:
            row.fail(f"This failed {row.MAX_TRIES} times because the server stopped each time. Try again later.")
            drop_chunks(row)
            return None
        Chunk.objects.filter(pk=lapsed.pk).update(lease=lease, lease_until=until, tries=F("tries") + 1)
        lapsed.lease = lease
        return lapsed
    first = _given(row)
    end = row.runs_asked if work.known is None else work.known(row.counts)
    runs = min(max(size // work.unit, 1) * work.unit - first % work.unit, end - first)
    if runs <= 0:
        return None
    row.claimed().update(lease_until=until)
    return Chunk.objects.create(count_key=row.key, first=first, runs=runs, lease=lease, lease_until=until)


def _given(row: Calculation) -> int:
    """Return the number of battles handed out: simulated, or in progress."""
    ends = Chunk.objects.filter(count_key=row.key).aggregate(end=Max(F("first") + F("runs")))
    return max(row.runs_done, ends["end"] or 0)


def _locked(job: Calculation) -> Calculation:
    """Return the current row, locked until the transaction ends. (SQLite locks the whole database.)"""
    return type(job)._default_manager.select_for_update().get(pk=job.pk)


def _somebody_waits() -> bool:
    return any(kind.waiting().exists() for kind in JOBS)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
