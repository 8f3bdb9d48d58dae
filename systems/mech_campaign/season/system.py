"""Mech Campaign between battles, as the shared code uses it."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from systems.engine.dice import Dice
from systems.mech_campaign.build.spec import UnitSpec
from systems.roster import CompanyMember, PilotSpec
from systems.season import OBJECTIVE, POINTS, CampaignSystem, GameSide, SideAfter

from . import aftermath as after
from . import league, objective


class MechCampaignLeague(CampaignSystem[UnitSpec]):
    slug = "mech-campaign"
    loan_design = league.LOAN_KIND
    loan_pilot = PilotSpec(league.LOAN_RANK)
    lends_for_a_game = True
    season_points = MappingProxyType(after.LEAGUE_POINTS)
    tie_breakers = league.TIE_BREAKERS
    gives_up = (POINTS, OBJECTIVE)

    def aftermath(self, sides: Sequence[GameSide[UnitSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return after.aftermath(sides, dice)

    concessions = staticmethod(objective.concessions)

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
        return league.standing_force(members, options, scenario)

    zone_battle = staticmethod(league.zone_battle)


SYSTEM = MechCampaignLeague()
