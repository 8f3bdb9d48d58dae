"""A long print on real workers: shared by processes, and surviving a kill."""

from __future__ import annotations

import shutil

import pytest

from rosters.jobs import JobStatus
from rosters.models import Player, PrintBatch, PrintJob
from rosters.printing import cache
from rosters.printing import services as printing
from tests.rosters.paper.units import order, unit
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def ask(count: int, name: str) -> PrintJob:
    shutil.rmtree(cache.folder(), ignore_errors=True)
    units = [unit(name=f"{name} {at}") for at in range(count)]
    actor = Player.objects.filter(username="kim").first() or Player.objects.create_user("kim", "kim@example.org", "pw")
    return printing.print_ask(order=order(units, backs="none"), actor=actor)


def state(job: PrintJob) -> PrintJob:
    job.refresh_from_db()
    return job


@pytest.mark.proof
def test_workers_share_a_print_and_survive_a_killed_one(start_worker):
    for name in (
        "Shared",
        "Shared anew",
        "Shared once more",
    ):  # a print that ended before its start was seen is requested again
        worker = start_worker(concurrency=2, env={"MUSTER_JOB_LEASE_SECONDS": "2"})
        job = ask(280, name)
        wait_until(lambda job=job: state(job).parts_done > 0, "the first cards are drawn")
        assert PrintBatch.objects.filter(job=job, status=JobStatus.RUNNING).count() <= 2
        worker.kill()
        if state(job).parts_done < job.parts:
            break
    assert 0 < state(job).parts_done < job.parts == 280
    assert state(job).status == JobStatus.RUNNING
    start_worker(concurrency=2, env={"MUSTER_JOB_LEASE_SECONDS": "2"})
    wait_until(lambda: state(job).is_over, "the print is over", patience=60)
    assert (job.status, job.failure, job.pages) == (JobStatus.DONE, "", 32)
    assert job.tries >= 2
    assert job.parts_done == 280
    assert not PrintBatch.objects.exists()
