"""Shared parts of the services of campaigns: locks, the activity log, and refusals of anything that comes too late.

Locks are taken in this order: club, campaign, round, match, then companies by ID. They are NO KEY locks, so that a row
that only points to a locked one can be written and committed meanwhile; full locks would break the order there.
"""

from __future__ import annotations

from campaigns.models import Campaign, CampaignState, Club, DiaryEntry, Match, MatchState
from campaigns.premieres.holding import why_held
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services._base import company_lock

DECIDED = (
    MatchState.CONFIRMED,
    MatchState.RULED,
    MatchState.AUTO_RESOLVED,
    MatchState.FORFEITED,
    MatchState.REFUSED,
    MatchState.VOID,
    MatchState.BYE,
)
FOUGHT = (MatchState.CONFIRMED, MatchState.RULED, MatchState.AUTO_RESOLVED)  # a result is in the ledgers


def diary_write(
    *, club: Club, text: str, by: Player | None, campaign: Campaign | None = None, match: Match | None = None
) -> DiaryEntry:
    """Add an entry to the club's activity log; `by` None means the clock did it."""
    return DiaryEntry.objects.create(club=club, campaign=campaign, match=match, text=text[:400], by=by)


def campaign_diary(campaign: Campaign, text: str, by: Player | None) -> None:
    """Add an entry about a campaign to the activity log."""
    diary_write(club=campaign.club, campaign=campaign, text=text, by=by)


def match_diary(match: Match, text: str, by: Player | None) -> None:
    """Add an entry about a match to the activity log."""
    campaign = match.round.campaign
    diary_write(club=campaign.club, campaign=campaign, match=match, text=text, by=by)


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


def running(campaign: Campaign) -> None:
    """Raise RefusedError unless the campaign is running."""
    if campaign.state != CampaignState.RUNNING:
        raise RefusedError("campaign", f"{campaign.name} is {campaign.get_state_display()}, not running.")


def describe_decision(match: Match) -> str:
    """Describe what a decided match is, and who can correct it."""
    said = "a bye" if match.state == MatchState.BYE else match.get_state_display()
    return f"This match is {said}; an arbiter can correct it."


def undecided(match: Match) -> None:
    """Raise RefusedError if a match is decided, or if its watch party is about to decide it."""
    if match.state in DECIDED:
        raise RefusedError("match", describe_decision(match))
    if why := why_held(match):
        raise RefusedError("match", why)
