"""Close a round step by step, and preview what that does to undecided matches.

A step finds its work in the database, not in memory, so a job that was interrupted continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from battles.models import ASKED_BY_SITE
from battles.services.battles import battle_row, battle_simulate
from campaigns import hooks
from campaigns.activity_log import log_campaign_activity, log_match_activity
from campaigns.arbiters import round_is_over, round_own_case
from campaigns.army_lists.checks import field_refusal, valid_lists
from campaigns.army_lists.documents import side_forces
from campaigns.army_lists.services import lists_reveal, odds_publish, odds_store, sides_present
from campaigns.catalogue_upgrades.services import make_due_adoption
from campaigns.locks import campaign_lock, companies_lock, match_lock, require_undecided, side_enrolment
from campaigns.models import (
    AbsentRule,
    Campaign,
    DecidedBy,
    Match,
    MatchState,
    Outcome,
    Round,
    RoundClose,
    RoundState,
    WatchParty,
)
from campaigns.notifications import notify
from campaigns.planning.selectors import FixtureRow
from campaigns.policy import battle_visibility
from campaigns.results.decisions import match_settle_battle, match_settle_unfought
from campaigns.results.services import confirm_single_reports
from campaigns.territories.services import describe_payments, income_pay
from campaigns.watch_party_holds import NOTHING_TO_FIELD, count_live_watch_parties, live_watch_party, watch_party_drop
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import without_orders
from systems.simulation.records import Record


@transaction.atomic
def round_close(*, round_: Round, by: Player | None) -> RoundClose:
    """Queue the closing of an open round; return the one under way if there is one.

    Before the deadline only an organiser without an undecided match in the round may close it; if there is no such
    organiser, nobody may.
    """
    campaign = campaign_lock(round_.campaign)
    row = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    known = RoundClose.objects.filter(round=row).first()
    if known is not None and known.status not in (JobStatus.FAILED, JobStatus.CALLED_OFF):
        return known
    if row.state != RoundState.OPEN:
        raise RefusedError("round", f"{row} is {row.get_state_display()}.")
    check_can_close(row, by)
    if known is not None:
        known.delete()
    steps = [{"step": step, "title": title, "state": "waiting", "text": ""} for step, (title, _) in STEPS.items()]
    try:
        with transaction.atomic():
            job = RoundClose.objects.create(round=row, asked_by=by, steps=steps)
    except IntegrityError:
        return RoundClose.objects.get(round=row)
    log_campaign_activity(campaign, f"Began closing {row}", by)
    transaction.on_commit(lambda: wake("campaigns.tasks.round_close_run", job.pk))
    return job


def check_can_close(round_: Round, by: Player | None) -> None:
    """Refuse to close a round before its deadline if `by` still has a match to decide in it."""
    if not round_is_over(round_):
        round_own_case(round_, by, is_shorter=True)


def round_close_work(*, job: RoundClose) -> bool:
    """Run every remaining step of a claimed closing. False if the claim was lost meanwhile."""
    steps = [dict(step) for step in job.steps]
    for step in steps:
        if step["state"] == "done":
            continue
        step["text"] = STEPS[step["step"]][1](job)
        step["state"] = "done"
        if not job.renew(steps=steps):
            return False
    return job.finish(steps=steps)


@transaction.atomic
def round_close_due(*, round_: Round) -> RoundClose | None:
    """Close a due round for the timer; None if its deadline was moved meanwhile."""
    campaign_lock(round_.campaign)
    round_.refresh_from_db(fields=["deadline"])
    return round_close(round_=round_, by=None) if round_is_over(round_) else None


def rounds_due() -> list[Round]:
    """Return open rounds whose deadline has passed and that nobody is closing yet."""
    rows = Round.objects.filter(state=RoundState.OPEN, deadline__lte=timezone.now(), closing=None)
    return list(rows.select_related("campaign__club"))


def _reports(job: RoundClose) -> str:
    """Confirm reports that only one side has made, if the campaign says so."""
    settled = len(confirm_single_reports(job.round))
    return f"{settled} single reports counted" if settled != 1 else "1 single report counted"


def _absent(job: RoundClose) -> str:
    """Decide the matches that nobody reported, by the organiser's rule."""
    rule = AbsentRule(job.round.campaign.absent_rule)
    decided = 0
    for match in job.round.matches.filter(state__in=MatchState.awaiting_reports(), defender__isnull=False):
        try:
            decided += ABSENT_ACTIONS[rule](match)
        except (RefusedError, DocumentError) as error:
            _flag(match, f"Still open after the deadline: {error.reason}")
        if not job.renew():
            break
    summary = f"{decided} matches: {rule.label}" if decided != 1 else f"1 match: {rule.label}"
    waiting = count_live_watch_parties(job.round)
    if not waiting:
        return summary
    return (
        f"{summary}; {waiting} waiting for watch parties" if waiting != 1 else f"{summary}; 1 waiting for a watch party"
    )


@transaction.atomic
def _forfeit(match: Match) -> bool:
    """Forfeit the match for the side that did nothing or won't play; if neither did anything, nobody gets anything."""
    locked = match_lock(match)
    present = _sealed(locked) | {report.side for report in locked.reports.filter(is_current=True)}
    present -= {locked.refusing_side}
    if len(present) == 2:
        return _draw(locked)  # both came and neither reported a result
    return _won_by(locked, present)


def _sealed(match: Match) -> set[int]:
    """Return the sides with a submitted list that they can field, or could until its handicap was cancelled."""
    if match.setup is None:
        companies_lock(match)
        valid_lists(match)
    return sides_present(match)


def _won_by(match: Match, present: set[int]) -> bool:
    """Decide an unplayed match: the side that came wins; if neither came, nobody does."""
    return _unfought(match, (Outcome.ATTACKER, Outcome.DEFENDER)[min(present)] if present else Outcome.NONE)


def _draw(match: Match) -> bool:
    return _unfought(match, Outcome.DRAW)


def _unfought(match: Match, outcome: Outcome) -> bool:
    match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=outcome, decided_by=DecidedBy.DEADLINE, by=None
    )
    return True


@transaction.atomic
def _fight(match: Match) -> bool:
    """Simulate a match by both sides' autoplay orders, on its provably fair dice; everybody can see the record.

    Return False if its watch party simulates it later; the lists are fixed now even so. A side that can field nothing,
    or has more than the campaign allows, forfeits.
    """
    locked = match_lock(match)
    require_undecided(locked)
    companies_lock(locked)
    if missing := sides_missing(locked):
        watch_party_drop(locked, NOTHING_TO_FIELD)
        return missing_forfeit(locked, missing)
    locked = lists_reveal(match=locked)
    if live_watch_party(locked) is not None:
        return False
    if locked.dice is None:
        raise RefusedError("dice", "This match has no dice.")
    settle_open_match(locked)
    return True


def settle_open_match(match: Match, fought: Record | None = None) -> None:
    """Decide a locked match with revealed lists: simulate it by autoplay orders, or use the record `fought` before."""
    battle = battle_row(
        setup=read_setup(match.setup or {}),
        forces=side_forces(match),
        actor=None,
        visitor=ASKED_BY_SITE,
        visibility=battle_visibility(match.round.campaign),
        dice=match.dice,
    )
    claimed = type(battle).claim(battle.pk)
    assert claimed is not None
    battle_simulate(battle=claimed, fought=fought)
    claimed.refresh_from_db()
    match_settle_battle(match=match, battle=claimed, by=None)
    odds_publish(match, without_orders(match.setup or {}), by_named_styles=True)


def sides_missing(match: Match) -> dict[int, str]:
    """Return why a side of a locked match can field nothing, by side; empty if both can."""
    return {side: reason for side in (0, 1) if (reason := field_refusal(match, side))}


def missing_forfeit(match: Match, missing: Mapping[int, str]) -> bool:
    """Forfeit the match for the sides that can bring nothing; the activity log says why."""
    for side, reason in missing.items():
        text = f"{match.round}, {match}: {side_enrolment(match, side).company.name} {reason}"
        log_match_activity(match, text, None)
    return _won_by(match, {0, 1} - set(missing))


ABSENT_ACTIONS: dict[AbsentRule, Callable[[Match], bool]] = {
    AbsentRule.FORFEIT: _forfeit,
    AbsentRule.DRAW: _draw,
    AbsentRule.ORDERS: _fight,
}


@transaction.atomic
def _close(job: RoundClose) -> str:
    campaign = campaign_lock(job.round.campaign)
    row = Round.objects.select_for_update(no_key=True).get(pk=job.round_id)
    if row.state == RoundState.OPEN:
        row.state, row.closed_at = RoundState.CLOSED, timezone.now()
        row.save(update_fields=["state", "closed_at"])
        waiting = row.matches.filter(state__in=MatchState.undecided(), watch_party__status__in=WatchParty.LIVE)
        odds_store(row.matches.exclude(pk__in=waiting.values("pk")))  # matches that the AI plays later have other odds
        log_campaign_activity(campaign, f"Closed {row}", job.asked_by)
        make_due_adoption(campaign)
        notify.round_closed(row, job.asked_by)
    disputed = row.matches.filter(state=MatchState.DISPUTED).count()
    if disputed:
        return f"closed; {disputed} disputes need a ruling" if disputed != 1 else "closed; 1 dispute needs a ruling"
    return "closed"


def _income(job: RoundClose) -> str:
    """Pay the territories' yields to their holders; only once, however often this runs."""
    return describe_payments(income_pay(round_=job.round))


def _gazette(job: RoundClose) -> str:
    return "; ".join(write(job.round) for write in hooks.round_reports)


def _flag(match: Match, why: str) -> None:
    Match.objects.filter(pk=match.pk).update(flag=why[:300])


Step = Callable[[RoundClose], str]
STEPS: dict[str, tuple[str, Step]] = {
    "reports": ("Single reports", _reports),
    "absent": ("Matches without a report", _absent),
    "close": ("Round", _close),
    "income": ("Territory income", _income),
    "gazette": ("Gazette", _gazette),
}


ABSENT_DESCRIPTIONS = {
    AbsentRule.FORFEIT: (
        "a side that has neither submitted a list nor reported forfeits; if both have, it is a draw; if "
        "neither has, neither side scores"
    ),
    AbsentRule.DRAW: "it counts as a draw",
    AbsentRule.ORDERS: ("it is simulated at once; a side without a list gets one from its autoplay orders"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """Undecided matches of a round in one state, and what closing the round does to each."""

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
    alone = "that report counts" if campaign.confirms_by_deadline else absent
    kinds = (
        (MatchState.REPORTED, "reported by one side", alone),
        (MatchState.SCHEDULED, "not reported", absent),
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
        name = {"done": "done", "waiting": "waiting", "running": "in progress", "failed": "failed"}[state]
        steps.append(ClosingStep(title=step["title"], state=state, state_name=name, text=step["text"]))
    return ClosingSheet(
        steps=tuple(steps),
        is_waiting=job.status == JobStatus.QUEUED,
        is_over=job.is_over,
        has_failed=ended,
        failure=job.failure,
    )
