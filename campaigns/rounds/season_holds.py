"""What a running season forbids in the campaigns that it is played in."""

from __future__ import annotations

from campaigns.models import Campaign, Season, SeasonState
from rosters.services import RefusedError


def running_season(campaign: Campaign) -> Season | None:
    """The running season that the campaign is played in, if there is one."""
    return Season.objects.filter(games__campaign=campaign, state=SeasonState.RUNNING).first()


def season_pairs(campaign: Campaign) -> None:
    """Refuses a round of the campaign's own while its season pairs the players."""
    season = running_season(campaign)
    if season is not None:
        raise RefusedError("round", f"{campaign.name} is played in the season {season}, which pairs its players.")


def season_plays(campaign: Campaign) -> None:
    """Refuses the end of a campaign that its season still needs."""
    season = running_season(campaign)
    if season is not None:
        raise RefusedError("season", f"The season {season} is still played in it; finish the season first.")
