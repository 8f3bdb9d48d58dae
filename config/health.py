"""Health for whoever runs the server: is the process up, can it serve? Answered by `config.operation`, before any page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from functools import cache

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from rosters.models import WorkerSeen
from rosters.site.workers import SILENT_SECONDS

PATIENCE = 2.0  # seconds that the broker has to answer


def live(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """200 when everything that Muster needs is there, else 503 with a sentence on each thing that is not."""
    if reasons := list(missing()):
        return JsonResponse({"status": "unavailable", "reasons": reasons}, status=503)
    return JsonResponse({"status": "ok"})


def missing() -> Iterator[str]:
    """What is not as it should be, for anybody to read: no address, no error's own words."""
    if not _broker_answers():
        yield "the message broker does not answer"
    try:
        pending = len(_migrations_known() - set(MigrationRecorder(connection).applied_migrations()))
        if pending:  # of a table that is not there yet, nothing can be asked
            yield f"{pending} migration{'s' if pending > 1 else ''} pending"
            return
        unserved = queues_unserved()
    except Exception:  # whatever the driver raises, the answer is the same
        yield "the database does not answer"
        return
    if unserved:
        yield f"no worker has given a sign of life for {SILENT_SECONDS:.0f} seconds that does: {', '.join(unserved)}"


def queues_unserved() -> list[str]:
    """Queues that no living worker takes jobs from. One query."""
    since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    alive = WorkerSeen.objects.filter(seen_at__gte=since).values_list("queues", flat=True)
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
    """Those that lie in the code, read once a process."""
    return frozenset(MigrationLoader(None).disk_migrations)
