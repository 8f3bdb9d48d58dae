"""The odds of pairs that an organiser makes: requested with the plan, calculated by a worker one after the other.

A round has one such job at a time. It looks for pairs without odds until there are none, so it also does those that
are added while it calculates. Whether any is left is checked under the campaign's lock, which every change of the
plan holds too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from campaigns.locks import campaign_lock
from campaigns.models import FairDraw, Match, PairOdds, Round, RoundState
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems.documents import DocumentError

from .chances import match_chance
from .selectors import find_odds, pair_key


@transaction.atomic
def queue_pair_odds(*, round_: Round, by: Player | None, anew: bool = False) -> None:
    """Queue the calculation of the pairs of a planned round that have no odds; do nothing if all have.

    `anew`: also those that couldn't be calculated before.
    """
    campaign_lock(round_.campaign)
    job = PairOdds.objects.filter(round=round_).first()
    counted = dict(job.counted) if job is not None else {}
    if anew:
        counted = {key: each for key, each in counted.items() if "chance" in each}
    if next_pair_without_odds(round_.pk, counted) is None:
        return
    if job is None:
        job = PairOdds.objects.create(round=round_, asked_by=by)
    elif not job.ask_anew(asked_by=by, counted=counted):
        return  # a worker has it, and will find them
    pk = job.pk
    transaction.on_commit(lambda: wake("campaigns.tasks.pair_odds", pk))


def calculate_pair_odds(*, job: PairOdds) -> bool:
    """Calculate what a claimed job asks for. Return False if the claim was lost in the meantime."""
    counted = dict(job.counted)
    while True:
        match = next_pair_without_odds(job.round_id, counted)
        if match is not None:
            counted[pair_key(match)] = _calculate_odds_of_pair(match)
            if not job.renew(counted=counted):
                return False
        elif (ended := _finish_if_done(job, counted)) is not None:
            return ended


def next_pair_without_odds(round_: int, counted: Mapping[str, Mapping[str, Any]]) -> Match | None:
    """Return the first pair of a round that has no odds; None also if the round is no longer planned."""
    rows = Match.objects.filter(round=round_, round__state=RoundState.PLANNED, defender__isnull=False).order_by(
        "number"
    )
    rows = rows.select_related("round__campaign__club", "attacker__company", "defender__company")
    draw = FairDraw.objects.filter(round=round_).first()
    return next((match for match in rows if find_odds(match, draw, counted) is None), None)


def _finish_if_done(job: PairOdds, counted: Mapping[str, Mapping[str, Any]]) -> bool | None:
    """End the job. Return None if the plan has been changed in the meantime and pairs are left."""
    with transaction.atomic():
        campaign_lock(job.round.campaign)
        return job.finish(counted=counted) if next_pair_without_odds(job.round_id, counted) is None else None


def _calculate_odds_of_pair(match: Match) -> dict[str, object]:
    try:
        return {"chance": match_chance(match)}
    except (RefusedError, DocumentError) as error:
        return {"why": error.reason[:300]}
