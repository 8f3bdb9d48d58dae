"""The odds of the pairings in a planned round: request, calculate and show them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from django.db import transaction

from campaigns.army_lists.checks import public_estimate_list
from campaigns.army_lists.documents import match_document
from campaigns.locks import campaign_lock
from campaigns.models import Campaign, Enrolment, FairDraw, Match, MatchState, PairOdds, Round, RoundState
from campaigns.planning.draws import entrants_of, ground_choices, pairs_met
from campaigns.planning.services import fair_round_draw
from campaigns.standings.selectors import standings
from rosters.database.queries import PreparedQuery
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import canonical
from systems.simulation.odds import chance_of, with_best_styles

PAIR_ODDS = PreparedQuery(lambda round: PairOdds.objects.filter(round=round), round=int)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOddsRow:
    """The odds of one planned match, as far as they are known."""

    chance: float | None = None  # that the attacker does better; a draw counts half
    why: str = ""  # why there are no odds
    is_waiting: bool = False  # for a worker; the job exists


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOddsStatus:
    """The progress of a round's calculation."""

    known: int  # pairs whose odds are calculated, or can't be
    missing: int  # pairs without odds
    pairs: int  # tables with two companies
    status: str  # of the job; empty: there is none
    failure: str

    @property
    def is_busy(self) -> bool:
        return self.status in (JobStatus.QUEUED, JobStatus.RUNNING)

    @property
    def has_failed(self) -> bool:
        return self.status == JobStatus.FAILED

    @property
    def can_be_asked(self) -> bool:
        """Return whether there are pairs that nobody is calculating."""
        return self.missing > 0 and not self.is_busy


def pair_key(match: Match) -> str:
    """Return a key of the pair and its ground: it has the same odds anywhere in a plan."""
    return f"{match.attacker_id}-{match.defender_id}-{ground_key(match.scenario, match.terrain)}"


def ground_key(scenario: object, terrain: str) -> str:
    """Return a key of the ground that a match is fought on, in 12 characters."""
    return hashlib.sha256(canonical([scenario, terrain]).encode()).hexdigest()[:12]


def pair_odds_row(match: Match, draw: FairDraw | None, job: PairOdds | None) -> PairOddsRow:
    """Return the odds calculated for the pair itself, or else those of the round's fair draw on the same ground."""
    found = find_odds(match, draw, job.counted if job is not None else {})
    return found or PairOddsRow(is_waiting=job is not None and not job.is_over)


def find_odds(match: Match, draw: FairDraw | None, known: Mapping[str, Mapping[str, Any]]) -> PairOddsRow | None:
    """Return the odds already calculated for a pair; None if there are none."""
    if found := known.get(pair_key(match)):
        return PairOddsRow(chance=found.get("chance"), why=found.get("why", ""))
    if draw is None or draw.ground != ground_key(match.scenario, match.terrain):
        return None
    drawn = draw.chances.get(f"{match.attacker_id}-{match.defender_id}")
    return None if drawn is None else PairOddsRow(chance=drawn)


def round_odds_status(matches: Iterable[Match], draw: FairDraw | None, job: PairOdds | None) -> RoundOddsStatus:
    """Return the progress of the odds for a round's planned matches."""
    found = [pair_odds_row(match, draw, job) for match in matches if match.defender_id is not None]
    return RoundOddsStatus(
        known=sum(each.chance is not None or bool(each.why) for each in found),
        missing=sum(each.chance is None for each in found),
        pairs=len(found),
        status=job.status if job is not None else "",
        failure=job.failure if job is not None else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingNote:
    """Notes on one planned match; attacker before defender."""

    rounds: tuple[int, ...]  # the rounds in which they have met
    places: tuple[int, int] | None  # in the table; None before anything was played
    points: tuple[int, int]
    odds: PairOddsRow


def pairing_notes(
    campaign: Campaign, matches: Iterable[Match], number: int, draw: FairDraw | None, job: PairOdds | None = None
) -> dict[int, PairingNote]:
    """Return the notes by match, without byes; `number` is the round's, and only earlier rounds count. Four queries."""
    met: dict[frozenset[int], list[int]] = {}
    for before, attacker, defender in MET.rows(campaign=campaign.pk):
        if before < number:
            met.setdefault(frozenset((attacker, defender)), []).append(before)
    rows = {each.row.entrant: each.row for each in standings(campaign)}
    has_played = any(row.played or row.byes for row in rows.values())
    notes = {}
    for match in matches:
        if match.defender_id is None or match.attacker_id not in rows or match.defender_id not in rows:
            continue
        one, two = rows[match.attacker_id], rows[match.defender_id]
        notes[match.pk] = PairingNote(
            rounds=tuple(met.get(frozenset((match.attacker_id, match.defender_id)), ())),
            places=(one.place, two.place) if has_played else None,
            points=(one.points, two.points),
            odds=pair_odds_row(match, draw, job),
        )
    return notes


MET = PreparedQuery(
    lambda campaign: (
        Match.objects.filter(round__campaign=campaign, defender__isnull=False)
        .filter(state__in=MatchState.meetings())
        .order_by("round__number")
        .values_list("round__number", "attacker", "defender")
    ),
    campaign=int,
)


BATTLES_PER_PAIR = 2_000  # for each pair, either way round: enough to distinguish 45 from 50 percent
SEED = 0


def match_chance(match: Match) -> float:
    """Return the chance that the attacker does better, on the match's own ground; a draw counts half.

    Raise RefusedError or DocumentError if it can't be simulated. Submitted lists and orders of its players are ignored,
    because the odds would reveal them. Each side plays in the AI style that gives it its best chance.
    """
    assert match.defender is not None
    forces = [public_estimate_list(match, side) for side in (0, 1)]
    sides = [("Attacker", match.attacker, forces[0]), ("Defender", match.defender, forces[1])]
    setup = with_best_styles(read_setup(match_document(match, sides)), SEED)
    return chance_of(setup, SEED, BATTLES_PER_PAIR)


@transaction.atomic
def queue_pair_odds(*, round_: Round, by: Player | None, recalculate: bool = False) -> None:
    """Queue the calculation of the pairs of a planned round that have no odds; do nothing if all have.

    `recalculate`: also those that couldn't be calculated before.
    """
    campaign_lock(round_.campaign)
    job = PairOdds.objects.filter(round=round_).first()
    known = dict(job.counted) if job is not None else {}
    if recalculate:
        known = {key: each for key, each in known.items() if "chance" in each}
    if next_pair_without_odds(round_.pk, known) is None:
        return
    if job is None:
        job = PairOdds.objects.create(round=round_, asked_by=by)
    elif not job.ask_again(asked_by=by, counted=known):
        return  # a worker has it, and will find them
    pk = job.pk
    transaction.on_commit(lambda: wake("campaigns.tasks.pair_odds", pk))


def calculate_pair_odds(*, job: PairOdds) -> bool:
    """Calculate the odds for a claimed job. Return False if the claim was lost in the meantime.

    A round has one such job at a time. It looks for pairs without odds until there are none, so it also does those that
    are added while it calculates. Whether any is left is checked under the campaign's lock, which every change of the
    plan holds too.
    """
    known = dict(job.counted)
    while True:
        match = next_pair_without_odds(job.round_id, known)
        if match is not None:
            known[pair_key(match)] = _calculate_odds_of_pair(match)
            if not job.renew(counted=known):
                return False
        elif (ended := _finish_if_done(job, known)) is not None:
            return ended


def next_pair_without_odds(round_: int, known: Mapping[str, Mapping[str, Any]]) -> Match | None:
    """Return the first pair of a round that has no odds; None also if the round is no longer planned."""
    rows = Match.objects.filter(round=round_, round__state=RoundState.PLANNED, defender__isnull=False).order_by(
        "number"
    )
    rows = rows.select_related("round__campaign__club", "attacker__company", "defender__company")
    draw = FairDraw.objects.filter(round=round_).first()
    return next((match for match in rows if find_odds(match, draw, known) is None), None)


def _finish_if_done(job: PairOdds, known: Mapping[str, Mapping[str, Any]]) -> bool | None:
    """End the job. Return None if the plan has been changed in the meantime and pairs are left."""
    with transaction.atomic():
        campaign_lock(job.round.campaign)
        return job.finish(counted=known) if next_pair_without_odds(job.round_id, known) is None else None


def _calculate_odds_of_pair(match: Match) -> dict[str, object]:
    try:
        return {"chance": match_chance(match)}
    except (RefusedError, DocumentError) as error:
        return {"why": error.reason[:300]}


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
        chance_by_pair = {
            (int(one), int(two)): chance
            for (one, two), chance in ((key.split("-"), each) for key, each in chances.items())
        }
        fair_round_draw(round_=job.round, chances=chance_by_pair)
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
