"""Health checks for operators: is the process up, and can it serve? `config.middleware` answers them first."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from rosters.database.operations import known_migrations
from rosters.models import WorkerHeartbeat
from rosters.site.heartbeats import SILENT_SECONDS, timers

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
        yield "the message broker does not answer"
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
        yield "the database does not answer"
        return
    if unserved:
        yield f"no worker has given a sign of life for {SILENT_SECONDS:.0f} seconds that does: {', '.join(unserved)}"
    yield from late


def _late_timers() -> Iterator[str]:
    """Yield a sentence for each overdue timer, or a single one if all are overdue."""
    found = timers()
    late = [timer for timer in found if timer.is_late]
    seen = [timer.seen_at for timer in late if timer.seen_at]
    if late and not seen:
        yield "the timer has given no sign of life"
    elif len(late) == len(found):
        yield f"the timer has given no sign for {_seconds_since(max(seen))} seconds"
    else:
        for timer in late:
            if timer.seen_at:
                yield f"the timer {timer.name} has given no sign for {_seconds_since(timer.seen_at)} seconds"


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
