"""The results of a whole evening: an organiser or arbiter enters them match by match."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from campaigns.diary import match_diary
from campaigns.judges import check_judge
from campaigns.locks import match_lock, require_running, require_undecided, side_enrolment
from campaigns.models import DecidedBy, Match, MatchState, RoundState
from campaigns.policy import sides_of
from campaigns.results.services import check_report, reveal_lists_for_judge
from campaigns.results.settling import match_settle_report
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.refusals import OvertakenError


@transaction.atomic
def match_enter(
    *, match: Match, content: bytes | str | Mapping[str, object], by: Player, read: str | None = None
) -> Match:
    """Decide a match by what an organiser or arbiter saw; `read` is the mark of the match as they read it.

    Lists need not have been submitted, see `reveal_lists_for_judge`. Raises RefusedError if `by` plays in the match, or
    if its reports differ, which takes a ruling; DocumentError or RefusedError for an impossible result; OvertakenError
    if a side has reported since.
    """
    locked = match_lock(match)
    require_running(locked.round.campaign)
    require_undecided(locked)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} has not been opened yet.")
    side_enrolment(locked, 1)
    check_judge(locked, by)
    if sides_of(by, locked):
        raise RefusedError("judge", "You play in this match: report it as your side.")
    if read is not None and read != match_fingerprint(locked):
        raise OvertakenError("match", "Somebody has said something about this match since you read it.")
    if locked.state == MatchState.DISPUTED:
        raise RefusedError("match", "The reports of this match differ; rule on the dispute.")
    locked = reveal_lists_for_judge(locked, content, by)
    report = check_report(locked, content)
    decided = match_settle_report(
        match=locked, report=report, state=MatchState.CONFIRMED, decided_by=DecidedBy.ORGANISER, by=by
    )
    told = list(locked.reports.filter(is_current=True).values_list("side", flat=True))
    if told:
        names = " and ".join(side_enrolment(locked, side).company.name for side in sorted(told))
        match_diary(decided, f"{locked.round}, {locked}: entered over the report of {names}", by)
    return decided


def match_fingerprint(match: Match) -> str:
    """Return a mark of the match as it is now: its state, its current reports, whether its lists are revealed."""
    reports = sorted(row.pk for row in match.reports.all() if row.is_current)
    return f"{match.state} {'open' if match.setup is not None else 'closed'} {' '.join(map(str, reports))}".strip()
