"""Announce, call off, begin and end watch parties. The organiser who announces one cannot influence the result."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from battles.replay.boards import steps_cut
from battles.services.battles import resolve_on_dice
from campaigns import hooks
from campaigns.activity_log import log_match_activity
from campaigns.army_lists.services import lists_reveal, odds_store
from campaigns.locks import campaign_lock, companies_lock, match_lock, require_running, side_enrolment
from campaigns.models import AbsentRule, Match, MatchState, Round, RoundClose, RoundState, WatchParty
from campaigns.notifications import notify
from campaigns.rounds.closing import missing_forfeit, settle_open_match, sides_missing
from campaigns.watch_parties.selectors import decrypt_record, encrypt_record
from campaigns.watch_party_holds import NOTHING_TO_FIELD, live_watch_party
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.records import Record

log = logging.getLogger(__name__)
TASK_NAME = "campaigns.tasks.premiere_run"
PACES = (2, 4, 8, 15)  # seconds per step
MAX_LEAD_TIME = timedelta(days=30)
POLL_INTERVAL = timedelta(seconds=5)  # while the round is being closed


@transaction.atomic
def watch_party_announce(*, match: Match, at: datetime, pace: int, by: Player) -> WatchParty:
    """Announce the time, which may not be before the round's deadline: until then the match is played like any other.

    If one is announced that hasn't begun, its time or pace changes.
    """
    campaign_lock(match.round.campaign)
    locked = match_lock(match)
    _check_may_show(locked)
    known = live_watch_party(locked)
    if known is not None and (known.began_at is not None or known.is_cancelled):
        raise RefusedError("at", "The watch party of this match has started, so its time can't change.")
    if pace not in PACES:
        raise RefusedError("pace", "Choose how long each step is shown.")
    _check_start_time(locked, at, timezone.now())
    if known is not None and (known.starts_at, known.pace) == (at, pace):
        return known
    WatchParty.objects.filter(match=locked).delete()
    made = WatchParty.objects.create(match=locked, starts_at=at, not_before=at, pace=pace, announced_by=by)
    log_match_activity(locked, f"Announced a watch party for {locked.round}, {locked}", by)
    notify.watch_party_announced(made, by)
    return made


def _check_may_show(match: Match) -> None:
    campaign = match.round.campaign
    require_running(campaign)
    side_enrolment(match, 1)
    if match.state not in MatchState.awaiting_reports():
        raise RefusedError("match", f"This match is {match.get_state_display()}, so it can't have a watch party.")
    if match.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{match.round} isn't published yet. Publish it first.")
    if campaign.absent_rule != AbsentRule.ORDERS:
        raise RefusedError(
            "match",
            f"A watch party shows a simulated match, but {campaign.name} doesn't simulate unreported matches. Change that "
            "in the campaign’s settings first.",
        )


def _check_start_time(match: Match, at: datetime, now: datetime) -> None:
    if at <= now:
        raise RefusedError("at", "The time must be in the future.")
    if at > now + MAX_LEAD_TIME:
        raise RefusedError("at", f"Choose a time within the next {MAX_LEAD_TIME.days} days.")
    deadline = match.round.deadline if match.round.state == RoundState.OPEN else None
    if deadline is not None and at < deadline:
        raise RefusedError("at", "Players can still play this match until the deadline. Choose a time after it.")


@transaction.atomic
def watch_party_cancel(*, match: Match, by: Player) -> WatchParty:
    """Call the watch party off. If its round is closed or it is running, the match is decided at once and not shown."""
    campaign_lock(match.round.campaign)
    locked = match_lock(match)
    party = live_watch_party(locked)
    if party is None or party.is_cancelled:
        raise RefusedError("premiere", "This match has no watch party.")
    rows = WatchParty.objects.filter(pk=party.pk)
    is_closing = RoundClose.objects.filter(round=locked.round).exists()  # which may have skipped this match
    if party.began_at is None and locked.round.state != RoundState.CLOSED and not is_closing:
        rows.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now(), ended="It was cancelled.")
    else:
        rows.update(is_cancelled=True, not_before=None, ended="It was cancelled.")
        transaction.on_commit(lambda: wake(TASK_NAME, party.pk))
    log_match_activity(locked, f"Cancelled the watch party for {locked.round}, {locked}", by)
    party.refresh_from_db()
    notify.watch_party_cancelled(party, by)
    return party


# --- the worker's part ------------------------------------------------------------------------------------------------


def watch_parties_due() -> list[int]:
    """Return the ids of the watch parties that are due to begin or end."""
    return list(WatchParty.waiting().values_list("pk", flat=True))


def watch_party_process(*, job: WatchParty) -> bool:
    """Begin or end a claimed watch party. Return False if the claim was lost in the meantime."""
    try:
        if job.began_at is None and not job.is_cancelled:
            return _begin(job)
        if not _decide(job):
            return False
    except (RefusedError, DocumentError) as error:
        return _leave_open(job, error.reason)
    _publish_new_edition(job.match.round)
    return True


@transaction.atomic
def _begin(job: WatchParty) -> bool:
    """Reveal the lists and simulate; from now on it is shown."""
    match = match_lock(job.match)
    if not job.claimed().exists():
        return False  # called off, or claimed by another worker
    job.refresh_from_db()
    if job.is_cancelled:
        return _requeue(job, timezone.now())
    if match.state not in MatchState.awaiting_reports():
        return job.finish(ended="The reports differ. An arbiter will decide.")
    if match.round.state != RoundState.CLOSED:
        return _wait(job, match)
    companies_lock(match)
    if missing := sides_missing(match):
        return job.finish(ended=NOTHING_TO_FIELD) and missing_forfeit(match, missing)
    match = lists_reveal(match=match)
    if match.dice is None:
        raise RefusedError("dice", "This match has no dice prepared.")
    record = resolve_on_dice(read_setup(match.setup or {}), match.dice)
    return _start_showing(job, match, record)


def _wait(job: WatchParty, match: Match) -> bool:
    """Wait until the round is closed; if its deadline was moved, until that deadline."""
    now, deadline = timezone.now(), match.round.deadline
    if deadline is None or deadline <= now:
        return _requeue(job, now + POLL_INTERVAL)
    kept = _requeue(job, deadline, starts_at=deadline)
    if kept:
        log_match_activity(match, f"The watch party for {match.round}, {match} moved with the deadline", None)
        job.refresh_from_db()
        notify.watch_party_announced(job, None)
    return kept


def _start_showing(job: WatchParty, match: Match, record: Record) -> bool:
    cuts, now = steps_cut(record), timezone.now()
    ends = now + timedelta(seconds=job.pace) * len(cuts)
    kept = _requeue(job, ends, began_at=now, ends_at=ends, cuts=cuts, record=encrypt_record(record))
    if kept:
        log_match_activity(match, f"The watch party for {match.round}, {match} started", None)
    return kept


def _requeue(job: WatchParty, due: datetime, **fields: object) -> bool:
    """Queue the job again for then, without counting this try. Return False if the claim was lost."""
    kept = job.claimed().update(
        status=JobStatus.QUEUED, lease=None, tries=F("tries") - 1, blips=0, not_before=due, **fields
    )
    if kept:
        after = max(timedelta(), due - timezone.now())
        transaction.on_commit(lambda: wake(TASK_NAME, job.pk, after=after))
    return bool(kept)


@transaction.atomic
def _decide(job: WatchParty) -> bool:
    """Decide the match with the battle that was shown. If it was called off before the simulation, simulate now."""
    match = match_lock(job.match)
    if not job.claimed().exists():
        return False
    job.refresh_from_db()
    if job.ends_at is not None and not job.is_cancelled and timezone.now() < job.ends_at:
        return _requeue(job, job.ends_at)
    if job.began_at is None and match.round.state != RoundState.CLOSED:  # reports still come first
        return _requeue(job, timezone.now() + POLL_INTERVAL)
    record = decrypt_record(job)
    if not job.finish(record="", cuts=[]):
        return False
    if match.state not in MatchState.awaiting_reports():
        return True
    if record is None:
        companies_lock(match)
        if missing := sides_missing(match):
            return missing_forfeit(match, missing)
        match = lists_reveal(match=match)
    settle_open_match(match, record)
    odds_store(Match.objects.filter(pk=match.pk))  # they weren't calculated yet when the round was closed
    return True


@transaction.atomic
def _leave_open(job: WatchParty, reason: str) -> bool:
    """Leave the match open for an arbiter, with the reason: it can't be simulated, or not be decided like this."""
    ended = job.finish(record="", cuts=[], ended=reason[:300])
    if ended:
        match = Match.objects.filter(pk=job.match_id)
        match.update(flag=f"Left open at its watch party: {reason}"[:300])
        odds_store(match)
    return ended


def watch_party_failed(job: WatchParty) -> None:
    """Note on a match that its watch party failed."""
    job.refresh_from_db(fields=["failure"])
    match = Match.objects.filter(pk=job.match_id)
    match.update(flag=f"Left open at its watch party: {job.failure}"[:300])
    odds_store(match)


def _publish_new_edition(round_: Round) -> None:
    """Publish another edition of the round's gazette, which couldn't report this match when it was written."""
    if WatchParty.objects.filter(match__round=round_, status__in=WatchParty.LIVE).exists():
        return
    try:
        for write in hooks.late_results:
            write(round_)
    except RefusedError as error:
        log.info("gazette of %s: %s", round_, error)
