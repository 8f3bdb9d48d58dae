"""Which pairs of a planned round have odds, and which wait for them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.models import FairDraw, Match, PairOdds
from rosters.jobs import JobStatus
from rosters.site.compiled import PreparedQuery
from systems.setups import canonical

PAIR_ODDS = PreparedQuery(lambda round: PairOdds.objects.filter(round=round), round=int)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOddsRow:
    """What is known about the odds of one planned match."""

    chance: float | None = None  # that the attacker does better; a draw counts half
    why: str = ""  # why there are no odds
    is_waiting: bool = False  # for a worker; the job exists


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOddsStatus:
    """How far the calculation for a round is."""

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


def find_odds(match: Match, draw: FairDraw | None, counted: Mapping[str, Mapping[str, Any]]) -> PairOddsRow | None:
    """Return the odds already calculated for a pair; None if there are none."""
    if found := counted.get(pair_key(match)):
        return PairOddsRow(chance=found.get("chance"), why=found.get("why", ""))
    if draw is None or draw.ground != ground_key(match.scenario, match.terrain):
        return None
    drawn = draw.chances.get(f"{match.attacker_id}-{match.defender_id}")
    return None if drawn is None else PairOddsRow(chance=drawn)


def round_odds_status(matches: Iterable[Match], draw: FairDraw | None, job: PairOdds | None) -> RoundOddsStatus:
    """Return how far the odds of a round's planned matches are."""
    found = [pair_odds_row(match, draw, job) for match in matches if match.defender_id is not None]
    return RoundOddsStatus(
        known=sum(each.chance is not None or bool(each.why) for each in found),
        missing=sum(each.chance is None for each in found),
        pairs=len(found),
        status=job.status if job is not None else "",
        failure=job.failure if job is not None else "",
    )
