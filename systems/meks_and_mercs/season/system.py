"""Meks & Mercs between battles, for the shared code of campaigns: SYSTEM."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from systems.arcs import StorylineBonus
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import FRESH_BUILD, STANDING_COMPANY, Options
from systems.roster import CompanyMember, PilotSpec
from systems.season import OBJECTIVE, POINTS, SUPPORT, CampaignSystem, Concession

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

    aftermath = staticmethod(after.aftermath)

    def builds_fresh(self, options: Mapping[str, object]) -> bool:
        return Options.read(options).builds_fresh

    gifts = staticmethod(after.gifts)

    def changed(self, scenario: str | Mapping[str, object], gains: Sequence[StorylineBonus]) -> str | Mapping[str, object]:
        return six.change_terms(scenario, gains) if any(gains) and six.has_terms(scenario) else scenario

    def concessions(self, scenario: str | Mapping[str, object], side: int) -> Sequence[Concession]:
        return objective.concessions(scenario, side) if six.has_terms(scenario) else ()

    skill_choices = staticmethod(advancement.skill_choices)
    fits = staticmethod(advancement.fits)

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

    house_loan = staticmethod(season.house_loan)


SYSTEM = MeksAndMercsCampaign()
