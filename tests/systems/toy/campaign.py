"""The toy between battles: points in the season, and nothing else."""

from collections.abc import Sequence

from systems.engine.dice import Dice
from systems.season import CampaignSystem, GameSide, SideAfter, Takings

from .roster import ToySpec


class ToyCampaigns(CampaignSystem[ToySpec]):
    slug = "toy"
    season_points = {"won": 2, "drawn": 1, "lost": 0}

    def aftermath(self, sides: Sequence[GameSide[ToySpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return tuple(
            SideAfter(flights=(), takings=Takings(season_points=self.season_points[side.result])) for side in sides
        )
