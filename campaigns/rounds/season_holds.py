"""What a running season forbids in its campaigns."""

from __future__ import annotations

from campaigns.models import Campaign, Season, SeasonState
from rosters.services import RefusedError


def running_season(campaign: Campaign) -> Season | None:
    """Return the running season that the campaign is part of, if there is one."""
    return Season.objects.filter(games__campaign=campaign, state=SeasonState.RUNNING).first()


def refuse_own_rounds(campaign: Campaign) -> None:
    """Raise RefusedError for a round of the campaign's own while its season pairs the players."""
    season = running_season(campaign)
    if season is not None:
        raise RefusedError("round", f"{campaign.name} is played in the season {season}, which pairs its players.")


def refuse_finish(campaign: Campaign) -> None:
    """Raise RefusedError for finishing a campaign that its season still needs."""
    season = running_season(campaign)
    if season is not None:
        raise RefusedError("season", f"The season {season} is still played in it; finish the season first.")
