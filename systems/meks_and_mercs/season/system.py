"""Meks & Mercs between battles, for the shared code of campaigns: SYSTEM."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from systems.arcs import Gain
from systems.engine.dice import Dice
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import FRESH_BUILD, STANDING_COMPANY, Options
from systems.roster import CompanyMember, PilotSpec
from systems.season import OBJECTIVE, POINTS, SUPPORT, CampaignSystem, Concession, GameSide, SideAfter

from . import advancement, objective, season
from . import aftermath as after
from . import arc as six


class MeksAndMercsCampaign(CampaignSystem[MekSpec]):
    slug = "meks-and-mercs"
    loan_design = season.LOAN_DESIGN
    loan_pilot = PilotSpec(season.LOAN_LEVEL)
    season_points = MappingProxyType(after.SEASON_POINTS)
    said_options = MappingProxyType({"season-mode": STANDING_COMPANY})
    new_options = MappingProxyType({"season-mode": FRESH_BUILD})
    said_about = MappingProxyType({"season-mode": season.SEASON_MODES_HELP})
    tie_breakers = season.TIE_BREAKERS
    gives_up = (POINTS, SUPPORT, OBJECTIVE)
    has_bonuses = True
    arc = six.ARC
    skill_effects = MappingProxyType({skill.slug: skill.effect for skill in CATALOGUE.skills.values()})

    def aftermath(self, sides: Sequence[GameSide[MekSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return after.aftermath(sides, dice, standing=standing)

    def builds_fresh(self, options: Mapping[str, object]) -> bool:
        return Options.read(options).builds_fresh

    def gifts(self, support: Sequence[str]) -> int:
        return after.gifts(support)

    def changed(self, scenario: str | Mapping[str, object], gains: Sequence[Gain]) -> str | Mapping[str, object]:
        return six.change_terms(scenario, gains) if any(gains) and six.has_terms(scenario) else scenario

    def concessions(self, scenario: str | Mapping[str, object], side: int) -> Sequence[Concession]:
        return objective.concessions(scenario, side) if six.has_terms(scenario) else ()

    def skill_choices(self, known: Sequence[str]) -> tuple[str, ...]:
        return advancement.skill_choices(known)

    def fits(self, skill: str, spec: MekSpec) -> bool:
        return advancement.fits(skill, spec)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MekSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        return season.best_force(scenario, members, options, side=side, most=most)

    def house_loan(self, scenario: str, members: Sequence[CompanyMember[MekSpec]], *, side: str | None = None) -> int:
        return season.house_loan(scenario, members, side=side)


SYSTEM = MeksAndMercsCampaign()
