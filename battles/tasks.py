"""What a worker does. Tasks take ids, claim their row, may run twice without harm, and stop quietly if the row is gone."""

import logging
from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.utils import timezone

from battles.models import Battle, Forecast, Matrix, WhatIf
from battles.services.battles import battle_fight
from battles.services.forecasts import forecast_count
from battles.services.matrices import matrix_count
from battles.services.what_ifs import what_if_count
from rosters.jobs import Job, JobStatus
from rosters.models import PrintJob

log = logging.getLogger(__name__)

SWEEP_AT_MOST = 200  # rows of a kind in one sweep; the next one takes the rest
TASK_OF: dict[type[Job], str] = {
    Battle: "battles.tasks.battle_resolve",
    Forecast: "battles.tasks.forecast_run",
    WhatIf: "battles.tasks.forecast_what_if",
    Matrix: "battles.tasks.forecast_matrix",
    PrintJob: "rosters.tasks.print_run",
}


@shared_task
def battle_resolve(pk: int) -> None:
    """Fights a queued battle and writes its record."""
    battle = Battle.claim(pk)
    if battle is None or gave_up(battle):
        return
    try:
        battle_fight(battle=battle)
    except Exception:
        log.exception("battle %s", pk)
        battle.fail("The battle could not be resolved; the fault is ours and has been noted.")


@shared_task
def forecast_run(pk: int) -> None:
    """Counts a slice of a forecast, and queues the next one."""
    forecast = Forecast.claim(pk)
    if forecast is None or gave_up(forecast):
        return
    try:
        if forecast_count(forecast=forecast):
            forecast_run.delay(pk)
    except Exception:
        log.exception("forecast %s", pk)
        forecast.fail("The odds could not be counted; the fault is ours and has been noted.")


@shared_task
def forecast_what_if(pk: int) -> None:
    """Counts a slice of a comparison, and queues the next one."""
    what_if = WhatIf.claim(pk)
    if what_if is None or gave_up(what_if):
        return
    try:
        if what_if_count(what_if=what_if):
            forecast_what_if.delay(pk)
    except Exception:
        log.exception("what-if %s", pk)
        what_if.fail("The odds could not be compared; the fault is ours and has been noted.")


@shared_task
def forecast_matrix(pk: int) -> None:
    """Counts some cells of a matrix, and queues the next ones."""
    matrix = Matrix.claim(pk)
    if matrix is None or gave_up(matrix):
        return
    try:
        if matrix_count(matrix=matrix):
            forecast_matrix.delay(pk)
    except Exception:
        log.exception("matrix %s", pk)
        matrix.fail("The matrix could not be counted; the fault is ours and has been noted.")


@shared_task
def sweep_lapsed() -> None:
    """Sends every row to a worker again whose worker was killed, or whose message was lost."""
    for kind, task in TASK_OF.items():
        rows = list(kind.lapsed().order_by("queued_at", "pk").values_list("pk", flat=True)[:SWEEP_AT_MOST])
        # Waiting rows count as just sent, so that a long queue isn't sent again by every sweep.
        kind._default_manager.filter(pk__in=rows, status=JobStatus.QUEUED).update(queued_at=timezone.now())
        for pk in rows:
            log.info("sweep: %s %s again", kind.__name__, pk)
            current_app.send_task(task, args=[pk])


def gave_up(job: Job) -> bool:
    """Marks a job failed that took its workers down too often without getting any further."""
    if job.tries <= job.MAX_TRIES:
        return False
    job.fail(f"Given up after {job.MAX_TRIES} tries: the worker died each time.")
    return True


@worker_ready.connect
def sweep_on_start(**kwargs: Any) -> None:
    """A worker that starts after a crash takes up what was left: at once, and what was still leased a lease later."""
    sweep_lapsed.delay()
    sweep_lapsed.apply_async(countdown=settings.JOB_LEASE_SECONDS + 1)
