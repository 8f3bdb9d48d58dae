"""Blazing Steel between battles, as the shared code uses it."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.options import Options
from systems.engine.dice import Dice
from systems.roster import CompanyMember
from systems.season import CampaignSystem, Fought, GameSide, SideAfter

from . import aftermath as after
from . import league


class BlazingSteelLeague(CampaignSystem[WarmechSpec]):
    slug = "blazing-steel"
    loan_design = league.LOAN_DESIGN
    lends_for_a_game = True
    season_points = MappingProxyType(after.LEAGUE_POINTS)
    tie_breakers = league.TIE_BREAKERS

    def aftermath(self, sides: Sequence[GameSide[WarmechSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return after.settle_battle(sides, dice)

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        return after.side_scores(sides, Options.read(options))

    def house_loan(
        self, scenario: str, members: Sequence[CompanyMember[WarmechSpec]], *, side: str | None = None
    ) -> int:
        return league.house_loan(members)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[WarmechSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        found = league.standing_force(scenario, members, options, side, most)
        return found if found and allows(found) else ()


SYSTEM = BlazingSteelLeague()
