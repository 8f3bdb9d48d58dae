"""Retention: what is kept and for how long, how pages show it, and what the timer or `clear_old` deletes."""

from __future__ import annotations

import errno
import io
import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.models import ASKED_BY_SITE, Battle, Chunk, Forecast, Matrix, SealedDice, WhatIf
from battles.odds.services import forecast_ask, forecast_cancel, what_if_ask
from battles.services.battles import battle_queue
from battles.services.dice import dice_seal, dice_waiting
from battles.tasks import battle_resolve
from campaigns.models import GazettePrint, Match
from rosters.jobs import JobStatus
from rosters.models import AccessToken, PrintBatch, PrintJob
from rosters.printing import cache
from rosters.printing import services as printing
from rosters.printing.batches import ClaimLostError, batches_share
from rosters.services import retention
from rosters.services.retention import clear_all
from rosters.site import job_runs
from rosters.site.retention import Clearing
from rosters.tasks import clear_old, print_missing_pictures, print_run
from tests.battles.builders import duel, player
from tests.rosters.paper.units import order, unit

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=400)


@pytest.fixture(autouse=True)
def no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_run, "delay", lambda pk: None)
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    """Return the test's own folder of files."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def clear(**fields: Any) -> dict[str, int]:
    """Clear, and return the number of deleted rows by kind, without zeros."""
    return {what: count for what, count in clear_all(Clearing(**{"now": timezone.now(), **fields})) if count}


def names(files: Path) -> set[str]:
    return {str(path.relative_to(files)) for path in files.rglob("*") if path.is_file()}


def age_files(files: Path, by: timedelta = timedelta(hours=2)) -> None:
    """Make the files old enough that nobody is writing them."""
    then = time.time() - by.total_seconds()
    for path in files.rglob("*"):
        os.utime(path, (then, then))


def printed(**asker: Any) -> PrintJob:
    job = printing.print_ask(order=order([unit()]), **(asker or {"visitor": "me"}))
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    return job


def a_print_of(job: PrintJob) -> set[str]:
    return {f"prints/{job.key}.pdf", *(f"prints/{job.key}-{at + 1}.webp" for at in range(job.pages or 0))}


def finished_battle(**asker: Any) -> Battle:
    battle = battle_queue(setup=duel(), **(asker or {"visitor": "me"}))
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == JobStatus.DONE
    return battle


def ended(kind: type[Any], ago: timedelta) -> None:
    kind.objects.update(ended_at=timezone.now() - ago)


def age_jobs(kind: type[Any], ago: timedelta) -> None:
    kind.objects.update(asked_at=timezone.now() - ago, ended_at=timezone.now() - ago, status=JobStatus.DONE)


# --- leftovers of killed workers ---


class KilledError(BaseException):
    """A worker dies here: the app's code must not catch it."""


def die(*_args: Any, **_named: Any) -> None:
    raise KilledError


def lapse(job: PrintJob) -> None:
    PrintJob.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_worker_killed_before_saving_the_row_leaves_no_orphan_file(monkeypatch, files):
    job = printing.print_ask(order=order([unit()]), visitor="me")
    with monkeypatch.context() as patched:
        patched.setattr(PrintJob, "finish", die)
        with pytest.raises(KilledError):
            print_run(job.pk)
    assert names(files) == {f"prints/{job.key}.pdf"}
    lapse(job)
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    assert names(files) == a_print_of(job)
    age_files(files)
    assert clear() == {}


def test_half_file_of_a_killed_worker_is_cleared(monkeypatch, files):
    job = printing.print_ask(order=order([unit()]), visitor="me")
    with monkeypatch.context() as patched:
        patched.setattr(job_runs.os, "replace", die)
        patched.setattr(Path, "unlink", lambda *_args, **_named: None)
        with pytest.raises(KilledError):
            print_run(job.pk)
    (half,) = names(files)
    assert half.endswith(job_runs.UNFINISHED)
    assert clear() == {}
    age_files(files)
    assert clear() == {"files that no row names": 1}
    assert names(files) == set()


def test_pictures_of_a_killed_worker_are_drawn_by_another(monkeypatch, files, client):
    job = printing.print_ask(order=order([unit()]), visitor="me")
    with monkeypatch.context() as patched:
        patched.setattr(printing, "page_pictures", die)
        with pytest.raises(KilledError):
            print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.previews) == (JobStatus.DONE, None)
    print_missing_pictures()  # its worker may still be drawing
    job.refresh_from_db()
    assert job.previews is None
    lapse(job)
    print_missing_pictures()
    job.refresh_from_db()
    assert job.previews == job.pages == 2
    assert names(files) == a_print_of(job)
    assert client.get(reverse("rosters:print-job", args=[job.key])).content.decode().count("<img") == 2


def test_pictures_that_kill_workers_are_given_up(monkeypatch, files):
    job = printed()
    PrintJob.objects.update(previews=None)
    monkeypatch.setattr(printing, "page_pictures", die)
    for _ in range(20):
        lapse(job)
        try:
            print_missing_pictures()
        except KilledError:
            continue
        break
    job.refresh_from_db()
    assert job.previews == 0


def test_worker_killed_after_a_long_print_leaves_no_batches(monkeypatch, files):
    job = printing.print_ask(order=order([unit()]), visitor="me")
    PrintBatch.objects.create(job=job, number=0, items=[0], status=JobStatus.DONE)
    monkeypatch.setattr(printing, "_draw_pictures", die)
    with pytest.raises(KilledError):
        print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    assert not PrintBatch.objects.exists()


def test_cancelled_print_makes_no_batches(monkeypatch, files):
    from rosters.printing import batches as print_batches

    monkeypatch.setattr(print_batches, "SHARED_FROM", 1)
    asked = printing.print_ask(order=order([unit(name="Late")]), visitor="me")
    job = PrintJob.claim(asked.pk)
    assert job is not None
    printing.print_cancel(job=job, visitor="me")
    with pytest.raises(ClaimLostError):
        batches_share(job=job, order=printing.order_of(job), invite=lambda pk: None)
    assert not PrintBatch.objects.exists()


def test_chunks_and_batches_of_finished_jobs_are_cleared(files):
    over, at_work = (printing.print_ask(order=order([unit()]), visitor="me") for _ in range(2))
    for job in (over, at_work):
        PrintBatch.objects.create(job=job, number=0, items=[0])
    PrintJob.objects.filter(pk=over.pk).update(status=JobStatus.FAILED)
    counts = [forecast_ask(setup=duel(), runs=runs, actor=player())[0] for runs in (100, 200)]
    for count in counts:
        Chunk.objects.create(count_key=count.key, first=0, runs=100)
    Chunk.objects.create(count_key="6e1fb1f3-8f0e-4c39-b0b8-1d1c9a0a6f00", first=0, runs=100)  # of odds that are gone
    Forecast.objects.filter(pk=counts[0].pk).update(status=JobStatus.DONE)
    assert clear() == {"parts of prints that are over": 1, "parts of finished odds": 2}
    assert PrintBatch.objects.get().job_id == at_work.pk
    assert Chunk.objects.get().count_key == counts[1].key


def test_files_without_rows_are_cleared_when_old(files):
    job = printed()
    running = printing.print_ask(order=order([unit()]), visitor="me")
    PrintJob.claim(running.pk)
    failed = printing.print_ask(order=order([unit()]), visitor="me")
    PrintJob.objects.filter(pk=failed.pk).update(status=JobStatus.FAILED, file=failed.file_name)
    kept = a_print_of(job) | {f"prints/{running.key}.pdf"}
    orphans = {
        "prints/6e1fb1f3-8f0e-4c39-b0b8-1d1c9a0a6f00.pdf",
        "prints/6e1fb1f3-8f0e-4c39-b0b8-1d1c9a0a6f00-1.webp",
        f"prints/{job.key}_aB3dE5f.pdf",
        f"prints/{job.key}-3.webp",
        f"prints/{failed.key}.pdf",
        "stray.txt",
    }
    for name in orphans | {f"prints/{running.key}.pdf"}:
        (files / name).write_text("x")
    assert clear() == {}
    assert names(files) == kept | orphans
    age_files(files)
    assert clear(is_dry=True) == {"files that no row names": len(orphans)}
    assert names(files) == kept | orphans
    assert clear() == {"files that no row names": len(orphans)}
    assert names(files) == kept


def test_half_written_files_are_cleared_in_every_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    settings.MEDIA_ROOT = settings.VAR_DIR / "files"
    left = {
        "cards/.6yqbuktr", "cards/pages/ab/.x1", "compiled/muster_rules.77.tmp", "compiled/__pycache__/rules.nbi.tmp.4711",
        "queue/.writing/1.msg", ".secret-key-0a1b", ".dice-key-draft",
    }  # fmt: skip
    kept = {
        "cards/a.pdf", "cards/pages/ab/c.json", "compiled/muster_rules.py", "queue/battles/1.msg", "secret-key", "dice-key",
        "staticfiles/.collected", ".notes", "else/.profile",
    }  # fmt: skip
    for name in left | kept:
        (settings.VAR_DIR / name).parent.mkdir(parents=True, exist_ok=True)
        (settings.VAR_DIR / name).touch()
    assert clear() == {}  # another process may be writing them
    age_files(settings.VAR_DIR)
    assert clear(is_dry=True) == {"half-written files": len(left)}
    assert clear() == {"half-written files": len(left)}
    assert names(settings.VAR_DIR) == kept


def test_print_on_a_full_disk_leaves_no_card_files(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.setattr(cache.os, "replace", full_disk)
    with pytest.raises(OSError, match="No space left"):
        cache.store(b"%PDF", ["0" * 64], [""])
    assert names(settings.VAR_DIR) == set()


def full_disk(*_args: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_gazettes_papers_are_never_cleared(files):
    from tests.campaigns.gazettes import a_closed_round

    a_closed_round()
    paper = GazettePrint.objects.first()
    assert paper is not None
    job_runs.put_file(paper.file_name, b"%PDF")
    GazettePrint.objects.filter(pk=paper.pk).update(
        status=JobStatus.DONE, file=paper.file_name, ended_at=timezone.now() - LONG_AGO
    )
    age_files(files, LONG_AGO)
    clear()
    assert names(files) == {paper.file_name}


# --- prints ---


def test_players_old_print_loses_its_file_until_redrawn(files, client):
    kim = player()
    job = printed(actor=kim)
    client.force_login(kim)
    page, pdf = reverse("rosters:print-job", args=[job.key]), reverse("rosters:print-file", args=[job.key])
    PrintJob.objects.update(ended_at=datetime(2026, 11, 22, 12, tzinfo=UTC))
    assert "Kept until 20 February 2027" in client.get(page).content.decode()
    assert "old prints' files" not in clear(now=datetime(2027, 2, 20, 11, tzinfo=UTC))
    assert clear(now=datetime(2027, 2, 20, 13, tzinfo=UTC)) == {"old prints' files": 1}
    assert names(files) == set()
    client.force_login(kim)  # this session was as old
    gone = client.get(pdf)
    assert gone.status_code == 410
    assert "PDFs are kept for 90 days." in gone.content.decode()
    assert f'href="{page}"' in gone.content.decode()
    api = client.get(reverse("api-print-file", args=[job.key]))
    assert (api.status_code, api.json()["errors"][0]["reason"][:30]) == (410, "PDFs are kept for 90 days. You")
    html = client.get(page).content.decode()
    assert "expired after 90 days" in html
    assert "Recreate" in html
    assert client.post(reverse("rosters:print-repeat", args=[job.key]))["Location"] == page
    print_run(job.pk)
    job.refresh_from_db()
    assert names(files) == a_print_of(job)
    assert client.get(pdf).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_print_drawn_again_during_clearing_keeps_its_file(files, monkeypatch):
    kim = player()
    job = printed(actor=kim)
    ended(PrintJob, LONG_AGO)

    def draw_again() -> None:
        try:
            again = printing.print_again(job=PrintJob.objects.get(pk=job.pk), actor=kim)
            while again.status == JobStatus.DONE:  # its file is still to be deleted
                again = printing.print_again(job=PrintJob.objects.get(pk=job.pk), actor=kim)
            print_run(job.pk)
        finally:
            connection.close()

    other, drop = threading.Thread(target=draw_again), retention.drop_file

    def drop_meanwhile(name: str) -> None:
        if other.ident is None:
            other.start()
            other.join(2)
        drop(name)

    monkeypatch.setattr(retention, "drop_file", drop_meanwhile)
    assert clear() == {"old prints' files": 1}
    other.join()
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    assert names(files) == a_print_of(job)


def test_visitors_old_print_is_deleted_with_a_notice(files, client):
    job = printed()
    ended(PrintJob, LONG_AGO)
    assert clear() == {"visitors' old prints": 1}
    assert names(files) == set()
    answer = client.get(reverse("rosters:print-job", args=[job.key]))
    assert answer.status_code == 404
    assert "A print that was asked for without an account is kept for 90 days." in answer.content.decode()


def test_failed_print_is_tried_again_from_its_page(files, client):
    job = printing.print_ask(order=order([unit()]), visitor=visitor_of(client))
    PrintJob.objects.update(status=JobStatus.FAILED, failure="Given up.", ended_at=timezone.now(), tries=5, blips=9)
    page = reverse("rosters:print-job", args=[job.key])
    assert "Try again" in client.get(page).content.decode()
    assert client.post(reverse("rosters:print-repeat", args=[job.key]))["Location"] == page
    job.refresh_from_db()
    assert (job.status, job.failure, job.tries, job.blips) == (JobStatus.QUEUED, "", 0, 0)


def test_another_visitors_failed_print_is_copied(files, client):
    job = printing.print_ask(order=order([unit()]), visitor="somebody else")
    PrintJob.objects.update(status=JobStatus.FAILED)
    client.post(reverse("rosters:print-repeat", args=[job.key]))
    mine = PrintJob.objects.exclude(pk=job.pk).get()
    assert (mine.content, mine.asked_from) == (job.content, visitor_of(client))
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED


def visitor_of(client: Client) -> str:
    from django.test import RequestFactory

    from rosters.site.visitors import visitor_mark

    return visitor_mark(RequestFactory().get("/"))


# --- battles and dice ---


def test_visitors_old_battle_is_deleted_with_its_dice(client):
    battle = finished_battle()
    Battle.objects.update(ended_at=datetime(2026, 11, 22, 12, tzinfo=UTC))
    SealedDice.objects.update(sealed_at=datetime(2026, 11, 22, 11, tzinfo=UTC))
    page = reverse("battles:battle", args=[battle.key])
    assert "started without an account and is kept until 22 December 2026" in client.get(page).content.decode()
    api = reverse("api-battle", args=[battle.key])
    assert client.get(api).json()["kept_until"] == "2026-12-22T12:00:00Z"
    assert clear(now=datetime(2026, 12, 22, 11, tzinfo=UTC)) == {}
    assert clear(now=datetime(2026, 12, 22, 13, tzinfo=UTC)) == {"visitors' old battles": 1, "unused dice": 1}
    answer = client.get(page)
    assert answer.status_code == 404
    assert "Battles without an account are kept for 30 days." in answer.content.decode()


def test_players_battles_are_kept(client):
    battle = finished_battle(actor=player())
    ended(Battle, LONG_AGO)
    SealedDice.objects.update(sealed_at=timezone.now() - LONG_AGO)
    assert clear() == {}
    assert "kept until" not in client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    assert client.get(reverse("api-battle", args=[battle.key])).json()["kept_until"] is None


def test_battle_and_odds_of_a_match_are_never_cleared():
    from tests.campaigns.builders import a_match

    match = a_match()
    battle, (forecast, _) = finished_battle(), forecast_ask(setup=duel(), runs=100, visitor="me")
    Match.objects.filter(pk=match.pk).update(battle=battle, forecast=forecast)
    ended(Battle, LONG_AGO)
    age_jobs(Forecast, LONG_AGO)
    SealedDice.objects.update(sealed_at=timezone.now() - LONG_AGO)
    assert clear() == {}


def test_battle_in_a_ledger_is_never_cleared():
    from tests.builders import a_company

    battle = finished_battle()
    ended(Battle, LONG_AGO)
    company = a_company()
    entry = company.ledger.first()
    assert entry is not None
    entry.pk, entry.cause_ref, entry._state.adding = None, str(battle.key), True
    entry.save()
    assert clear() == {}


def test_sites_own_battles_and_dice_are_kept(client):
    battle = finished_battle(
        visitor=ASKED_BY_SITE
    )  # a match's, for example, whose correction refers to another one now
    dice_seal()  # a match's, replaced by others: the activity log names its hash
    ended(Battle, LONG_AGO)
    SealedDice.objects.update(sealed_at=timezone.now() - LONG_AGO)
    assert clear() == {}
    assert "kept until" not in client.get(reverse("battles:battle", args=[battle.key])).content.decode()


def test_visitors_unused_dice_are_cleared():
    dice_waiting(actor=None, visitor="me")
    mine = dice_seal(actor=player())
    SealedDice.objects.update(sealed_at=timezone.now() - timedelta(days=31))
    assert clear() == {"unused dice": 1}
    assert SealedDice.objects.get() == mine


def test_failed_battle_is_tried_again_on_the_same_dice(client):
    battle = battle_queue(setup=duel(), visitor=visitor_of(client))
    Battle.objects.update(status=JobStatus.FAILED, failure="Given up.", tries=5, blips=9)
    page = reverse("battles:battle", args=[battle.key])
    assert "Try again" in client.get(page).content.decode()
    assert client.post(reverse("battles:battle-repeat", args=[battle.key]))["Location"] == page
    again = Battle.objects.get()
    assert (again.status, again.seed, again.tries, again.blips) == (JobStatus.QUEUED, battle.seed, 0, 0)


# --- odds ---


def test_odds_are_kept_from_their_last_request(client):
    forecast, _ = forecast_ask(setup=duel(), runs=100, actor=player())
    age_jobs(Forecast, timedelta(days=89))
    page = reverse("battles:forecast", args=[forecast.key])
    assert "Kept until" in client.get(page).content.decode()
    forecast_ask(setup=duel(), runs=100, visitor="me")
    now = timezone.now()
    assert clear(now=now + timedelta(days=89)) == {}
    assert clear(now=now + timedelta(days=91)) == {"old odds": 1}
    answer = client.get(page)
    assert answer.status_code == 404
    assert "Unused odds are kept for 90 days." in answer.content.decode()


def test_odds_are_kept_as_long_as_their_comparison():
    forecast, _ = forecast_ask(setup=duel(), runs=100, actor=player())
    age_jobs(Forecast, timedelta(days=100))
    change = {"what": "doctrine", "of": "Red", "to": "cautious"}
    what_if_ask(forecast=forecast, change=change, runs=100, actor=player())
    age_jobs(WhatIf, timedelta(days=1))
    assert clear() == {}
    age_jobs(Forecast, timedelta(days=100))
    assert clear() == {}
    age_jobs(WhatIf, timedelta(days=95))
    assert clear() == {"old comparisons": 1, "old odds": 1}


@pytest.mark.parametrize("status", [JobStatus.FAILED, JobStatus.CALLED_OFF])
def test_interrupted_odds_continue_from_their_page(client, status):
    kim = player()
    forecast, _ = forecast_ask(setup=duel(), runs=100, actor=kim)
    what_if, _ = what_if_ask(
        forecast=forecast, change={"what": "doctrine", "of": "Red", "to": "cautious"}, runs=100, actor=kim
    )
    client.post(
        reverse("battles:matrices"),
        {"system": "meks-and-mercs", "terrain": "plain", "a": "aggressive", "b": "cautious"},
    )
    matrix = Matrix.objects.get()
    routes = {"forecast": forecast, "what-if": what_if, "matrix": matrix}
    client.force_login(kim)
    for route, row in routes.items():
        type(row).objects.update(status=status, failure="Given up.", tries=5, blips=9)
        page = reverse("battles:explore" if row is what_if else f"battles:{route}", args=[row.key])
        again = reverse(f"battles:{route}-repeat", args=[row.key])
        assert again in client.get(page).content.decode()
        assert client.post(again)["Location"] == page
        row.refresh_from_db()
        assert (row.status, row.failure, row.tries, row.blips) == (JobStatus.QUEUED, "", 0, 0)


# --- the rest ---


def test_expired_sessions_and_tokens_are_deleted():
    now = timezone.now()
    Session.objects.create(session_key="old", session_data="x", expire_date=now - timedelta(days=1))
    Session.objects.create(session_key="new", session_data="x", expire_date=now + timedelta(days=1))
    kim = player()
    AccessToken.objects.create(user=kim, expiry=timedelta(days=-1))
    AccessToken.objects.create(user=kim, expiry=None)
    assert clear() == {"expired sessions": 1, "expired tokens": 1}
    assert Session.objects.get().pk == "new"
    assert AccessToken.objects.get().expiry is None


def test_zero_days_in_settings_keeps_everything(settings, files, client):
    settings.KEEP_PRINTS_DAYS = settings.KEEP_ODDS_DAYS = settings.KEEP_VISITORS_DAYS = 0
    job, battle = printed(), finished_battle()
    forecast_ask(setup=duel(), runs=100, visitor="me")
    for kind in (PrintJob, Battle):
        ended(kind, LONG_AGO)
    age_jobs(Forecast, LONG_AGO)
    assert clear() == {}
    for page in (reverse("rosters:print-job", args=[job.key]), reverse("battles:battle", args=[battle.key])):
        assert "kept until" not in client.get(page).content.decode().lower()


def test_timer_clears_a_batch_and_the_command_everything(monkeypatch):
    for _ in range(5):
        dice_seal(visitor="me")
    SealedDice.objects.update(sealed_at=timezone.now() - LONG_AGO)
    monkeypatch.setattr("rosters.site.retention.AT_A_TIME", 1)
    monkeypatch.setattr("rosters.tasks.MAX_ROWS", 2)
    clear_old()
    assert SealedDice.objects.count() == 3
    output = io.StringIO()
    call_command("clear_old", "--dry-run", stdout=output)
    assert "      3 unused dice\n" in output.getvalue()
    assert SealedDice.objects.count() == 3
    call_command("clear_old", stdout=output)
    assert not SealedDice.objects.exists()


def test_timer_runs_both_clearing_tasks():
    tasks = {each["task"] for each in django_settings.CELERY_BEAT_SCHEDULE.values()}
    assert {clear_old.name, print_missing_pictures.name} <= tasks


def test_cancelled_odds_leave_no_chunks():
    kim = player()
    forecast, _ = forecast_ask(setup=duel(), runs=100, actor=kim)
    Chunk.objects.create(count_key=forecast.key, first=0, runs=100)
    forecast_cancel(forecast=forecast, actor=kim)
    assert not Chunk.objects.exists()
