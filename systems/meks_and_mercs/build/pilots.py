"""The effect of a pilot's level and skills on their Mek."""

from dataclasses import dataclass

from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import Level, Skill


@dataclass(frozen=True, slots=True)
class PilotEffect:
    """Standing modifiers; the battle applies skills that work once a round."""

    movement: int = 0
    to_hit: int = 0
    heat_rating: int = 0


def pilot_effect(experience: str, skills: tuple[str, ...], chassis: str) -> PilotEffect:
    """Return the effect of level, Maneuver and the familiarity with this size. MM-028, MM-044, MM-058."""
    level: Level = CATALOGUE.levels[experience]
    working = [skill for skill in known_skills(skills) if skill.chassis in (None, chassis)]
    return PilotEffect(
        movement=level.movement + sum(skill.movement_bonus for skill in working),
        to_hit=level.to_hit,
        heat_rating=sum(skill.heat_rating for skill in working),
    )


def known_skills(skills: tuple[str, ...]) -> tuple[Skill, ...]:
    """Return the skills, each once, in the order gained."""
    return tuple(CATALOGUE.skills[slug] for slug in dict.fromkeys(skills))
