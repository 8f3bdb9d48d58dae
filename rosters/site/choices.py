"""The choice of a rule system, as pages offer it."""

from collections.abc import Iterable
from dataclasses import dataclass

from systems import ROSTERS, roster_rules


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """A rule system as a page offers it."""

    slug: str
    name: str
    is_here: bool


def offered(slugs: Iterable[str], here: str) -> tuple[SystemChoice, ...]:
    """These systems to choose from; none where there is no choice."""
    found = tuple(SystemChoice(slug, roster_rules(slug).name, slug == here) for slug in slugs)
    return found if len(found) > 1 else ()


def systems_offered(here: str, part: str = "") -> tuple[SystemChoice, ...]:
    """All systems, or those that have this part."""
    return offered(systems_with(part), here)


def systems_with(part: str = "") -> list[str]:
    """The slugs of all systems, or of those that have this part (`RosterSystem.has`)."""
    return [slug for slug, system in ROSTERS.items() if not part or system.has(part)]
