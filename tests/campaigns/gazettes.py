"""Helpers to enrol companies, decide matches and close rounds, which writes the gazette."""

from __future__ import annotations

from typing import Any

from campaigns.army_lists.services import lists_reveal
from campaigns.models import DecidedBy, Match, MatchState, Outcome, Round, RoundClose
from campaigns.results.decisions import match_settle_report, match_settle_unfought
from campaigns.results.reports import parse_report
from campaigns.rounds.closing import round_close, round_close_work
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment


def enrol_companies(campaign: Any, *names: str) -> list[Any]:
    """Enrol companies with these names."""
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in names]


def confirm_result(match: Match, winner: str, units: Any = None) -> Match:
    """Confirm the match with this winner; `units(match)` returns the units in the report."""
    opened = lists_reveal(match=match)
    content = {"muster": "report/1", "winner": winner, "units": units(opened) if units else {}}
    return match_settle_report(
        match=opened,
        report=parse_report(content),
        state=MatchState.CONFIRMED,
        decided_by=DecidedBy.AGREEMENT,
        by=None,
    )


def forfeit_match(match: Match, outcome: Outcome = Outcome.ATTACKER) -> Match:
    return match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=outcome, decided_by=DecidedBy.ORGANISER, by=None
    )


def close_round(row: Round) -> Round:
    """Close the round, by its job, and return it."""
    job = RoundClose.claim(round_close(round_=row, by=None).pk)
    assert job is not None
    assert round_close_work(job=job)
    row.refresh_from_db()
    return row


def a_closed_round(**campaign: Any) -> Round:
    """Return a closed round with its gazette: Axes attacked Bears and won."""
    row = a_round(a_campaign(**campaign))
    confirm_result(a_match(row, *enrol_companies(row.campaign, "Axes", "Bears")), "attacker")
    return close_round(row)
