"""What can be chosen for a battle, as form choices: terrain, doctrine, pilots' levels and skills."""

from collections.abc import Mapping
from typing import Any

from battles.systems import get_system
from battles.systems.terms import ScenarioTerms, ground_told
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE as MEKS_AND_MERCS

Choices = list[tuple[str, str]]

CATALOGUES: Mapping[str, Any] = {"meks-and-mercs": MEKS_AND_MERCS}
DEFAULT_SYSTEM = "meks-and-mercs"
PRINTED = "printed"  # terrain as the scenario has it


def terrain_choices(system: str) -> Choices:
    return [(slug, title) for slug, title in get_system(system).terrains.items() if slug != PRINTED]


def field_choices(system: str, terms: ScenarioTerms | None) -> Choices:
    """The terrain to choose: none where the scenario prints it."""
    if terms is None:
        return terrain_choices(system)
    if not terms.is_terrain_free:
        return []
    return [(PRINTED, f"as the scenario has it: {ground_told(terms.ground)}"), *terrain_choices(system)]


def support_choices(system: str) -> list[tuple[str, Choices]]:
    """The results of the support tables, table by table."""
    tables: dict[str, Choices] = {}
    for result in get_system(system).support_results.values():
        tables.setdefault(f"Table {result.table}", []).append((result.slug, result.name))
    return list(tables.items())


def doctrine_choices(system: str) -> Choices:
    return list(get_system(system).doctrines.items())


def level_choices(system: str) -> Choices:
    return [(level.slug, level.name) for level in CATALOGUES[system].levels.values()]


def skill_choices(system: str) -> Choices:
    """Slug and name; skills that are taken per chassis size say which."""
    return [(skill.slug, skill.name) for skill in CATALOGUES[system].skills.values()]
