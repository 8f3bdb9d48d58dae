"""The odds of all pairs of a round, for fair matches: counted by a worker, pair by pair, and kept as they come."""

from __future__ import annotations

from itertools import permutations

from django.db import transaction

from campaigns.models import Enrolment, FairDraw, Match
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.engine.odds import tally
from systems.reading import read_setup

from .forces import match_document, reckoned_force
from .rounds import entrants_of, fair_round_draw, ground_choices, met_in

BATTLES = 2_000  # for each pair and each way round: enough to tell 45 from 50 percent
SEED = 0
EVEN = 0.5


def fair_count(*, job: FairDraw) -> bool:
    """Counts the odds of a claimed draw and draws up its round. False if the claim was lost meanwhile."""
    campaign = job.round.campaign
    met = met_in(campaign)
    ids = [each.id for each in entrants_of(campaign)]
    wanted = [pair for pair in permutations(ids, 2) if frozenset(pair) not in met]
    chances = dict(job.chances)
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
        return job.finish(chances=chances, pairs=len(wanted))


def attacker_chance(job: FairDraw, attacker: Enrolment, defender: Enrolment) -> float:
    """The chance that the attacker does better, a draw counted half, with all that both can field.

    On the first ground of the campaign. A pair that can't meet counts as even: the organiser sees the reason later.
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
        return EVEN


def match_chance(match: Match) -> float:
    """The same of a match with both sides on its own ground; raises RefusedError or DocumentError if it can't be fought.

    What its players have sealed or ordered for it is not looked at: who reads the odds would come to know it.
    """
    assert match.defender is not None
    forces = [reckoned_force(match, side) for side in (0, 1)]
    sides = [("Attacker", match.attacker, forces[0]), ("Defender", match.defender, forces[1])]
    battle = tally(read_setup(match_document(match, sides)), SEED, 0, BATTLES).battle
    return (battle["attacker_wins"] + (BATTLES - battle["attacker_wins"] - battle["defender_wins"]) / 2) / BATTLES
