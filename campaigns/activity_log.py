"""Lines in the activity log of a club, of its campaigns and of their matches."""

from __future__ import annotations

from campaigns.models import ActivityLogEntry, Campaign, Club, Match
from rosters.models import Player


def log_activity(
    *, club: Club, text: str, by: Player | None, campaign: Campaign | None = None, match: Match | None = None
) -> ActivityLogEntry:
    """Add an entry to the club's activity log; `by` is None if the timer acted."""
    return ActivityLogEntry.objects.create(club=club, campaign=campaign, match=match, text=text[:400], created_by=by)


def log_campaign_activity(campaign: Campaign, text: str, by: Player | None) -> None:
    """Add an entry about a campaign to the activity log."""
    log_activity(club=campaign.club, campaign=campaign, text=text, by=by)


def log_match_activity(match: Match, text: str, by: Player | None) -> None:
    """Add an entry about a match to the activity log."""
    campaign = match.round.campaign
    log_activity(club=campaign.club, campaign=campaign, match=match, text=text, by=by)
