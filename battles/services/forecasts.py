"""Odds: asked for once per question, counted in chunks by a worker, called off."""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from battles.documents import Setup, parse_seed, read_setup, setup_hash, setup_json
from battles.engine.odds import Tally, tally, warm
from battles.models import Forecast
from battles.services import limits
from battles.services.battles import asked_by, battle_title
from battles.systems import get_system
from rosters.documents import DocumentError
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError

log = logging.getLogger(__name__)

DEFAULT_SEED = 0  # the same question without a seed is the same question
FIRST_CHUNK = 2_000
LARGEST_CHUNK = 500_000
CHUNK_SECONDS = 0.3
SLICE_SECONDS = 3.0  # after this long, other jobs get a turn


@transaction.atomic
def forecast_ask(
    *,
    setup: bytes | str | Mapping[str, object],
    runs: int,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[Forecast, bool]:
    """The odds of a set-up over that many battles, and whether the question is new. Never counted twice."""
    document = read_setup(setup)
    number = DEFAULT_SEED if seed is None or seed == "" else parse_seed(seed)
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise DocumentError("battles", "must be a whole number, 1 or more")
    version = get_system(document.system).rules_version
    question = question_hash(setup_hash(document), number, runs, version)
    known = Forecast.objects.filter(question=question).first()
    if known is None:
        limits.forecast_allowed(runs=runs, actor=actor, visitor=visitor)
        try:
            with transaction.atomic():
                forecast = _forecast_row(document, question, number, runs, version, actor, visitor)
        except IntegrityError:  # somebody else asked the same at the same time
            return Forecast.objects.get(question=question), False
        _send(forecast)
        return forecast, True
    if known.status in (JobStatus.FAILED, JobStatus.CALLED_OFF):
        limits.forecast_allowed(runs=runs, actor=actor, visitor=visitor)
        if Forecast.objects.filter(pk=known.pk, status=known.status).update(
            status=JobStatus.QUEUED, queued_at=timezone.now(), ended_at=None, failure="", tries=0,
            asked_by=actor, asked_from="" if actor else visitor,
        ):  # fmt: skip
            _send(known)
        known.refresh_from_db()
    return known, False


def question_hash(setup: str, seed: int, runs: int, rules_version: int) -> str:
    """The hash under which odds are found again."""
    return hashlib.sha256(json.dumps([setup, seed, runs, rules_version]).encode()).hexdigest()


def _forecast_row(
    setup: Setup, question: str, seed: int, runs: int, version: int, actor: Player | None, visitor: str
) -> Forecast:
    digest = setup_hash(setup)
    start = (
        Forecast.objects.filter(
            setup_hash=digest, seed=str(seed), rules_version=version, runs_done__gt=0, runs_done__lt=runs
        )
        .order_by("-runs_done")
        .first()
    )  # the first battles of a seed are the same battles: go on from there
    return Forecast.objects.create(
        question=question,
        system=setup.system,
        title=battle_title(setup),
        setup=setup_json(setup),
        setup_hash=digest,
        seed=str(seed),
        rules_version=version,
        runs_asked=runs,
        runs_done=start.runs_done if start else 0,
        counts=start.counts if start else {},
        seconds=start.seconds if start else 0.0,
        asked_by=actor,
        asked_from="" if actor else visitor,
    )


def _send(forecast: Forecast) -> None:
    from battles.tasks import forecast_run

    transaction.on_commit(lambda: forecast_run.delay(forecast.pk))


def forecast_call_off(*, forecast: Forecast, actor: Player | None, visitor: str = "") -> bool:
    """Stops counting; what is counted stays, and asking again goes on from there. False if it is over already."""
    if not asked_by(forecast, actor, visitor):
        raise RefusedError("forecast", "Only who asked for odds can call them off.")
    open_rows = Forecast.objects.filter(pk=forecast.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    return bool(open_rows.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now()))


def forecast_count(*, forecast: Forecast, slice_seconds: float = SLICE_SECONDS) -> bool:
    """Counts on from where a claimed forecast stands, chunk by chunk, for a slice of time.

    True if it went back into the queue for its next slice. Every write is conditional on the claim: if that is lost,
    because the forecast was called off or the lease ran out, nothing more is written.
    """
    setup = read_setup(forecast.setup)
    seed = int(forecast.seed)
    if forecast.rules_version != get_system(setup.system).rules_version:
        forecast.fail("The rules have changed since this was asked; ask again.")
        return False
    with heartbeat(forecast):
        warm(setup.system)
    done, seconds = forecast.runs_done, forecast.seconds
    total = Tally.from_json(forecast.counts) if done else None
    chunk = FIRST_CHUNK
    slice_ends = time.monotonic() + slice_seconds
    while done < forecast.runs_asked:
        count = min(chunk, forecast.runs_asked - done)
        began = time.perf_counter()
        part = tally(setup, seed, done, count)
        took = time.perf_counter() - began
        total = part if total is None else total + part
        done, seconds = done + count, seconds + took
        progress = {"runs_done": done, "counts": total.to_json(), "seconds": seconds}
        if done >= forecast.runs_asked:
            forecast.finish(**progress)
            return False
        if time.monotonic() >= slice_ends:
            return forecast.release(**progress)
        if not forecast.renew(**progress, tries=0):
            return False
        chunk = next_chunk(count, took)
    forecast.finish()
    return False


def next_chunk(count: int, seconds: float) -> int:
    """How many battles the next chunk takes so that it lasts CHUNK_SECONDS, growing at most tenfold."""
    wanted = int(count * CHUNK_SECONDS / seconds) if seconds > 0 else LARGEST_CHUNK
    return max(1, min(wanted, count * 10, LARGEST_CHUNK))


@contextmanager
def heartbeat(forecast: Forecast) -> Iterator[None]:
    """Renews the lease from a thread while the rules are compiled, which can take longer than a lease."""
    stop = threading.Event()

    def beat() -> None:
        try:
            while not stop.wait(settings.JOB_LEASE_SECONDS / 3):
                forecast.renew()
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
