"""The results of a whole evening: an organiser or arbiter enters them match by match."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from campaigns.diary import match_diary
from campaigns.judges import judge_checked
from campaigns.locks import match_lock, running, side_enrolment, undecided
from campaigns.models import DecidedBy, Match, MatchState, RoundState
from campaigns.policy import sides_of
from campaigns.results.services import forces_open_for_judge, report_checked
from campaigns.results.settling import match_settle_report
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.refusals import OvertakenError


@transaction.atomic
def match_enter(
    *, match: Match, content: bytes | str | Mapping[str, object], by: Player, read: str | None = None
) -> Match:
    """Decide a match by what an organiser or arbiter saw; `read` is the mark of the match as they read it.

    Lists need not have been submitted, see `forces_open_for_judge`. Raises RefusedError if `by` plays in the match, or
    if its reports differ, which takes a ruling; DocumentError or RefusedError for an impossible result; OvertakenError
    if a side has reported since.
    """
    locked = match_lock(match)
    running(locked.round.campaign)
    undecided(locked)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} has not been opened yet.")
    side_enrolment(locked, 1)
    judge_checked(locked, by)
    if sides_of(by, locked):
        raise RefusedError("judge", "You play in this match: report it as your side.")
    if read is not None and read != entry_mark(locked):
        raise OvertakenError("match", "Somebody has said something about this match since you read it.")
    if locked.state == MatchState.DISPUTED:
        raise RefusedError("match", "The reports of this match differ; rule on the dispute.")
    locked = forces_open_for_judge(locked, content, by)
    report = report_checked(locked, content)
    decided = match_settle_report(
        match=locked, report=report, state=MatchState.CONFIRMED, decided_by=DecidedBy.ORGANISER, by=by
    )
    told = list(locked.reports.filter(is_current=True).values_list("side", flat=True))
    if told:
        names = " and ".join(side_enrolment(locked, side).company.name for side in sorted(told))
        match_diary(decided, f"{locked.round}, {locked}: entered over the report of {names}", by)
    return decided


def entry_mark(match: Match) -> str:
    """Return a mark of the match as it is now: its state, its current reports, whether its lists are revealed."""
    reports = sorted(row.pk for row in match.reports.all() if row.is_current)
    return f"{match.state} {'open' if match.setup is not None else 'closed'} {' '.join(map(str, reports))}".strip()
