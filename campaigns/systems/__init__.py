"""The rule systems that campaigns can be played in."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .base import CampaignSystem
from .meks_and_mercs import SYSTEM as MEKS_AND_MERCS

SYSTEMS: Mapping[str, CampaignSystem[Any]] = MappingProxyType({MEKS_AND_MERCS.slug: MEKS_AND_MERCS})


def get_system(slug: str) -> CampaignSystem[Any]:
    """The campaign rules of a system; raises KeyError."""
    return SYSTEMS[slug]
