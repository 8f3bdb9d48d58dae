"""SYSTEMS: the rule systems that rosters can be kept for, one line each."""

from collections.abc import Mapping
from typing import Any

from .base import RosterSystem
from .mech_campaign import SYSTEM as MECH_CAMPAIGN
from .meks_and_mercs import SYSTEM as MEKS_AND_MERCS

SYSTEMS: Mapping[str, RosterSystem[Any, Any]] = {
    "meks-and-mercs": MEKS_AND_MERCS,
    "mech-campaign": MECH_CAMPAIGN,
}


class UnknownSystemError(ValueError):
    """Raised for a slug that no rule system has."""


def get_system(slug: str) -> RosterSystem[Any, Any]:
    """The rule system of that slug; raises UnknownSystemError."""
    try:
        return SYSTEMS[slug]
    except KeyError:
        raise UnknownSystemError(f"unknown rule system {ascii(slug[:60])}; there is {', '.join(SYSTEMS)}") from None


def system_choices() -> list[tuple[str, str]]:
    """Slug and name of each system, for a model field's choices."""
    return [(system.slug, system.name) for system in SYSTEMS.values()]
