"""What the services of campaigns share: locks, the diary, and refusals of what comes too late.

Locks are taken in this order: club, campaign, round, match, then companies by their id. They are NO KEY locks: a row
that only points to a locked one can be written and committed meanwhile, or that would be a lock out of this order.
"""

from __future__ import annotations

from campaigns.models import Campaign, CampaignState, Club, DiaryEntry, Match, MatchState
from campaigns.premieres.holding import why_held
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services._base import company_lock


def diary_write(
    *, club: Club, text: str, by: Player | None, campaign: Campaign | None = None, match: Match | None = None
) -> DiaryEntry:
    """Notes what was done in the club's name; `by` None is the clock."""
    return DiaryEntry.objects.create(club=club, campaign=campaign, match=match, text=text[:400], by=by)


def campaign_diary(campaign: Campaign, text: str, by: Player | None) -> None:
    """The same of a campaign."""
    diary_write(club=campaign.club, campaign=campaign, text=text, by=by)


def match_diary(match: Match, text: str, by: Player | None) -> None:
    """The same of a match."""
    campaign = match.round.campaign
    diary_write(club=campaign.club, campaign=campaign, match=match, text=text, by=by)


def club_lock(club: Club) -> Club:
    """The club's row, held until the transaction ends."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def campaign_lock(campaign: Campaign) -> Campaign:
    """The campaign's row with its club, held until the transaction ends: two acts on it follow one another."""
    return Campaign.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=campaign.pk)


def match_lock(match: Match) -> Match:
    """The match's row with its sides, round and campaign, held until the transaction ends."""
    rows = Match.objects.select_for_update(of=("self",), no_key=True).select_related(
        "round__campaign__club", "attacker__company__owner", "defender__company__owner", "dice", "battle"
    )
    return rows.get(pk=match.pk)


def companies_lock(match: Match) -> None:
    """Locks the companies of a locked match, by their id: what they bring stays as it is until the transaction ends."""
    companies = {side.company_id: side.company for side in (match.attacker, match.defender) if side is not None}
    for _, company in sorted(companies.items()):
        company_lock(company, even_disbanded=True)


def running(campaign: Campaign) -> None:
    """Refuses what only a running campaign allows."""
    if campaign.state != CampaignState.RUNNING:
        raise RefusedError("campaign", f"{campaign.name} is {campaign.get_state_display()}, not running.")


def describe_decision(match: Match) -> str:
    """What a decided match is, and who can correct it."""
    said = "a bye" if match.state == MatchState.BYE else match.get_state_display()
    return f"This match is {said}; an arbiter can correct it."


def undecided(match: Match) -> None:
    """Refuses what comes after a match was decided, or while its premiere decides it."""
    if match.state in MatchState.decided():
        raise RefusedError("match", describe_decision(match))
    if why := why_held(match):
        raise RefusedError("match", why)
