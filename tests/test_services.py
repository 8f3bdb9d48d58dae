"""The test servers are real: PostgreSQL, Redis, and a worker that can be killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from deploy.processes import MARK, processes_with_mark
from tests.example_shares import in_every_run
from tests.services import Worker, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.django_db
def test_database_is_the_requested_one():
    from django.db import connection

    from tests.conftest import DATABASE

    assert connection.vendor == {"postgres": "postgresql", "sqlite": "sqlite"}[DATABASE]


def test_redis_server_is_real(redis_url: str):
    import redis

    client = redis.Redis.from_url(redis_url)
    client.set("muster", "here")
    assert client.get("muster") == b"here"


def test_tests_write_to_their_own_folder():
    from django.conf import settings

    assert settings.VAR_DIR.parent.name.startswith("muster-test-")


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize("broker", in_every_run(["redis"], ["filesystem", "redis"]))
def test_worker_takes_jobs_and_dies_when_killed(start_worker: Callable[..., Worker], broker: str):
    from config.celery import app

    worker = start_worker(broker)
    app.send_task("celery.backend_cleanup", queue="battles")
    wait_until(lambda: "succeeded" in worker.output(), "the job")
    worker.kill()
    assert worker.process.poll() is not None


@pytest.mark.slow
@pytest.mark.any_database
def test_processes_of_a_killed_worker_end(start_worker: Callable[..., Worker]):
    worker = start_worker(concurrency=2, beat=True, env={MARK: "killed-worker/"})
    wait_until(
        lambda: len(processes_with_mark("killed-worker/")) >= 4, "two processes and the timer"
    )  # and a compiler, if rules are new
    worker.process.kill()
    worker.process.wait()
    wait_until(lambda: processes_with_mark("killed-worker/") == [], "their end")


def test_process_started_after_its_workers_death_ends():
    code = "import time; from config import celery; celery.STARTED_AS = 1; celery.end_with_worker(); time.sleep(30)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 1


@pytest.mark.browser
@pytest.mark.django_db
def test_real_browser_opens_the_live_site(phone: Page):
    phone.goto("/healthz")
    assert "ok" in phone.inner_text("body")
    assert phone.evaluate("screen.width") == 360
