"""Selectors for what a player has to decide between games."""

from dataclasses import dataclass

from rosters.selectors import CompanySheet, PilotRow
from systems import roster_rules, season_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillChoice:
    """A skill that a pilot could learn."""

    slug: str
    name: str
    effect: str
    fits: bool  # it is of use in the unit the pilot sits in
    is_default: bool


def skill_choices(company: CompanySheet, pilot: PilotRow) -> tuple[SkillChoice, ...]:
    """Return the skills a pilot can choose from; none unless the pilot has earned one. MM-101, MM-S11."""
    if not pilot.pending or not pilot.is_on_roll:
        return ()
    rules, rosters = season_rules(company.system), roster_rules(company.system, company.catalogue_release)
    unit = company.unit(pilot.seat.id) if pilot.seat else None
    spec = rosters.parse_spec(unit.spec) if unit else None
    return tuple(
        SkillChoice(
            slug=slug,
            name=rosters.skill_names[slug],
            effect=rules.skill_effects[slug],
            fits=spec is None or rules.fits(slug, spec),
            is_default=slug == pilot.pending[0],
        )
        for slug in rules.skill_choices(pilot.skills)
    )
