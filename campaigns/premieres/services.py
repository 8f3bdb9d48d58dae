"""Premieres are announced, called off, begun and ended. Whoever sends a match into its premiere decides nothing about it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from battles.replay.so_far import steps_cut
from battles.services.battles import fought_on
from campaigns.gazette.services import gazette_new_edition
from campaigns.models import AbsentRule, Match, Premiere, Round, RoundClose, RoundState
from campaigns.occasions import raised
from campaigns.services._base import campaign_lock, companies_lock, match_diary, match_lock, running
from campaigns.services.closing import missing_forfeit, open_fight, sides_missing
from campaigns.services.forces import forces_open, side_enrolment
from campaigns.services.odds import odds_keep
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.resolve import Record

from .clock import record_fought, record_hidden
from .holding import NOTHING_TO_FIELD, PLAYED, premiere_of

log = logging.getLogger(__name__)
TASK = "campaigns.tasks.premiere_run"
PACES = (2, 4, 8, 15)  # seconds a step
FARTHEST = timedelta(days=30)
LOOK_AGAIN = timedelta(seconds=5)  # while the round is being closed


@transaction.atomic
def premiere_announce(*, match: Match, at: datetime, pace: int, by: Player) -> Premiere:
    """Announces the hour, not before the round's deadline: until then the match is played as any other.

    One that is announced and has not begun gets another hour, or another pace.
    """
    campaign_lock(match.round.campaign)
    locked = match_lock(match)
    _check_may_show(locked)
    known = premiere_of(locked)
    if known is not None and (known.began_at is not None or known.is_off):
        raise RefusedError("at", "The premiere of this match is on; it keeps its hour.")
    if pace not in PACES:
        raise RefusedError("pace", "Choose how long a step is shown.")
    _hour_checked(locked, at, timezone.now())
    if known is not None and (known.at, known.pace) == (at, pace):
        return known
    Premiere.objects.filter(match=locked).delete()
    made = Premiere.objects.create(match=locked, at=at, not_before=at, pace=pace, by=by)
    match_diary(locked, f"Announced the premiere of {locked.round}, {locked}", by)
    raised.premiere_announced(made, by)
    return made


def _check_may_show(match: Match) -> None:
    campaign = match.round.campaign
    running(campaign)
    side_enrolment(match, 1)
    if match.state not in PLAYED:
        raise RefusedError("match", f"This match is {match.get_state_display()}; there is nothing to tell.")
    if match.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{match.round} has not been opened yet.")
    if campaign.absent_rule != AbsentRule.ORDERS:
        raise RefusedError(
            "match",
            f"A premiere tells a match that is fought by orders. In {campaign.name} that is not what becomes of matches "
            "which nobody has reported; the campaign’s settings say so.",
        )


def _hour_checked(match: Match, at: datetime, now: datetime) -> None:
    if at <= now:
        raise RefusedError("at", "This hour is over; choose one that is to come.")
    if at > now + FARTHEST:
        raise RefusedError("at", f"A premiere is announced for the next {FARTHEST.days} days.")
    deadline = match.round.deadline if match.round.state == RoundState.OPEN else None
    if deadline is not None and at < deadline:
        raise RefusedError(
            "at", "Until the round’s deadline the sides can still play this match; choose an hour after it."
        )


@transaction.atomic
def premiere_call_off(*, match: Match, by: Player) -> Premiere:
    """Calls it off. A match whose round is closed already, or whose premiere is on, is decided at once and not told."""
    campaign_lock(match.round.campaign)
    locked = match_lock(match)
    premiere = premiere_of(locked)
    if premiere is None or premiere.is_off:
        raise RefusedError("premiere", "No premiere of this match is announced.")
    rows = Premiere.objects.filter(pk=premiere.pk)
    is_closing = RoundClose.objects.filter(round=locked.round).exists()  # and may have passed this match by
    if premiere.began_at is None and locked.round.state != RoundState.CLOSED and not is_closing:
        rows.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now(), ended="It was called off.")
    else:
        rows.update(is_off=True, not_before=None, ended="It was called off.")
        transaction.on_commit(lambda: wake(TASK, premiere.pk))
    match_diary(locked, f"Called off the premiere of {locked.round}, {locked}", by)
    premiere.refresh_from_db()
    raised.premiere_off(premiere, by)
    return premiere


# --- the worker's part ------------------------------------------------------------------------------------------------


def premieres_due() -> list[int]:
    """Those for whose hour, or end, it is time."""
    return list(Premiere.waiting().values_list("pk", flat=True))


def premiere_work(*, job: Premiere) -> bool:
    """Begins a claimed premiere, or ends it. False if the claim was lost meanwhile."""
    try:
        if job.began_at is None and not job.is_off:
            return _begin(job)
        if not _decide(job):
            return False
    except (RefusedError, DocumentError) as error:
        return _left_open(job, error.reason)
    _tell_anew(job.match.round)
    return True


@transaction.atomic
def _begin(job: Premiere) -> bool:
    """Opens the forces and fights; from now on it is told."""
    match = match_lock(job.match)
    if not job.held().exists():
        return False  # called off, or somebody else's
    job.refresh_from_db()
    if job.is_off:
        return _again(job, timezone.now())
    if match.state not in PLAYED:
        return job.finish(ended="The reports differ; an arbiter rules.")
    if match.round.state != RoundState.CLOSED:
        return _wait(job, match)
    companies_lock(match)
    if missing := sides_missing(match):
        return job.finish(ended=NOTHING_TO_FIELD) and missing_forfeit(match, missing)
    match = forces_open(match=match)
    if match.dice is None:
        raise RefusedError("dice", "This match has no sealed dice.")
    record = fought_on(read_setup(match.setup or {}), match.dice)
    return _on_air(job, match, record)


def _wait(job: Premiere, match: Match) -> bool:
    """Until the round is closed; where its deadline was moved, until that."""
    now, deadline = timezone.now(), match.round.deadline
    if deadline is None or deadline <= now:
        return _again(job, now + LOOK_AGAIN)
    kept = _again(job, deadline, at=deadline)
    if kept:
        match_diary(match, f"The deadline was moved, and with it the premiere of {match.round}, {match}", None)
        job.refresh_from_db()
        raised.premiere_announced(job, None)
    return kept


def _on_air(job: Premiere, match: Match, record: Record) -> bool:
    cuts, now = steps_cut(record), timezone.now()
    ends = now + timedelta(seconds=job.pace) * len(cuts)
    kept = _again(job, ends, began_at=now, ends_at=ends, cuts=cuts, record=record_hidden(record))
    if kept:
        match_diary(match, f"The premiere of {match.round}, {match} began", None)
    return kept


def _again(job: Premiere, due: datetime, **fields: object) -> bool:
    """Has the job taken up again then; this try counts for nothing. False if the claim was lost."""
    kept = job.held().update(
        status=JobStatus.QUEUED, lease=None, tries=F("tries") - 1, blips=0, not_before=due, **fields
    )
    if kept:
        after = max(timedelta(), due - timezone.now())
        transaction.on_commit(lambda: wake(TASK, job.pk, after=after))
    return bool(kept)


@transaction.atomic
def _decide(job: Premiere) -> bool:
    """All is told: the battle as it was told decides the match. Of one called off it is fought now, if it was not."""
    match = match_lock(job.match)
    if not job.held().exists():
        return False
    job.refresh_from_db()
    if job.ends_at is not None and not job.is_off and timezone.now() < job.ends_at:
        return _again(job, job.ends_at)
    if job.began_at is None and match.round.state != RoundState.CLOSED:  # reports still come first
        return _again(job, timezone.now() + LOOK_AGAIN)
    record = record_fought(job)
    if not job.finish(record="", cuts=[]):
        return False
    if match.state not in PLAYED:
        return True
    if record is None:
        companies_lock(match)
        if missing := sides_missing(match):
            return missing_forfeit(match, missing)
        match = forces_open(match=match)
    open_fight(match, record)
    odds_keep(Match.objects.filter(pk=match.pk))  # that were not counted yet when the round was closed
    return True


@transaction.atomic
def _left_open(job: Premiere, reason: str) -> bool:
    """It can't be fought, or not be decided so: the match waits for an arbiter, who is told why."""
    ended = job.finish(record="", cuts=[], ended=reason[:300])
    if ended:
        match = Match.objects.filter(pk=job.match_id)
        match.update(flag=f"Left open at its premiere: {reason}"[:300])
        odds_keep(match)
    return ended


def premiere_failed(job: Premiere) -> None:
    """Says so on the page of a match whose premiere broke down."""
    job.refresh_from_db(fields=["failure"])
    match = Match.objects.filter(pk=job.match_id)
    match.update(flag=f"Left open at its premiere: {job.failure}"[:300])
    odds_keep(match)


def _tell_anew(round_: Round) -> None:
    """Another edition of the round's gazette, which could not tell this match when it was written."""
    if Premiere.objects.filter(match__round=round_, status__in=Premiere.LIVE).exists():
        return
    try:
        if round_.gazettes.exists():
            gazette_new_edition(round_=round_, by=None)
    except RefusedError as error:
        log.info("gazette of %s: %s", round_, error)
