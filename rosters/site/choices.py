"""The choice of a rule system on pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from systems import ROSTERS, roster_rules


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """A rule system to choose on a page."""

    slug: str
    name: str
    is_here: bool


def system_choices(slugs: Iterable[str], here: str) -> tuple[SystemChoice, ...]:
    """Return these systems as choices; empty if there is only one."""
    found = tuple(SystemChoice(slug, roster_rules(slug).name, slug == here) for slug in slugs)
    return found if len(found) > 1 else ()


def systems_offered(here: str, part: str = "") -> tuple[SystemChoice, ...]:
    """Return all systems, or those that have this part, as choices."""
    return system_choices(systems_with(part), here)


def systems_with(part: str = "") -> list[str]:
    """Return the slugs of all systems, or of those that have this part (`RosterSystem.has`)."""
    return [slug for slug, system in ROSTERS.items() if not part or system.has(part)]
