"""What a worker does for campaigns. Tasks take ids, claim their row, and may run twice without harm."""

import logging

from celery import shared_task

from battles.tasks import gave_up
from campaigns.models import FairDraw
from campaigns.services.fair import fair_count

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
