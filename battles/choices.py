"""What can be chosen for a battle, as form choices: terrain, doctrine, pilots' levels and skills."""

from collections.abc import Mapping
from typing import Any

from battles.systems import get_system
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE as MEKS_AND_MERCS

Choices = list[tuple[str, str]]

CATALOGUES: Mapping[str, Any] = {"meks-and-mercs": MEKS_AND_MERCS}
DEFAULT_SYSTEM = "meks-and-mercs"


def terrain_choices(system: str) -> Choices:
    return [(slug, title) for slug, title in get_system(system).terrains.items() if slug != "printed"]


def doctrine_choices(system: str) -> Choices:
    return list(get_system(system).doctrines.items())


def level_choices(system: str) -> Choices:
    return [(level.slug, level.name) for level in CATALOGUES[system].levels.values()]


def skill_choices(system: str) -> Choices:
    """Slug and name; skills that are taken per chassis size say which."""
    return [(skill.slug, skill.name) for skill in CATALOGUES[system].skills.values()]
