"""Toy Soldiers between battles: season points only. TY-004."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.engine.dice import Dice
from systems.season import CampaignSystem, GameSide, Result, SideAfter, Takings
from tests.toy.build import ToySpec


class ToySeason(CampaignSystem[ToySpec]):
    slug = "toy"
    season_points: Mapping[Result, int] = {"won": 2, "drawn": 1, "lost": 0}

    def aftermath(self, sides: Sequence[GameSide[ToySpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return tuple(
            SideAfter(flights=(), takings=Takings(season_points=self.season_points[side.result])) for side in sides
        )


SYSTEM = ToySeason()
