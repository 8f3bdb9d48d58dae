"""How a round is closed: what that would do to undecided matches, and how far it has got once somebody starts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaigns.models import AbsentRule, Campaign, MatchState, Round, RoundClose
from campaigns.rounds.selectors import FixtureRow
from rosters.jobs import JobStatus

ABSENT_DESCRIPTIONS = {
    AbsentRule.FORFEIT: (
        "the side that neither sealed a force nor reported forfeits; if both came it is a draw, "
        "if neither did nobody gets anything"
    ),
    AbsentRule.DRAW: "it counts as a draw; nothing is fought",
    AbsentRule.ORDERS: (
        "it is fought at once on its sealed dice, with the forces that were sealed, otherwise with all a company can "
        "field by its standing orders"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """Some matches of a round, and what happens to each of them when it is closed."""

    matches: tuple[str, ...]
    what: str  # their common state, in words
    fate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingStep:
    title: str
    state: str  # waiting, running, done or failed
    state_name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingSheet:
    """A closing that has been started."""

    steps: tuple[ClosingStep, ...]
    is_waiting: bool  # for a worker
    is_over: bool
    has_failed: bool
    failure: str


def closing_plan(campaign: Campaign, matches: Sequence[FixtureRow]) -> tuple[Undecided, ...]:
    """Return what closing the round now would do to these matches of it; decided ones are left out. No query."""
    absent = ABSENT_DESCRIPTIONS[AbsentRule(campaign.absent_rule)]
    alone = "the report stands" if campaign.confirms_by_deadline else absent
    kinds = (
        (MatchState.REPORTED, "reported by one side", alone),
        (MatchState.SCHEDULED, "reported by nobody", absent),
        (MatchState.DISPUTED, "in dispute", "it stays open until an arbiter rules"),
    )
    found = (
        Undecided(matches=tuple(str(match) for match in matches if match.state == state), what=what, fate=fate)
        for state, what, fate in kinds
    )
    return tuple(each for each in found if each.matches)


def closing_of(row: Round) -> ClosingSheet | None:
    """Return how far the closing of the round is; None if nobody has started it. One query."""
    job = RoundClose.objects.filter(round=row).first()
    if job is None:
        return None
    ended = job.status in (JobStatus.FAILED, JobStatus.CALLED_OFF)
    steps = []
    is_next = True
    for step in job.steps:
        state = "done" if step["state"] == "done" else "waiting"
        if state == "waiting" and is_next:
            state, is_next = "failed" if ended else "running" if job.status == JobStatus.RUNNING else state, False
        name = {"done": "done", "waiting": "waits", "running": "under way", "failed": "not done"}[state]
        steps.append(ClosingStep(title=step["title"], state=state, state_name=name, text=step["text"]))
    return ClosingSheet(
        steps=tuple(steps),
        is_waiting=job.status == JobStatus.QUEUED,
        is_over=job.is_over,
        has_failed=ended,
        failure=job.failure,
    )
