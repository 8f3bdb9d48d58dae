"""Locks and checks that the services of campaigns share.

Locks are taken in this order: club, campaign, round, match, then companies by ID. They are NO KEY locks, so that a row
that only points to a locked one can be written and committed meanwhile; full locks would break the order there.
"""

from __future__ import annotations

from campaigns.models import Campaign, CampaignState, Club, Enrolment, Match, MatchState
from campaigns.watch_party_holds import hold_reason
from rosters.services import RefusedError
from rosters.services.base import company_lock


def club_lock(club: Club) -> Club:
    """Lock the club's row until the transaction ends, and return it."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def campaign_lock(campaign: Campaign) -> Campaign:
    """Lock the campaign's row until the transaction ends, so that changes to it take turns; return it with its club."""
    return Campaign.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=campaign.pk)


def match_lock(match: Match) -> Match:
    """Lock the match's row until the transaction ends, and return it with its sides, round and campaign."""
    rows = Match.objects.select_for_update(of=("self",), no_key=True).select_related(
        "round__campaign__club", "attacker__company__owner", "defender__company__owner", "dice", "battle"
    )
    return rows.get(pk=match.pk)


def companies_lock(match: Match) -> None:
    """Lock the companies of a locked match, by ID, so that their lists stay as they are until the transaction ends."""
    companies = {side.company_id: side.company for side in (match.attacker, match.defender) if side is not None}
    for _, company in sorted(companies.items()):
        company_lock(company, even_disbanded=True)


def require_running(campaign: Campaign) -> None:
    """Raise RefusedError unless the campaign is running."""
    if campaign.state != CampaignState.RUNNING:
        raise RefusedError("campaign", f"{campaign.name} is {campaign.get_state_display()}, not running.")


def describe_decision(match: Match) -> str:
    """Describe how a match was decided, and who can correct it."""
    state = "a bye" if match.state == MatchState.BYE else match.get_state_display()
    return f"This match is already decided: {state}. Ask an arbiter to correct it."


def require_undecided(match: Match) -> None:
    """Raise RefusedError if a match is decided, or if its watch party is about to decide it."""
    if match.state in MatchState.decided():
        raise RefusedError("match", describe_decision(match))
    if why := hold_reason(match):
        raise RefusedError("match", why)


def side_enrolment(match: Match, side: int) -> Enrolment:
    """Return the attacker (0) or defender (1); raise RefusedError for the empty side of a bye."""
    enrolment = (match.attacker, match.defender)[side]
    if enrolment is None:
        raise RefusedError("match", "This match is a bye, so there is no opponent.")
    return enrolment
