"""What a worker does for campaigns. Tasks take ids, claim their row, and may run twice without harm."""

import logging

from celery import shared_task

from battles.tasks import gave_up
from campaigns.models import FairDraw, GazettePrint, RoundClose
from campaigns.services.closing import round_close, round_close_work, rounds_due
from campaigns.services.fair import fair_count
from campaigns.services.gazette import gazette_print_render
from rosters.services import RefusedError

log = logging.getLogger(__name__)


@shared_task
def fair_draw(pk: int) -> None:
    """Counts the odds of all pairs of a planned round and draws it up."""
    job = FairDraw.claim(pk)
    if job is None or gave_up(job):
        return
    try:
        fair_count(job=job)
    except Exception:
        log.exception("fair draw %s", pk)
        job.fail("The odds could not be counted; pair the round in another way.")


@shared_task
def round_close_run(pk: int) -> None:
    """Closes a round."""
    job = RoundClose.claim(pk)
    if job is None or gave_up(job):
        return
    try:
        round_close_work(job=job)
    except Exception:
        log.exception("closing of round %s", pk)
        job.fail("The round could not be closed; the fault is ours and has been noted.")


@shared_task
def print_gazette(pk: int) -> None:
    """Draws an edition of a gazette on paper."""
    job = GazettePrint.claim(pk)
    if job is None or gave_up(job):
        return
    try:
        gazette_print_render(job=job)
    except Exception:
        log.exception("print of gazette %s", pk)
        job.fail("The gazette could not be drawn; the fault is ours and has been noted.")


@shared_task
def deadlines() -> None:
    """Closes the rounds whose deadline has passed. Run by the timer."""
    for row in rounds_due():
        try:
            round_close(round_=row, by=None)
        except RefusedError as error:
            log.info("%s of %s: %s", row, row.campaign, error)
