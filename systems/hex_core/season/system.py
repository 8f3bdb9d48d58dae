"""Hex Core between battles, as the shared code uses it."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from systems.engine.dice import Dice
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE
from systems.roster import CompanyMember
from systems.season import CampaignSystem, GameSide, SideAfter

from . import advancement, league
from . import aftermath as after


class HexCoreLeague(CampaignSystem[MachineSpec]):
    slug = "hex-core"
    skill_effects = MappingProxyType({trait.slug: trait.effect for trait in CATALOGUE.traits.values()})
    loan_design = league.LOAN_DESIGN
    loan_pilot = league.LOAN_PILOT
    lends_for_a_game = True
    season_points = MappingProxyType(after.LEAGUE_POINTS)
    tie_breakers = league.TIE_BREAKERS
    shares_places = True

    def aftermath(self, sides: Sequence[GameSide[MachineSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return after.settle_battle(sides, dice)

    skill_choices = staticmethod(advancement.trait_choices)
    fits = staticmethod(advancement.fits)

    def house_loan(
        self, scenario: str, members: Sequence[CompanyMember[MachineSpec]], *, side: str | None = None
    ) -> int:
        return league.house_loan(members)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MachineSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        ready = [at for at, member in enumerate(members) if league.is_legal(member, options)]
        picked = league.standing_force(scenario, [members[at] for at in ready], options, side, most)
        found = tuple(ready[at] for at in picked)
        return found if found and allows(found) else ()


SYSTEM = HexCoreLeague()
