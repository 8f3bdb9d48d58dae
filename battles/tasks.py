"""Tasks for workers. They take IDs, claim their row, can safely run twice, and do nothing if the row is gone."""

import gc
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from celery import current_app, shared_task
from celery.signals import worker_init, worker_ready, worker_shutdown
from celery.worker import WorkController
from django.conf import settings
from django.utils import timezone

from battles.models import (
    Battle,
    BestAnswer,
    BestBuild,
    BestChange,
    Calculation,
    Curve,
    Forecast,
    Fork,
    Matrix,
    RecordCheck,
    WhatIf,
)
from battles.odds.chunks import PartT, Work, drop_chunks, join_count, simulate_chunks
from battles.odds.curves import curve_work
from battles.odds.forks import fork_work
from battles.odds.matrices import matrix_work
from battles.odds.services import ensure_rules_ready, forecast_work, what_if_work
from battles.searches.builds import best_build_work
from battles.searches.services import best_answer_work, best_change_work
from battles.services.battles import battle_simulate, check_work
from battles.services.dice import DiceKeyLostError
from rosters import hooks
from rosters.jobs import JobStatus
from rosters.site.job_runs import TEMPORARY_ERRORS, attempt, run, wake
from systems import BATTLES
from systems.engine.runner import compiling
from systems.simulation.odds import is_warm, warm

log = logging.getLogger(__name__)
C = TypeVar("C", bound=Calculation)

RETRY_DELAY = timedelta(seconds=1)  # while another process compiles the rules
COMPILERS: list["subprocess.Popen[bytes]"] = []  # started by this worker
MAX_ROWS = 500  # rows of a kind in one sweep; the next one takes the rest


@shared_task
def battle_resolve(pk: int) -> None:
    """Simulate a queued battle and write its record."""
    sorry = "The battle couldn't be simulated. The error is ours and has been logged. Try again."
    run(Battle, battle_resolve, pk, _simulate, sorry=sorry)


def _simulate(battle: Battle) -> None:
    try:
        battle_simulate(battle=battle)
    except DiceKeyLostError as error:
        battle.fail(error.reason)


@shared_task
def battle_check(pk: int) -> None:
    """Simulate the battle of a record again and compare."""
    sorry = "The record couldn't be checked. The error is ours and has been logged. Try again."
    run(RecordCheck, battle_check, pk, lambda check: check_work(check=check), sorry=sorry)


@shared_task
def forecast_run(pk: int, lease: str | None = None) -> None:
    """Simulate a slice of a forecast, alone or with other workers, and queue the next one."""
    simulate_slice(Forecast, pk, lease, lambda forecast: forecast_work(forecast=forecast))


@shared_task
def forecast_what_if(pk: int, lease: str | None = None) -> None:
    """Simulate a slice of a comparison."""
    simulate_slice(WhatIf, pk, lease, lambda what_if: what_if_work(what_if=what_if))


@shared_task
def forecast_matrix(pk: int, lease: str | None = None) -> None:
    """Simulate some cells of a matrix."""
    simulate_slice(Matrix, pk, lease, lambda matrix: matrix_work(matrix=matrix))


@shared_task
def forecast_curve(pk: int, lease: str | None = None) -> None:
    """Simulate some places of a curve."""
    simulate_slice(Curve, pk, lease, lambda curve: curve_work(curve=curve))


@shared_task
def forecast_best_answer(pk: int, lease: str | None = None) -> None:
    """Simulate some blocks of a search."""
    simulate_slice(BestAnswer, pk, lease, lambda answer: best_answer_work(answer=answer))


@shared_task
def forecast_best_change(pk: int, lease: str | None = None) -> None:
    """Simulate some blocks of a search."""
    simulate_slice(BestChange, pk, lease, lambda row: best_change_work(row=row))


@shared_task
def forecast_best_build(pk: int, lease: str | None = None) -> None:
    """List the builds of a search, or simulate some blocks of it."""
    simulate_slice(BestBuild, pk, lease, lambda row: best_build_work(row=row))


@shared_task
def forecast_fork(pk: int, lease: str | None = None) -> None:
    """Simulate a slice of a fork."""
    simulate_slice(Fork, pk, lease, lambda fork: fork_work(fork=fork))


def simulate_slice(kind: type[C], pk: int, lease: str | None, work_of: Callable[[C], Work[PartT]]) -> None:
    """Simulate a share of a question. Without a lease, claim the row; with one, join the workers under that claim.

    Only the worker with the claim invites others, so that a question never has more messages than workers it can use.
    """
    task = current_app.tasks[dict(hooks.jobs)[kind]]
    try:
        job = kind.claim(pk) if lease is None else join_count(kind, pk, lease)
    except TEMPORARY_ERRORS as error:
        log.warning("%s %s could not be taken up: %s", kind.__name__, pk, error)  # the sweep comes back to it
        return
    if job is None:
        return
    message = (pk, str(job.lease))

    def work(job: C) -> None:
        if not ensure_rules_ready(job):
            job.refresh_from_db(fields=["status"])
            if not job.is_over:
                wake(task, *message, after=RETRY_DELAY)
        elif simulate_chunks(job=job, work=work_of(job), invite=invite):
            wake(task, *message)

    def invite(workers: int) -> None:
        for _ in range(workers if lease is None else 0):
            wake(task, *message)

    sorry = "This couldn't be calculated. The error is ours and has been logged. Try again."
    attempt(job, task, message, work, sorry=sorry, after_failure=drop_chunks)


@shared_task
def rules_compile(system: str) -> None:
    """Compile the rules of a game ahead of its first question, unless another worker is doing so."""
    if system in BATTLES and not is_warm(system):
        with compiling(system) as is_mine:
            if is_mine:
                warm(system)


@shared_task
def sweep_lapsed() -> None:
    """Queue all rows again whose worker was killed or whose message was lost.

    A long queue gets only the rows of killed workers, each once.
    """
    for kind, task in hooks.jobs:
        lapsed = kind.lapsed(queue_is_long=messages_waiting(task) >= MAX_ROWS)
        rows = list(lapsed.order_by("queued_at", "pk").values_list("pk", flat=True)[:MAX_ROWS])
        open_rows = kind._default_manager.filter(pk__in=rows, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
        open_rows.update(queued_at=timezone.now())
        for pk in rows:
            log.info("sweep: %s %s again", kind.__name__, pk)
            wake(current_app.tasks[task], pk)


def messages_waiting(task: str) -> int:
    """Return the number of messages in a task's queue; 0 if the broker doesn't answer."""
    queue = current_app.amqp.router.route({}, task, args=(0,))["queue"]
    try:
        with current_app.connection_for_write() as connection:
            return int(queue(connection.default_channel).queue_declare().message_count)
    except Exception as error:  # the sweep goes on whatever the broker's library raises
        log.warning("the queue of %s can't be counted: %s", task, error)
        return 0


@worker_init.connect
def load_rules(sender: WorkController, **kwargs: object) -> None:
    """Load compiled rules before the worker forks, so that its processes share them and no question waits.

    They take 280 MB. A worker with one process loads a game's rules when they are first needed, and a worker that only
    prints needs none.
    """
    if settings.WORKER_QUEUES != "print" and sender.concurrency > 1:  # type: ignore[attr-defined]
        for slug in filter(is_warm, BATTLES):
            warm(slug)
    gc.freeze()  # or garbage collection would copy the shared memory pages


@worker_ready.connect
def compile_beside(**kwargs: object) -> None:
    """Compile the missing rules in a separate process, so that no battle waits for it.

    It frees its memory at the end, and has a lower priority than pages and battles.
    """
    if settings.WORKER_QUEUES != "print" and not all(map(is_warm, BATTLES)):
        program = [sys.executable, str(settings.BASE_DIR / "manage.py"), "warm_rules"]
        command = ["nice", *program, "--with-parent", str(os.getpid())]
        compiler = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        threading.Thread(
            target=compiler.wait, daemon=True, name="compiler"
        ).start()  # so that it doesn't stay as a zombie
        COMPILERS.append(compiler)


@worker_shutdown.connect
def end_compilers(**kwargs: object) -> None:
    """End this worker's compilers. The next worker compiles the rest."""
    for process in COMPILERS:
        process.terminate()
        process.wait()


@worker_ready.connect
def sweep_on_start(**kwargs: object) -> None:
    """Sweep when a worker starts: at once, and after one lease, for rows that are still leased after a crash."""
    sweep_lapsed.delay()
    sweep_lapsed.apply_async(countdown=settings.JOB_LEASE_SECONDS + 1)
