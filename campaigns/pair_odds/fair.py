"""The odds of all pairs of a round, for fair matches: calculated by a worker, pair by pair, and saved as they come."""

from __future__ import annotations

from itertools import permutations

from django.db import transaction

from campaigns.models import Enrolment, FairDraw, Match
from campaigns.pair_odds.chances import match_chance
from campaigns.pair_odds.selectors import ground_key
from campaigns.pair_odds.services import queue_pair_odds
from campaigns.rounds.services import entrants_of, fair_round_draw, ground_choices, pairs_met
from rosters.services import RefusedError
from systems.documents import DocumentError

EVEN_CHANCE = 0.5


def calculate_fair_odds(*, job: FairDraw) -> bool:
    """Calculate the odds of a claimed draw and draw its round. False if the claim was lost meanwhile.

    All pairs are calculated on one ground; those that are drawn on another are calculated again afterwards.
    """
    campaign = job.round.campaign
    first = ground_choices(campaign)[0]
    ground = ground_key(first.value, first.terrain)
    if job.ground != ground and not job.renew(ground=ground, chances={}):
        return False
    met = pairs_met(campaign)
    ids = [each.id for each in entrants_of(campaign)]
    wanted = [pair for pair in permutations(ids, 2) if frozenset(pair) not in met]
    chances = dict(job.chances) if job.ground == ground else {}
    rows = {each.pk: each for each in Enrolment.objects.filter(pk__in=ids).select_related("company", "campaign__club")}
    for one, two in wanted:
        key = f"{one}-{two}"
        if key not in chances:
            chances[key] = attacker_chance(job, rows[one], rows[two])
            if not job.renew(chances=chances, pairs=len(wanted)):
                return False
    with transaction.atomic():
        told = {
            (int(one), int(two)): chance
            for (one, two), chance in ((key.split("-"), each) for key, each in chances.items())
        }
        fair_round_draw(round_=job.round, chances=told)
        is_done = job.finish(chances=chances, pairs=len(wanted))
        if is_done:
            queue_pair_odds(round_=job.round, by=job.asked_by)
        return is_done


def attacker_chance(job: FairDraw, attacker: Enrolment, defender: Enrolment) -> float:
    """Return the attacker's win chance, a draw counted as half, if both sides field all they can.

    On the campaign's first ground. A pair that can't meet counts as even: the organiser sees the reason later.
    """
    ground = ground_choices(job.round.campaign)[0]
    match = Match(
        round=job.round,
        number=0,
        attacker=attacker,
        defender=defender,
        scenario=ground.value,
        terrain=ground.terrain,
    )
    try:
        return match_chance(match)
    except (RefusedError, DocumentError):
        return EVEN_CHANCE
