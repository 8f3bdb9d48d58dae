"""The facts of events, and the players who are notified of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from campaigns.models import (
    Campaign,
    Club,
    Enrolment,
    EnrolmentState,
    Match,
    Membership,
    Outcome,
    Role,
    Round,
    SeasonPairing,
)
from rosters.entries.units_and_pilots import Promoted, SkillGained
from rosters.models import LedgerEntry
from systems.legality import join_words
from systems.text import with_article

MAX_PAIRINGS_NAMED = 12  # of a round; the page has all of them
WINNING_SIDE = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}  # the side that won


def season_pairing_facts(pairing: SeasonPairing) -> dict[str, object]:
    row = pairing.round
    return {"round": str(row), "season": row.season.name, "agree_at": row.agree_by, "pairing": str(pairing.key)}


def describe_runners_up(others: Sequence[str]) -> str:
    return f", ahead of {join_words(list(others))}" if others else ""


def describe_verdict(match: Match, side: int) -> str:
    if match.outcome == Outcome.DRAW:
        return "a draw"
    if match.outcome not in WINNING_SIDE:
        return "no result"
    return "you won" if WINNING_SIDE[Outcome(match.outcome)] == side else "you lost"


def describe_outcome(match: Match) -> str:
    """Return the outcome for readers who are on neither side."""
    if match.outcome not in WINNING_SIDE:
        return match.get_outcome_display()
    winner = (match.attacker, match.defender)[WINNING_SIDE[Outcome(match.outcome)]]
    return f"{winner.company.name} won" if winner else match.get_outcome_display()


def describe_promotion(entry: LedgerEntry) -> str:
    facts = entry.facts
    if entry.kind == Promoted.slug:
        return f"is now {facts.get('name') or facts.get('to', '')}"
    if entry.kind == SkillGained.slug:
        return f"learned {facts.get('name') or facts.get('skill', '')}"
    return "has a skill to choose" if facts.get("gained") else ""


class EventContext(TypedDict):
    """The club, campaign and match of an event."""

    club: Club
    campaign: Campaign
    match: Match


class EnrolmentEventContext(TypedDict):
    """The club, campaign and facts of an event about a company in a campaign."""

    club: Club
    campaign: Campaign
    facts: Mapping[str, object]


def event_context(match: Match, row: Round | None = None) -> EventContext:
    campaign = (row or match.round).campaign
    return {"club": campaign.club, "campaign": campaign, "match": match}


def match_facts(match: Match, row: Round | None = None) -> dict[str, object]:
    return {**round_facts(row or match.round), "name": str(match), "match": match.key}


def round_facts(row: Round) -> dict[str, object]:
    return {
        "round": str(row),
        "round_number": row.number,
        "campaign": row.campaign.name,
        "campaign_id": row.campaign_id,
        "deadline_at": row.deadline,
    }


def enrolment_context(enrolment: Enrolment, **facts: object) -> EnrolmentEventContext:
    campaign, company = enrolment.campaign, enrolment.company
    named = {"campaign": campaign.name, "campaign_id": campaign.pk, "company": company.name}
    return {"club": campaign.club, "campaign": campaign, "facts": {**named, **facts}}


def club_facts(club: Club) -> dict[str, object]:
    return {"club": club.name, "slug": club.slug}


def describe_pairings(matches: Sequence[Match]) -> str:
    named = [str(match) for match in matches if match.defender][:MAX_PAIRINGS_NAMED]
    more = sum(match.defender is not None for match in matches) - len(named)
    return join_words([*named, f"{more} more"] if more else named)


def own_and_other_side(match: Match, side: int) -> tuple[Enrolment, Enrolment]:
    """Return own and other side of a match that isn't a bye."""
    assert match.defender is not None
    return (match.attacker, match.defender) if side == 0 else (match.defender, match.attacker)


def owner_ids(match: Match) -> set[int]:
    return {side.company.owner_id for side in (match.attacker, match.defender) if side}


def entrant_ids(campaign: Campaign) -> set[int]:
    rows = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED)
    return set(rows.values_list("company__owner", flat=True))


def member_ids(club: Club, roles: Iterable[Role] = tuple(Role)) -> set[int]:
    return set(Membership.objects.filter(club=club, role__in=list(roles)).values_list("player", flat=True))


def describe_role(role: str) -> str:
    return with_article(Role(role).label.lower())
