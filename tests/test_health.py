"""Whether Muster is up and can serve: asked by containers and balancers, in plain HTTP and by any host name."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.utils import OperationalError
from django.utils import timezone

from rosters.models import WorkerSeen


def a_worker(queues: str = "battles,forecasts,print", *, seconds_ago: float = 0, name: str = "here:1") -> None:
    WorkerSeen.objects.create(name=name, queues=queues, seen_at=timezone.now() - timedelta(seconds=seconds_ago))


@pytest.fixture
def behind_tls(settings: Any) -> None:
    """As docs/running.md sets a site up."""
    settings.ALLOWED_HOSTS = ["muster.example"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def test_healthz_answers_without_a_database(client: Any):
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "10.0.0.7", "muster-web", "an_odd_host"])
@pytest.mark.django_db
def test_behind_tls_health_is_told_in_plain_http_to_any_host_name(client: Any, behind_tls: None, path: str, host: str):
    a_worker()
    answer = client.get(path, headers={"host": host})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert client.get("/", headers={"host": host}).status_code == 400
    assert client.get("/", headers={"host": "muster.example"}).status_code == 301


def test_health_is_only_read(client: Any):
    assert client.head("/healthz").status_code == 200
    assert client.post("/healthz").status_code == 405
    assert client.get("/healthz")["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_health_asks_for_no_session_and_little_of_the_database(client: Any, django_assert_max_num_queries: Any):
    a_worker()
    client.get("/readyz")
    with django_assert_max_num_queries(3):  # is there a table of migrations, which, and who is alive
        answer = client.get("/readyz")
    assert not answer.cookies


def reasons(client: Any) -> list[str]:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "unavailable"
    return list(answer.json()["reasons"])


@pytest.mark.django_db
def test_readyz_says_that_a_migration_is_pending(client: Any):
    from django.db.migrations.recorder import MigrationRecorder

    a_worker()
    MigrationRecorder.Migration.objects.filter(app="battles").latest("id").delete()
    assert reasons(client) == ["1 migration pending"]


@pytest.mark.django_db
def test_readyz_says_whose_jobs_nobody_does(client: Any):
    assert reasons(client) == ["no worker has given a sign of life for 20 seconds that does: battles, forecasts, print"]
    a_worker("battles,forecasts")
    a_worker("print", seconds_ago=60, name="there:1")
    assert reasons(client) == ["no worker has given a sign of life for 20 seconds that does: print"]


@pytest.mark.django_db
def test_readyz_says_that_the_database_is_away_and_not_where_it_is(client: Any):
    @contextlib.contextmanager
    def away() -> Any:
        def refuse(*_: Any) -> Any:
            raise OperationalError("connection to server at 10.1.2.3 failed for user muster")

        with connection.execute_wrapper(refuse):
            yield

    with away():
        assert reasons(client) == ["the database does not answer"]


@pytest.mark.django_db
def test_readyz_says_that_the_broker_is_away_and_not_where_it_is(client: Any, settings: Any):
    a_worker()
    settings.REDIS_URL = "redis://:secret@127.0.0.1:1/0"
    assert reasons(client) == ["the message broker does not answer"]


@pytest.mark.django_db
def test_readyz_asks_the_broker_that_jobs_are_sent_to(client: Any, settings: Any, redis_url: str):
    a_worker()
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").status_code == 200
