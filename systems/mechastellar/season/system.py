"""MechaStellar between battles, as the shared code uses it."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from systems.engine.dice import Dice
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.options import Options
from systems.roster import CompanyMember
from systems.season import CampaignSystem, Fought, GameSide, SideAfter

from . import aftermath as after
from . import league


class MechaStellarLeague(CampaignSystem[UnitSpec]):
    slug = "mechastellar"
    loan_design = league.LOAN_DESIGN
    loan_pilot = league.LOAN_PILOT
    lends_for_a_game = True
    season_points = MappingProxyType(after.LEAGUE_POINTS)
    tie_breakers = league.TIE_BREAKERS
    finale_options = MappingProxyType({"finale": True})  # ST-382, ST-410

    def aftermath(self, sides: Sequence[GameSide[UnitSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return after.settle_battle(sides, dice)

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        return after.side_scores(sides, Options.read(options))

    def house_loan(self, scenario: str, members: Sequence[CompanyMember[UnitSpec]], *, side: str | None = None) -> int:
        return league.house_loan(members)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[UnitSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        return league.standing_force(scenario, members, options, most)


SYSTEM = MechaStellarLeague()
