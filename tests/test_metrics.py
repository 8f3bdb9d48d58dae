"""Metrics for Prometheus: correct, cheap, and only for permitted readers."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from battles.models import Battle
from battles.services.battles import battle_queue
from config import monitoring
from rosters.models import WorkerHeartbeat
from rosters.site import heartbeats
from tests.battles.builders import duel
from tests.builders import a_player
from tests.services import free_port, wait_until
from tests.test_health import timers_ran

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "a-token-nobody-guesses"


def figures(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name, frozenset(sample.labels.items())] = sample.value
    return found


def figure(client: Any, name: str, **labels: str) -> float | None:
    return figures(client.get("/metrics", headers={"host": "127.0.0.1:8000"}).content.decode()).get(
        (name, frozenset(labels.items()))
    )


# --- permissions ---

HERE = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "127.0.0.1:8000"}


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (HERE, 200),
        ({**HERE, "REMOTE_ADDR": "::1", "HTTP_HOST": "[::1]:8000"}, 200),
        ({**HERE, "REMOTE_ADDR": "10.0.0.7"}, 404),
        ({**HERE, "HTTP_X_FORWARDED_FOR": "10.0.0.7"}, 404),
        ({**HERE, "HTTP_X_FORWARDED_PROTO": "https"}, 404),
        ({**HERE, "HTTP_HOST": "muster.example"}, 404),
        ({**HERE, "REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, 200),
        ({**HERE, "HTTP_X_FORWARDED_FOR": "10.0.0.7", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, 200),
        ({**HERE, "REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer no-such-token"}, 401),
        ({**HERE, "REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer "}, 401),
    ],
)
@pytest.mark.django_db
def test_metrics_need_this_machine_or_the_token(client: Any, settings: Any, options: dict[str, str], status: int):
    settings.METRICS_TOKEN = TOKEN
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["muster.example"], True
    assert client.get("/metrics", **options).status_code == status


@pytest.mark.django_db
def test_empty_token_setting_accepts_no_token(client: Any):
    asked = {**HERE, "REMOTE_ADDR": "10.0.0.7"}
    assert client.get("/metrics", **asked, HTTP_AUTHORIZATION="Bearer ").status_code == 401


def test_short_token_is_refused(tmp_path: Path):
    env = {"MUSTER_VAR": str(tmp_path), "MUSTER_METRICS_TOKEN": "short"}
    done = subprocess.run([sys.executable, "-c", "import config.settings"], cwd=ROOT, env=env, capture_output=True)
    assert b"MUSTER_METRICS_TOKEN: 16 characters or more" in done.stderr


# --- jobs and workers ---


@pytest.mark.django_db
def test_jobs_are_counted_by_kind_queue_and_state(client: Any):
    kind = {"kind": "Battle", "queue": "battles"}
    assert figure(client, "muster_jobs", **kind, state="queued") == 0
    battle = battle_queue(setup=duel(), seed=1, actor=a_player())
    assert figure(client, "muster_jobs", **kind, state="queued") == 1
    assert Battle.claim(battle.pk)
    assert figure(client, "muster_jobs", **kind, state="queued") == 0
    assert figure(client, "muster_jobs", **kind, state="running") == 1


@pytest.mark.django_db
def test_age_of_the_oldest_waiting_job_survives_a_sweep(client: Any):
    kind = {"kind": "Battle", "queue": "battles"}
    assert figure(client, "muster_job_oldest_waiting_seconds", **kind) == 0
    for minutes in (5, 60):
        battle = battle_queue(setup=duel(), seed=1, actor=a_player())
        Battle.objects.filter(pk=battle.pk).update(
            waiting_since=timezone.now() - timedelta(minutes=minutes), queued_at=timezone.now()
        )
    assert int(figure(client, "muster_job_oldest_waiting_seconds", **kind) or 0) // 60 == 60


@pytest.mark.django_db
def test_requeued_job_waits_from_then_on():
    battle = battle_queue(setup=duel(), seed=1, actor=a_player())
    long_ago = timezone.now() - timedelta(days=3)
    Battle.objects.filter(pk=battle.pk).update(waiting_since=long_ago, status="failed")
    battle.refresh_from_db()
    assert battle.ask_again()
    assert Battle.objects.get(pk=battle.pk).waiting_since > long_ago + timedelta(days=2)


@pytest.mark.django_db
def test_recent_jobs_are_counted_with_their_duration(client: Any):
    now = timezone.now()
    for seconds, state, ago in [(1, "done", 1), (3, "done", 2), (2, "failed", 3), (900, "done", 60)]:
        battle = battle_queue(setup=duel(), seed=1, actor=a_player())
        ended = now - timedelta(minutes=ago)
        Battle.objects.filter(pk=battle.pk).update(
            status=state, started_at=ended - timedelta(seconds=seconds), ended_at=ended
        )
    kind = {"kind": "Battle", "queue": "battles"}
    assert figure(client, "muster_jobs_ended_recently", **kind, state="done") == 2
    assert figure(client, "muster_jobs_ended_recently", **kind, state="failed") == 1
    assert figure(client, "muster_job_recent_seconds", **kind, quantile="0.5") == 2
    assert figure(client, "muster_job_recent_seconds", **kind, quantile="0.99") == 3


def test_every_kind_of_job_has_its_queue(settings: Any):
    from celery import current_app

    task_of = {"PrintJob": "rosters.tasks.print_run", "PrintBatch": "rosters.tasks.print_batch",
               "GazettePrint": "campaigns.tasks.print_gazette", "FairDraw": "campaigns.tasks.fair_draw",
               "RoundClose": "campaigns.tasks.round_close_run", "Battle": "battles.tasks.battle_resolve",
               "RecordCheck": "battles.tasks.battle_check",
               "Forecast": "battles.tasks.forecast_run", "WhatIf": "battles.tasks.forecast_what_if",
               "Matrix": "battles.tasks.forecast_matrix", "Curve": "battles.tasks.forecast_curve",
               "BestAnswer": "battles.tasks.forecast_best_answer", "BestBuild": "battles.tasks.forecast_best_build",
               "BestChange": "battles.tasks.forecast_best_change", "Fork": "battles.tasks.forecast_fork",
               "Handicap": "campaigns.tasks.handicap_count", "Mail": "campaigns.tasks.word_mail",
               "WebhookDelivery": "campaigns.tasks.word_deliver", "PushNotification": "campaigns.tasks.word_push",
               "ClubArchive": "campaigns.tasks.archive_pack", "ClubRestore": "campaigns.tasks.archive_restore",
               "WatchParty": "campaigns.tasks.premiere_run", "PairOdds": "campaigns.tasks.pair_odds",
               "DataExport": "rosters.tasks.takeout_run"}  # fmt: skip
    route = current_app.amqp.router.route
    sent = {kind: route({}, task, args=(1, "lease"))["queue"].name for kind, task in task_of.items()}
    assert {kind.__name__: monitoring.queue_of(kind) for kind in monitoring.job_kinds()} == sent


@pytest.mark.django_db
def test_workers_are_listed_with_their_silence(client: Any):
    now = timezone.now()
    WorkerHeartbeat.objects.create(name="here:1", queues="battles,forecasts", seen_at=now)
    WorkerHeartbeat.objects.create(name="there:2", queues="battles", seen_at=now - timedelta(minutes=2))
    assert figure(client, "muster_queue_workers", queue="battles") == 1
    assert figure(client, "muster_queue_workers", queue="print") == 0
    assert int(figure(client, "muster_worker_silent_seconds", worker="there:2", queues="battles") or 0) // 60 == 2


@pytest.mark.django_db
def test_timers_are_listed_with_their_silence(client: Any):
    timers_ran(seconds_ago=86_400)
    timers_ran(heartbeats.DONE_KEY.format("close-rounds"))
    assert figure(client, "muster_timer_late", timer="close-rounds") == 0
    assert figure(client, "muster_timer_late", timer="write-digests") == 1
    assert int(figure(client, "muster_timer_silent_seconds", timer="write-digests") or 0) // 3600 == 24


@pytest.mark.django_db
def test_free_disk_space_is_measured_where_files_are_kept(client: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("config.monitoring.free_bytes", lambda: 123_456)
    assert figure(client, "muster_disk_free_bytes") == 123_456


@pytest.mark.slow
@pytest.mark.django_db
def test_query_count_does_not_grow_with_jobs(client: Any):
    def queries() -> int:
        with CaptureQueriesContext(connection) as queries_made:
            client.get("/metrics", **HERE)
        return len(queries_made)

    before = queries()
    for _ in range(5):
        battle_queue(setup=duel(), seed=1, actor=a_player())
    assert queries() == before


@pytest.mark.django_db
def test_lost_database_is_reported_as_a_metric(client: Any):
    from django.db.utils import OperationalError

    def away(*_: Any) -> Any:
        raise OperationalError("on purpose")

    assert figure(client, "muster_database_up") == 1
    with connection.execute_wrapper(away):
        assert figure(client, "muster_database_up") == 0


@pytest.mark.django_db
def test_metrics_include_version_and_commit(client: Any):
    text = client.get("/metrics", **HERE).content.decode()
    assert 'version="0.9.0"' in text
    assert 'commit="' in text


# --- answers ---


@pytest.mark.django_db
def test_answers_are_counted_by_route_method_and_status(client: Any):
    labels = {"route": "rosters:profile", "method": "GET", "status": "302"}
    before = figure(client, "muster_http_answers_total", **labels) or 0
    client.get("/profile/")
    assert figure(client, "muster_http_answers_total", **labels) == before + 1
    del labels["status"]
    assert (figure(client, "muster_http_answer_seconds_count", **labels) or 0) >= before + 1


@pytest.mark.django_db
def test_unknown_paths_and_methods_make_no_new_metrics(client: Any):
    client.generic("BREW", "/no/such/page/1")
    text = client.get("/metrics", **HERE).content.decode()
    assert "such/page" not in text
    assert "BREW" not in text


@pytest.mark.django_db
def test_refused_logins_are_counted(client: Any):
    a_player("kim")
    before = figure(client, "muster_logins_refused_total") or 0
    client.post("/accounts/login/", {"login": "kim", "password": "a wrong one"})
    assert figure(client, "muster_logins_refused_total") == before + 1


@pytest.mark.slow
@pytest.mark.any_database
def test_metrics_are_summed_over_web_processes(site_env: dict[str, str], tmp_path: Path):
    port = free_port()
    env = site_env | {"MUSTER_PORT": str(port), "MUSTER_WEB_PROCESSES": "3", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn_conf.py", "config.wsgi"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)

    def get(path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return str(answer.read().decode())

    def is_open() -> bool:
        try:
            return bool(get("/healthz"))
        except OSError:
            return False

    try:
        wait_until(is_open, "the web server", 60, lambda: server.poll() is None)
        for _ in range(30):
            get("/api/v1/companies/")
        metrics = {
            name: value for name, value in figures(get("/metrics")).items() if name[0] == "muster_http_answers_total"
        }
        assert sum(metrics.values()) == 30, metrics
        assert len(list(tmp_path.glob("muster-metrics-*/counter_*.db"))) >= 2
    finally:
        server.terminate()
        server.wait(30)
    assert list(tmp_path.glob("muster-metrics-*")) == []
    assert os.environ.get("PROMETHEUS_MULTIPROC_DIR") is None
