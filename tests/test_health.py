"""Health checks for containers and load balancers, in plain HTTP and with any host name."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.utils import OperationalError
from django.utils import timezone

from config import monitoring
from rosters.models import WorkerHeartbeat
from rosters.site import heartbeats


def a_worker(queues: str = "battles,forecasts,print", *, seconds_ago: float = 0, name: str = "here:1") -> None:
    WorkerHeartbeat.objects.create(name=name, queues=queues, seen_at=timezone.now() - timedelta(seconds=seconds_ago))


def timers_ran(*names: str, seconds_ago: float = 0) -> None:
    """Record that Beat started and workers ran these timers (default: all) that many seconds ago."""
    at = timezone.now() - timedelta(seconds=seconds_ago)
    names = names or (heartbeats.START_KEY, *map(heartbeats.DONE_KEY.format, settings.CELERY_BEAT_SCHEDULE))
    cache.set_many(dict.fromkeys(names, at), None)


@pytest.fixture
def behind_tls(settings: Any) -> None:
    """Use the settings of a site that is set up as in docs/running.md."""
    settings.ALLOWED_HOSTS = ["muster.example"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def test_healthz_answers_without_a_database(client: Any):
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "10.0.0.7", "muster-web", "an_odd_host"])
@pytest.mark.django_db
def test_health_behind_tls_answers_plain_http_for_any_host(client: Any, behind_tls: None, path: str, host: str):
    a_worker()
    timers_ran()
    answer = client.get(path, headers={"host": host})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert client.get("/", headers={"host": host}).status_code == 400
    assert client.get("/", headers={"host": "muster.example"}).status_code == 301


def test_health_is_read_only(client: Any):
    assert client.head("/healthz").status_code == 200
    assert client.post("/healthz").status_code == 405
    assert client.get("/healthz")["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_health_uses_no_session_and_few_queries(client: Any, django_assert_max_num_queries: Any):
    a_worker()
    timers_ran()
    client.get("/readyz")
    with django_assert_max_num_queries(4):  # the table of migrations, its rows, live workers, timers
        answer = client.get("/readyz")
    assert not answer.cookies


def reasons(client: Any) -> list[str]:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "unavailable"
    return list(answer.json()["reasons"])


@pytest.mark.django_db
def test_readyz_reports_a_pending_migration(client: Any):
    from django.db.migrations.recorder import MigrationRecorder

    a_worker()
    timers_ran()
    MigrationRecorder.Migration.objects.filter(app="battles").exclude(name__contains="_squashed_").latest("id").delete()
    assert reasons(client) == ["1 migration pending"]


@pytest.mark.django_db
def test_readyz_names_queues_without_a_worker(client: Any):
    timers_ran()
    assert reasons(client) == ["no worker has served these queues for 20 seconds: battles, forecasts, print"]
    a_worker("battles,forecasts")
    a_worker("print", seconds_ago=60, name="there:1")
    assert reasons(client) == ["no worker has served these queues for 20 seconds: print"]


@pytest.mark.django_db
def test_readyz_reports_a_lost_database_without_its_address(client: Any):
    @contextlib.contextmanager
    def away() -> Any:
        def refuse(*_: Any) -> Any:
            raise OperationalError("connection to server at 10.1.2.3 failed for user muster")

        with connection.execute_wrapper(refuse):
            yield

    with away():
        assert reasons(client) == ["the database is not responding"]


@pytest.mark.django_db
def test_readyz_reports_a_lost_broker_without_its_address(client: Any, settings: Any):
    a_worker()
    timers_ran()
    settings.REDIS_URL = "redis://:secret@127.0.0.1:1/0"
    assert reasons(client) == ["the message broker is not responding"]


@pytest.mark.django_db
def test_readyz_asks_the_broker_of_the_jobs(client: Any, settings: Any, redis_url: str):
    a_worker()
    timers_ran()
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_readyz_reports_that_no_timer_ran(client: Any):
    a_worker()
    assert reasons(client) == ["the timer has not started"]


@pytest.mark.django_db
def test_readyz_reports_how_long_the_timer_is_silent(client: Any):
    a_worker()
    timers_ran(seconds_ago=170)
    assert client.get("/readyz").status_code == 200
    timers_ran(seconds_ago=86_400)
    (reason,) = reasons(client)
    assert reason.startswith("the timer has not run for 864")


@pytest.mark.django_db
def test_readyz_names_the_failing_timer(client: Any):
    a_worker()
    timers_ran()
    timers_ran(heartbeats.START_KEY, heartbeats.DONE_KEY.format("close-rounds"), seconds_ago=1_000)
    (reason,) = reasons(client)
    assert reason.startswith("the timer close-rounds has not run for 100")


@pytest.mark.django_db
def test_site_is_ready_after_days_off_once_beat_starts(client: Any):
    a_worker()
    timers_ran(seconds_ago=300_000)
    assert heartbeats.note_start()
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_timer_sign_from_the_future_does_not_count(client: Any):
    a_worker()
    timers_ran(seconds_ago=-86_400)
    assert reasons(client) == ["the timer has not started"]


@pytest.mark.django_db
def test_readyz_reports_low_disk_space(client: Any, monkeypatch: pytest.MonkeyPatch):
    a_worker()
    timers_ran()
    monkeypatch.setattr(monitoring, "free_bytes", lambda: 199_999_999)
    assert reasons(client) == ["less than 200 MB are free where MUSTER_VAR is"]
