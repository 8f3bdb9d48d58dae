"""A long print shared by workers: batches taken once, killed workers, cancelling, failures limited to their print."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest
from django.utils import timezone

from rosters.jobs import JobStatus
from rosters.models import PrintBatch, PrintJob
from rosters.printing import batches as print_batches
from rosters.printing import cache, rendering
from rosters.printing import services as printing
from rosters.printing.batches import ClaimLostError, batches_share
from rosters.tasks import print_batch, print_run
from tests.rosters.paper.units import order, unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def invited(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the ids of batches that other workers were invited to. Uses small batches and a fresh cache."""
    shutil.rmtree(cache.folder(), ignore_errors=True)
    monkeypatch.setattr(print_batches, "ITEMS", 3)
    monkeypatch.setattr(print_batches, "SHARED_FROM", 6)
    monkeypatch.setattr(print_run, "delay", lambda pk: None)
    ids: list[int] = []
    monkeypatch.setattr(print_batch, "delay", ids.append)
    return ids


@pytest.fixture
def drawn_cards(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return names of the units whose cards were laid out, in that order."""
    names: list[str] = []
    sides_of = rendering.sides_of

    def note(item, *args):
        names.append(item.unit.name)
        return sides_of(item, *args)

    monkeypatch.setattr(rendering, "sides_of", note)
    return names


def ask(count: int = 8) -> PrintJob:
    units = [unit(name=f"Unit {at}") for at in range(count)]
    return printing.print_ask(order=order(units, backs="none"), visitor="kim")


def begin(job: PrintJob) -> PrintJob:
    claimed = PrintJob.claim(job.pk)
    assert claimed is not None
    return claimed


def names(count: int = 8) -> list[str]:
    return [f"Unit {at}" for at in range(count)]


def test_long_print_is_split_into_batches_for_others(invited: list[int], drawn_cards: list[str]):
    invitations: list[list[int]] = []
    job = begin(ask())

    def invite(pk: int) -> None:
        invitations.append(PrintBatch.objects.get(pk=pk).items)

    assert batches_share(job=job, order=printing.order_of(job), invite=invite) == 8
    assert invitations == [[3, 4, 5], [6, 7]]
    assert drawn_cards == names()


def test_short_print_is_drawn_by_one_worker(invited: list[int]):
    job = ask(5)
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.pages) == (JobStatus.DONE, 1)
    assert invited == []


def test_any_number_of_workers_draws_every_card_once(drawn_cards: list[str]):
    job = begin(ask())

    def help_at_once(pk: int) -> None:
        print_batch(pk)
        print_batch(pk)  # a message that came twice

    batches_share(job=job, order=printing.order_of(job), invite=help_at_once)
    assert sorted(drawn_cards) == names()
    job.refresh_from_db()
    assert (job.parts_done, job.parts) == (8, 8)


def test_finished_print_has_a_file_and_no_batches(drawn_cards: list[str]):
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.pages, job.parts_done) == (JobStatus.DONE, 1, job.parts)
    assert not PrintBatch.objects.exists()
    assert drawn_cards == names()


def test_progress_is_saved_after_each_batch(monkeypatch: pytest.MonkeyPatch):
    job = begin(ask())
    seen: list[int] = []
    draw = print_batches.draw_cards

    def watch(*args):
        seen.append(PrintJob.objects.get(pk=job.pk).parts_done)
        return draw(*args)

    monkeypatch.setattr(print_batches, "draw_cards", watch)
    batches_share(job=job, order=printing.order_of(job), invite=lambda pk: None)
    assert seen == [0, 3, 6]


def test_batch_of_a_killed_worker_is_taken_over(drawn_cards: list[str]):
    job = begin(ask())

    def die(pk: int) -> None:
        held = PrintBatch.claim(pk)
        assert held is not None
        PrintBatch.objects.filter(pk=pk).update(lease_until=timezone.now() - timedelta(seconds=1))

    batches_share(job=job, order=printing.order_of(job), invite=die)
    assert drawn_cards == names()
    assert set(PrintBatch.objects.values_list("status", "tries")) == {("done", 1), ("done", 2)}


def test_print_of_a_killed_worker_continues_from_its_batches(drawn_cards: list[str], monkeypatch: pytest.MonkeyPatch):
    job = ask()
    draw = print_batches.draw_cards
    calls = []

    def die_at_second_batch(*args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return draw(*args)

    monkeypatch.setattr(print_batches, "draw_cards", die_at_second_batch)
    with pytest.raises(KeyboardInterrupt):
        print_run(job.pk)
    past = timezone.now() - timedelta(seconds=1)
    PrintJob.objects.update(lease_until=past)
    PrintBatch.objects.filter(status=JobStatus.RUNNING).update(lease_until=past)
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.tries) == (JobStatus.DONE, 2)
    assert drawn_cards == names()


def test_worker_waits_for_batches_of_others(monkeypatch: pytest.MonkeyPatch, drawn_cards: list[str]):
    job = begin(ask())
    held: list[PrintBatch] = []
    monkeypatch.setattr(print_batches.time, "sleep", lambda seconds: [batch.finish() for batch in held])
    batches_share(job=job, order=printing.order_of(job), invite=lambda pk: held.append(PrintBatch.claim(pk)))
    assert len(held) == 2
    assert drawn_cards == names()[:3]


def test_cancelled_print_stops_at_the_next_batch(drawn_cards: list[str]):
    job = begin(ask())

    def cancel(pk: int) -> None:
        printing.print_cancel(job=job, visitor="kim")

    with pytest.raises(ClaimLostError):
        batches_share(job=job, order=printing.order_of(job), invite=cancel)
    job.refresh_from_db()
    assert job.status == JobStatus.CALLED_OFF
    assert not PrintBatch.objects.exists()
    assert printing.print_cancel(job=job, visitor="kim") is False


def test_print_cancelled_late_leaves_no_file(monkeypatch: pytest.MonkeyPatch):
    job = begin(ask(4))
    report = printing._progress(job, 0)
    printing.print_cancel(job=job, visitor="kim")
    with pytest.raises(ClaimLostError):
        report(1, 4)
    assert printing.print_render(job=job) is False
    assert not job.file.storage.exists(f"prints/{job.key}.pdf")


@pytest.mark.parametrize("status", [JobStatus.CALLED_OFF, JobStatus.FAILED, JobStatus.DONE, JobStatus.QUEUED])
def test_batch_of_an_unclaimed_print_is_not_drawn(drawn_cards: list[str], status: str):
    job = ask()
    batch = PrintBatch.objects.create(job=job, number=0, items=[0, 1])
    PrintJob.objects.update(status=status)
    print_batch(batch.pk)
    assert drawn_cards == []


def test_deleted_batch_is_skipped():
    print_batch(987654)


def test_bad_card_fails_its_print_only_and_is_named(monkeypatch: pytest.MonkeyPatch):
    job = ask()
    job.content["items"][6]["unit"] = unit(spec={"chassis": "giga"})
    job.save()
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert "items[6].unit.spec.chassis" in job.failure
    assert not PrintBatch.objects.exists()
    other = ask(7)
    print_run(other.pk)
    other.refresh_from_db()
    assert other.status == JobStatus.DONE


def test_batch_that_kills_its_workers_fails(monkeypatch: pytest.MonkeyPatch, drawn_cards: list[str]):
    job = begin(ask())
    past = timezone.now() - timedelta(seconds=1)

    def die_often(pk: int) -> None:
        PrintBatch.objects.filter(pk=pk).update(status=JobStatus.RUNNING, tries=PrintBatch.MAX_TRIES, lease_until=past)

    batches_share(job=job, order=printing.order_of(job), invite=die_often)
    assert drawn_cards == names()[:3]
    assert PrintBatch.objects.filter(status=JobStatus.FAILED).count() == 2
