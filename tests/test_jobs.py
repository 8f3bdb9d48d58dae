"""All kinds of jobs survive short outages of the database, the broker or the disk, and locks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from battles.models import Battle, Chunk, Forecast
from battles.odds import chunks
from battles.odds.services import forecast_ask
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve, forecast_run, sweep_lapsed
from campaigns.models import FairDraw, GazettePrint, PairOdds
from campaigns.rounds.closing import round_close
from campaigns.tasks import fair_draw, pair_odds, print_gazette, round_close_run
from config.celery import app
from rosters.jobs import JobStatus
from rosters.models import PrintBatch, PrintJob
from rosters.printing import services as printing
from rosters.site import job_runs
from rosters.site.job_runs import pause_after
from rosters.tasks import print_run
from tests.battles.builders import duel, player
from tests.campaigns.builders import a_campaign, a_match, a_round
from tests.campaigns.gazettes import a_closed_round
from tests.rosters.paper.units import order, unit
from tests.services import free_port

pytestmark = pytest.mark.django_db

BLIPS = [
    OperationalError("server closed the connection unexpectedly"),
    OperationalError("database is locked"),
    OperationalError("disk I/O error"),
    InterfaceError("connection already closed"),
    BrokerError("Error 111 connecting to 127.0.0.1:6379. Connection refused."),
    ConnectionResetError("Connection reset by peer"),
    OSError(28, "No space left on device"),
]


@pytest.fixture(autouse=True)
def task_messages(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return the messages to workers: name of the task, its arguments, and the delay in seconds."""
    messages: list[tuple[Any, ...]] = []
    for task in (battle_resolve, forecast_run, print_run):
        monkeypatch.setattr(task, "delay", lambda *message, name=task.name: messages.append((name, message, 0)))
        monkeypatch.setattr(
            task, "apply_async", lambda message, countdown, name=task.name: messages.append((name, message, countdown))
        )
    monkeypatch.setattr(job_runs, "WRITE_AGAIN_AFTER", (0.0, 0.0))
    return messages


def queue_battle() -> Battle:
    return battle_queue(setup=duel(), seed=7)


def fail_battles(monkeypatch: pytest.MonkeyPatch, error: Exception, times: int = 1) -> None:
    """Make the next battles fail with that error, then work again."""
    from battles.services import battles

    resolve = battles.resolve
    left: Iterator[int] = iter(range(times))

    def stumble(*args: Any) -> Any:
        if next(left, None) is not None:
            raise error
        return resolve(*args)

    monkeypatch.setattr(battles, "resolve", stumble)


def end_pause(kind: type[Any]) -> None:
    kind.objects.update(not_before=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize("error", BLIPS, ids=str)
def test_job_is_tried_again_after_an_outage(monkeypatch, task_messages, error):
    fail_battles(monkeypatch, error)
    battle = queue_battle()
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert (battle.status, battle.lease, battle.tries, battle.blips) == (JobStatus.QUEUED, None, 0, 1)
    assert task_messages == [(battle_resolve.name, (battle.pk,), 2.0)]
    end_pause(Battle)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert (battle.status, battle.tries, battle.blips) == (JobStatus.DONE, 1, 1)


def test_paused_job_ignores_messages_until_its_pause_ends(monkeypatch):
    fail_battles(monkeypatch, OperationalError("gone"))
    battle = queue_battle()
    battle_resolve(battle.pk)
    battle_resolve(battle.pk)
    Battle.objects.update(queued_at=timezone.now() - timedelta(minutes=5))
    assert not Battle.lapsed().exists()
    battle.refresh_from_db()
    assert (battle.status, battle.blips) == (JobStatus.QUEUED, 1)
    end_pause(Battle)
    assert Battle.lapsed().get() == battle


def test_pauses_grow_up_to_a_minute():
    assert [pause_after(blips).total_seconds() for blips in range(8)] == [2, 4, 8, 16, 32, 60, 60, 60]


def test_job_is_given_up_after_many_outages(monkeypatch):
    fail_battles(monkeypatch, OperationalError("gone"), times=100)
    battle = queue_battle()
    for _ in range(Battle.MAX_BLIPS + 1):
        battle_resolve(battle.pk)
        end_pause(Battle)
    battle.refresh_from_db()
    assert battle.status == JobStatus.FAILED
    assert battle.failure == ("This failed 9 times because part of the server didn't respond. Try again later.")


def test_programming_error_is_not_tried_again(monkeypatch, task_messages):
    fail_battles(monkeypatch, ZeroDivisionError())
    battle = queue_battle()
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert (battle.status, battle.blips) == (JobStatus.FAILED, 0)
    assert task_messages == []


@pytest.mark.parametrize("write", ["fail", "put_back"])
def test_job_with_unsaved_end_is_left_to_the_sweep(monkeypatch, task_messages, write):
    def dead(*_args: Any) -> bool:
        raise OperationalError("the database is gone")

    monkeypatch.setattr(Battle, write, dead)
    fail_battles(monkeypatch, ZeroDivisionError() if write == "fail" else OperationalError("gone"))
    battle = queue_battle()
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == JobStatus.RUNNING
    past = timezone.now() - timedelta(seconds=2)
    Battle.objects.update(queued_at=past, lease_until=past + timedelta(seconds=1))
    sweep_lapsed()
    assert task_messages == [(battle_resolve.name, (battle.pk,), 0)]
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert (battle.status, battle.tries) == (JobStatus.DONE, 2)


def test_unclaimable_job_is_left_to_the_sweep(monkeypatch):
    def dead(_pk: int) -> None:
        raise OperationalError("the database is gone")

    battle = queue_battle()
    with monkeypatch.context() as patched:
        patched.setattr(Battle, "claim", dead)
        battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert (battle.status, battle.tries) == (JobStatus.QUEUED, 0)


def a_round_close() -> Any:
    return round_close(round_=a_match().round, by=None)


def a_fair_draw() -> Any:
    return FairDraw.objects.create(round=a_round(a_campaign()))


def some_pair_odds() -> Any:
    return PairOdds.objects.create(round=a_round(a_campaign()))


def a_gazette_print() -> Any:
    a_closed_round()
    return GazettePrint.objects.order_by("pk")[0]


@pytest.mark.parametrize(
    ("make", "task", "work"),
    [
        (a_round_close, round_close_run, "round_close_work"),
        (a_fair_draw, fair_draw, "calculate_fair_odds"),
        (some_pair_odds, pair_odds, "calculate_pair_odds"),
        (a_gazette_print, print_gazette, "gazette_print_render"),
    ],
)
def test_campaign_jobs_survive_outages(monkeypatch, make, task, work):
    later: list[Any] = []
    monkeypatch.setattr(task, "apply_async", lambda message, countdown: later.append((message, countdown)))

    def lost(**_job: Any) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    job = make()
    with monkeypatch.context() as patched:
        patched.setattr(f"campaigns.tasks.{work}", lost)
        task(job.pk)
    job.refresh_from_db()
    assert (job.status, job.tries, job.blips) == (JobStatus.QUEUED, 0, 1)
    assert later == [((job.pk,), 2.0)]
    assert not type(job).waiting().filter(pk=job.pk).exists()
    end_pause(type(job))
    assert type(job).claim(job.pk) is not None


def test_print_survives_a_full_disk(monkeypatch, task_messages):
    job = printing.print_ask(order=order([unit()]), visitor="me")
    with monkeypatch.context() as patched:
        patched.setattr(printing, "render_order", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
        print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.blips) == (JobStatus.QUEUED, 1)
    end_pause(PrintJob)
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE


def test_failed_print_leaves_no_batches(monkeypatch):
    job = printing.print_ask(order=order([unit()]), visitor="me")
    PrintBatch.objects.create(job=job, number=0, items=[0])
    monkeypatch.setattr(printing, "render_order", lambda *_: 1 / 0)
    print_run(job.pk)
    assert not PrintBatch.objects.exists()


def forecast_with_lost_connection(monkeypatch: pytest.MonkeyPatch, runs: int) -> Forecast:
    """Return a forecast whose worker lost the database after simulating its first battles, before saving them."""
    forecast, _ = forecast_ask(setup=duel(), runs=runs, actor=player())
    hand_in = chunks._hand_in

    def lost(*args: Any) -> Any:
        monkeypatch.setattr(chunks, "_hand_in", hand_in)
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(chunks, "_hand_in", lost)
    forecast_run(forecast.pk)
    forecast.refresh_from_db()
    return forecast


@pytest.mark.slow
def test_forecast_resumes_after_an_outage_with_its_battles(monkeypatch, task_messages, compiled_rules):
    forecast = forecast_with_lost_connection(monkeypatch, 1_500)
    assert (forecast.status, forecast.runs_done, forecast.blips) == (JobStatus.RUNNING, 0, 1)
    assert Chunk.objects.values_list("first", "tries").get() == (0, 0)
    *_, (name, message, pause) = task_messages
    assert (name, message, pause) == (forecast_run.name, (forecast.pk, str(forecast.lease)), 2.0)
    forecast_run(*message)
    forecast.refresh_from_db()
    assert (forecast.status, forecast.runs_done, forecast.blips, forecast.tries) == (JobStatus.DONE, 1_500, 0, 0)
    assert not Chunk.objects.exists()


def test_failed_forecast_leaves_no_chunks(monkeypatch, compiled_rules):
    forecast = forecast_with_lost_connection(monkeypatch, 1_500)
    monkeypatch.setattr(chunks, "_take", lambda *_: 1 / 0)
    forecast_run(forecast.pk, str(forecast.lease))
    forecast.refresh_from_db()
    assert forecast.status == JobStatus.FAILED
    assert not Chunk.objects.exists()


# --- sending to a worker ---


@pytest.fixture
def refusing_broker() -> Iterator[None]:
    """Use the address of a Redis that isn't running."""
    before = {name: getattr(app.conf, name) for name in ("broker_url", "broker_transport_options")}
    app.conf.update(
        broker_url=f"redis://127.0.0.1:{free_port()}/0", broker_transport_options=settings.REDIS_TRANSPORT_OPTIONS
    )
    app._after_fork()
    yield
    app.conf.update(before)
    app._after_fork()


@pytest.fixture
def real_workers(monkeypatch: pytest.MonkeyPatch, task_messages: list[Any]) -> None:
    monkeypatch.undo()


def test_job_queued_without_broker_is_found_by_the_sweep(
    client, monkeypatch, task_messages, real_workers, refusing_broker, django_capture_on_commit_callbacks
):
    pauses: list[float] = []
    monkeypatch.setattr("kombu.utils.functional.sleep", pauses.append)
    form = {"a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain"}
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post("/try/", form | {"a_doctrine": "aggressive", "b_doctrine": "cautious", "do": "fight"})
    assert answer.status_code == 302
    assert sum(pauses) < 1, "the request doesn't wait for the broker"
    battle = Battle.objects.get()
    assert battle.status == JobStatus.QUEUED
    Battle.objects.update(queued_at=timezone.now() - timedelta(minutes=5))
    sent: list[int] = []
    monkeypatch.setattr(battle_resolve, "delay", sent.append)
    sweep_lapsed()
    assert sent == [battle.pk]


def test_broker_librarys_error_does_not_reach_the_player(client, monkeypatch, django_capture_on_commit_callbacks):
    def fail_to_send(_pk: int) -> None:
        raise AttributeError("'NoneType' object has no attribute 'client'")

    monkeypatch.setattr(battle_resolve, "delay", fail_to_send)
    form = {"a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain"}
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post("/try/", form | {"a_doctrine": "aggressive", "b_doctrine": "cautious", "do": "fight"})
    assert answer.status_code == 302
    assert Battle.objects.get().status == JobStatus.QUEUED
