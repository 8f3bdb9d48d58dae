"""The advancement of pilots of Meks & Mercs: levels, skill rolls and the skills they learn."""

from collections.abc import Sequence

from systems.engine.dice import Dice, roll
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.season import SkillRoll

FIRST_SKILL = 5  # MM-101: the number for a pilot without skills
FAMILIARITY = "chassis-familiarity"
DEFAULT_SKILLS = (  # MM-S11; chassis-familiarity means the one with the size flown
    "accuracy",
    "guidance",
    "steady-hand",
    "pinpoint-attack",
    "sharpshooter",
    "maneuver",
    "damage-control",
    FAMILIARITY,
    "gunnery",
    "spoof",
    "agility",
    "ice-man",
    "quick-draw",
    "tactics",
    "hawkeye",
    "log-hero",
)
FAMILY = {"accuracy": "cannon", "guidance": "missile", "steady-hand": "laser", "gunnery": "cannon"}


def level_after(level: str, kills: int, games: int) -> str:
    """Return the highest level whose conditions these totals meet, never below the one reached. MM-100, MM-D82."""
    order = list(CATALOGUE.levels)
    met = [at.slug for at in CATALOGUE.levels.values() if kills >= at.kills and games >= at.games]
    return max([level, *met], key=order.index)


def number_needed(skills: int) -> int:
    """Return the number that a skill roll must reach for a pilot with this many skills. MM-101."""
    return skills or FIRST_SKILL


def can_gain(level: str, skills: int) -> bool:
    """Return whether a skill roll is allowed and could succeed. MM-101, MM-102, MM-S13."""
    bonus = CATALOGUE.levels[level].skill_roll
    return bonus is not None and number_needed(skills) <= 6 + bonus


def skill_roll(level: str, known: Sequence[str], spec: MekSpec, dice: Dice) -> SkillRoll | None:
    """Make the skill roll after a game that a pilot of this level survived; None if they have no roll. MM-101."""
    bonus = CATALOGUE.levels[level].skill_roll
    if bonus is None or not can_gain(level, len(known)):
        return None
    face, needed = roll(dice, 6), number_needed(len(known))
    return SkillRoll(
        face=face, bonus=bonus, needed=needed, default=default_skill(known, spec) if face + bonus >= needed else ""
    )


def skill_choices(known: Sequence[str]) -> tuple[str, ...]:
    """Return every skill not known yet; the familiarity once for each size. MM-D46, MM-D84."""
    return tuple(slug for slug in CATALOGUE.skills if slug not in known)


def fits(skill: str, spec: MekSpec) -> bool:
    """Return whether the skill has any use on this Mek. MM-S11."""
    if CATALOGUE.skills[skill].chassis is not None:
        return CATALOGUE.skills[skill].chassis == spec.chassis
    family = FAMILY.get(skill)
    return family is None or any(CATALOGUE.weapons[weapon].family == family for weapon in spec.weapons)


def default_skill(known: Sequence[str], spec: MekSpec) -> str:
    """Return the skill that a pilot of this Mek learns when nobody chooses. MM-S11.

    No pilot gains so many skills that none fits.
    """
    order = [f"{FAMILIARITY}-{spec.chassis}" if slug == FAMILIARITY else slug for slug in DEFAULT_SKILLS]
    left = skill_choices(known)
    return next(slug for slug in order if slug in left and fits(slug, spec))
