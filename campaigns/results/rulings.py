"""An arbiter decides a match, with a reason that is kept as a precedent."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_match_activity
from campaigns.arbiters import check_judge, mark_consents_used
from campaigns.locks import match_lock, require_running, require_undecided, side_enrolment
from campaigns.models import DecidedBy, Match, MatchState, Outcome, Report, RoundState, Ruling
from campaigns.notifications import notify
from campaigns.results.decisions import match_settle_report, match_settle_unfought
from campaigns.results.reports import MatchReport, parse_stored_report
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_lines

from .services import check_report, reveal_lists_for_judge

MIN_REASON = 3
MAX_REASON = 2000


class Verdict(StrEnum):
    """How an arbiter decides a match."""

    ATTACKER = "attacker"  # the attacker's report counts
    DEFENDER = "defender"
    OWN = "own"  # the arbiter's own version
    ATTACKER_FORFEITS = "attacker-forfeits"
    DEFENDER_FORFEITS = "defender-forfeits"
    DRAW = "draw"  # not played
    REFUSED = "refused"
    VOID = "void"


# Verdicts that change no ledger: state, outcome, and the words of the ruling's title.
NOT_PLAYED = {
    Verdict.ATTACKER_FORFEITS: (MatchState.FORFEITED, Outcome.DEFENDER, "{attacker} forfeits"),
    Verdict.DEFENDER_FORFEITS: (MatchState.FORFEITED, Outcome.ATTACKER, "{defender} forfeits"),
    Verdict.DRAW: (MatchState.FORFEITED, Outcome.DRAW, "a draw, not played"),
    Verdict.REFUSED: (MatchState.REFUSED, Outcome.NONE, "refused, no result"),
    Verdict.VOID: (MatchState.VOID, Outcome.NONE, "void"),
}
SIDE_BY_VERDICT = {Verdict.ATTACKER: 0, Verdict.DEFENDER: 1}
REPORT_TITLES = {
    Verdict.ATTACKER: "the report of {attacker} counts",
    Verdict.DEFENDER: "the report of {defender} counts",
    Verdict.OWN: "decided by the arbiter's own version",
}


@transaction.atomic
def match_rule(
    *, match: Match, verdict: str, reason: str, by: Player, content: bytes | str | Mapping[str, object] | None = None
) -> Ruling:
    """Decide a match by an arbiter's ruling; `content` is their own version of the report.

    Ends an open dispute. Refused to an arbiter who plays in the match, unless there is no other and the opponent
    consents. Raises DocumentError or RefusedError for an impossible own version.
    """
    locked = match_lock(match)
    require_running(locked.round.campaign)
    require_undecided(locked)
    if locked.round.state == RoundState.PLANNED:
        raise RefusedError("round", f"{locked.round} hasn't been published yet. Change its pairings instead.")
    own_case = check_judge(locked, by)
    chosen, text = _verdict(verdict), _reason(reason)
    report = None if chosen in NOT_PLAYED else _report(locked, chosen, content, by)
    dispute = locked.disputes.filter(closed_at=None).first()
    if report is not None:
        decided = match_settle_report(
            match=locked, report=report, state=MatchState.RULED, decided_by=DecidedBy.RULING, by=by
        )
    else:
        state, outcome, _ = NOT_PLAYED[chosen]
        decided = match_settle_unfought(match=locked, state=state, outcome=outcome, decided_by=DecidedBy.RULING, by=by)
    ruling = Ruling.objects.create(
        campaign=locked.round.campaign,
        match=decided,
        kind=Ruling.Kind.DISPUTE if dispute else Ruling.Kind.MATCH,
        title=_title(locked, chosen),
        reason=text,
        decision={"verdict": chosen.value} | ({"report": report.model_dump(mode="json")} if report else {}),
        decided_by=by,
    )
    if dispute is not None:
        dispute.closed_at, dispute.ruling = timezone.now(), ruling
        dispute.save(update_fields=["closed_at", "ruling"])
    mark_consents_used([locked], ruling)
    log_match_activity(decided, f"Ruling on {ruling.title}{own_case}: {text}", by)
    notify.match_ruled(decided, ruling, by)
    return ruling


def _verdict(value: str) -> Verdict:
    try:
        return Verdict(value)
    except ValueError:
        raise RefusedError("verdict", "Choose a decision.") from None


def _reason(reason: str) -> str:
    text = clean_lines("reason", reason, longest=MAX_REASON)
    if len(text) < MIN_REASON:
        raise RefusedError("reason", "Give a reason. Both sides can read it.")
    return text


def _report(
    match: Match, verdict: Verdict, content: bytes | str | Mapping[str, object] | None, by: Player
) -> MatchReport:
    """Return the report that the verdict makes count."""
    side_enrolment(match, 1)
    if verdict == Verdict.OWN:
        if content is None:
            raise RefusedError("report", "Your own version needs a report.")
        if match.setup is None:
            reveal_lists_for_judge(match, content, by)
            match.refresh_from_db(fields=["setup", "forces"])
        return check_report(match, content)
    row = Report.objects.filter(match=match, side=SIDE_BY_VERDICT[verdict], is_current=True).first()
    if row is None:
        raise RefusedError("verdict", "That side has no report. Choose another decision, or give your own version.")
    return parse_stored_report(row.content)


def _title(match: Match, verdict: Verdict) -> str:
    sides = {"attacker": match.attacker.company.name, "defender": side_enrolment(match, 1).company.name}
    title = NOT_PLAYED[verdict][2] if verdict in NOT_PLAYED else REPORT_TITLES[verdict]
    return f"{match.round}, {match}: {title.format(**sides)}"[:120]
