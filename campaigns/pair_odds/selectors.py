"""Which pairs of a planned round have odds, and which wait for them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.models import FairDraw, Match, PairOdds
from rosters.jobs import JobStatus
from rosters.site.compiled import Compiled
from systems.setups import canonical

PAIR_ODDS = Compiled(lambda round: PairOdds.objects.filter(round=round), round=int)


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsOfPair:
    """What is known of the odds of one planned match."""

    chance: float | None = None  # that the attacker does better, a draw counted half
    why: str = ""  # there are none
    is_waiting: bool = False  # for a worker, who has been asked


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsOfPairs:
    """How far the count of a round is."""

    known: int  # pairs whose odds are counted, or can't be
    missing: int  # pairs without any
    pairs: int  # tables where two meet
    status: str  # of the job; empty: nobody has asked
    failure: str

    @property
    def is_busy(self) -> bool:
        return self.status in (JobStatus.QUEUED, JobStatus.RUNNING)

    @property
    def has_failed(self) -> bool:
        return self.status == JobStatus.FAILED

    @property
    def can_be_asked(self) -> bool:
        """Whether there are pairs that nobody counts."""
        return self.missing > 0 and not self.is_busy


def pair_key(match: Match) -> str:
    """The pair and what it is fought on: its odds are the same wherever that stands in a plan."""
    return f"{match.attacker_id}-{match.defender_id}-{ground_key(match.scenario, match.terrain)}"


def ground_key(scenario: object, terrain: str) -> str:
    """What a match is fought on, in 12 characters."""
    return hashlib.sha256(canonical([scenario, terrain]).encode()).hexdigest()[:12]


def odds_of_pair(match: Match, draw: FairDraw | None, job: PairOdds | None) -> OddsOfPair:
    """As they were counted for the pair itself, or else for a fair draw of the round on the same ground."""
    found = odds_counted(match, draw, job.counted if job is not None else {})
    return found or OddsOfPair(is_waiting=job is not None and not job.is_over)


def odds_counted(match: Match, draw: FairDraw | None, counted: Mapping[str, Mapping[str, Any]]) -> OddsOfPair | None:
    """The same of what was counted beside the plan; None where nobody has counted."""
    if found := counted.get(pair_key(match)):
        return OddsOfPair(chance=found.get("chance"), why=found.get("why", ""))
    if draw is None or draw.ground != ground_key(match.scenario, match.terrain):
        return None
    drawn = draw.chances.get(f"{match.attacker_id}-{match.defender_id}")
    return None if drawn is None else OddsOfPair(chance=drawn)


def odds_of_pairs(matches: Iterable[Match], draw: FairDraw | None, job: PairOdds | None) -> OddsOfPairs:
    """Of the planned matches of a round."""
    found = [odds_of_pair(match, draw, job) for match in matches if match.defender_id is not None]
    return OddsOfPairs(
        known=sum(each.chance is not None or bool(each.why) for each in found),
        missing=sum(each.chance is None for each in found),
        pairs=len(found),
        status=job.status if job is not None else "",
        failure=job.failure if job is not None else "",
    )
