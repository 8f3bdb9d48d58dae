"""Health checks and metrics for operators. `config.middleware` answers them first.

Health checks: is the process up, and can it serve? Metrics for Prometheus: HTTP responses from the web server's
processes, everything else from the database. The processes of the web server share prometheus_client's files (see
deploy/gunicorn_conf.py). Metrics of workers come from the rows that workers write. So one machine's web server reports
the workers of all machines, and a killed worker neither loses a count nor adds one twice.
"""

from __future__ import annotations

import hmac
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

import django
import prometheus_client as prometheus
import redis
from django.apps import apps
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Max, Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError

from rosters.database.operations import known_migrations
from rosters.jobs import Job, JobStatus
from rosters.models import WorkerHeartbeat
from rosters.site.heartbeats import SILENT_SECONDS, timers
from rosters.site.mails import is_local

PATIENCE = 2.0  # seconds that the broker has to answer
MIN_FREE_BYTES = 200_000_000  # with less, a print or a backup may no longer fit


def live(request: HttpRequest) -> JsonResponse:
    """200 while the process answers."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """200 if everything that Muster needs is there, else 503 with a sentence for each missing thing."""
    if reasons := list(missing()):
        return JsonResponse({"status": "unavailable", "reasons": reasons}, status=503)
    return JsonResponse({"status": "ok"})


def missing() -> Iterator[str]:
    """Yield a sentence for each problem. Anybody may read them, so they contain no addresses and no error texts."""
    has_broker = _broker_answers()
    if not has_broker:
        yield "the message broker is not responding"
    if free_bytes() < MIN_FREE_BYTES:
        yield f"less than {MIN_FREE_BYTES // 1_000_000} MB are free where MUSTER_VAR is"
    try:
        pending = len(_migrations_known() - set(MigrationRecorder(connection).applied_migrations()))
        if pending:  # tables may be missing, so nothing else can be checked
            yield f"{pending} migration{'s' if pending > 1 else ''} pending"
            return
        unserved = queues_unserved()
        late = list(_late_timers()) if has_broker or not settings.REDIS_URL else []  # else unknown
    except Exception:  # whatever the driver raises, the answer is the same
        yield "the database is not responding"
        return
    if unserved:
        yield f"no worker has served these queues for {SILENT_SECONDS:.0f} seconds: {', '.join(unserved)}"
    yield from late


def _late_timers() -> Iterator[str]:
    """Yield a sentence for each overdue timer, or a single one if all are overdue."""
    found = timers()
    late = [timer for timer in found if timer.is_late]
    seen = [timer.seen_at for timer in late if timer.seen_at]
    if late and not seen:
        yield "the timer has not started"
    elif len(late) == len(found):
        yield f"the timer has not run for {_seconds_since(max(seen))} seconds"
    else:
        for timer in late:
            if timer.seen_at:
                yield f"the timer {timer.name} has not run for {_seconds_since(timer.seen_at)} seconds"


def _seconds_since(at: datetime) -> int:
    return max(round((timezone.now() - at).total_seconds()), 0)


def free_bytes() -> int:
    """Return the bytes that Muster may still write to the disk of MUSTER_VAR."""
    return shutil.disk_usage(settings.VAR_DIR).free


def queues_unserved() -> list[str]:
    """Return the queues that no living worker serves. One query."""
    since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    alive = WorkerHeartbeat.objects.filter(seen_at__gte=since).values_list("queues", flat=True)
    served = {queue for queues in alive for queue in queues.split(",")}
    return [queue for queue in settings.QUEUES if queue not in served]


def _broker_answers() -> bool:
    if not settings.REDIS_URL:
        return os.access(settings.VAR_DIR / "queue", os.W_OK)
    try:
        broker = redis.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=None
        )
        with broker:
            return bool(broker.ping())
    except (redis.RedisError, OSError):
        return False


@cache
def _migrations_known() -> frozenset[tuple[str, str]]:
    """Return the migrations that the code contains; read once per process."""
    return known_migrations()


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
RECENT = timedelta(minutes=15)
LOOKED_AT = 2_000  # how many of the newest jobs of a kind are searched for those that ended recently
QUANTILES = (0.5, 0.9, 0.99)

# Kinds of jobs outside the default queue.
QUEUES = {
    "Forecast": "forecasts", "WhatIf": "forecasts", "Matrix": "forecasts", "Curve": "forecasts", "BestAnswer": "forecasts",
    "BestBuild": "forecasts", "BestChange": "forecasts", "Fork": "forecasts",
    "PrintJob": "print", "PrintBatch": "print", "GazettePrint": "print", "DataExport": "print",
    "Mail": "print", "WebhookDelivery": "print", "PushNotification": "print", "ClubArchive": "print", "ClubRestore": "print",
}  # fmt: skip

ANSWERS = prometheus.CollectorRegistry()
ANSWERED = prometheus.Counter(
    "muster_http_answers", "Responses of the web server", ["route", "method", "status"], registry=ANSWERS
)
SECONDS = prometheus.Histogram(
    "muster_http_answer_seconds", "Time to an answer", ["route", "method"], registry=ANSWERS,
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)  # fmt: skip
REFUSED = prometheus.Counter("muster_logins_refused", "Logins with a wrong name or password", registry=ANSWERS)


def answered(*, route: str, method: str, status: int, seconds: float) -> None:
    """Count a response of this process."""
    method = method if method in METHODS else "other"
    ANSWERED.labels(route, method, str(status)).inc()
    SECONDS.labels(route, method).observe(seconds)


def count_refused_login(**_kwargs: object) -> None:
    REFUSED.inc()


user_login_failed.connect(count_refused_login, dispatch_uid="muster_logins_refused")


def metrics_view(request: HttpRequest) -> HttpResponse:
    """Return the metrics to this machine and to holders of the token; 401 for a wrong token, 404 without one."""
    authorization = request.headers.get("Authorization", "")
    knows = bool(settings.METRICS_TOKEN) and hmac.compare_digest(
        authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()
    )
    if knows or is_local(request):
        return HttpResponse(exposition(), content_type=prometheus.CONTENT_TYPE_LATEST)
    if authorization:
        return HttpResponse("This is not the token of MUSTER_METRICS_TOKEN.\n", status=401, content_type="text/plain")
    return HttpResponse("Not found\n", status=404, content_type="text/plain")


def exposition() -> bytes:
    """Return all metrics in Prometheus' text format."""
    answers = ANSWERS
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        answers = prometheus.CollectorRegistry()
        MultiProcessCollector(answers)
    rows = prometheus.CollectorRegistry()
    rows.register(Rows())
    return prometheus.generate_latest(answers) + prometheus.generate_latest(rows)


class Rows:
    """Metrics of jobs and workers from the database, read at each request."""

    def describe(self) -> list[Metric]:
        return []  # so that no query runs at registration

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("muster", "What runs here", value=build())
        up = GaugeMetricFamily("muster_database_up", "Whether the database answers")
        try:
            families = [*_jobs(timezone.now()), *_workers(timezone.now()), *_timers(timezone.now())]
            up.add_metric([], 1)
        except Error:
            families = []
            up.add_metric([], 0)
        yield up
        yield from families
        yield from _disk(time.time())


def job_kinds() -> list[type[Job]]:
    """Return every kind of job, by name."""
    kinds = [model for model in apps.get_models() if issubclass(model, Job)]
    return sorted(kinds, key=lambda kind: kind.__name__)


def queue_of(kind: type[Job]) -> str:
    return QUEUES.get(kind.__name__, settings.CELERY_TASK_DEFAULT_QUEUE)


def _jobs(now: datetime) -> list[Metric]:
    jobs = GaugeMetricFamily("muster_jobs", "Jobs by state", labels=["kind", "queue", "state"])
    oldest = GaugeMetricFamily(
        "muster_job_oldest_waiting_seconds", "How long the longest waiting job waits", labels=["kind", "queue"]
    )
    ended = GaugeMetricFamily(
        "muster_jobs_ended_recently",
        "Jobs that ended in the last quarter of an hour",
        labels=["kind", "queue", "state"],
    )
    seconds = GaugeMetricFamily(
        "muster_job_recent_seconds", "From start to end of these jobs", labels=["kind", "queue", "quantile"]
    )
    for kind in job_kinds():
        labels = [kind.__name__, queue_of(kind)]
        rows = {
            row["status"]: row
            for row in kind._default_manager.order_by()
            .values("status")
            .annotate(count=Count("pk"), since=Min("waiting_since"))
        }
        for state in JobStatus.values:
            jobs.add_metric([*labels, state], rows[state]["count"] if state in rows else 0)
        since = rows[JobStatus.QUEUED]["since"] if JobStatus.QUEUED in rows else None
        oldest.add_metric(labels, (now - since).total_seconds() if since else 0)
        over = _ended(kind, now)
        for state, count in sorted(Counter(state for state, _ in over).items()):
            ended.add_metric([*labels, state], count)
        took = sorted(took for _, took in over)
        for quantile in QUANTILES if took else ():
            seconds.add_metric([*labels, str(quantile)], took[min(int(quantile * len(took)), len(took) - 1)])
    return [jobs, oldest, ended, seconds]


def _ended(kind: type[Job], now: datetime) -> list[tuple[str, float]]:
    """Return the state and the seconds of jobs that ended recently; read at most LOOKED_AT rows."""
    newest = kind._default_manager.aggregate(newest=Max("pk"))["newest"] or 0
    rows = kind._default_manager.filter(
        pk__gt=newest - LOOKED_AT, ended_at__gte=now - RECENT, started_at__isnull=False
    ).values_list("status", "started_at", "ended_at")
    return [(state, (end - start).total_seconds()) for state, start, end in rows if start and end]


def _workers(now: datetime) -> list[Metric]:
    silent = GaugeMetricFamily(
        "muster_worker_silent_seconds", "Since a worker gave its last sign of life", labels=["worker", "queues"]
    )
    alive = GaugeMetricFamily("muster_queue_workers", "Living workers that do a queue's jobs", labels=["queue"])
    serving: Counter[str] = Counter()
    for worker in WorkerHeartbeat.objects.order_by("name"):
        seconds = (now - worker.seen_at).total_seconds()
        silent.add_metric([worker.name, worker.queues], max(seconds, 0.0))
        serving.update(worker.queues.split(",") if seconds <= SILENT_SECONDS else [])
    for queue in settings.QUEUES:
        alive.add_metric([queue], serving[queue])
    return [silent, alive]


def _timers(now: datetime) -> list[Metric]:
    silent = GaugeMetricFamily(
        "muster_timer_silent_seconds", "Since a timer last did its work, or beat started", labels=["timer"]
    )
    late = GaugeMetricFamily("muster_timer_late", "Whether a timer's work is overdue", labels=["timer"])
    try:
        found = timers()
    except RedisError:  # /readyz reports whether it answers
        return []
    for timer in found:
        late.add_metric([timer.name], timer.is_late)
        if timer.seen_at:
            silent.add_metric([timer.name], max((now - timer.seen_at).total_seconds(), 0.0))
    return [silent, late]


def _disk(now: float) -> list[Metric]:
    """Return the free space, and the age of the newest backup if this machine has one."""
    free = GaugeMetricFamily("muster_disk_free_bytes", "Free where MUSTER_VAR is", value=free_bytes())
    archives = (settings.BASE_DIR / "backups").glob("muster-*.tar.gz")
    age = GaugeMetricFamily("muster_backup_age_seconds", "Since the newest archive in backups/ was saved")
    try:
        newest = max((path.stat().st_mtime for path in archives), default=None)
    except OSError:  # not ours, or deleted just now
        newest = None
    if newest is None:
        return [free]
    age.add_metric([], max(now - newest, 0.0))
    return [free, age]


@cache
def build() -> dict[str, str]:
    """Return the version and commit of the running code, the versions of Python and Django, and the database."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "version": str(project["version"]),
        "commit": _commit(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "django": django.get_version(),
        "database": connection.vendor,
    }


def _commit() -> str:
    try:
        asked = ["git", "-C", str(settings.BASE_DIR), "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(asked, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"
